//===- SizePairs.h - corresponding sizes ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shapes, sizes and attributes of two ops, for JoinSizes.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SIZEPAIRS_H
#define PARABLOCK_LIB_RAISE_SIZEPAIRS_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

namespace parablock::raise {

/// The shapes that a value has in the two functions.
struct ShapePair {
  llvm::ArrayRef<int64_t> first, second;
  std::pair<int64_t, int64_t> operator[](size_t d) const {
    return {first[d], second[d]};
  }
  size_t size() const { return first.size(); }
};

/// Computes an expression of `symbols` in single ops, which engines read as
/// sizes.
mlir::Value computeSize(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::AffineExpr expression,
                        llvm::ArrayRef<mlir::Value> symbols);

/// Pairs runs of dimensions with equal numbers of elements in both functions;
/// returns false if there are none.
bool pairDimensions(ShapePair from, ShapePair to,
                    llvm::SmallVectorImpl<mlir::ReassociationIndices> &sources,
                    llvm::SmallVectorImpl<mlir::ReassociationIndices> &results);

/// Names the attributes in which two ops differ, with their values.
std::string describeAttributes(mlir::Operation *op, mlir::Operation *other);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SIZEPAIRS_H
