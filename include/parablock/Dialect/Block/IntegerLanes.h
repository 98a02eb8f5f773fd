//===- IntegerLanes.h - arithmetic of one or many integers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of `arith` on numbers of one type, where some stand for all lanes of the
// others.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_BLOCK_INTEGERLANES_H
#define PARABLOCK_BLOCK_INTEGERLANES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock::lanes {

/// Gives `value` as `other` is: for all lanes of a vector, where that is one.
inline mlir::Value widen(const RowCode &code, mlir::Value value,
                         mlir::Value other) {
  auto vector = mlir::dyn_cast<mlir::VectorType>(other.getType());
  if (!vector || mlir::isa<mlir::VectorType>(value.getType()))
    return value;
  if (value.getType() != vector.getElementType())
    value = code.builder.createOrFold<mlir::arith::TruncIOp>(
        code.loc, vector.getElementType(), value);
  return code.repeat(value, vector.getNumElements());
}

template <typename Op>
mlir::Value combine(const RowCode &code, mlir::Value a, mlir::Value b) {
  return code.builder.createOrFold<Op>(code.loc, widen(code, a, b),
                                       widen(code, b, a));
}

/// The same with a number whose bits are those of `b`.
template <typename Op>
mlir::Value combine(const RowCode &code, mlir::Value a, int64_t b) {
  mlir::Type type = mlir::getElementTypeOrSelf(a.getType());
  mlir::Value constant = mlir::arith::ConstantOp::create(
      code.builder, code.loc, code.builder.getIntegerAttr(type, b));
  return combine<Op>(code, a, constant);
}

inline mlir::Value compare(const RowCode &code,
                           mlir::arith::CmpIPredicate predicate, mlir::Value a,
                           mlir::Value b) {
  return code.builder.createOrFold<mlir::arith::CmpIOp>(
      code.loc, predicate, widen(code, a, b), widen(code, b, a));
}

} // namespace parablock::lanes

#endif // PARABLOCK_BLOCK_INTEGERLANES_H
