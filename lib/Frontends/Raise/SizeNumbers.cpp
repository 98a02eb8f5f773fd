//===- SizeNumbers.cpp - functions of arith and math on numbers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SizeNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace parablock::raise;

using Numbers = ArrayRef<double>;

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// The number that the bits of a negative one are without a sign.
static double withoutSign(double number, Type type) {
  if (number >= 0)
    return number;
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return number + std::exp2(width);
}

static std::function<double(Numbers)> getComparison(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  Type type = getElement(op.getLhs());
  bool isUnsigned = op.getPredicate() >= P::ult;
  return [=, predicate = op.getPredicate()](Numbers x) -> double {
    double a = isUnsigned ? withoutSign(x[0], type) : x[0];
    double b = isUnsigned ? withoutSign(x[1], type) : x[1];
    switch (predicate) {
    case P::eq:
      return a == b;
    case P::ne:
      return a != b;
    case P::slt:
    case P::ult:
      return a < b;
    case P::sle:
    case P::ule:
      return a <= b;
    case P::sgt:
    case P::ugt:
      return a > b;
    case P::sge:
    case P::uge:
      return a >= b;
    }
    return 0;
  };
}

static std::function<double(Numbers)> getComparison(arith::CmpFOp op) {
  using P = arith::CmpFPredicate;
  switch (op.getPredicate()) {
  case P::OEQ:
  case P::UEQ:
    return [](Numbers x) -> double { return x[0] == x[1]; };
  case P::ONE:
  case P::UNE:
    return [](Numbers x) -> double { return x[0] != x[1]; };
  case P::OLT:
  case P::ULT:
    return [](Numbers x) -> double { return x[0] < x[1]; };
  case P::OLE:
  case P::ULE:
    return [](Numbers x) -> double { return x[0] <= x[1]; };
  case P::OGT:
  case P::UGT:
    return [](Numbers x) -> double { return x[0] > x[1]; };
  case P::OGE:
  case P::UGE:
    return [](Numbers x) -> double { return x[0] >= x[1]; };
  default:
    return {};
  }
}

/// A whole number from a float; one that no integer holds is undefined.
static double cut(double number) {
  if (std::isnan(number))
    return 0;
  return std::trunc(std::clamp(number, -9.2e18, 9.2e18));
}

static double divide(double a, double b, double (*round)(double)) {
  return b == 0 ? 0 : round(a / b);
}

bool parablock::raise::isMinimum(Operation *op) {
  return isa<arith::MinSIOp, arith::MinUIOp, arith::MinimumFOp,
             arith::MinNumFOp>(op);
}

bool parablock::raise::isNarrowFloat(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() < 32;
}

double parablock::raise::roundToNarrow(double number, Type type) {
  if (!isNarrowFloat(type))
    return number;
  APFloat rounded(number);
  bool loses;
  rounded.convert(
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics(),
      APFloat::rmNearestTiesToEven, &loses);
  return rounded.convertToDouble();
}

using Made = std::optional<NumberOp>;
using Function = double (*)(double);

static bool isBit(Value value) { return getElement(value).isInteger(1); }

static NumberOp makeOp(OpClass kind, Function function) {
  return {kind, [=](Numbers x) { return function(x[0]); }};
}

static NumberOp makeQuotient(Function round) {
  return {OpClass::Monotone,
          [=](Numbers x) { return divide(x[0], x[1], round); }};
}

static Made getCast(Operation *op) {
  NumberOp keep = {OpClass::Keep, [](Numbers x) { return x[0]; }};
  return llvm::TypeSwitch<Operation *, Made>(op)
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
            arith::UIToFPOp, arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return keep; })
      .Case<arith::ExtSIOp, arith::SIToFPOp>([&](auto cast) {
        return isBit(cast.getIn())
                   ? NumberOp{OpClass::Negate, [](Numbers x) { return -x[0]; }}
                   : keep;
      })
      .Case([&](arith::TruncIOp cast) { return isBit(cast) ? Made() : keep; })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([](auto cast) {
        return isBit(cast) ? Made() : makeOp(OpClass::Monotone, cut);
      })
      .Default([](Operation *) { return Made(); });
}

