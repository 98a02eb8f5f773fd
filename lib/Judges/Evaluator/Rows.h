//===- Rows.h - row forms of ops --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_ROWS_H
#define PARABLOCK_LIB_EVALUATOR_ROWS_H

#include "Step.h"
#include "parablock/Judges/Evaluator/Stored.h"

namespace parablock::evaluator {

/// How an op computes some rows of its result from parts of its operands.
struct RowForm {
  /// For each operand the dimension of the rows, -1 if every row reads all of
  /// it.
  llvm::SmallVector<int> dims;
  /// The loop over the rows.
  unsigned loop = 0;
};

/// Returns none for an op that must be computed as a whole.
std::optional<RowForm> findRowForm(mlir::Operation *op);

/// Decodes all elements.
Array decodeStored(const StoredTensor &tensor);

/// Returns a tensor of `type`, with `count` rows in dimension `dim`, filled
/// with `value`.
Array makeFilled(mlir::RankedTensorType type, unsigned dim, int64_t count,
                 double value);

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_ROWS_H
