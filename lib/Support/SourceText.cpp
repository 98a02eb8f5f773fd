//===- SourceText.cpp - counts brackets before parsing --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/SourceText.h"

#include "parablock/Support/InputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace parablock;
using llvm::StringRef;

/// Ten times the depth of models. A stack of 8 MB allows some thousands.
static constexpr size_t maxDepth = 256;
static constexpr size_t maxSigns = 256;

bool parablock::isBytecodeText(StringRef text) {
  return text.starts_with("ML\xefR");
}

namespace {
/// Tracks open brackets, like the lexer.
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  /// Returns where a limit is exceeded; npos if nowhere.
  size_t findFault();

private:
  void skipString();
  void close(char open);

  StringRef text;
  size_t at = 0, signs = 0;
  llvm::SmallString<maxDepth> open;
};
} // namespace

void Scanner::skipString() {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    at += text[at] == '\\';
}

/// Closes a bracket; a mismatch is an error of the parser, which stops
/// there.
void Scanner::close(char bracket) {
  // "a < b" opens nothing.
  while (bracket != '<' && !open.empty() && open.back() == '<')
    open.pop_back();
  if (!open.empty() && open.back() == bracket)
    open.pop_back();
}

size_t Scanner::findFault() {
  for (; at < text.size(); ++at) {
    char c = text[at], next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c != '-' && c != ' ' && c != '\n' && c != '\t' && c != '\r')
      signs = 0;
    switch (c) {
    case '"':
      skipString();
      break;
    case '/':
      if (next == '/')
        at = std::min(text.find('\n', at), text.size());
      break;
    case '-':
      at += next == '>';
      if (++signs > maxSigns)
        return at;
      break;
    case '<':
    case '>':
      if (next == '=')
        break;
      [[fallthrough]];
    case '(':
    case '[':
    case '{':
      if (c == '>')
        close('<');
      else
        open.push_back(c);
      if (open.size() > maxDepth)
        return at;
      break;
    case ')':
      close('(');
      break;
    case ']':
      close('[');
      break;
    case '}':
      close('{');
      break;
    default:
      break;
    }
  }
  return StringRef::npos;
}

llvm::Error parablock::checkSourceText(StringRef text, StringRef path) {
  if (isBytecodeText(text))
    return llvm::Error::success();
  size_t fault = Scanner(text).findFault();
  if (fault == StringRef::npos)
    return llvm::Error::success();
  size_t line = text.take_front(fault).count('\n') + 1;
  return llvm::createStringError(
      path + ":" + llvm::Twine(line) + ": expected at most " +
      llvm::Twine(maxDepth) + " nested brackets or signs in a row, got more");
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
parablock::readSourceText(StringRef path) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> input =
      readInput(path, InputForm::Text);
  if (!input)
    return llvm::createStringError("cannot open input file '" + path +
                                   "': " + llvm::toString(input.takeError()));
  if (llvm::Error error = checkSourceText((*input)->getBuffer(), path))
    return std::move(error);
  return input;
}
