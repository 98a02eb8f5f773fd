//===- Json.h - JSON without LLVM -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The launcher links no LLVM, so it has a JSON reader of its own. It takes what
// manifests and the headers of safetensors files hold, and is strict: a key
// given twice, deep nesting and anything after the value are errors.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_JSON_H
#define PARABLOCK_LAUNCH_JSON_H

#include "parablock/Launch/Status.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parablock::launch {

class Json {
public:
  enum Kind { Null, Bool, Number, String, Array, Object };

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
  friend class JsonParser;

  Kind theKind = Null;
  /// A string's contents, a number's digits, or the word of a truth value.
  std::string theText;
  std::vector<std::string> theKeys;
  std::vector<Json> theElements;
};

/// `text` in quotes, with what JSON wants escaped.
std::string quoteJson(std::string_view text);

} // namespace parablock::launch

#endif // PARABLOCK_LAUNCH_JSON_H
