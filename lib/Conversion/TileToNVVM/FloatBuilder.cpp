//===- FloatBuilder.cpp - creates f32 arithmetic and bit operations -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace parablock::tile;

Value FloatBuilder::real(float value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}

Value FloatBuilder::integer(int32_t value) {
  return arith::ConstantOp::create(*this, getI32IntegerAttr(value));
}

Value FloatBuilder::add(Value a, Value b) {
  return arith::AddFOp::create(*this, a, b);
}

Value FloatBuilder::subtract(Value a, Value b) {
  return arith::SubFOp::create(*this, a, b);
}

Value FloatBuilder::multiply(Value a, Value b) {
  return arith::MulFOp::create(*this, a, b);
}

Value FloatBuilder::negate(Value a) { return arith::NegFOp::create(*this, a); }

Value FloatBuilder::fma(Value a, Value b, Value c) {
  return math::FmaOp::create(*this, a, b, c);
}

Value FloatBuilder::absolute(Value a) { return math::AbsFOp::create(*this, a); }

Value FloatBuilder::copySign(Value magnitude, Value sign) {
  return math::CopySignOp::create(*this, magnitude, sign);
}

Value FloatBuilder::clamp(Value a, float low, float high) {
  Value above = arith::MaximumFOp::create(*this, a, real(low));
  return arith::MinimumFOp::create(*this, above, real(high));
}

Value FloatBuilder::polynomial(Value x, ArrayRef<float> coefficients) {
  Value sum = real(coefficients.back());
  for (float coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, real(coefficient));
  return sum;
}

Value FloatBuilder::isBelow(Value a, float b) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, a, real(b));
}

Value FloatBuilder::isAbove(Value a, float b) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OGT, a, real(b));
}

Value FloatBuilder::isEqual(Value a, float b) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, a, real(b));
}

Value FloatBuilder::isNonZero(Value a) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ne, a, integer(0));
}

Value FloatBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(*this, condition, a, b);
}

Value FloatBuilder::addIntegers(Value a, Value b) {
  return arith::AddIOp::create(*this, a, b);
}

Value FloatBuilder::subtractIntegers(Value a, Value b) {
  return arith::SubIOp::create(*this, a, b);
}

Value FloatBuilder::conjunction(Value a, int32_t b) {
  return arith::AndIOp::create(*this, a, integer(b));
}

Value FloatBuilder::exclusiveOr(Value a, Value b) {
  return arith::XOrIOp::create(*this, a, b);
}

Value FloatBuilder::shiftLeft(Value a, int32_t by) {
  return arith::ShLIOp::create(*this, a, integer(by));
}

Value FloatBuilder::shiftRight(Value a, int32_t by) {
  return arith::ShRSIOp::create(*this, a, integer(by));
}

Value FloatBuilder::toBits(Value a) {
  return arith::BitcastOp::create(*this, getI32Type(), a);
}

Value FloatBuilder::fromBits(Value a) {
  return arith::BitcastOp::create(*this, getF32Type(), a);
}

Value FloatBuilder::toReal(Value a) {
  return arith::SIToFPOp::create(*this, getF32Type(), a);
}

FloatBuilder::Rounded FloatBuilder::roundProduct(Value a, float b) {
  // From 1.5 * 2^23 on, neighbouring floats are 1 apart, and the low bits count
  // them.
  constexpr float shift = 12582912.0f;
  constexpr int32_t shiftBits = 0x4B400000;
  Value shifted = fma(a, real(b), real(shift));
  return {subtract(shifted, real(shift)),
          subtractIntegers(toBits(shifted), integer(shiftBits))};
}

Value FloatBuilder::approximate(StringRef intrinsic, Value a) {
  return LLVM::CallIntrinsicOp::create(*this, getF32Type(),
                                       getStringAttr(intrinsic), a)
      .getResult(0);
}
