//===- WideBuilder.cpp - creates f64 arithmetic and bit operations --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WideFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace parablock::tile;

Value WideBuilder::real(double value) {
  return arith::ConstantOp::create(*this, getF64FloatAttr(value));
}

Value WideBuilder::bits(int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}

Value WideBuilder::add(Value a, Value b) {
  return arith::AddFOp::create(*this, a, b);
}

Value WideBuilder::subtract(Value a, Value b) {
  return arith::SubFOp::create(*this, a, b);
}

Value WideBuilder::multiply(Value a, Value b) {
  return arith::MulFOp::create(*this, a, b);
}

Value WideBuilder::divide(Value a, Value b) {
  return arith::DivFOp::create(*this, a, b);
}

Value WideBuilder::negate(Value a) { return arith::NegFOp::create(*this, a); }

Value WideBuilder::absolute(Value a) { return math::AbsFOp::create(*this, a); }

Value WideBuilder::truncate(Value a) { return math::TruncOp::create(*this, a); }

Value WideBuilder::copySign(Value magnitude, Value sign) {
  return math::CopySignOp::create(*this, magnitude, sign);
}

Value WideBuilder::fma(Value a, Value b, Value c) {
  return math::FmaOp::create(*this, a, b, c);
}

Value WideBuilder::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = real(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, real(coefficient));
  return sum;
}

Value WideBuilder::clamp(Value a, double low, double high) {
  Value least = real(low), most = real(high);
  a = select(arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, a, least),
             least, a);
  return select(
      arith::CmpFOp::create(*this, arith::CmpFPredicate::OGT, a, most), most,
      a);
}

Value WideBuilder::isBelow(Value a, double b) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, a, real(b));
}

Value WideBuilder::isEqual(Value a, Value b) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, a, b);
}

Value WideBuilder::both(Value a, Value b) {
  return arith::AndIOp::create(*this, a, b);
}

Value WideBuilder::either(Value a, Value b) {
  return arith::OrIOp::create(*this, a, b);
}

Value WideBuilder::inverse(Value truth) {
  Value one = arith::ConstantOp::create(*this, getBoolAttr(true));
  return arith::XOrIOp::create(*this, truth, one);
}

Value WideBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(*this, condition, a, b);
}

WideBuilder::Rounded WideBuilder::round(Value a) {
  // Such a sum has no fractional bits; its last bits are the integer.
  Value shift = real(0x1.8p52);
  Value sum = add(a, shift);
  Value integer = arith::SubIOp::create(*this, toBits(sum), toBits(shift));
  return {subtract(sum, shift), integer};
}

Value WideBuilder::toBits(Value real) {
  return arith::BitcastOp::create(*this, getI64Type(), real);
}

Value WideBuilder::fromBits(Value integer) {
  return arith::BitcastOp::create(*this, getF64Type(), integer);
}
