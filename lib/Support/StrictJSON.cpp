//===- StrictJSON.cpp - JSON from files that may lie ----------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

/// The offset just behind the string literal whose opening quote is at `start`.
static size_t findEndOfString(StringRef text, size_t start) {
  for (size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

/// The string that a literal, quotes included, stands for.
static std::string unescape(StringRef literal) {
  if (literal.contains('\\')) {
    Expected<json::Value> value = json::parse(literal);
    if (!value)
      llvm::consumeError(value.takeError()); // the parser proper will say it
    else if (std::optional<StringRef> string = value->getAsString())
      return string->str();
  }
  return literal.drop_front().drop_back().str();
}

/// Checks nesting and keys of text that need not be valid JSON.
static Error checkStructure(StringRef text, unsigned maxDepth) {
  // The keys seen in each open object; brackets have an (unused) level too.
  llvm::SmallVector<llvm::StringSet<>> open;
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (c == '"') {
      size_t end = findEndOfString(text, i);
      StringRef literal = text.slice(i, end);
      i = end;
      bool isKey = text.drop_front(end).ltrim(" \t\r\n").starts_with(":");
      if (!isKey || open.empty())
        continue;
      std::string key = unescape(literal);
      if (!open.back().insert(key).second)
        return llvm::createStringError("key '" + key + "' is given twice");
      continue;
    }
    if (c == '{' || c == '[') {
      if (open.size() == maxDepth)
        return llvm::createStringError(
            "expected at most " + llvm::Twine(maxDepth) + " nested levels");
      open.emplace_back();
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
    }
    ++i;
  }
  return Error::success();
}

Expected<json::Value> parablock::parseStrictJSON(StringRef text,
                                                 unsigned maxDepth) {
  if (Error error = checkStructure(text, maxDepth))
    return error;
  return json::parse(text);
}

Expected<json::Object> parablock::readJSONObject(StringRef path) {
  auto fail = [&](const llvm::Twine &message) {
    return llvm::createStringError(path + ": " + message);
  };
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return fail(buffer.getError().message());
  Expected<json::Value> value = parseStrictJSON((*buffer)->getBuffer());
  if (!value)
    return fail(llvm::toString(value.takeError()));
  if (json::Object *object = value->getAsObject())
    return std::move(*object);
  return fail("expected a JSON object");
}

json::Value parablock::toJSONNumber(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}
