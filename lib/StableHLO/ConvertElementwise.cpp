//===- ConvertElementwise.cpp - arithmetic on whole tensors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace parablock::hlo;

/// A constant of the type of `like`.
Value Conversion::fill(Value like, double number) {
  RankedTensorType type = typeOf(like);
  TypedAttr value =
      isa<FloatType>(type.getElementType())
          ? TypedAttr(builder.getFloatAttr(type.getElementType(), number))
          : TypedAttr(builder.getIntegerAttr(type.getElementType(),
                                             static_cast<int64_t>(number)));
  if (type.hasStaticShape())
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  Value empty = makeEmpty(type, getSizes(like));
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value Conversion::convertUnary(StringRef name, Value x) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(x));
  auto make = [&](auto tag) -> Value {
    return decltype(tag)::create(builder, loc, x);
  };
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddFOp::create(builder, loc, a, b);
  };
  if (name == "not")
    return arith::XOrIOp::create(builder, loc, x, fill(x, -1));
  if (!isFloat) {
    if (name == "negate")
      return arith::SubIOp::create(builder, loc, fill(x, 0), x);
    return name == "abs" ? make(math::AbsIOp()) : Value();
  }
  if (name == "logistic" || name == "sigmoid") {
    x = arith::NegFOp::create(builder, loc, x);
    Value below = add(fill(x, 1), make(math::ExpOp()));
    return arith::DivFOp::create(builder, loc, fill(x, 1), below);
  }
  if (name == "exponential_minus_one")
    return add(make(math::ExpOp()), fill(x, -1));
  if (name == "log_plus_one") {
    x = add(x, fill(x, 1));
    return make(math::LogOp());
  }
  if (name == "square")
    return arith::MulFOp::create(builder, loc, x, x);
  if (name == "erfc") {
    Value erf = make(math::ErfOp());
    return arith::SubFOp::create(builder, loc, fill(x, 1), erf);
  }
  return llvm::StringSwitch<llvm::function_ref<Value()>>(name)
      .Case("negate", [&] { return make(arith::NegFOp()); })
      .Case("exponential", [&] { return make(math::ExpOp()); })
      .Case("log", [&] { return make(math::LogOp()); })
      .Case("tanh", [&] { return make(math::TanhOp()); })
      .Case("erf", [&] { return make(math::ErfOp()); })
      .Case("sqrt", [&] { return make(math::SqrtOp()); })
      .Case("rsqrt", [&] { return make(math::RsqrtOp()); })
      .Case("sine", [&] { return make(math::SinOp()); })
      .Case("cosine", [&] { return make(math::CosOp()); })
      .Case("abs", [&] { return make(math::AbsFOp()); })
      .Case("floor", [&] { return make(math::FloorOp()); })
      .Case("ceil", [&] { return make(math::CeilOp()); })
      .Default([] { return Value(); })();
}

Value Conversion::convertBinary(StringRef name, Value a, Value b) {
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
  // Of truth values, sums are `or` and products are `and`.
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
    return either(arith::DivFOp(), arith::DivSIOp());
  if (name == "remainder")
    return either(arith::RemFOp(), arith::RemSIOp());
  if (name == "maximum")
    return either(arith::MaximumFOp(), arith::MaxSIOp());
  if (name == "minimum")
    return either(arith::MinimumFOp(), arith::MinSIOp());
  if (name == "power" && isFloat)
    return make(math::PowFOp());
  return {};
}

/// The word of one of the generic form's enums.
static StringRef readWord(const Conversion &from, StringRef key) {
  auto found = dyn_cast_or_null<DictionaryAttr>(from.get(key));
  auto word = found ? found.getAs<StringAttr>(key) : StringAttr();
  return word ? word.getValue() : StringRef();
}

StringRef Conversion::getDirection() const {
  for (StringRef word : {"EQ", "NE", "LT", "LE", "GT", "GE"})
    if (get(word))
      return word;
  return readWord(*this, "comparison_direction");
}

/// `compare GE, %a, %b, SIGNED`, or the generic form's two enums.
Value Conversion::convertCompare(Value a, Value b) {
  StringRef direction = getDirection();
  bool isUnsigned =
      get("UNSIGNED") || readWord(*this, "compare_type") == "UNSIGNED";
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

Value Conversion::convertSelect(Value condition, Value a, Value b) {
  RankedTensorType truth =
      getResultType().clone(getElementTypeOrSelf(condition));
  if (condition.getType() != truth)
    condition = broadcast(condition, truth, {}, getSizes(a));
  if (!condition)
    return {};
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value Conversion::convertClamp(Value low, Value x, Value high) {
  auto spread = [&](Value bound) {
    return bound.getType() == getResultType()
               ? bound
               : broadcast(bound, getResultType(), {}, getSizes(x));
  };
  low = spread(low), high = spread(high);
  Value raised = low ? convertBinary("maximum", x, low) : Value();
  return raised && high ? convertBinary("minimum", raised, high) : Value();
}

Value Conversion::convertType(Value x, Type element) {
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
    return make(arith::FPToSIOp(), to);
  if (width > wanted)
    return make(arith::TruncIOp(), to);
  return width == 1 ? make(arith::ExtUIOp(), to) : make(arith::ExtSIOp(), to);
}

SmallVector<Value> Conversion::getOperandsAlike() {
  ArrayRef<int64_t> shape = getResultType().getShape();
  return llvm::map_to_vector(op->getOperands(), [&](Value value) -> Value {
    RankedTensorType from = typeOf(value), to = from.clone(shape);
    bool isOpen = from != to && from.getRank() == to.getRank() &&
                  tensor::CastOp::areCastCompatible(from, to);
    return isOpen ? Value(tensor::CastOp::create(builder, loc, to, value))
                  : value;
  });
}

Value Conversion::convertElementwise() {
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
