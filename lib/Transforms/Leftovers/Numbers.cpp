//===- Numbers.cpp - rounds to odd, guards divisors -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Leftovers/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock;

Value parablock::roundToOdd(OpBuilder &b, Location loc, Value value) {
  Type i32 = b.getI32Type(), f64 = b.getF64Type();
  Value nearest = arith::TruncFOp::create(b, loc, b.getF32Type(), value);
  Value back = arith::ExtFOp::create(b, loc, f64, nearest);
  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  };
  Value isInexact = compare(arith::CmpFPredicate::ONE, back, value);
  Value isBeyond =
      compare(arith::CmpFPredicate::OGT, math::AbsFOp::create(b, loc, back),
              math::AbsFOp::create(b, loc, value));
  Value bits = arith::BitcastOp::create(b, loc, i32, nearest);
  Value one =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(i32, APInt(32, 1)));
  Value below = arith::SubIOp::create(b, loc, bits, one);
  Value cut = arith::SelectOp::create(b, loc, isBeyond, below, bits);
  Value odd = arith::OrIOp::create(b, loc, cut, one);
  bits = arith::SelectOp::create(b, loc, isInexact, odd, bits);
  return arith::BitcastOp::create(b, loc, b.getF32Type(), bits);
}

Value parablock::boundDivisor(OpBuilder &builder, Operation *division,
                              Value dividend, Value divisor,
                              unsigned indexBits) {
  APInt known;
  if (matchPattern(divisor, m_ConstantInt(&known)) && !known.isZero() &&
      !known.isAllOnes())
    return divisor;
  Location loc = division->getLoc();
  Type type = divisor.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto constant = [&](const APInt &number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, number));
  };
  auto isEqual = [&](Value x, const APInt &number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x,
                                 constant(number));
  };
  Value isOutside = isEqual(divisor, APInt::getZero(width));
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
          arith::CeilDivSIOp>(division)) {
    APInt least = APInt::getSignedMinValue(type.isIndex() ? indexBits : width)
                      .sext(width);
    Value overflows =
        arith::AndIOp::create(builder, loc, isEqual(dividend, least),
                              isEqual(divisor, APInt::getAllOnes(width)));
    isOutside = arith::OrIOp::create(builder, loc, isOutside, overflows);
  }
  return arith::SelectOp::create(builder, loc, isOutside,
                                 constant(APInt(width, 1)), divisor);
}
