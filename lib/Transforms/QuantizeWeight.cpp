//===- QuantizeWeight.cpp - emits rounding to codes as IR -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Emits ops that recipes allow, on [row, group, column]. Numbers are computed
// in f64, as in recipes, and scales are rounded to f32 before codes are
// computed with them.
//
//===----------------------------------------------------------------------===//

#include "QuantizeWeight.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "parablock/Transforms/QuantizedForms.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// Formulas within the body of a structured op.
class Formula {
public:
  explicit Formula(ImplicitLocOpBuilder &builder) : builder(builder) {}

  Value number(double value) {
    return arith::ConstantOp::create(builder, builder.getF64FloatAttr(value));
  }
  template <typename OpT, typename... Args> Value apply(Args... args) {
    return OpT::create(builder, args...).getResult();
  }
  Value widen(Value value) {
    return value.getType().isF64()
               ? value
               : arith::ExtFOp::create(builder, builder.getF64Type(), value)
                     .getResult();
  }
  Value isLess(Value a, double b) {
    return apply<arith::CmpFOp>(arith::CmpFPredicate::OLT, a, number(b));
  }
  Value select(Value condition, Value a, Value b) {
    return apply<arith::SelectOp>(condition, a, b);
  }
  Value clamp(Value value, double largest) {
    value = apply<arith::MinimumFOp>(value, number(largest));
    return apply<arith::MaximumFOp>(value, number(-largest));
  }
  Value round(Value value) { return apply<math::RoundEvenOp>(value); }
  Value scale(Value value, double factor) {
    return apply<arith::MulFOp>(value, number(factor));
  }
  Value add(Value value, double summand) {
    return apply<arith::AddFOp>(value, number(summand));
  }

  /// Returns the code of a number within the form's range, as a nonnegative
  /// number; for int8 the number itself.
  Value encode(CodeForm form, Value value) {
    switch (form) {
    case CodeForm::Int8:
      return round(value);
    case CodeForm::Int4:
      return add(round(value), 8);
    case CodeForm::MxFp4:
      return withSign(value, encodeE2M1(apply<math::AbsFOp>(value)), 8);
    case CodeForm::Fp8:
      return withSign(value, encodeE4M3(apply<math::AbsFOp>(value)), 128);
    }
    llvm_unreachable("unknown form");
  }

private:
  Value withSign(Value value, Value code, double sign) {
    return select(isLess(value, 0), add(code, sign), code);
  }
  /// Neighbours are halves below 2, whole below 4, then even.
  Value encodeE2M1(Value magnitude) {
    Value small = round(scale(magnitude, 2));
    Value middle = add(round(magnitude), 2);
    Value large = add(round(scale(magnitude, 0.5)), 4);
    return select(isLess(magnitude, 2), small,
                  select(isLess(magnitude, 4), middle, large));
  }
  /// Eight steps for each power of 2, from 2^-6 on; below it as many.
  Value encodeE4M3(Value magnitude) {
    Value exponent = apply<math::FloorOp>(apply<math::Log2Op>(magnitude));
    exponent = apply<arith::MaximumFOp>(exponent, number(-6));
    Value step = apply<math::Exp2Op>(add(exponent, -3));
    Value steps = round(apply<arith::DivFOp>(magnitude, step));
    return apply<arith::AddFOp>(steps, scale(add(exponent, 6), 8));
  }

  ImplicitLocOpBuilder &builder;
};

/// Writes the ops for one weight.
class WeightQuantizer {
public:
  WeightQuantizer(OpBuilder &builder, Location loc, Value weight, CodeForm form,
                  int64_t group)
      : builder(loc, builder), form(form) {
    auto type = cast<RankedTensorType>(weight.getType());
    rows = type.getDimSize(0);
    columns = type.getDimSize(1);
    this->group = group ? group : columns;
    groups = llvm::divideCeil(columns, this->group);
    grouped = divide(pad(weight), {rows, groups, this->group});
  }

