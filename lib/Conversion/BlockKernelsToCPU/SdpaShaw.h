//===- SdpaShaw.h - tables of relative keys and values ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASHAW_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASHAW_H

#include "SdpaFrame.h"

namespace parablock::cpugen {

/// A query's products with all rows of the table of keys are computed once;
/// each score adds the one of its distance. Weights are summed by distance, and
/// multiplied with the table of values at the end. Does nothing if the op has
/// no tables.
class SdpaShaw {
public:
  explicit SdpaShaw(const SdpaFrame &sdpa);

  /// `queries` as SdpaInputs has them.
  void prepareHead(Value queries);
  /// Adds to the products of keys.
  void addProducts(const SdpaHead &head, const SdpaKeys &keys, Value products);
  void addWeights(const SdpaHead &head, const SdpaKeys &keys, Value weights,
                  Value corrections);
  /// Adds to the sums of values, which have rows of `paddedValues`.
  void addValues(const SdpaHead &head, Value sums);

private:
  Value findRow(const SdpaHead &head, int64_t rows, Value key, Value query);

  const SdpaFrame &sdpa;
  Code &code;
  Value keyTable, valueTable;
  int64_t keyRows = 0, valueRows = 0;
  /// Memory, [row][query].
  Value rowProducts, rowWeights;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPASHAW_H
