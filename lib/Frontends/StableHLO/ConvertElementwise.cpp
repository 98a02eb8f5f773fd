//===- ConvertElementwise.cpp - converts elementwise ops ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

namespace {
class Elementwise : public Conversion {
public:
  using Conversion::Conversion;
  Value convert();
  Value convertBinary(StringRef name, Value a, Value b);
  Value convertType(Value x, Type element);

private:
  Value convertLogistic(Value x);
  Value convertSign(Value x);
  Value convertIsFinite(Value x);
  Value convertUnary(StringRef name, Value x);
  Value divideWhole(bool isRest, Value a, Value b);
  Value convertCompare(Value a, Value b);
  Value convertSelect(Value condition, Value a, Value b);
  Value convertClamp(Value low, Value x, Value high);
  Value convertToWhole(Value x, RankedTensorType type);
  template <typename NumberT> Value fill(Value like, NumberT number);
  /// Returns operands whose dynamic sizes are those of the result.
  SmallVector<Value> getOperandsAlike();
};
} // namespace

/// A constant of the type of `like`.
template <typename NumberT>
Value Elementwise::fill(Value like, NumberT number) {
  RankedTensorType type = typeOf(like);
  TypedAttr value =
      isa<FloatType>(type.getElementType())
          ? TypedAttr(builder.getFloatAttr(type.getElementType(),
                                           static_cast<double>(number)))
          : TypedAttr(builder.getIntegerAttr(type.getElementType(),
                                             static_cast<int64_t>(number)));
  if (type.hasStaticShape())
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  Value empty = makeEmpty(type, getSizes(like));
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

/// Computes 16-bit numbers in f32, and rounds once: in f16 the exponential
/// overflows where the result does not.
Value Elementwise::convertLogistic(Value x) {
  Type element = typeOf(x).getElementType();
  if (element.getIntOrFloatBitWidth() < 32)
    return convertType(convertLogistic(convertType(x, builder.getF32Type())),
                       element);
  Value one = fill(x, 1);
  Value power = math::ExpOp::create(
      builder, loc, arith::NegFOp::create(builder, loc, x).getResult());
  Value below = arith::AddFOp::create(builder, loc, one, power);
  return arith::DivFOp::create(builder, loc, one, below);
}

/// Returns 1 or -1; zeros of both signs and NaN are unchanged.
Value Elementwise::convertSign(Value x) {
  Value one = math::CopySignOp::create(builder, loc, fill(x, 1), x);
  Value hasSign = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ONE,
                                        x, fill(x, 0));
  return arith::SelectOp::create(builder, loc, hasSign, one, x);
}

Value Elementwise::convertIsFinite(Value x) {
  Value size = math::AbsFOp::create(builder, loc, x);
  Value infinity = fill(x, std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, size,
                               infinity);
}

