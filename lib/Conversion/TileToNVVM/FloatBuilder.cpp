//===- FloatBuilder.cpp - creates f32 arithmetic and bit operations -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

Value FloatBuilder::clamp(Value a, float low, float high) {
  Value above = arith::MaximumFOp::create(*this, a, real(low));
  return arith::MinimumFOp::create(*this, above, real(high));
}

Value FloatBuilder::isAbove(Value a, float b) {
  return compare(arith::CmpFPredicate::OGT, a, real(b));
}

Value FloatBuilder::isEqual(Value a, float b) {
  return compare(arith::CmpFPredicate::OEQ, a, real(b));
}

Value FloatBuilder::isNonZero(Value a) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ne, a, integer(0));
}

Value FloatBuilder::addIntegers(Value a, Value b) {
  return arith::AddIOp::create(*this, a, b);
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
