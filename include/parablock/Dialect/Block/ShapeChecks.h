//===- ShapeChecks.h - the checks that verifiers share ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One checker per rule. A dynamic dimension is compatible with every size; the
// engines check it again at run time.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_SHAPECHECKS_H
#define PARABLOCK_IR_SHAPECHECKS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace parablock::block {

/// A value with the name that diagnostics call it by.
struct NamedValue {
  llvm::StringRef name;
  mlir::Value value;
};

/// Size `dim` of the ranked tensor `value`, counted from the end if negative.
int64_t getDim(mlir::Value value, int dim);

/// The type of `value` with another size in dimension `dim`.
mlir::RankedTensorType resized(mlir::Value value, unsigned dim, int64_t size);

inline bool areCompatible(int64_t a, int64_t b) {
  return mlir::ShapedType::isDynamic(a) || mlir::ShapedType::isDynamic(b) ||
         a == b;
}

/// Emits "expected dimension D of NAME to be SIZE (WHY), got FOUND" unless it
/// is compatible. A null value passes: optional operands need no test around
/// it.
mlir::LogicalResult checkDim(mlir::Operation *op, NamedValue value, int dim,
                             int64_t expected, const llvm::Twine &why);

/// Emits a diagnostic, with a note at the other one, unless both shapes are
/// compatible.
mlir::LogicalResult checkSameShape(mlir::Operation *op, NamedValue a,
                                   NamedValue b);

/// The leading dimensions (all but the last) of both are compatible.
mlir::LogicalResult checkSameRows(mlir::Operation *op, NamedValue a,
                                  NamedValue b);

/// `value` has one of the sizes in `allowed`.
mlir::LogicalResult checkOneOf(mlir::Operation *op, NamedValue value,
                               llvm::ArrayRef<int64_t> allowed,
                               const llvm::Twine &why);

/// An offset that is no index has one element per batch row; null passes.
mlir::LogicalResult checkOffset(mlir::Operation *op, mlir::Value offset,
                                int64_t batch);

/// `divisor` divides `size` (where that is static) and is positive.
mlir::LogicalResult checkDivides(mlir::Operation *op,
                                 llvm::StringRef divisorName, int64_t divisor,
                                 llvm::StringRef sizeName, int64_t size);

} // namespace parablock::block

#endif // PARABLOCK_IR_SHAPECHECKS_H
