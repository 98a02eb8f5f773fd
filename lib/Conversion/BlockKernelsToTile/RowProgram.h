//===- RowProgram.h - the code of one row of tensors ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the steps of a `block.kernel` mean at one row: shared by the epilogues
// of matrix products and by row-wise kernels. A value is computed where it is
// asked for, at one column, from values at columns of its operands, down to
// those that are bound. All in f32; only what the kernel stores is rounded
// before other steps use it, so that statistics describe what is stored.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ROWPROGRAM_H
#define PARABLOCK_LIB_CONVERSION_ROWPROGRAM_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace parablock {

/// The element `[row, column]` of a tensor: f32, or its integer type. All
/// dimensions but the last are rows; tensors with one dimension ignore the row.
using ElementLoader = std::function<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::Value row, mlir::Value column)>;

/// One result of a kernel and where it is stored.
struct RowOutput {
  /// A value inside the region of the `block.kernel`.
  mlir::Value tensor;
  /// An argument of the `tile.kernel`.
  mlir::Value destination;
};

class RowProgram {
public:
  /// `sequenceLength` is T of the `[B, T, ..]` results: row `b * T + t` has
  /// position `t`. It dominates all code that is emitted.
  RowProgram(mlir::Location loc, mlir::Value sequenceLength)
      : loc(loc), sequenceLength(sequenceLength) {}

  /// Elements of `tensor` come from `loader`. Code is emitted in columns, in
  /// reductions and directly in rows.
  void bind(mlir::Value tensor, ElementLoader loader) {
    loaders[tensor] = std::move(loader);
  }

  /// The same from `memref`. An `index` is bound to a `memref<1xi64>`.
  void bindGlobal(mlir::Value tensor, mlir::Value memref);

  /// Emits, directly in `tile.rows`, what computes and stores the columns from
  /// `from` to below `to` of the outputs at `row`. Outputs have one width, but
  /// for statistics: partial ones of the tiles between `from` and `to`, others
  /// whole. Steps that have no meaning at a row are an error.
  mlir::LogicalResult emit(mlir::OpBuilder &builder, mlir::Value row,
                           llvm::ArrayRef<RowOutput> outputs, mlir::Value from,
                           mlir::Value to) const;

private:
  friend class RowEmitter;

  mlir::Location loc;
  mlir::Value sequenceLength;
  llvm::DenseMap<mlir::Value, ElementLoader> loaders;
  /// Of what is bound to a memref.
  llvm::DenseMap<mlir::Value, mlir::Value> globals;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ROWPROGRAM_H
