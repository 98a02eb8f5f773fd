//===- ElementConversions.cpp - casts between scalars, saturating ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementConversions.h"

#include "parablock/Transforms/Leftovers/Numbers.h"
#include <cmath>

using namespace mlir;
using namespace parablock;

bool parablock::isNarrowFloat(Type type) {
  return type.isBF16() || type.isF16();
}

Value parablock::widenNarrow(const TileCode &code, Value value) {
  if (!isNarrowFloat(value.getType()))
    return value;
  return arith::ExtFOp::create(code.builder, code.loc,
                               code.builder.getF32Type(), value);
}

static Value integer(const TileCode &code, Type type, const APInt &value) {
  return arith::ConstantOp::create(code.builder, code.loc,
                                   code.builder.getIntegerAttr(type, value));
}

Value parablock::convertFloat(const TileCode &code, Value value, Type type) {
  if (value.getType() == type)
    return value;
  value = widenNarrow(code, value);
  if (isNarrowFloat(type) && value.getType().isF64())
    value = roundToOdd(code.builder, code.loc, value);
  if (value.getType() == type)
    return value;
  bool isWider =
      value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth();
  if (isWider)
    return arith::ExtFOp::create(code.builder, code.loc, type, value);
  return arith::TruncFOp::create(code.builder, code.loc, type, value);
}

Value parablock::integerToFloat(const TileCode &code, Value value, Type type,
                                bool isSigned) {
  OpBuilder &b = code.builder;
  Type wide = type;
  if (isNarrowFloat(type))
    wide = value.getType().getIntOrFloatBitWidth() <= 16 ? Type(b.getF32Type())
                                                         : b.getF64Type();
  Value real = isSigned
                   ? Value(arith::SIToFPOp::create(b, code.loc, wide, value))
                   : Value(arith::UIToFPOp::create(b, code.loc, wide, value));
  return convertFloat(code, real, type);
}

Value parablock::floatToInteger(const TileCode &code, Value value, Type type,
                                bool isSigned) {
  OpBuilder &b = code.builder;
  value = widenNarrow(code, value);
  unsigned width = type.getIntOrFloatBitWidth();
  // Powers of two, thus exact: one above the greatest number, and one that is
  // at most the least.
  double above = std::ldexp(1.0, isSigned ? width - 1 : width);
  double least = isSigned ? -above : 0;
  APInt highest =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt lowest =
      isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  auto real = [&](double number) -> Value {
    return arith::ConstantOp::create(b, code.loc,
                                     b.getFloatAttr(value.getType(), number));
  };
  auto compare = [&](arith::CmpFPredicate predicate, double number) -> Value {
    return arith::CmpFOp::create(b, code.loc, predicate, value, real(number));
  };
  Value isHigh = compare(arith::CmpFPredicate::OGE, above);
  Value isLow = compare(arith::CmpFPredicate::OLE, least);
  Value isNumber = compare(arith::CmpFPredicate::ORD, 0);
  Value isOutside = arith::OrIOp::create(b, code.loc, isHigh, isLow);
  Value isWithin = arith::AndIOp::create(
      b, code.loc, isNumber,
      arith::XOrIOp::create(b, code.loc, isOutside, code.boolean(true)));
  Value safe = code.select(isWithin, value, real(0));
  // Uses more bits than a truth value: backends support those.
  Type whole = width < 32 ? b.getI32Type() : type;
  Value cut = isSigned
                  ? Value(arith::FPToSIOp::create(b, code.loc, whole, safe))
                  : Value(arith::FPToUIOp::create(b, code.loc, whole, safe));
  if (whole != type)
    cut = arith::TruncIOp::create(b, code.loc, type, cut);
  cut = code.select(isHigh, integer(code, type, highest), cut);
  return code.select(isLow, integer(code, type, lowest), cut);
}

Value parablock::integerToIndex(const TileCode &code, Value value,
                                bool isSigned) {
  OpBuilder &b = code.builder;
  Type type = value.getType();
  if (type.isInteger(64)) {
    Value most = integer(code, type, APInt::getSignedMaxValue(32).sext(64));
    Value least = integer(code, type, APInt::getSignedMinValue(32).sext(64));
    value = isSigned
                ? Value(arith::MaxSIOp::create(
                      b, code.loc,
                      arith::MinSIOp::create(b, code.loc, value, most), least))
                : Value(arith::MinUIOp::create(b, code.loc, value, most));
  }
  if (isSigned)
    return arith::IndexCastOp::create(b, code.loc, b.getIndexType(), value);
  return arith::IndexCastUIOp::create(b, code.loc, b.getIndexType(), value);
}