  void run(WeightCodes &result) {
    Value exact = makeScales();
    result.scales = form == CodeForm::MxFp4 ? packExponents(exact) : exact;
    Value numbers = makeCodes(exact);
    result.codes =
        UnpackWeightOp::isPacked(form) ? packPairs(numbers) : toBytes(numbers);
  }

private:
  using Body = llvm::function_ref<Value(Formula &, ValueRange)>;

  RankedTensorType typed(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  Value divide(Value value, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<ReassociationIndices> dims = {{0}, {1, 2}};
    return tensor::ExpandShapeOp::create(
        builder, typed(shape, type.getElementType()), value, dims);
  }
  Value pad(Value weight);
  /// Creates an op over `shape`, and, if `init` is not null, a maximum over
  /// another last dimension. An input of fewer dimensions has the first ones.
  Value compute(ValueRange inputs, ArrayRef<int64_t> shape, Type element,
                Value init, Body body);
  Value elementwise(ValueRange inputs, ArrayRef<int64_t> shape, Type element,
                    Body body) {
    return compute(inputs, shape, element, {}, body);
  }
  Value makeScales();
  Value packExponents(Value exponents);
  Value makeCodes(Value scales);
  Value packPairs(Value numbers);
  Value toBytes(Value numbers);
  Value cut(Value value, int64_t width);

  ImplicitLocOpBuilder builder;
  CodeForm form;
  int64_t rows, columns, group, groups;
  Value grouped;
};
} // namespace

/// Whole groups, with zeros behind the last column.
Value WeightQuantizer::pad(Value weight) {
  int64_t missing = groups * group - columns;
  if (missing == 0)
    return weight;
  Type element = cast<RankedTensorType>(weight.getType()).getElementType();
  Value zeros = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(typed({rows, missing}, element),
                                      builder.getFloatAttr(element, 0.0)));
  return tensor::ConcatOp::create(builder, 1, ValueRange{weight, zeros});
}

Value WeightQuantizer::compute(ValueRange inputs, ArrayRef<int64_t> shape,
                               Type element, Value init, Body body) {
  bool isSum = static_cast<bool>(init);
  unsigned rank = shape.size(), loops = rank + isSum;
  SmallVector<AffineMap> maps;
  auto firstDims = [&](unsigned count) {
    return AffineMap::getMultiDimIdentityMap(loops, builder.getContext())
        .getMajorSubMap(count);
  };
  for (Value input : inputs)
    maps.push_back(
        firstDims(cast<RankedTensorType>(input.getType()).getRank()));
  maps.push_back(firstDims(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.resize(loops, utils::IteratorType::reduction);
  if (!init)
    init = tensor::EmptyOp::create(builder, shape, element);
  return linalg::GenericOp::create(
             builder, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &at, Location loc, ValueRange arguments) {
               ImplicitLocOpBuilder inner(loc, at);
               Formula formula(inner);
               linalg::YieldOp::create(inner, body(formula, arguments));
             })
      .getResult(0);
}

/// The scales, or of powers of 2 the exponents, per row and group, in f32.
Value WeightQuantizer::makeScales() {
  Type f64 = builder.getF64Type(), f32 = builder.getF32Type();
  int64_t shape[] = {rows, groups};
  Value zero = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(typed(shape, f64),
                                      builder.getF64FloatAttr(0).getValue()));
  Value largest =
      compute(grouped, shape, f64, zero, [](Formula &math, ValueRange read) {
        return math.apply<arith::MaximumFOp>(
            read[1], math.apply<math::AbsFOp>(math.widen(read[0])));
      });
  double last = getLargestNumber(form);
  return elementwise(largest, shape, f32, [&](Formula &math, ValueRange read) {
    Value scale = math.scale(read[0], 1 / last);
    if (form == CodeForm::MxFp4) {
      scale = math.apply<arith::DivFOp>(read[0], math.number(last));
      scale = math.apply<math::CeilOp>(math.apply<math::Log2Op>(scale));
      scale = math.clamp(scale, 127);
    } else {
      // Nothing but zeros is as well with any other scale.
      Value isNothing = math.apply<arith::CmpFOp>(arith::CmpFPredicate::OEQ,
                                                  read[0], math.number(0));
      scale = math.select(isNothing, math.number(1), scale);
    }
    return math.apply<arith::TruncFOp>(f32, scale);
  });
}