Value Elementwise::convertUnary(StringRef name, Value x) {
  Type element = getElementTypeOrSelf(x);
  auto make = [&](auto tag) -> Value {
    return decltype(tag)::create(builder, loc, x);
  };
  if (!isa<FloatType>(element)) {
    if (name == "not")
      return arith::XOrIOp::create(builder, loc, x, fill(x, -1));
    // Truth values have neither.
    if (element.isInteger(1))
      return {};
    if (name == "negate")
      return arith::SubIOp::create(builder, loc, fill(x, 0), x);
    if (name == "sign")
      return arith::MinSIOp::create(
          builder, loc,
          arith::MaxSIOp::create(builder, loc, x, fill(x, -1)).getResult(),
          fill(x, 1));
    return name == "abs" ? make(math::AbsIOp()) : Value();
  }
  if (name == "logistic" || name == "sigmoid")
    return convertLogistic(x);
  if (name == "sign")
    return convertSign(x);
  if (name == "is_finite")
    return convertIsFinite(x);
  if (name == "square")
    return arith::MulFOp::create(builder, loc, x, x);
  return llvm::StringSwitch<llvm::function_ref<Value()>>(name)
      .Case("negate", [&] { return make(arith::NegFOp()); })
      .Case("exponential", [&] { return make(math::ExpOp()); })
      .Case("exponential_minus_one", [&] { return make(math::ExpM1Op()); })
      .Case("log", [&] { return make(math::LogOp()); })
      .Case("log_plus_one", [&] { return make(math::Log1pOp()); })
      .Case("tanh", [&] { return make(math::TanhOp()); })
      .Case("erf", [&] { return make(math::ErfOp()); })
      .Case("erfc", [&] { return make(math::ErfcOp()); })
      .Case("sqrt", [&] { return make(math::SqrtOp()); })
      .Case("rsqrt", [&] { return make(math::RsqrtOp()); })
      .Case("sine", [&] { return make(math::SinOp()); })
      .Case("cosine", [&] { return make(math::CosOp()); })
      .Case("tan", [&] { return make(math::TanOp()); })
      .Case("cbrt", [&] { return make(math::CbrtOp()); })
      .Case("abs", [&] { return make(math::AbsFOp()); })
      .Case("floor", [&] { return make(math::FloorOp()); })
      .Case("ceil", [&] { return make(math::CeilOp()); })
      .Case("round_nearest_afz", [&] { return make(math::RoundOp()); })
      .Case("round_nearest_even", [&] { return make(math::RoundEvenOp()); })
      .Default([] { return Value(); })();
}

/// Each element of a constant is a divisor of any number.
static bool dividesAll(Value divisor) {
  DenseIntElementsAttr numbers;
  return matchPattern(divisor, m_Constant(&numbers)) &&
         llvm::all_of(numbers, [](const APInt &number) {
           return !number.isZero() && !number.isAllOnes();
         });
}

/// StableHLO leaves undefined quotients to the implementation, and upstream
/// makes them undefined behaviour. As in XLA, a number divided by 0 is -1 with
/// itself as the remainder, and the lowest one divided by -1 is itself with
/// remainder 0.
Value Elementwise::divideWhole(bool isRest, Value a, Value b) {
  auto divide = [&](Value divisor) -> Value {
    if (isRest)
      return arith::RemSIOp::create(builder, loc, a, divisor);
    return arith::DivSIOp::create(builder, loc, a, divisor);
  };
  if (dividesAll(b))
    return divide(b);
  auto isEqual = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x, y);
  };
  auto select = [&](Value condition, Value x, Value y) -> Value {
    return arith::SelectOp::create(builder, loc, condition, x, y);
  };
  Value isZero = isEqual(b, fill(b, 0)), minusOne = fill(b, -1);
  unsigned width = getElementTypeOrSelf(a).getIntOrFloatBitWidth();
  Value isLowest = isEqual(a, fill(a, llvm::minIntN(width)));
  Value overflows =
      arith::AndIOp::create(builder, loc, isLowest, isEqual(b, minusOne));
  Value isOutside = arith::OrIOp::create(builder, loc, isZero, overflows);
  Value quotient = divide(select(isOutside, fill(b, 1), b));
  return select(isZero, isRest ? a : minusOne, quotient);
}

