//===- SampleWords.cpp - emits the arithmetic of shares of tokens ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SampleWords.h"

#include "parablock/Support/TokenShares.h"

using namespace mlir;
using namespace parablock;

Value Words::number(uint64_t value) const {
  return arith::ConstantOp::create(
      code.builder, code.loc,
      code.builder.getI64IntegerAttr(static_cast<int64_t>(value)));
}

Value Words::shiftLeft(Value a, Value bits) const {
  return arith::ShLIOp::create(code.builder, code.loc, a, bits);
}
Value Words::shiftLeft(Value a, uint64_t bits) const {
  return shiftLeft(a, number(bits));
}

Value Words::shiftRight(Value a, Value bits) const {
  return arith::ShRUIOp::create(code.builder, code.loc, a, bits);
}
Value Words::shiftRight(Value a, uint64_t bits) const {
  return shiftRight(a, number(bits));
}

Value Words::conjunction(Value a, Value b) const {
  return arith::AndIOp::create(code.builder, code.loc, a, b);
}

Value Words::exclusiveOr(Value a, Value b) const {
  return arith::XOrIOp::create(code.builder, code.loc, a, b);
}

Value Words::less(Value a, Value b) const {
  return arith::CmpIOp::create(code.builder, code.loc,
                               arith::CmpIPredicate::ult, a, b);
}

Value Words::truth(Value condition) const {
  return arith::ExtUIOp::create(code.builder, code.loc,
                                code.builder.getI64Type(), condition);
}

Value Words::toKey(Value score) const {
  Value bits = arith::ExtUIOp::create(
      code.builder, code.loc, code.builder.getI64Type(),
      arith::BitcastOp::create(code.builder, code.loc,
                               code.builder.getI32Type(), score));
  constexpr uint64_t sign = 0x80000000, all = 0xFFFFFFFF;
  Value size = conjunction(bits, number(sign - 1));
  Value isNaN = less(number(0x7F800000), size);
  Value isNegative = less(number(sign), bits);
  Value key = select(isNegative, exclusiveOr(bits, number(all)),
                     add(size, number(sign)));
  return select(isNaN, number(all), key);
}

Value Words::fromKey(Value key) const {
  constexpr uint64_t sign = 0x80000000, all = 0xFFFFFFFF;
  Value isNegative = less(key, number(sign));
  Value bits = exclusiveOr(key, select(isNegative, number(all), number(sign)));
  return arith::BitcastOp::create(
      code.builder, code.loc, code.builder.getF32Type(),
      arith::TruncIOp::create(code.builder, code.loc, code.builder.getI32Type(),
                              bits));
}

Value Words::f64(double value) const {
  return arith::ConstantOp::create(code.builder, code.loc,
                                   code.builder.getF64FloatAttr(value));
}

Value Words::toF64(Value word) const {
  return arith::UIToFPOp::create(code.builder, code.loc,
                                 code.builder.getF64Type(), word);
}

Value Words::fromF64(Value number) const {
  return arith::FPToUIOp::create(code.builder, code.loc,
                                 code.builder.getI64Type(), number);
}

Value Words::share(Value score, Value best) const {
  Value behind = code.sub(best, score);
  Value isNear = code.less(behind, code.f32(shares::mostBehind));
  Value near = code.select(isNear, behind, code.f32(0));
  Value steps = arith::ExtUIOp::create(
      code.builder, code.loc, code.builder.getI64Type(),
      arith::FPToUIOp::create(code.builder, code.loc, code.builder.getI32Type(),
                              code.mul(near, code.f32(shares::stepsPerUnit))));
  Value power = shiftRight(mul(steps, number(shares::log2E)), 25);
  Value halvings = shiftRight(power, 32);
  Value fraction = conjunction(power, number(0xFFFFFFFF));
  Value sum = number(shares::coefficients[5]);
  for (int i = 4; i >= 0; --i)
    sum = sub(number(shares::coefficients[i]),
              shiftRight(mul(fraction, sum), 32));
  Value mantissa =
      sub(number(uint64_t(1) << 32), shiftRight(mul(fraction, sum), 32));
  Value half = shiftRight(shiftLeft(number(1), halvings), 1);
  Value share = shiftRight(add(shiftLeft(mantissa, 8), half), halvings);
  return select(isNear, share, number(0));
}

Value Words::least(Value part, Value sum) const {
  Value product =
      arith::MulFOp::create(code.builder, code.loc, part, toF64(sum));
  Value least = fromF64(product);
  Value isBelow = arith::CmpFOp::create(
      code.builder, code.loc, arith::CmpFPredicate::OLT, toF64(least), product);
  return min(add(least, truth(isBelow)), sum);
}

Value Words::bound(Value point, Value sum) const {
  Value bound =
      fromF64(arith::MulFOp::create(code.builder, code.loc, point, toF64(sum)));
  return min(bound, sub(sum, number(1)));
}

Value Words::uniform(Value state, Value index) const {
  constexpr uint64_t golden = 0x9E3779B97F4A7C15;
  Value z = add(add(state, mul(index, number(golden))), number(golden));
  auto mix = [&](uint64_t bits, uint64_t factor) {
    z = mul(exclusiveOr(z, shiftRight(z, bits)), number(factor));
  };
  mix(30, 0xBF58476D1CE4E5B9);
  mix(27, 0x94D049BB133111EB);
  z = exclusiveOr(z, shiftRight(z, 31));
  Value middle = arith::AddFOp::create(code.builder, code.loc,
                                       toF64(shiftRight(z, 11)), f64(0.5));
  return arith::MulFOp::create(code.builder, code.loc, middle, f64(0x1p-53));
}
