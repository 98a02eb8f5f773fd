//===- WideFunctions.h - functions of f32 through f64 -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_WIDEFUNCTIONS_H
#define PARABLOCK_CONVERSION_TILETONVVM_WIDEFUNCTIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace parablock::tile {

/// Arithmetic on f64. A double here is a constant in the IR.
class WideBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  mlir::Value real(double value);
  mlir::Value bits(int64_t value);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value divide(mlir::Value a, mlir::Value b);
  mlir::Value negate(mlir::Value a);
  mlir::Value absolute(mlir::Value a);
  mlir::Value truncate(mlir::Value a);
  mlir::Value copySign(mlir::Value magnitude, mlir::Value sign);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  /// c0 + c1 x + c2 x^2 + ..., from the highest power down.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients);
  /// Clamps between two numbers; a NaN stays one.
  mlir::Value clamp(mlir::Value a, double low, double high);

  /// Comparisons that a NaN fails.
  mlir::Value isBelow(mlir::Value a, double b);
  mlir::Value isEqual(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value inverse(mlir::Value truth);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);

  /// The nearest integer of a number below 2^51, as both.
  struct Rounded {
    mlir::Value real, integer;
  };
  Rounded round(mlir::Value a);
  mlir::Value toBits(mlir::Value real);
  mlir::Value fromBits(mlir::Value integer);
};

// For numbers in the range of f32, with more digits than f32 has.
mlir::Value createWideATan(WideBuilder &builder, mlir::Value x);
mlir::Value createWideATan2(WideBuilder &builder, mlir::Value y, mlir::Value x);
mlir::Value createWideCbrt(WideBuilder &builder, mlir::Value x);
mlir::Value createWideCosh(WideBuilder &builder, mlir::Value x);
mlir::Value createWideErfc(WideBuilder &builder, mlir::Value x);
mlir::Value createWideExpM1(WideBuilder &builder, mlir::Value x);
mlir::Value createWideLog10(WideBuilder &builder, mlir::Value x);
mlir::Value createWideLog1p(WideBuilder &builder, mlir::Value x);
mlir::Value createWidePow(WideBuilder &builder, mlir::Value x, mlir::Value y);
mlir::Value createWideSinh(WideBuilder &builder, mlir::Value x);
mlir::Value createWideTan(WideBuilder &builder, mlir::Value x);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_WIDEFUNCTIONS_H
