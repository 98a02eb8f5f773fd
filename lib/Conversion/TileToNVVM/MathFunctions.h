//===- MathFunctions.h - functions of f32 without a library -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_MATHFUNCTIONS_H
#define PARABLOCK_CONVERSION_TILETONVVM_MATHFUNCTIONS_H

#include "FloatBuilder.h"

namespace parablock::tile {

// Branchless programs for every f32, with infinities and NaNs;
// docs/internals/DeviceMath.md lists their errors.
mlir::Value createExp(FloatBuilder &builder, mlir::Value x);
mlir::Value createExp2(FloatBuilder &builder, mlir::Value x);
mlir::Value createLog(FloatBuilder &builder, mlir::Value x);
mlir::Value createLog2(FloatBuilder &builder, mlir::Value x);
mlir::Value createTanh(FloatBuilder &builder, mlir::Value x);
mlir::Value createErf(FloatBuilder &builder, mlir::Value x);
mlir::Value createRsqrt(FloatBuilder &builder, mlir::Value x);
/// Returns 2^x by the chip's instruction: 2 units in the last place, zero if
/// the result is subnormal.
mlir::Value createFastExp2(FloatBuilder &builder, mlir::Value x);
/// Returns 1 / x by the chip's instruction: 1 unit in the last place, zero if
/// the result is subnormal; infinite if x is.
mlir::Value createReciprocal(FloatBuilder &builder, mlir::Value x);
/// Computes sines of angles up to 10000 in magnitude.
mlir::Value createSin(FloatBuilder &builder, mlir::Value x);
mlir::Value createCos(FloatBuilder &builder, mlir::Value x);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_MATHFUNCTIONS_H
