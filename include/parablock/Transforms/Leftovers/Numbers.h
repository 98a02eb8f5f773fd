//===- Numbers.h - arithmetic that both engines spell alike -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_NUMBERS_H
#define PARABLOCK_LEFTOVERS_NUMBERS_H

#include "mlir/IR/Builders.h"

namespace parablock {

/// An f64 as f32, so that rounding that to 16 bits gives what rounding `value`
/// would: what lies between two f32 becomes the one whose last bit is set.
mlir::Value roundToOdd(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value);

/// The divisor of `division`, or 1 where there is no quotient, which must end
/// no process. An index has `indexBits` bits.
mlir::Value boundDivisor(mlir::OpBuilder &builder, mlir::Operation *division,
                         mlir::Value dividend, mlir::Value divisor,
                         unsigned indexBits);

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_NUMBERS_H
