//===- ComputedRows.h - rows that a product's kernel computes ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_COMPUTEDROWS_H
#define PARABLOCK_DIALECT_BLOCK_COMPUTEDROWS_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// A norm whose rows a product reads as they are made: whole rows with
/// statistics that are known in parts, possibly those that numbers select.
struct ComputedRows {
  NormalizeOp norm;
  MergeStatsOp merge;
  /// Null if all rows are normalised.
  TakeRowsOp take;

  /// Returns the rows that the norm is of, or that it takes rows from.
  mlir::Value getSource() const;
  /// Returns whether there may be more than `most` rows.
  bool mayExceed(int64_t most) const;
  /// Returns the ops that make the rows, in order.
  llvm::SmallVector<mlir::Operation *> getOps() const;
};

/// Returns the least number of rows of a tensor type.
int64_t countLeastRows(mlir::Type tensorType);

/// Returns whether a kernel of `op` can compute the rows of its first operand.
bool canComputeRows(mlir::Operation *op);

/// Returns the norm that `rows` is the result of, if it is such a norm.
std::optional<ComputedRows> findComputedRows(mlir::Value rows);

/// Returns the rows that the product of `kernel` multiplies, if it computes
/// them.
std::optional<ComputedRows> findComputedRows(KernelOp kernel);

/// The launches that compute the rows of a product in front of it.
struct SeparateRows {
  /// Null if all rows are normalised.
  TakeRowsOp take;
  KernelOp norm;
};

/// Creates the launches in front of `kernel` that compute its rows, and gives
/// it their result as a further operand, which nothing reads yet.
SeparateRows computeRowsBefore(KernelOp kernel, const ComputedRows &rows);

/// Makes the product multiply the last operand in place of the rows that its
/// kernel computes.
void readLastOperand(KernelOp kernel);

/// Moves what computes rows of products in `root` to launches of their own,
/// except for products that are known to have no more than `most` rows.
void separateRows(mlir::Operation *root, int64_t most);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_COMPUTEDROWS_H
