//===- RowFacts.h - facts of rows by lane -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_TILETONVVM_ROWFACTS_H
#define PARABLOCK_LIB_CONVERSION_TILETONVVM_ROWFACTS_H

#include "mlir/Transforms/DialectConversion.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock::tile {

/// The numbers that ops of a tile.rows compute for a row from tensors alone,
/// such as its mean: the same for all columns. Instead of all lanes computing
/// the same number, each lane computes it for another row of its warp, once for
/// the tile, and broadcasts it when the loop reaches that row.
class RowFacts {
public:
  explicit RowFacts(RowsOp rows);

  bool isEmpty() const { return told.empty(); }
  /// Computes them before the loop over the warp's rows, from `first` to below
  /// `end`.
  void find(mlir::ConversionPatternRewriter &rewriter, mlir::Value first,
            mlir::Value end);
  /// Replaces the ops by the computed values.
  void tell(mlir::ConversionPatternRewriter &rewriter, mlir::Value first);

private:
  bool isFact(mlir::Operation *op) const;
  bool isFactOfColumns(ReduceOp reduce) const;
  bool isKnown(mlir::Value value) const;
  bool isRead(LoadOp load) const;

  RowsOp rows;
  /// Ops that facts are found by, in order.
  llvm::SetVector<mlir::Operation *> ops;
  /// Values that other ops read.
  mlir::SmallVector<mlir::Value> told;
  /// Values of the lane's own row.
  mlir::SmallVector<mlir::Value> found;
};

} // namespace parablock::tile

#endif // PARABLOCK_LIB_CONVERSION_TILETONVVM_ROWFACTS_H
