//===- FloatBuilder.h - f32 arithmetic --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_FLOATBUILDER_H
#define PARABLOCK_CONVERSION_TILETONVVM_FLOATBUILDER_H

#include "RealBuilder.h"

namespace parablock::tile {

class FloatBuilder : public RealBuilder<float, int32_t> {
public:
  using RealBuilder::RealBuilder;

  /// Clamps between two numbers; a NaN stays one.
  Value clamp(Value a, float low, float high);
  /// Comparisons that a NaN fails.
  Value isAbove(Value a, float b);
  Value isEqual(Value a, float b);
  Value isNonZero(Value integer);

  Value addIntegers(Value a, Value b);
  Value conjunction(Value a, int32_t b);
  Value exclusiveOr(Value a, Value b);
  Value shiftLeft(Value a, int32_t by);
  /// The sign fills up.
  Value shiftRight(Value a, int32_t by);
  Value toReal(Value integer);

  /// Rounds a number below 2^22, ties to even.
  Rounded roundProduct(Value a, float b);

  /// An approximation that the chip has, as in "llvm.nvvm.rsqrt.approx.f".
  Value approximate(llvm::StringRef intrinsic, Value a);
};

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_FLOATBUILDER_H
