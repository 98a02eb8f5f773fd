//===- Json.cpp - JSON without LLVM ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Launch/Json.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace parablock::launch;

namespace parablock::launch {
class JsonParser {
public:
  explicit JsonParser(std::string_view text) : text(text) {}

  bool parseAll(Json &value) {
    if (!parseValue(value, 0))
      return false;
    skipSpace();
    return at == text.size() || stop("expected nothing more");
  }
  std::string getFault() const {
    return fault + " at byte " + std::to_string(at);
  }

private:
  static constexpr unsigned maxDepth = 32;

  bool stop(const char *what) {
    fault = what;
    return false;
  }
  void skipSpace() {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  }
  bool accept(char c) {
    skipSpace();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool acceptWord(std::string_view word) {
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }

  bool parseValue(Json &value, unsigned depth);
  bool parseObject(Json &value, unsigned depth);
  bool parseArray(Json &value, unsigned depth);
  bool parseNumber(Json &value);
  bool parseString(std::string &result);
  bool parseEscape(std::string &result);
  bool parseHex(uint32_t &code);
  static void appendUtf8(std::string &result, uint32_t code);

  std::string_view text;
  size_t at = 0;
  std::string fault;
};
} // namespace parablock::launch

bool JsonParser::parseValue(Json &value, unsigned depth) {
  if (depth > maxDepth)
    return stop("nested too deep");
  skipSpace();
  if (at == text.size())
    return stop("expected a value, got the end");
  switch (text[at]) {
  case '{':
    return parseObject(value, depth);
  case '[':
    return parseArray(value, depth);
  case '"':
    value.theKind = Json::String;
    return parseString(value.theText);
  default:
    break;
  }
  if (acceptWord("null"))
    return true;
  for (const char *word : {"true", "false"})
    if (acceptWord(word)) {
      value.theKind = Json::Bool;
      value.theText = word;
      return true;
    }
  return parseNumber(value);
}

bool JsonParser::parseObject(Json &value, unsigned depth) {
  value.theKind = Json::Object;
  ++at;
  if (accept('}'))
    return true;
  do {
    skipSpace();
    std::string key;
    if (at == text.size() || text[at] != '"')
      return stop("expected a key");
    if (!parseString(key))
      return false;
    if (value.find(key))
      return stop("a key is given twice");
    if (!accept(':'))
      return stop("expected ':'");
    value.theKeys.push_back(std::move(key));
    if (!parseValue(value.theElements.emplace_back(), depth + 1))
      return false;
  } while (accept(','));
  return accept('}') || stop("expected ',' or '}'");
}

bool JsonParser::parseArray(Json &value, unsigned depth) {
  value.theKind = Json::Array;
  ++at;
  if (accept(']'))
    return true;
  do {
    if (!parseValue(value.theElements.emplace_back(), depth + 1))
      return false;
  } while (accept(','));
  return accept(']') || stop("expected ',' or ']'");
}

bool JsonParser::parseNumber(Json &value) {
  value.theKind = Json::Number;
  size_t start = at;
  at = std::min(text.find_first_not_of("+-.0123456789eE", at), text.size());
  value.theText = text.substr(start, at - start);
  char *end = nullptr;
  std::strtod(value.theText.c_str(), &end);
  if (value.theText.empty() || *end)
    return stop("expected a value");
  return true;
}

bool JsonParser::parseString(std::string &result) {
  ++at;
  while (at < text.size() && text[at] != '"') {
    unsigned char c = text[at];
    if (c < 0x20)
      return stop("a control character in a string");
    if (c == '\\') {
      if (!parseEscape(result))
        return false;
      continue;
    }
    result += text[at++];
  }
  if (at == text.size())
    return stop("a string without an end");
  ++at;
  return true;
}

bool JsonParser::parseHex(uint32_t &code) {
  code = 0;
  for (unsigned digit = 0; digit < 4; ++digit, ++at) {
    static constexpr char digits[] = "0123456789abcdef";
    const char *found =
        at < text.size() && text[at]
            ? std::strchr(digits, text[at] >= 'A' && text[at] <= 'F'
                                      ? text[at] - 'A' + 'a'
                                      : text[at])
            : nullptr;
    if (!found)
      return stop("expected four hexadecimal digits");
    code = code << 4 | static_cast<uint32_t>(found - digits);
  }
  return true;
}

bool JsonParser::parseEscape(std::string &result) {
  static constexpr char names[] = "\"\\/bfnrt";
  static constexpr char values[] = "\"\\/\b\f\n\r\t";
  ++at;
  char c = at < text.size() ? text[at] : '\0';
  if (c == 'u') {
    ++at;
    uint32_t code, low;
    if (!parseHex(code))
      return false;
    if (code >= 0xD800 && code < 0xDC00) {
      if (!acceptWord("\\u") || !parseHex(low) || low < 0xDC00 || low > 0xDFFF)
        return stop("half a character");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    appendUtf8(result, code);
    return true;
  }
  const char *found = c ? std::strchr(names, c) : nullptr;
  if (!found)
    return stop("an unknown escape");
  result += values[found - names];
  ++at;
  return true;
}

void JsonParser::appendUtf8(std::string &result, uint32_t code) {
  if (code < 0x80) {
    result += static_cast<char>(code);
    return;
  }
  unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  result += static_cast<char>((0xF0 << (3 - more) & 0xFF) | code >> 6 * more);
  while (more--)
    result += static_cast<char>(0x80 | (code >> 6 * more & 0x3F));
}

Status Json::parse(std::string_view text, Json &value) {
  JsonParser parser(text);
  value = Json();
  if (parser.parseAll(value))
    return {};
  return fail(parser.getFault());
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
  auto found = std::find(theKeys.begin(), theKeys.end(), key);
  return found == theKeys.end() ? nullptr
                                : &theElements[found - theKeys.begin()];
}

std::string parablock::launch::quoteJson(std::string_view text) {
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
