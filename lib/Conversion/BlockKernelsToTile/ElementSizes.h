//===- ElementSizes.h - symbolic sizes in kernels ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ELEMENTSIZES_H
#define PARABLOCK_LIB_CONVERSION_ELEMENTSIZES_H

#include "mlir/IR/AffineExpr.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// Sizes of tensors in the body of a `block.kernel "elements"`, as expressions
/// whose symbols are dynamic sizes of the kernel's operands. Any other size is
/// an error at its op.
class ElementSizes {
public:
  explicit ElementSizes(block::KernelOp kernel) : kernel(kernel) {}

  mlir::FailureOr<mlir::AffineExpr> getSize(mlir::Value tensor, int64_t dim);
  mlir::FailureOr<llvm::SmallVector<mlir::AffineExpr>>
  getSizes(mlir::Value tensor);
  /// Returns the expression of a number of type index, or of an integer cast to
  /// it.
  mlir::FailureOr<mlir::AffineExpr> getNumber(mlir::OpFoldResult number);

  /// Returns the symbols: an operand and a dimension each.
  llvm::ArrayRef<std::pair<int64_t, int64_t>> getSymbols() const {
    return symbols;
  }

  /// Sets the sizes of the results of `launch`, if any is dynamic: `sizes`, of
  /// each result a map per dimension, and `size_symbols`, pairs of an operand
  /// and a dimension.
  mlir::LogicalResult describeResults(tile::LaunchOp launch);

private:
  mlir::FailureOr<mlir::AffineExpr>
  getOpenSize(mlir::Operation *op, mlir::OpResult tensor, int64_t dim);
  mlir::FailureOr<mlir::AffineExpr> getSizeOfConcat(mlir::Operation *op,
                                                    int64_t dim);
  mlir::FailureOr<mlir::AffineExpr> getNumberOf(mlir::Operation *op);
  /// Fails at `op` if the expression of a size has too many steps, since it is
  /// expanded at every use.
  mlir::LogicalResult countStep(mlir::Operation *op);
  mlir::AffineExpr getSymbol(int64_t operand, int64_t dim);
  mlir::AffineExpr getConstant(int64_t value);

  block::KernelOp kernel;
  /// Steps of the expression that is being made, and how deep it is by now.
  unsigned steps = 0, depth = 0;
  llvm::SmallVector<std::pair<int64_t, int64_t>> symbols;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ELEMENTSIZES_H
