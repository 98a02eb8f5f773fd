//===- MutateJSON.cpp - JSON made wrong -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MutateJSON.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace parablock;
using namespace parablock::fuzz;
using llvm::ArrayRef;
using llvm::StringRef;
namespace json = llvm::json;

static json::Value makeNumberValue(Random &random) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  const json::Value values[] = {0,
                                1,
                                2,
                                3,
                                5,
                                6,
                                7,
                                8,
                                16,
                                -1,
                                -8,
                                1000000,
                                int64_t(1) << 31,
                                int64_t(1) << 40,
                                most,
                                -most - 1,
                                uint64_t(-1),
                                0.5,
                                1e-30,
                                -2.5,
                                1e300,
                                1e19};
  return random.among(values);
}

static json::Value makeValue(ArrayRef<StringRef> words, Random &random) {
  switch (random.below(7)) {
  case 0:
    return nullptr;
  case 1:
    return random.chance(50);
  case 2:
    return random.among(words).str();
  case 3: {
    json::Array array;
    for (uint64_t count = random.below(4); count > 0; --count)
      array.push_back(makeNumberValue(random));
    return array;
  }
  case 4:
    return json::Object{{random.among(words).str(), makeNumberValue(random)}};
  default:
    return makeNumberValue(random);
  }
}

/// The same kind of value where it has one, most of the time.
static void replaceValue(json::Value &value, ArrayRef<StringRef> words,
                         Random &random) {
  if (random.chance(30))
    value = makeValue(words, random);
  else if (value.kind() == json::Value::Number)
    value = makeNumberValue(random);
  else if (std::optional<bool> flag = value.getAsBoolean())
    value = !*flag;
  else if (value.kind() == json::Value::String)
    value = random.among(words).str();
  else
    value = makeValue(words, random);
}

static void mutateObject(json::Object &object, ArrayRef<StringRef> words,
                         Random &random);

static void mutateArray(json::Array &array, ArrayRef<StringRef> words,
                        Random &random) {
  if (array.empty() || random.chance(20)) {
    array.push_back(makeValue(words, random));
    return;
  }
  size_t index = random.below(array.size());
  if (random.chance(20))
    array.erase(array.begin() + index);
  else if (json::Array *nested = array[index].getAsArray())
    mutateArray(*nested, words, random);
  else if (json::Object *nested = array[index].getAsObject())
    mutateObject(*nested, words, random);
  else
    replaceValue(array[index], words, random);
}

static void mutateObject(json::Object &object, ArrayRef<StringRef> words,
                         Random &random) {
  if (object.empty()) {
    object[random.among(words)] = makeValue(words, random);
    return;
  }
  // Objects are unordered; the choice shall not depend on that.
  std::vector<std::string> keys;
  for (const auto &entry : object)
    keys.push_back(entry.first.str());
  llvm::sort(keys);
  const std::string &key = random.among(keys);
  json::Value &value = object[key];
  uint64_t style = random.below(20);
  if (style < 2) {
    object.erase(key);
  } else if (style == 2) {
    json::Value copy = value;
    object[random.among(keys)] = std::move(copy);
  } else if (style == 3) {
    object[random.among(words)] = makeValue(words, random);
  } else if (style == 4) {
    json::Value inner = value;
    value = json::Object{{key, std::move(inner)}};
  } else if (style < 16 && value.getAsObject()) {
    mutateObject(*value.getAsObject(), words, random);
  } else if (style < 16 && value.getAsArray()) {
    mutateArray(*value.getAsArray(), words, random);
  } else {
    replaceValue(value, words, random);
  }
}

void fuzz::mutateJSON(json::Value &value, ArrayRef<StringRef> words,
                      Random &random) {
  for (uint64_t count = 1 + random.below(3); count > 0; --count)
    if (json::Object *object = value.getAsObject())
      mutateObject(*object, words, random);
}
