//===- Json.h - JSON without LLVM -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one place that says which JSON the project reads: what the standard
// allows, in UTF-8, without a key given twice in an object, nested up to a
// limit, and nothing behind the value. Time and memory grow with the text and
// no faster, whatever it says.
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

/// Walks over a text without keeping it. Every function but failure() is false
/// from the first fault on.
class JsonReader {
public:
  static constexpr unsigned usualDepth = 64;

  explicit JsonReader(std::string_view text, unsigned maxDepth = usualDepth)
      : text(text), maxDepth(maxDepth) {}

  /// The first character of the next value; zero at the end.
  char peek();
  /// Calls `readMember` behind each key, which is the last of `keys`.
  bool readObject(std::vector<std::string> &keys,
                  const std::function<bool()> &readMember);
  bool readArray(const std::function<bool()> &readElement);
  bool readString(std::string &value);
  /// A number, a truth value or null, as it is spelled.
  bool readWord(std::string_view &word);
  /// Checks any value and says where it stands in the text.
  bool skipValue(std::string_view &value);
  /// Fails where something follows.
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

/// Places in `keys` in the order of the keys.
std::vector<uint32_t> sortKeys(const std::vector<std::string> &keys);

/// Checks all of a text.
Status checkJson(std::string_view text,
                 unsigned maxDepth = JsonReader::usualDepth);

/// A number without sign, fraction and exponent that 64 bits hold, as spelled.
std::optional<uint64_t> parseJsonUnsigned(std::string_view word);

/// A value in memory.
class Json {
public:
  enum Kind { Null, Bool, Number, String, Array, Object };
  /// Values of a text; more of them are refused, for each takes some hundred
  /// bytes where the text may have two.
  static constexpr unsigned mostValues = 1 << 21;

  /// The failure says where in the text.
  static Status parse(std::string_view text, Json &value);

  Kind kind() const { return theKind; }
  bool isObject() const { return theKind == Object; }
  bool isArray() const { return theKind == Array; }
  bool isString() const { return theKind == String; }
  const std::string &text() const { return theText; }
  bool isTrue() const { return theKind == Bool && theText == "true"; }
  /// A whole number that 64 bits hold.
  std::optional<int64_t> integer() const;
  const std::vector<Json> &elements() const { return theElements; }
  /// Keys of an object, in the order of elements().
  const std::vector<std::string> &keys() const { return theKeys; }

  /// The value of a key; null where there is none, or this is no object.
  const Json *find(std::string_view key) const;

private:
  bool read(JsonReader &reader, unsigned &values);

  Kind theKind = Null;
  /// A string's contents, a number's digits, or the word of a truth value.
  std::string theText;
  std::vector<std::string> theKeys;
  /// Places in theKeys, in the order of the keys.
  std::vector<uint32_t> theOrder;
  std::vector<Json> theElements;
};

/// `text` in quotes, with what JSON wants escaped.
std::string quoteJson(std::string_view text);

} // namespace parablock::files

#endif // PARABLOCK_FILES_JSON_H
