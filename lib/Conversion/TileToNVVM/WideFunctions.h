//===- WideFunctions.h - functions of f32 through f64 -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_WIDEFUNCTIONS_H
#define PARABLOCK_CONVERSION_TILETONVVM_WIDEFUNCTIONS_H

#include "RealBuilder.h"

namespace parablock::tile {

class WideBuilder : public RealBuilder<double, int64_t> {
public:
  using RealBuilder::RealBuilder;

  Value divide(Value a, Value b);
  Value truncate(Value a);
  /// Clamps between two numbers; a NaN stays one.
  Value clamp(Value a, double low, double high);
  /// A comparison that a NaN fails.
  Value isEqual(Value a, Value b);
  Value both(Value a, Value b);
  Value either(Value a, Value b);
  Value inverse(Value truth);
  /// Rounds a number below 2^51.
  Rounded round(Value a);
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
