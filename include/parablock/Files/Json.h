//===- Json.h - JSON reader without LLVM ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only definition of the JSON that the project reads: standard JSON
// in UTF-8, without duplicate keys in an object, with limited nesting,
// and with nothing after the value. Time and memory are linear in the
// text.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_FILES_JSON_H
#define PARABLOCK_FILES_JSON_H

#include "parablock/Files/Status.h"
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace parablock::files {

/// Traverses a text without storing it. After the first fault, every function
/// but failure() returns false.
class JsonReader {
public:
  static constexpr unsigned usualDepth = 64;

  explicit JsonReader(std::string_view text, unsigned maxDepth = usualDepth)
      : text(text), maxDepth(maxDepth) {}

  /// Returns the first character of the next value; zero at the end.
  char peek();
  /// Calls `readMember` after each key, which is the last of `keys`.
  bool readObject(std::vector<std::string> &keys,
                  const std::function<bool()> &readMember);
  bool readArray(const std::function<bool()> &readElement);
  bool readString(std::string &value);
  /// Reads a number, a truth value or null, with its spelling.
  bool readWord(std::string_view &word);
  /// Checks any value and returns its text.
  bool skipValue(std::string_view &value);
  /// Fails if any text follows.
  bool finish();

  bool stop(const std::string &what);
  Status failure() const;

private:
  void skipSpace();
  bool accept(char c);
  bool enter();
  bool readSequence(char close, const char *expected,
                    const std::function<bool()> &readOne);
  bool readCharacter(std::string &value);
  bool readEscape(std::string &value);
  bool readHex(uint32_t &code);

  std::string_view text;
  unsigned maxDepth, depth = 0;
  size_t at = 0;
  std::string fault;
};

/// Returns the places of `keys` in sorted order.
std::vector<uint32_t> sortKeys(const std::vector<std::string> &keys);

/// Checks all of a text.
Status checkJson(std::string_view text,
                 unsigned maxDepth = JsonReader::usualDepth);

/// Parses a number without sign, fraction or exponent that fits 64 bits.
std::optional<uint64_t> parseJsonUnsigned(std::string_view word);

/// A value in memory.
class Json {
public:
  enum Kind { Null, Bool, Number, String, Array, Object };
  /// Maximum number of values in a text: a value needs some hundred bytes of
  /// memory but as few as two bytes of text.
  static constexpr unsigned mostValues = 1 << 21;

  /// Parses `text`; a failure contains the position in the text.
  static Status parse(std::string_view text, Json &value);

  Kind kind() const { return theKind; }
  bool isObject() const { return theKind == Object; }
  bool isString() const { return theKind == String; }
  const std::string &text() const { return theText; }
  bool isTrue() const { return theKind == Bool && theText == "true"; }
  /// Returns a whole number that fits 64 bits.
  std::optional<int64_t> integer() const;
  const std::vector<Json> &elements() const { return theElements; }
  /// Returns the keys of an object, in the order of elements().
  const std::vector<std::string> &keys() const { return theKeys; }

  /// Returns the value of a key; null if it is missing or this is not an
  /// object.
  const Json *find(std::string_view key) const;

private:
  bool read(JsonReader &reader, unsigned &values);

  Kind theKind = Null;
  /// A string's contents, a number's digits, or the word of a truth value.
  std::string theText;
  std::vector<std::string> theKeys;
  /// Places in theKeys, in sorted order.
  std::vector<uint32_t> theOrder;
  std::vector<Json> theElements;
};

/// Returns `text` in quotes, escaped for JSON.
std::string quoteJson(std::string_view text);

} // namespace parablock::files

#endif // PARABLOCK_FILES_JSON_H
