//===- SdpaGradTables.h - gradients by tables of distances ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADTABLES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADTABLES_H

#include "SdpaGradInputs.h"

namespace parablock::cpugen {

/// A table with a row for each distance of a key from a query; products of keys
/// (of `shaw_key`) or of values (`shaw_value`) add to its rows. Does nothing
/// without a table.
class SdpaGradShaw {
public:
  /// `right` are the rows that the table's are multiplied with.
  SdpaGradShaw(const SdpaFrame &sdpa, Value table,
               const SdpaGradInputs::Rows &right);

  void prepareHead();
  /// Adds to products [key][query].
  void addProducts(const SdpaHead &head, const SdpaKeys &keys, Value products);
  /// Records gradients by products.
  void addFactors(const SdpaHead &head, const SdpaKeys &keys, Value factors);
  /// Add to the gradient by the rows on the right, and by the table.
  void addToRows(Value sums);
  void addToTable(Value sums);

private:
  void forPairs(const SdpaHead &head, const SdpaKeys &keys,
                llvm::function_ref<void(Value at, Value inTable)> body);

  const SdpaFrame &sdpa;
  Code &code;
  Value table;
  SdpaGradInputs::Rows right;
  int64_t numRows = 0;
  /// Memory: the table as f32, and by [row][query] its products and the
  /// gradients by these.
  Value rows, products, factors;
};

/// Sums of the gradients by the bias of each bucket of distances. Does nothing
/// if they are not requested.
class SdpaGradBuckets {
public:
  SdpaGradBuckets(const SdpaFrame &sdpa, bool isWanted);

  void prepareKeys();
  /// Adds the contributions of a vector of queries and `key`.
  void add(const SdpaKeys &keys, Value key, int64_t vector, Value byBias);
  void addToTable(const SdpaHead &head, const SdpaKeys &keys, Value sums);

private:
  const SdpaFrame &sdpa;
  Code &code;
  /// Memory: sums of distances, from the last key and the first query on.
  Value distances;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADTABLES_H
