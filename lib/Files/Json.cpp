//===- Json.cpp - builds values and quotes strings ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/Json.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

using namespace parablock::files;

bool Json::read(JsonReader &reader, unsigned &values) {
  if (++values > mostValues)
    return reader.stop("expected at most " + std::to_string(mostValues) +
                       " values");
  auto readElement = [&] {
    return theElements.emplace_back().read(reader, values);
  };
  switch (reader.peek()) {
  case '{':
    theKind = Object;
    if (!reader.readObject(theKeys, readElement))
      return false;
    theOrder = sortKeys(theKeys);
    return true;
  case '[':
    theKind = Array;
    return reader.readArray(readElement);
  case '"':
    theKind = String;
    return reader.readString(theText);
  default:
    break;
  }
  std::string_view word;
  if (!reader.readWord(word))
    return false;
  theKind = word == "null"                      ? Null
            : word == "true" || word == "false" ? Bool
                                                : Number;
  if (theKind != Null)
    theText = word;
  return true;
}

Status Json::parse(std::string_view text, Json &value) {
  JsonReader reader(text);
  unsigned values = 0;
  value = Json();
  if (value.read(reader, values))
    reader.finish();
  return reader.failure();
}

std::optional<int64_t> Json::integer() const {
  if (theKind != Number || theText.find_first_of(".eE") != std::string::npos)
    return std::nullopt;
  errno = 0;
  long long value = std::strtoll(theText.c_str(), nullptr, 10);
  if (errno)
    return std::nullopt;
  return value;
}

const Json *Json::find(std::string_view key) const {
  auto found = std::lower_bound(
      theOrder.begin(), theOrder.end(), key,
      [&](uint32_t i, std::string_view wanted) { return theKeys[i] < wanted; });
  return found == theOrder.end() || theKeys[*found] != key
             ? nullptr
             : &theElements[*found];
}

std::string parablock::files::quoteJson(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      static constexpr char digits[] = "0123456789abcdef";
      result += "\\u00";
      result += digits[c >> 4];
      result += digits[c & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}
