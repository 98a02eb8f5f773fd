//===- LinalgScalars.cpp - builds bodies of elementwise generics ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LinalgScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace parablock;

static Value buildNumber(ImplicitLocOpBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

static Value buildSigmoid(ImplicitLocOpBuilder &b, Value x) {
  Value one = buildNumber(b, x.getType(), 1);
  Value exponential = math::ExpOp::create(b, arith::NegFOp::create(b, x));
  return arith::DivFOp::create(b, one,
                               arith::AddFOp::create(b, exponential, one));
}

Value parablock::buildUnary(ImplicitLocOpBuilder &b, Unary kind, Value x) {
  switch (kind) {
  case Unary::Negate:
    return arith::NegFOp::create(b, x);
  case Unary::Abs:
    return math::AbsFOp::create(b, x);
  case Unary::Exp:
    return math::ExpOp::create(b, x);
  case Unary::Sqrt:
    return math::SqrtOp::create(b, x);
  case Unary::Rsqrt:
    return math::RsqrtOp::create(b, x);
  case Unary::Tanh:
    return math::TanhOp::create(b, x);
  case Unary::Erf:
    return math::ErfOp::create(b, x);
  case Unary::Sigmoid:
    return buildSigmoid(b, x);
  case Unary::Sin:
    return math::SinOp::create(b, x);
  case Unary::Cos:
    return math::CosOp::create(b, x);
  case Unary::Not:
    return arith::XOrIOp::create(
        b, x, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  }
  llvm_unreachable("every function has its case");
}

static Value buildComparison(ImplicitLocOpBuilder &b, Binary kind, Value x,
                             Value y) {
  bool isFloat = isa<FloatType>(x.getType());
  auto compare = [&](arith::CmpFPredicate ofFloats,
                     arith::CmpIPredicate ofIntegers) -> Value {
    if (isFloat)
      return arith::CmpFOp::create(b, ofFloats, x, y);
    return arith::CmpIOp::create(b, ofIntegers, x, y);
  };
  switch (kind) {
  case Binary::Equal:
    return compare(arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq);
  case Binary::Greater:
    return compare(arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt);
  default:
    return compare(arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge);
  }
}

/// One of two ops by the kind of the operands.
template <typename FloatOp, typename IntegerOp>
static Value buildEither(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return FloatOp::create(b, x, y);
  return IntegerOp::create(b, x, y);
}

Value parablock::buildBinary(ImplicitLocOpBuilder &b, Binary kind, Value x,
                             Value y) {
  switch (kind) {
  case Binary::Add:
    return buildEither<arith::AddFOp, arith::AddIOp>(b, x, y);
  case Binary::Subtract:
    return buildEither<arith::SubFOp, arith::SubIOp>(b, x, y);
  case Binary::Multiply:
    return buildEither<arith::MulFOp, arith::MulIOp>(b, x, y);
  case Binary::Divide:
    return arith::DivFOp::create(b, x, y);
  case Binary::Maximum:
    return buildEither<arith::MaximumFOp, arith::MaxSIOp>(b, x, y);
  case Binary::Minimum:
    return buildEither<arith::MinimumFOp, arith::MinSIOp>(b, x, y);
  case Binary::And:
    return arith::AndIOp::create(b, x, y);
  case Binary::Equal:
  case Binary::Greater:
  case Binary::GreaterEqual:
    return buildComparison(b, kind, x, y);
  }
  llvm_unreachable("every operation has its case");
}

Value parablock::buildCast(ImplicitLocOpBuilder &b, Value x, Type to) {
  Type from = x.getType();
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  if (from == to)
    return x;
  if (fromFloat && toFloat)
    return fromWidth < toWidth ? Value(arith::ExtFOp::create(b, to, x))
                               : Value(arith::TruncFOp::create(b, to, x));
  if (toFloat)
    return fromWidth == 1 ? Value(arith::UIToFPOp::create(b, to, x))
                          : Value(arith::SIToFPOp::create(b, to, x));
  if (fromFloat)
    return arith::FPToSIOp::create(b, to, x);
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(b, to, x);
  return fromWidth == 1 ? Value(arith::ExtUIOp::create(b, to, x))
                        : Value(arith::ExtSIOp::create(b, to, x));
}