static Made getArithmetic(Operation *op) {
  bool ofBits = isBit(op->getResult(0));
  return llvm::TypeSwitch<Operation *, Made>(op)
      .Case<arith::AddIOp, arith::AddFOp>([&](auto) -> Made {
        if (ofBits)
          return std::nullopt;
        return NumberOp{OpClass::Add, [](Numbers x) { return x[0] + x[1]; }};
      })
      .Case<arith::SubIOp, arith::SubFOp>([&](auto) -> Made {
        if (ofBits)
          return std::nullopt;
        return NumberOp{OpClass::Subtract,
                        [](Numbers x) { return x[0] - x[1]; }};
      })
      .Case<arith::MulIOp, arith::MulFOp>([](auto) {
        return NumberOp{OpClass::Multiply,
                        [](Numbers x) { return x[0] * x[1]; }};
      })
      .Case([](arith::DivFOp) {
        return NumberOp{OpClass::Divide, [](Numbers x) { return x[0] / x[1]; }};
      })
      .Case([](arith::NegFOp) {
        return NumberOp{OpClass::Negate, [](Numbers x) { return -x[0]; }};
      })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [](auto) { return makeQuotient(std::trunc); })
      .Case([](arith::FloorDivSIOp) { return makeQuotient(std::floor); })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return makeQuotient(std::ceil); })
      .Case<arith::RemSIOp, arith::RemUIOp, arith::RemFOp>([](auto) {
        return NumberOp{OpClass::Other, [](Numbers x) {
                          return x[1] == 0 ? 0 : std::fmod(x[0], x[1]);
                        }};
      })
      .Default([](Operation *) { return Made(); });
}

/// Returns the function of a logical op on truth values.
static Made getLogic(Operation *op) {
  if (!isBit(op->getResult(0)))
    return std::nullopt;
  auto make = [](auto function) {
    return NumberOp{OpClass::Other, [=](Numbers x) -> double {
                      return function(x[0] != 0, x[1] != 0);
                    }};
  };
  return llvm::TypeSwitch<Operation *, Made>(op)
      .Case([&](arith::AndIOp) { return make(std::logical_and<bool>()); })
      .Case([&](arith::OrIOp) { return make(std::logical_or<bool>()); })
      .Case([&](arith::XOrIOp) { return make(std::not_equal_to<bool>()); })
      .Default([](Operation *) { return Made(); });
}

static Made getChoice(Operation *op) {
  return llvm::TypeSwitch<Operation *, Made>(op)
      .Case<arith::CmpIOp, arith::CmpFOp>([](auto cmp) -> Made {
        auto compare = getComparison(cmp);
        if (!compare)
          return std::nullopt;
        return NumberOp{OpClass::Compare, compare};
      })
      .Case<arith::MinSIOp, arith::MinUIOp, arith::MinimumFOp,
            arith::MinNumFOp>([](auto) {
        return NumberOp{OpClass::Extreme,
                        [](Numbers x) { return std::min(x[0], x[1]); }};
      })
      .Case<arith::MaxSIOp, arith::MaxUIOp, arith::MaximumFOp,
            arith::MaxNumFOp>([](auto) {
        return NumberOp{OpClass::Extreme,
                        [](Numbers x) { return std::max(x[0], x[1]); }};
      })
      .Case([](arith::SelectOp) {
        return NumberOp{OpClass::Select,
                        [](Numbers x) { return x[0] != 0 ? x[1] : x[2]; }};
      })
      .Default([](Operation *) { return Made(); });
}

static Made getFunction(Operation *op) {
  auto monotone = [](Function function) {
    return makeOp(OpClass::Monotone, function);
  };
  return llvm::TypeSwitch<Operation *, Made>(op)
      .Case<math::AbsIOp, math::AbsFOp>(
          [](auto) { return makeOp(OpClass::Absolute, std::fabs); })
      .Case([&](math::FloorOp) { return monotone(std::floor); })
      .Case([&](math::CeilOp) { return monotone(std::ceil); })
      .Case([&](math::TruncOp) { return monotone(std::trunc); })
      .Case([&](math::RoundOp) { return monotone(std::round); })
      .Case([&](math::RoundEvenOp) { return monotone(std::nearbyint); })
      .Case([&](math::SqrtOp) { return monotone(std::sqrt); })
      .Case([&](math::LogOp) { return monotone(std::log); })
      .Case([&](math::Log2Op) { return monotone(std::log2); })
      .Case([&](math::Log10Op) { return monotone(std::log10); })
      .Case([&](math::Log1pOp) { return monotone(std::log1p); })
      .Case([&](math::ExpOp) { return monotone(std::exp); })
      .Case([&](math::TanhOp) { return monotone(std::tanh); })
      .Case([](math::SinOp) { return makeOp(OpClass::Wave, std::sin); })
      .Case([](math::CosOp) { return makeOp(OpClass::Wave, std::cos); })
      .Default([](Operation *) { return Made(); });
}

std::optional<NumberOp> parablock::raise::getNumberOp(Operation *op) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  for (auto *find : {getCast, getArithmetic, getLogic, getChoice, getFunction})
    if (Made made = find(op))
      return made;
  return std::nullopt;
}
