//===- ColumnCount.h - number of columns in a loop --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_TILETONVVM_COLUMNCOUNT_H
#define PARABLOCK_LIB_CONVERSION_TILETONVVM_COLUMNCOUNT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace parablock::tile {

inline std::optional<int64_t> getConstant(mlir::Value value) {
  llvm::APInt constant;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

/// Returns `to - from` if it is a constant: of two constants, or if one is the
/// other plus a constant.
inline std::optional<int64_t> getColumnCount(mlir::Value from, mlir::Value to) {
  std::optional<int64_t> first = getConstant(from), last = getConstant(to);
  if (first && last)
    return *last - *first;
  auto sum = to.getDefiningOp<mlir::arith::AddIOp>();
  return sum && sum.getLhs() == from ? getConstant(sum.getRhs()) : std::nullopt;
}

} // namespace parablock::tile

#endif // PARABLOCK_LIB_CONVERSION_TILETONVVM_COLUMNCOUNT_H
