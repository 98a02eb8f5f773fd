//===- ToolFlags.cpp - formats help and parses flags ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/ToolFlags.h"

#include "parablock/Support/NamedEnum.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/StringSaver.h"
#include <utility>

using namespace parablock;
namespace cl = llvm::cl;

static constexpr size_t terminalWidth = 80;

std::string parablock::listNames(llvm::ArrayRef<llvm::StringRef> names) {
  return llvm::join(names.drop_back(), ", ") + " or " + names.back().str();
}

static thread_local std::string wrongValue;

std::string parablock::takeWrongValue() {
  return std::exchange(wrongValue, {});
}

bool parablock::refuseValue(cl::Option &option, const llvm::Twine &expected,
                            llvm::StringRef text) {
  std::string message = ("expected " + expected + ", got '" + text + "'").str();
  wrongValue = option.ArgStr.str() + ": " + message;
  return option.error(message);
}

bool cl::parser<Number>::parse(Option &option, llvm::StringRef,
                               llvm::StringRef text, Number &value) {
  double parsed;
  if (text.getAsDouble(parsed))
    return refuseValue(option, "a number", text);
  value = parsed;
  return false;
}

void cl::parser<Number>::printOptionDiff(const Option &option, Number value,
                                         const OptionValue<Number> &,
                                         size_t width) const {
  printOptionName(option, width);
  llvm::outs() << "= " << static_cast<double>(value) << "\n";
}

void parablock::hideFlags(llvm::function_ref<bool(llvm::StringRef)> isShown) {
  const cl::Option *help = cl::getRegisteredOptions().lookup("help");
  for (const auto &entry : cl::getRegisteredOptions())
    if (entry.second->Categories != help->Categories &&
        entry.second->getOptionHiddenFlag() == cl::NotHidden &&
        !isShown(entry.first))
      entry.second->setHiddenFlag(cl::Hidden);
}

/// Returns `text` with line breaks between words, if it is wider than `width`.
static std::string wrap(llvm::StringRef text, size_t width) {
  std::string lines;
  size_t column = 0;
  while (!text.empty()) {
    auto [word, rest] = text.split(' ');
    bool fits = column + 1 + word.size() <= width;
    if (column != 0)
      lines += fits ? ' ' : '\n';
    column = column != 0 && fits ? column + 1 + word.size() : word.size();
    lines += word;
    text = rest;
  }
  return lines;
}

/// Fits descriptions into a terminal, and shows where the rest is.
static void arrangeFlags(llvm::StringSaver &texts) {
  if (cl::Option *rest = cl::getRegisteredOptions().lookup("help-hidden"))
    rest->setHiddenFlag(cl::NotHidden);
  size_t widest = 0;
  for (const auto &entry : cl::getRegisteredOptions())
    if (entry.second->getOptionHiddenFlag() == cl::NotHidden)
      widest = std::max(widest, entry.second->getOptionWidth());
  // The name and its description are separated by three columns.
  size_t width = terminalWidth - std::min(widest + 3, terminalWidth / 2);
  for (const auto &entry : cl::getRegisteredOptions())
    if (entry.second->getOptionHiddenFlag() == cl::NotHidden)
      entry.second->setDescription(
          texts.save(wrap(entry.second->HelpStr, width)));
}

/// `text` with every line set in.
static std::string indent(llvm::StringRef text) {
  std::string lines;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    lines += ("  " + line + "\n").str();
  return lines;
}

static std::string formatHelpEnd(const ToolHelp &help) {
  std::string codes = "0 fine\n1 bad usage or input";
  if (!help.exitCodes.empty())
    codes += "\n" + help.exitCodes.str();
  return "\nEXAMPLE:\n\n" + indent(help.example) + "\nEXIT CODES:\n\n" +
         indent(codes);
}

void parablock::prepareHelp(const ToolHelp &help) {
  // A flag of one letter takes more letters of its kind behind it, and LLVM's
  // own -h ends the program at once: a misspelt flag such as --hiden would
  // print help and succeed. This one has no effect, so what follows is unknown.
  static cl::opt<bool> shortHelp("h", cl::Hidden, cl::desc("as --help"));
  // Descriptions are read for as long as there are flags.
  static llvm::BumpPtrAllocator memory;
  llvm::StringSaver texts(memory);
  arrangeFlags(texts);
  cl::extrahelp end(texts.save(formatHelpEnd(help)));
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "Parablock " PARABLOCK_VERSION " with LLVM " LLVM_VERSION_STRING "\n";
  });
}

std::string parablock::getOverview(const ToolHelp &help) {
  return ("Parablock: " + help.purpose + "\n").str();
}

void parablock::spellOutHelp(llvm::MutableArrayRef<char *> arguments) {
  static char flag[] = "--help";
  for (char *&argument : arguments)
    if (llvm::StringRef(argument) == "-h" || llvm::StringRef(argument) == "--h")
      argument = flag;
}

bool parablock::parseToolFlags(int argc, const char *const *argv,
                               const ToolHelp &help,
                               llvm::raw_ostream *errors) {
  prepareHelp(help);
  // LLVM only reads the texts.
  auto **texts = const_cast<char **>(argv);
  llvm::SmallVector<char *> arguments(texts, texts + argc);
  spellOutHelp(arguments);
  return cl::ParseCommandLineOptions(argc, arguments.data(), getOverview(help),
                                     errors);
}
