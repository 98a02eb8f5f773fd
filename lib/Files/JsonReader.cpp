//===- JsonReader.cpp - tokenizes and checks JSON -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/Json.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace parablock::files;

bool JsonReader::stop(const std::string &what) {
  if (fault.empty())
    fault = what + " at byte " + std::to_string(at);
  return false;
}

Status JsonReader::failure() const {
  return fault.empty() ? Status() : fail(fault);
}

void JsonReader::skipSpace() {
  at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

char JsonReader::peek() {
  skipSpace();
  return at < text.size() ? text[at] : '\0';
}

bool JsonReader::accept(char c) {
  if (peek() != c)
    return false;
  ++at;
  return true;
}

bool JsonReader::enter() {
  ++at;
  return ++depth <= maxDepth ||
         stop("expected at most " + std::to_string(maxDepth) +
              " nested levels");
}

bool JsonReader::readSequence(char close, const char *expected,
                              const std::function<bool()> &readOne) {
  if (!fault.empty() || !enter())
    return false;
  if (!accept(close)) {
    do {
      if (!readOne())
        return false;
    } while (accept(','));
    if (!accept(close))
      return stop(expected);
  }
  --depth;
  return true;
}

std::vector<uint32_t>
parablock::files::sortKeys(const std::vector<std::string> &keys) {
  std::vector<uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  return order;
}

bool JsonReader::readObject(std::vector<std::string> &keys,
                            const std::function<bool()> &readMember) {
  if (peek() != '{')
    return stop("expected an object");
  bool good = readSequence('}', "expected ',' or '}'", [&] {
    if (peek() != '"')
      return stop("expected a key");
    return readString(keys.emplace_back()) &&
           (accept(':') || stop("expected ':'")) && readMember();
  });
  if (!good)
    return false;
  std::vector<uint32_t> order = sortKeys(keys);
  auto twin = std::adjacent_find(
      order.begin(), order.end(),
      [&](uint32_t a, uint32_t b) { return keys[a] == keys[b]; });
  return twin == order.end() ||
         stop("key '" + keys[*twin] + "' is given twice");
}

bool JsonReader::readArray(const std::function<bool()> &readElement) {
  if (peek() != '[')
    return stop("expected an array");
  return readSequence(']', "expected ',' or ']'", readElement);
}

bool JsonReader::readHex(uint32_t &code) {
  code = 0;
  for (unsigned digit = 0; digit < 4; ++digit, ++at) {
    static constexpr char digits[] = "0123456789abcdef";
    char c = at < text.size() ? text[at] : '\0';
    const char *found =
        c ? std::strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c)
          : nullptr;
    if (!found)
      return stop("expected four hexadecimal digits");
    code = code << 4 | static_cast<uint32_t>(found - digits);
  }
  return true;
}

static void appendUtf8(std::string &result, uint32_t code) {
  if (code < 0x80) {
    result += static_cast<char>(code);
    return;
  }
  unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  result += static_cast<char>((0xF0 << (3 - more) & 0xFF) | code >> 6 * more);
  while (more--)
    result += static_cast<char>(0x80 | (code >> 6 * more & 0x3F));
}