Value Elementwise::convertBinary(StringRef name, Value a, Value b) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(a));
  auto make = [&](auto tag) -> Value {
    return decltype(tag)::create(builder, loc, a, b);
  };
  auto either = [&](auto ofFloats, auto ofIntegers) {
    return isFloat ? make(ofFloats) : make(ofIntegers);
  };
  bool isTruth = getElementTypeOrSelf(a).isInteger(1);
  if (name == "and" && !isFloat)
    return make(arith::AndIOp());
  if (name == "or" && !isFloat)
    return make(arith::OrIOp());
  if (name == "xor" && !isFloat)
    return make(arith::XOrIOp());
  // For truth values, sums are `or` and products are `and`.
  if (isTruth && (name == "add" || name == "maximum"))
    return make(arith::OrIOp());
  if (isTruth && (name == "multiply" || name == "minimum"))
    return make(arith::AndIOp());
  if (isTruth)
    return {};
  if (name == "add")
    return either(arith::AddFOp(), arith::AddIOp());
  if (name == "subtract")
    return either(arith::SubFOp(), arith::SubIOp());
  if (name == "multiply")
    return either(arith::MulFOp(), arith::MulIOp());
  if (name == "divide")
    return isFloat ? make(arith::DivFOp()) : divideWhole(false, a, b);
  if (name == "remainder")
    return isFloat ? make(arith::RemFOp()) : divideWhole(true, a, b);
  if (name == "maximum")
    return either(arith::MaximumFOp(), arith::MaxSIOp());
  if (name == "minimum")
    return either(arith::MinimumFOp(), arith::MinSIOp());
  if (name == "power" && isFloat)
    return make(math::PowFOp());
  if (name == "atan2" && isFloat)
    return make(math::Atan2Op());
  return {};
}

/// Converts `compare GE, %a, %b, SIGNED`, or the generic form's two enums. The
/// total order distinguishes zeros and NaN, which no upstream op does.
Value Elementwise::convertCompare(Value a, Value b) {
  StringRef direction = getDirection();
  if (hasCompareType("TOTALORDER"))
    return {};
  bool isUnsigned = hasCompareType("UNSIGNED");
  if (isa<FloatType>(getElementTypeOrSelf(a))) {
    using P = arith::CmpFPredicate;
    std::optional<P> predicate = llvm::StringSwitch<std::optional<P>>(direction)
                                     .Case("EQ", P::OEQ)
                                     .Case("NE", P::UNE)
                                     .Case("LT", P::OLT)
                                     .Case("LE", P::OLE)
                                     .Case("GT", P::OGT)
                                     .Case("GE", P::OGE)
                                     .Default(std::nullopt);
    return predicate
               ? Value(arith::CmpFOp::create(builder, loc, *predicate, a, b))
               : Value();
  }
  // Truth values have no sign.
  isUnsigned |= getElementTypeOrSelf(a).isInteger(1);
  using P = arith::CmpIPredicate;
  std::optional<P> predicate = llvm::StringSwitch<std::optional<P>>(direction)
                                   .Case("EQ", P::eq)
                                   .Case("NE", P::ne)
                                   .Case("LT", isUnsigned ? P::ult : P::slt)
                                   .Case("LE", isUnsigned ? P::ule : P::sle)
                                   .Case("GT", isUnsigned ? P::ugt : P::sgt)
                                   .Case("GE", isUnsigned ? P::uge : P::sge)
                                   .Default(std::nullopt);
  return predicate
             ? Value(arith::CmpIOp::create(builder, loc, *predicate, a, b))
             : Value();
}

Value Elementwise::convertSelect(Value condition, Value a, Value b) {
  RankedTensorType truth =
      getResultType().clone(getElementTypeOrSelf(condition));
  if (condition.getType() != truth)
    condition = broadcast(condition, truth, {}, getSizes(a));
  if (!condition)
    return {};
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value Elementwise::convertClamp(Value low, Value x, Value high) {
  auto spread = [&](Value bound) {
    return bound.getType() == getResultType()
               ? bound
               : broadcast(bound, getResultType(), {}, getSizes(x));
  };
  low = spread(low), high = spread(high);
  Value raised = low ? convertBinary("maximum", x, low) : Value();
  return raised && high ? convertBinary("minimum", raised, high) : Value();
}

/// Truncates towards 0. As in XLA, numbers out of range saturate, and NaN
/// becomes 0; upstream leaves both undefined.
Value Elementwise::convertToWhole(Value x, RankedTensorType type) {
  unsigned width = type.getElementTypeBitWidth();
  double bound = std::ldexp(1.0, width - 1);
  Value high = fill(x, bound), low = fill(x, -bound);
  auto compare = [&](arith::CmpFPredicate predicate, Value limit) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, x, limit);
  };
  auto select = [&](Value condition, Value a, Value b) -> Value {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  };
  Value isInside = arith::AndIOp::create(
      builder, loc, compare(arith::CmpFPredicate::OLT, high),
      compare(arith::CmpFPredicate::OGT, low));
  Value cut = arith::FPToSIOp::create(builder, loc, type,
                                      select(isInside, x, fill(x, 0)));
  Value last = fill(cut, llvm::maxIntN(width));
  Value first = fill(cut, llvm::minIntN(width));
  cut = select(compare(arith::CmpFPredicate::OGE, high), last, cut);
  return select(compare(arith::CmpFPredicate::OLE, low), first, cut);
}