Value WeightQuantizer::packExponents(Value exponents) {
  return elementwise(
      exponents, {rows, groups}, builder.getI8Type(),
      [&](Formula &math, ValueRange read) {
        Value code = math.apply<arith::FPToSIOp>(
            builder.getI32Type(), math.add(math.widen(read[0]), 127));
        return math.apply<arith::TruncIOp>(builder.getI8Type(), code);
      });
}

/// The codes as numbers, in f32.
Value WeightQuantizer::makeCodes(Value scales) {
  Type f32 = builder.getF32Type();
  return elementwise(
      {grouped, scales}, {rows, groups, group}, f32,
      [&](Formula &math, ValueRange read) {
        Value scale = math.widen(read[1]);
        if (form == CodeForm::MxFp4)
          scale = math.apply<math::Exp2Op>(scale);
        Value value = math.apply<arith::DivFOp>(math.widen(read[0]), scale);
        value = math.clamp(value, getLargestNumber(form));
        return math.apply<arith::TruncFOp>(f32, math.encode(form, value));
      });
}

Value WeightQuantizer::cut(Value value, int64_t width) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(1) == width)
    return value;
  auto numbers = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  return tensor::ExtractSliceOp::create(
      builder, value, numbers({0, 0}), numbers({rows, width}), numbers({1, 1}));
}

/// The columns that there are of numbers [row, group, column], as bytes.
Value WeightQuantizer::toBytes(Value numbers) {
  Type i8 = builder.getI8Type();
  SmallVector<ReassociationIndices> dims = {{0}, {1, 2}};
  Value flat = tensor::CollapseShapeOp::create(builder, numbers, dims);
  Value bytes = elementwise(
      flat, {rows, groups * group}, i8, [&](Formula &math, ValueRange read) {
        Value code = math.apply<arith::FPToSIOp>(builder.getI32Type(), read[0]);
        return math.apply<arith::TruncIOp>(i8, code);
      });
  return cut(bytes, columns);
}

/// The same with two in a byte, of which the even one has the low half.
Value WeightQuantizer::packPairs(Value numbers) {
  Type i8 = builder.getI8Type(), f32 = builder.getF32Type();
  int64_t width = groups * group / 2;
  SmallVector<ReassociationIndices> dims = {{0}, {1, 2}};
  Value flat = tensor::CollapseShapeOp::create(builder, numbers, dims);
  Value pairs = divide(flat, {rows, width, 2});
  auto half = [&](int64_t number) -> Value {
    auto numbers = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(builder.getContext(), values);
    };
    return tensor::ExtractSliceOp::create(
        builder, typed({rows, width}, f32), pairs, numbers({0, 0, number}),
        numbers({rows, width, 1}), numbers({1, 1, 1}));
  };
  Value bytes = elementwise(
      {half(0), half(1)}, {rows, width}, i8,
      [&](Formula &math, ValueRange read) {
        Value byte = math.apply<arith::AddFOp>(
            math.widen(read[0]), math.scale(math.widen(read[1]), 16));
        Value code = math.apply<arith::FPToSIOp>(builder.getI32Type(), byte);
        return math.apply<arith::TruncIOp>(i8, code);
      });
  return cut(bytes, llvm::divideCeil(columns, 2));
}

WeightCodes block::quantizeWeight(OpBuilder &builder, Location loc,
                                  Value weight, QuantizedForm form) {
  CodeLayout layout = getCodeLayout(form);
  WeightCodes result;
  result.form = layout.form;
  result.group = layout.group;
  WeightQuantizer(builder, loc, weight, result.form, result.group).run(result);
  return result;
}
