//===- ConfigFields.cpp - typed reads that record the first error ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigFields.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace parablock;
using namespace parablock::generate;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Describes the value found, for messages: "the string "many"".
static std::string describe(const json::Value &value) {
  if (value.kind() == json::Value::Array)
    return "a list";
  if (value.kind() == json::Value::Object)
    return "an object";
  std::string text;
  llvm::raw_string_ostream(text) << value;
  constexpr size_t longest = 60;
  if (text.size() > longest)
    text = text.substr(0, longest) + "...";
  return value.kind() == json::Value::String ? "the string " + text : text;
}

void ConfigFields::fail(StringRef key, const Twine &message) const {
  if (error->empty())
    *error = ("key '" + keyPrefix + key + "': " + message).str();
}

void ConfigFields::refuse(StringRef key, const Twine &expected) const {
  const json::Value *found = object->get(key);
  fail(key, "expected " + expected + ", got " +
                (found ? describe(*found) : "no such key"));
}

const json::Value *ConfigFields::find(StringRef key) const {
  const json::Value *value = object->get(key);
  return value && value->kind() != json::Value::Null ? value : nullptr;
}

bool ConfigFields::has(StringRef key) const { return find(key); }

bool ConfigFields::refuseNull(StringRef key, const char *expected) const {
  const json::Value *value = object->get(key);
  if (!value || value->kind() != json::Value::Null)
    return false;
  refuse(key, expected);
  return true;
}

std::optional<int64_t> ConfigFields::findInt(StringRef key, int64_t minimum,
                                             int64_t maximum) const {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  std::optional<int64_t> number = value->getAsInteger();
  if (number && *number >= minimum && *number <= maximum)
    return number;
  refuse(key, "an integer from " + Twine(minimum) + " to " + Twine(maximum));
  return minimum;
}

std::optional<double> ConfigFields::findReal(StringRef key) const {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  std::optional<double> number = value->getAsNumber();
  if (number && std::isfinite(*number))
    return number;
  refuse(key, "a finite number");
  return 1.0;
}

std::optional<bool> ConfigFields::findBool(StringRef key) const {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  if (std::optional<bool> flag = value->getAsBoolean())
    return flag;
  refuse(key, "true or false");
  return false;
}

std::optional<std::string> ConfigFields::findString(StringRef key) const {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  if (std::optional<StringRef> text = value->getAsString())
    return text->str();
  refuse(key, "a string");
  return "";
}

std::optional<std::vector<double>>
ConfigFields::findReals(StringRef key) const {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  std::vector<double> numbers;
  const json::Array *list = value->getAsArray();
  if (!list)
    refuse(key, "a list of numbers");
  for (size_t i = 0; list && i < list->size(); ++i) {
    std::optional<double> number = (*list)[i].getAsNumber();
    if (!number || !std::isfinite(*number))
      fail(key, "expected a finite number at index " + Twine(i) + ", got " +
                    describe((*list)[i]));
    numbers.push_back(number.value_or(1.0));
  }
  return numbers;
}

std::optional<std::vector<std::string>>
ConfigFields::findStrings(StringRef key) const {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  std::vector<std::string> strings;
  const json::Array *list = value->getAsArray();
  if (!list)
    refuse(key, "a list of strings");
  for (size_t i = 0; list && i < list->size(); ++i) {
    std::optional<StringRef> text = (*list)[i].getAsString();
    if (!text)
      fail(key, "expected a string at index " + Twine(i) + ", got " +
                    describe((*list)[i]));
    strings.push_back(text.value_or("").str());
  }
  return strings;
}

ConfigFields ConfigFields::getObject(StringRef key) const {
  static const json::Object none;
  const json::Value *value = find(key);
  const json::Object *nested = value ? value->getAsObject() : nullptr;
  if (value && !nested)
    refuse(key, "an object");
  return ConfigFields(nested ? *nested : none, *error,
                      keyPrefix + key.str() + ".");
}

std::optional<std::pair<int64_t, int64_t>>
ConfigFields::findIntPair(StringRef key, int64_t maximum) const {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  auto inRange = [&](std::optional<int64_t> number) {
    return number && *number >= 1 && *number <= maximum;
  };
  const json::Array *list = value->getAsArray();
  if (!list && inRange(value->getAsInteger()))
    return std::pair(*value->getAsInteger(), *value->getAsInteger());
  if (list && list->size() == 2 && inRange((*list)[0].getAsInteger()) &&
      inRange((*list)[1].getAsInteger()))
    return std::pair(*(*list)[0].getAsInteger(), *(*list)[1].getAsInteger());
  refuse(key, "an integer from 1 to " + Twine(maximum) + " or a list of two");
  return std::pair(int64_t(1), int64_t(1));
}

int64_t ConfigFields::getInt(StringRef key, int64_t fallback, int64_t minimum,
                             int64_t maximum) const {
  refuseNull(key, "an integer");
  return findInt(key, minimum, maximum).value_or(fallback);
}

double ConfigFields::getReal(StringRef key, double fallback) const {
  refuseNull(key, "a finite number");
  return findReal(key).value_or(fallback);
}

bool ConfigFields::getBool(StringRef key, bool fallback) const {
  refuseNull(key, "true or false");
  return findBool(key).value_or(fallback);
}

std::string ConfigFields::getString(StringRef key, StringRef fallback) const {
  refuseNull(key, "a string");
  return findString(key).value_or(fallback.str());
}

double ConfigFields::getPositive(StringRef key, double fallback) const {
  double value = getReal(key, fallback);
  if (value > 0)
    return value;
  refuse(key, "a number greater than 0");
  return fallback;
}

double ConfigFields::getEps(StringRef key, double fallback) const {
  double value = getReal(key, fallback);
  if (value >= 0)
    return value;
  refuse(key, "a number of at least 0");
  return fallback;
}

std::optional<block::Activation> generate::parseActivation(StringRef name) {
  using block::Activation;
  using Found = std::optional<Activation>;
  return llvm::StringSwitch<Found>(name)
      .Cases({"gelu", "gelu_python"}, Activation::GeluErf)
      .Cases({"gelu_new", "gelu_pytorch_tanh", "gelu_python_tanh", "gelu_fast",
              "gelu_accurate"},
             Activation::GeluTanh)
      .Case("relu2", Activation::ReluSquared)
      .Case("swish", Activation::Silu)
      .Case("linear", Activation::Identity)
      // Others have the names that they have here.
      .Default(block::symbolizeActivation(name));
}

block::Activation ConfigFields::getActivation(StringRef key,
                                              StringRef fallback) const {
  std::string name = getString(key, fallback);
  if (std::optional<block::Activation> activation = parseActivation(name))
    return *activation;
  fail(key, "activation '" + name + "' is not supported");
  return block::Activation::Identity;
}

std::string ConfigFields::findNestedObject() const {
  std::string first; // in the order of the alphabet: objects are unordered
  for (const auto &[key, value] : *object)
    if (value.kind() == json::Value::Object &&
        (first.empty() || StringRef(key) < first))
      first = StringRef(key).str();
  return first;
}