Value Elementwise::convertType(Value x, Type element) {
  RankedTensorType from = typeOf(x), to = from.clone(element);
  auto make = [&](auto tag, Type type) -> Value {
    return decltype(tag)::create(builder, loc, type, x);
  };
  Type source = from.getElementType();
  if (source == element)
    return x;
  bool fromFloat = isa<FloatType>(source), toFloat = isa<FloatType>(element);
  unsigned width = source.getIntOrFloatBitWidth();
  unsigned wanted = element.getIntOrFloatBitWidth();
  if (fromFloat && toFloat) {
    if (width == wanted) {
      // f16 and bf16 meet in f32.
      x = make(arith::ExtFOp(), from.clone(builder.getF32Type()));
      return make(arith::TruncFOp(), to);
    }
    return width < wanted ? make(arith::ExtFOp(), to)
                          : make(arith::TruncFOp(), to);
  }
  if (wanted == 1)
    return fromFloat
               ? Value(arith::CmpFOp::create(
                     builder, loc, arith::CmpFPredicate::UNE, x, fill(x, 0)))
               : Value(arith::CmpIOp::create(
                     builder, loc, arith::CmpIPredicate::ne, x, fill(x, 0)));
  if (toFloat)
    return width == 1 ? make(arith::UIToFPOp(), to)
                      : make(arith::SIToFPOp(), to);
  if (fromFloat)
    return convertToWhole(x, to);
  if (width > wanted)
    return make(arith::TruncIOp(), to);
  return width == 1 ? make(arith::ExtUIOp(), to) : make(arith::ExtSIOp(), to);
}

SmallVector<Value> Elementwise::getOperandsAlike() {
  ArrayRef<int64_t> shape = getResultType().getShape();
  return llvm::map_to_vector(op->getOperands(), [&](Value value) -> Value {
    RankedTensorType from = typeOf(value), to = from.clone(shape);
    bool isOpen = from != to && from.getRank() == to.getRank() &&
                  tensor::CastOp::areCastCompatible(from, to);
    return isOpen ? Value(tensor::CastOp::create(builder, loc, to, value))
                  : value;
  });
}

Value Elementwise::convert() {
  StringRef name = op->getName().stripDialect();
  SmallVector<Value> x = getOperandsAlike();
  if (name == "compare")
    return x.size() == 2 ? convertCompare(x[0], x[1]) : Value();
  if (name == "select")
    return x.size() == 3 ? convertSelect(x[0], x[1], x[2]) : Value();
  if (name == "clamp")
    return x.size() == 3 ? convertClamp(x[0], x[1], x[2]) : Value();
  if (name == "convert" && x.size() == 1)
    return convertType(x[0], getResultType().getElementType());
  if (x.size() == 1)
    return convertUnary(name, x[0]);
  return x.size() == 2 ? convertBinary(name, x[0], x[1]) : Value();
}

Value hlo::convertElementwise(Operation *op) {
  return Elementwise(op).convert();
}

Value hlo::convertBinary(Operation *op, const OpBuilder &at, StringRef name,
                         Value a, Value b) {
  return Elementwise(op, at).convertBinary(name, a, b);
}

Value hlo::convertType(Operation *op, Value x, Type element) {
  return Elementwise(op).convertType(x, element);
}
