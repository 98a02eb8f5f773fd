//===- RealBuilder.h - arithmetic of f32 or f64 -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_REALBUILDER_H
#define PARABLOCK_CONVERSION_TILETONVVM_REALBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace parablock::tile {

/// Arithmetic on one type of floats and on their bits. A `Number` is a constant
/// in the IR. It must not be contracted or reassociated; a single rounding of
/// two ops is an explicit `fma`.
template <typename Number, typename Bits>
class RealBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  Value real(Number value) {
    return mlir::arith::ConstantOp::create(*this,
                                           getFloatAttr(getRealType(), value));
  }
  Value integer(Bits value) {
    return mlir::arith::ConstantOp::create(
        *this, getIntegerAttr(getBitsType(), value));
  }

  Value add(Value a, Value b) {
    return mlir::arith::AddFOp::create(*this, a, b);
  }
  Value subtract(Value a, Value b) {
    return mlir::arith::SubFOp::create(*this, a, b);
  }
  Value multiply(Value a, Value b) {
    return mlir::arith::MulFOp::create(*this, a, b);
  }
  Value negate(Value a) { return mlir::arith::NegFOp::create(*this, a); }
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c) {
    return mlir::math::FmaOp::create(*this, a, b, c);
  }
  Value absolute(Value a) { return mlir::math::AbsFOp::create(*this, a); }
  Value copySign(Value magnitude, Value sign) {
    return mlir::math::CopySignOp::create(*this, magnitude, sign);
  }
  /// c0 + c1 x + c2 x^2 + ..., from the highest power down.
  Value polynomial(Value x, llvm::ArrayRef<Number> coefficients) {
    Value sum = real(coefficients.back());
    for (Number coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, real(coefficient));
    return sum;
  }

  /// A comparison that a NaN fails.
  Value isBelow(Value a, Number b) {
    return compare(mlir::arith::CmpFPredicate::OLT, a, real(b));
  }
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b) {
    return mlir::arith::CmpFOp::create(*this, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return mlir::arith::SelectOp::create(*this, condition, a, b);
  }

  Value subtractIntegers(Value a, Value b) {
    return mlir::arith::SubIOp::create(*this, a, b);
  }
  Value toBits(Value real) {
    return mlir::arith::BitcastOp::create(*this, getBitsType(), real);
  }
  Value fromBits(Value integer) {
    return mlir::arith::BitcastOp::create(*this, getRealType(), integer);
  }

  /// The nearest integer of a number, as both.
  struct Rounded {
    Value real, integer;
  };

protected:
  mlir::Type getRealType() {
    return sizeof(Number) == 4 ? mlir::Type(getF32Type()) : getF64Type();
  }
  mlir::Type getBitsType() { return getIntegerType(8 * sizeof(Bits)); }
};

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_REALBUILDER_H
