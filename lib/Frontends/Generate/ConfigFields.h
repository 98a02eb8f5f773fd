//===- ConfigFields.h - typed fields of a config.json -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_CONFIGFIELDS_H
#define PARABLOCK_LIB_GENERATE_CONFIGFIELDS_H

#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace parablock::generate {

/// Largest accepted sizes. Products of them, with the number of layers, stay
/// within 64 bits.
namespace limits {
inline constexpr int64_t anyInteger = (int64_t(1) << 31) - 1;
inline constexpr int64_t width = int64_t(1) << 20;
inline constexpr int64_t hidden = int64_t(1) << 22;
inline constexpr int64_t heads = int64_t(1) << 14;
inline constexpr int64_t headDim = int64_t(1) << 12;
inline constexpr int64_t layers = int64_t(1) << 12;
} // namespace limits

/// The fields of one JSON object, read by type. The first error is kept and
/// names its key; every read still returns a valid value, so a reader may
/// continue and check for the error once, at its end.
class ConfigFields {
public:
  /// `error` must outlive the fields; those of nested objects share it.
  ConfigFields(const llvm::json::Object &object, std::string &error,
               std::string keyPrefix = "")
      : object(&object), error(&error), keyPrefix(std::move(keyPrefix)) {}

  bool isMissing(llvm::StringRef key) const { return !object->get(key); }
  /// Present and not null.
  bool has(llvm::StringRef key) const;

  /// The key of the two that holds: the generic spelling, where it is given.
  llvm::StringRef either(llvm::StringRef generic, llvm::StringRef own) const {
    return has(generic) ? generic : own;
  }

  /// None where the field is missing or null; else of that type and range.
  std::optional<int64_t> findInt(llvm::StringRef key, int64_t minimum = 1,
                                 int64_t maximum = limits::anyInteger) const;
  std::optional<double> findReal(llvm::StringRef key) const;
  std::optional<bool> findBool(llvm::StringRef key) const;
  std::optional<std::string> findString(llvm::StringRef key) const;
  std::optional<std::vector<double>> findReals(llvm::StringRef key) const;
  std::optional<std::vector<std::string>>
  findStrings(llvm::StringRef key) const;
  /// `N` or `[N, M]`, as image and patch sizes are given.
  std::optional<std::pair<int64_t, int64_t>> findIntPair(llvm::StringRef key,
                                                         int64_t maximum) const;

  /// The fallback where the field is missing; null is an error.
  int64_t getInt(llvm::StringRef key, int64_t fallback, int64_t minimum = 1,
                 int64_t maximum = limits::anyInteger) const;
  double getReal(llvm::StringRef key, double fallback) const;
  bool getBool(llvm::StringRef key, bool fallback) const;
  std::string getString(llvm::StringRef key, llvm::StringRef fallback) const;
  /// A number greater than zero.
  double getPositive(llvm::StringRef key, double fallback) const;
  /// The epsilon of a norm: at least zero.
  double getEps(llvm::StringRef key, double fallback) const;
  block::Activation getActivation(llvm::StringRef key,
                                  llvm::StringRef fallback) const;

  /// The object of that key, without fields where it is missing or null.
  ConfigFields getObject(llvm::StringRef key) const;
  int64_t countFields() const { return object->size(); }
  /// Returns the first key whose value is an object, or "".
  std::string findNestedObject() const;

  /// Records an error about `key`, unless there is one already.
  void fail(llvm::StringRef key, const llvm::Twine &message) const;
  /// Records that a value differs from the `expected` one.
  void refuse(llvm::StringRef key, const llvm::Twine &expected) const;
  bool failed() const { return !error->empty(); }

private:
  const llvm::json::Value *find(llvm::StringRef key) const;
  bool refuseNull(llvm::StringRef key, const char *expected) const;

  const llvm::json::Object *object;
  std::string *error;
  std::string keyPrefix;
};

/// The activation that a config calls `name`, or none if it is not known.
std::optional<block::Activation> parseActivation(llvm::StringRef name);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_CONFIGFIELDS_H
