//===- ToolFlags.h - command lines and what --help says ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every tool reads its command line through these, so that all of them answer
// --help and --version alike. A tool whose flags are its own alone calls
// llvm::cl::ResetCommandLineParser() first: libLLVM brings a thousand.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_TOOLFLAGS_H
#define PARABLOCK_SUPPORT_TOOLFLAGS_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock {

/// The words of --help about a tool, beside its flags.
struct ToolHelp {
  /// A line that begins with a verb.
  llvm::StringRef purpose;
  /// Command lines that run as they stand.
  llvm::StringRef example;
  /// Exit codes beside 0 and 1, one a line.
  llvm::StringRef exitCodes = "";
};

/// Leaves to --help-hidden what `isShown` says no to, of the flags that exist
/// by now. For tools that cannot do without LLVM's.
void hideFlags(llvm::function_ref<bool(llvm::StringRef)> isShown);

/// Makes --help and --version speak of the tool. For tools whose command line
/// MLIR reads; others call parseToolFlags.
void prepareHelp(const ToolHelp &help);

/// The first line of --help.
std::string getOverview(const ToolHelp &help);

/// Reads the flags that exist by now. What is wrong goes to `errors` and makes
/// the result false; without `errors` it is printed and ends the program.
bool parseToolFlags(int argc, const char *const *argv, const ToolHelp &help,
                    llvm::raw_ostream *errors = nullptr);

/// A flag in a group of --help, which says its default; given twice, the last
/// holds.
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
    else if constexpr (std::is_floating_point_v<T>)
      stream << llvm::format("%g", this->getValue());
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
