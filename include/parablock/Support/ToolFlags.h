//===- ToolFlags.h - command lines and their help ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Command line parsing shared by every tool, so --help and --version are
// uniform. A tool that hides LLVM's flags calls
// llvm::cl::ResetCommandLineParser() first: libLLVM registers a thousand.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_TOOLFLAGS_H
#define PARABLOCK_SUPPORT_TOOLFLAGS_H

#include "parablock/Support/Number.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock {

/// The text of --help about a tool, in addition to its flags.
struct ToolHelp {
  /// A line that begins with a verb.
  llvm::StringRef purpose;
  /// Command lines that can be run unchanged.
  llvm::StringRef example;
  /// Exit codes other than 0 and 1, one per line.
  llvm::StringRef exitCodes = "";
};

/// Moves existing flags for which `isShown` returns false to --help-hidden. For
/// tools that need LLVM's flags.
void hideFlags(llvm::function_ref<bool(llvm::StringRef)> isShown);

/// Makes --help and --version describe the tool. For tools whose command line
/// MLIR parses, which also call spellOutHelp; others call parseToolFlags.
void prepareHelp(const ToolHelp &help);

/// Makes -h the flag --help.
void spellOutHelp(llvm::MutableArrayRef<char *> arguments);

/// Returns the first line of --help.
std::string getOverview(const ToolHelp &help);

/// Parses the flags that exist so far. Errors go to `errors` and make the
/// result false; without `errors` they are printed and end the program.
bool parseToolFlags(int argc, const char *const *argv, const ToolHelp &help,
                    llvm::raw_ostream *errors = nullptr);

/// A flag in a group of --help, which prints its default; if given twice, the
/// last value is used.
template <typename T> class ToolFlag : public llvm::cl::opt<T> {
public:
  template <typename... Modifiers>
  ToolFlag(llvm::cl::OptionCategory &group, llvm::StringRef name,
           llvm::StringRef description, const Modifiers &...modifiers)
      : llvm::cl::opt<T>(name, llvm::cl::ZeroOrMore, llvm::cl::cat(group),
                         modifiers...),
        text(description.str() + describeDefault()) {
    this->setDescription(text);
  }

private:
  std::string describeDefault() const {
    std::string value;
    llvm::raw_string_ostream stream(value);
    if constexpr (std::is_same_v<T, bool>)
      stream << (this->getValue() ? "true" : "");
    else if constexpr (std::is_same_v<T, Number>)
      stream << llvm::format("%g", static_cast<double>(this->getValue()));
    else
      stream << this->getValue();
    if (value == "-")
      value = "standard output";
    return value.empty() ? value : " (default: " + value + ")";
  }

  std::string text;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_TOOLFLAGS_H
