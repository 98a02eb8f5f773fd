//===- SdpaInputs.h - queries, keys and values of attention -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAINPUTS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAINPUTS_H

#include "SdpaFrame.h"

namespace parablock::cpugen {

/// Copies a block's queries, and then block by block its keys and values, to
/// memory of this thread: as f32, or in pairs of elements (of keys and queries)
/// and of keys (of values) if their type has a faster path.
class SdpaInputs {
public:
  explicit SdpaInputs(const SdpaFrame &sdpa);

  void loadQueries(const SdpaHead &head);
  void loadKeys(const SdpaHead &head, const SdpaKeys &keys);
  /// Stores products[key][query].
  void multiplyKeys(const SdpaKeys &keys, Value products);
  /// Finds row `key` of the values, or of the preceding past ones: returns the
  /// tensor and a position in it.
  std::pair<Value, Value> findValueRow(const SdpaHead &head, Value key);

  /// Queries transposed, [element][query]; zeros after the last one. Tables of
  /// relative keys use them, which have f32 and no other path.
  Value getQueries() const { return queries; }
  /// Values, [key][element], with rows of `paddedValues`; or pairs of keys as
  /// i32.
  Value getValues() const { return values; }
  /// Returns a vector of the value in row `key` of the block, as f32.
  Value loadValue(Value key, Value column);

private:
  void copyRow(std::pair<Value, Value> from, Value to, Value position,
               int64_t size);
  /// Copies elements as they are.
  void moveRow(std::pair<Value, Value> from, Value to, Value position,
               int64_t size);
  void loadValues(const SdpaHead &head, const SdpaKeys &keys);
  void loadValuePairs(const SdpaHead &head, const SdpaKeys &keys);
  ProductOperands getOperands(Value firstKey, Value lastKey);

  const SdpaFrame &sdpa;
  Code &code;
  Value queries, keyRows, values;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAINPUTS_H