bool JsonReader::readEscape(std::string &value) {
  static constexpr char names[] = "\"\\/bfnrt";
  static constexpr char values[] = "\"\\/\b\f\n\r\t";
  ++at;
  char c = at < text.size() ? text[at] : '\0';
  if (c == 'u') {
    ++at;
    uint32_t code, low;
    if (!readHex(code))
      return false;
    if (code >= 0xD800 && code < 0xE000) {
      if (code >= 0xDC00 || text.substr(at, 2) != "\\u")
        return stop("half a character");
      at += 2;
      if (!readHex(low))
        return false;
      if (low < 0xDC00 || low > 0xDFFF)
        return stop("half a character");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    appendUtf8(value, code);
    return true;
  }
  const char *found = c ? std::strchr(names, c) : nullptr;
  if (!found)
    return stop("an unknown escape");
  value += values[found - names];
  ++at;
  return true;
}

/// Reads one character in UTF-8: the shortest form of a Unicode character.
bool JsonReader::readCharacter(std::string &value) {
  auto byte = [&](size_t i) -> uint32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  uint32_t first = byte(0);
  if (first < 0x20)
    return stop("a control character in a string");
  unsigned more = first < 0x80                    ? 0
                  : first >= 0xC2 && first < 0xE0 ? 1
                  : first >= 0xE0 && first < 0xF0 ? 2
                  : first >= 0xF0 && first < 0xF5 ? 3
                                                  : 4;
  uint32_t code = more == 0 ? first : first & (0x3F >> more);
  bool good = more < 4;
  for (unsigned i = 1; good && i <= more; ++i) {
    good = (byte(i) & 0xC0) == 0x80;
    code = code << 6 | (byte(i) & 0x3F);
  }
  good = good && code < 0x110000 && !(code >= 0xD800 && code < 0xE000) &&
         !(more == 2 && code < 0x800) && !(more == 3 && code < 0x10000);
  if (!good)
    return stop("expected UTF-8");
  value.append(text, at, more + 1);
  at += more + 1;
  return true;
}

bool JsonReader::readString(std::string &value) {
  if (peek() != '"')
    return stop("expected a string");
  for (++at; at < text.size() && text[at] != '"';)
    if (!(text[at] == '\\' ? readEscape(value) : readCharacter(value)))
      return false;
  if (at == text.size())
    return stop("a string without an end");
  ++at;
  return true;
}

/// `[-] (0 | digits without a leading 0) [. digits] [e [+-] digits]`
static bool isNumber(std::string_view word) {
  size_t at = 0;
  auto skip = [&](const char *what) {
    if (at < word.size() && std::strchr(what, word[at]))
      ++at;
  };
  auto skipDigits = [&] {
    size_t begin = at;
    while (at < word.size() && word[at] >= '0' && word[at] <= '9')
      ++at;
    return at - begin;
  };
  auto is = [&](char c) { return at < word.size() && word[at] == c; };
  skip("-");
  bool isZero = is('0');
  size_t whole = skipDigits();
  if (whole == 0 || (isZero && whole > 1))
    return false;
  if (is('.')) {
    ++at;
    if (!skipDigits())
      return false;
  }
  if (is('e') || is('E')) {
    ++at;
    skip("+-");
    if (!skipDigits())
      return false;
  }
  return at == word.size();
}

bool JsonReader::readWord(std::string_view &word) {
  static constexpr char letters[] = "+-.0123456789abcdefghijklmnopqrstuvwxyzE";
  peek();
  size_t end = std::min(text.find_first_not_of(letters, at), text.size());
  word = text.substr(at, end - at);
  if (word.empty() && at == text.size())
    return stop("expected a value, got the end");
  if (word != "null" && word != "true" && word != "false" && !isNumber(word))
    return stop("expected a value");
  at = end;
  return fault.empty();
}

bool JsonReader::skipValue(std::string_view &value) {
  char c = peek();
  size_t begin = at;
  std::string_view inner;
  std::string string;
  std::vector<std::string> keys;
  auto skip = [&] { return skipValue(inner); };
  bool good = c == '{'   ? readObject(keys, skip)
              : c == '[' ? readArray(skip)
              : c == '"' ? readString(string)
                         : readWord(inner);
  value = text.substr(begin, at - begin);
  return good;
}

bool JsonReader::finish() {
  skipSpace();
  return at == text.size() || stop("expected nothing more");
}

Status parablock::files::checkJson(std::string_view text, unsigned maxDepth) {
  JsonReader reader(text, maxDepth);
  std::string_view value;
  if (reader.skipValue(value))
    reader.finish();
  return reader.failure();
}

std::optional<uint64_t>
parablock::files::parseJsonUnsigned(std::string_view word) {
  if (word.find_first_not_of("0123456789") != std::string_view::npos ||
      !isNumber(word))
    return std::nullopt;
  uint64_t value = 0;
  for (char c : word)
    if (__builtin_mul_overflow(value, uint64_t(10), &value) ||
        __builtin_add_overflow(value, uint64_t(c - '0'), &value))
      return std::nullopt;
  return value;
}
