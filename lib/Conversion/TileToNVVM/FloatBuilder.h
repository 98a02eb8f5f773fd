//===- FloatBuilder.h - f32 arithmetic --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_FLOATBUILDER_H
#define PARABLOCK_CONVERSION_TILETONVVM_FLOATBUILDER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace parablock::tile {

/// Arithmetic on f32 and on its bits. It must not be contracted or
/// reassociated; a single rounding of two ops is an explicit `fma`.
class FloatBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  mlir::Value real(float value);
  mlir::Value integer(int32_t value);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value negate(mlir::Value a);
  /// a * b + c, rounded once.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value absolute(mlir::Value a);
  mlir::Value copySign(mlir::Value magnitude, mlir::Value sign);
  /// Clamps between two numbers; a NaN stays one.
  mlir::Value clamp(mlir::Value a, float low, float high);
  /// c0 + c1 x + c2 x^2 + ..., from the highest power down.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<float> coefficients);

  /// Comparisons that a NaN fails.
  mlir::Value isBelow(mlir::Value a, float b);
  mlir::Value isAbove(mlir::Value a, float b);
  mlir::Value isEqual(mlir::Value a, float b);
  mlir::Value isNonZero(mlir::Value integer);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);

  mlir::Value addIntegers(mlir::Value a, mlir::Value b);
  mlir::Value subtractIntegers(mlir::Value a, mlir::Value b);
  mlir::Value conjunction(mlir::Value a, int32_t b);
  mlir::Value exclusiveOr(mlir::Value a, mlir::Value b);
  mlir::Value shiftLeft(mlir::Value a, int32_t by);
  /// The sign fills up.
  mlir::Value shiftRight(mlir::Value a, int32_t by);
  mlir::Value toBits(mlir::Value real);
  mlir::Value fromBits(mlir::Value integer);
  mlir::Value toReal(mlir::Value integer);

  /// The nearest integer, ties to even, of a number below 2^22, as both.
  struct Rounded {
    mlir::Value real, integer;
  };
  Rounded roundProduct(mlir::Value a, float b);

  /// An approximation that the chip has, as in "llvm.nvvm.rsqrt.approx.f".
  mlir::Value approximate(llvm::StringRef intrinsic, mlir::Value a);
};

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_FLOATBUILDER_H
