//===- Numbers.h - arithmetic shared by engines -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_NUMBERS_H
#define PARABLOCK_LEFTOVERS_NUMBERS_H

#include "mlir/IR/Builders.h"

namespace parablock {

/// Rounds an f64 to f32 such that rounding the result to 16 bits equals
/// rounding `value`: a value between two f32 becomes the one whose last bit is
/// set.
mlir::Value roundToOdd(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value);

/// Returns the divisor of `division`, or 1 if the quotient is undefined, so
/// that no process traps. An index has `indexBits` bits.
mlir::Value boundDivisor(mlir::OpBuilder &builder, mlir::Operation *division,
                         mlir::Value dividend, mlir::Value divisor,
                         unsigned indexBits);

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_NUMBERS_H
