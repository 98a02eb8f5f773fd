//===- RowFacts.h - what lanes find out about rows --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_TILETONVVM_ROWFACTS_H
#define PARABLOCK_LIB_CONVERSION_TILETONVVM_ROWFACTS_H

#include "mlir/Transforms/DialectConversion.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock::tile {

/// The numbers that ops of a tile.rows find out about a row from tensors alone,
/// such as its mean: the same for all columns. All lanes would find out the
/// same; instead each finds it out of another row of its warp, once for the
/// tile, and tells the others when they come to that row.
class RowFacts {
public:
  explicit RowFacts(RowsOp rows);

  bool isEmpty() const { return told.empty(); }
  /// Writes ahead of the loop over the warp's rows, from `first` to below
  /// `end`, what finds them out.
  void find(mlir::ConversionPatternRewriter &rewriter, mlir::Value first,
            mlir::Value end);
  /// Puts what was found in place of the ops.
  void tell(mlir::ConversionPatternRewriter &rewriter, mlir::Value first);

private:
  bool isFact(mlir::Operation *op) const;
  bool isFactOfColumns(ReduceOp reduce) const;
  bool isKnown(mlir::Value value) const;
  bool isRead(LoadOp load) const;

  RowsOp rows;
  /// Ops that facts are found by, in order.
  llvm::SetVector<mlir::Operation *> ops;
  /// Those that other ops read.
  mlir::SmallVector<mlir::Value> told;
  /// The same of the lane's own row.
  mlir::SmallVector<mlir::Value> found;
};

} // namespace parablock::tile

#endif // PARABLOCK_LIB_CONVERSION_TILETONVVM_ROWFACTS_H
