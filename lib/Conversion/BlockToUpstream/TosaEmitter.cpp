//===- TosaEmitter.cpp - emits steps as TOSA ops --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TosaEmitter.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace parablock;

static RankedTensorType withElement(Value value, Type element) {
  return RankedTensorType::get(TensorEmitter::getType(value).getShape(),
                               element);
}

static RankedTensorType withSize(Value value, unsigned dim, int64_t size) {
  RankedTensorType type = TensorEmitter::getType(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Constants and shapes
//===----------------------------------------------------------------------===//

Value TosaEmitter::constant(DenseElementsAttr value) {
  return tosa::ConstOp::create(builder, loc, value.getType(), value);
}

Value TosaEmitter::number(Type element, double value, unsigned rank) {
  auto type = RankedTensorType::get(SmallVector<int64_t>(rank, 1), element);
  return constant(
      DenseElementsAttr::get(type, Attribute(getNumber(element, value))));
}

Value TosaEmitter::shape(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> open = llvm::map_to_vector(sizes, [](int64_t size) {
    return ShapedType::isDynamic(size) ? -1 : size;
  });
  return tosa::ConstShapeOp::create(
      builder, loc, tosa::shapeType::get(builder.getContext(), open.size()),
      builder.getIndexTensorAttr(open));
}

Value TosaEmitter::reshape(Value input, ArrayRef<int64_t> sizes) {
  return tosa::ReshapeOp::create(
      builder, loc,
      RankedTensorType::get(sizes, getType(input).getElementType()), input,
      shape(sizes));
}

FailureOr<Value> TosaEmitter::iota(Size size) {
  if (!size.isFixed())
    return failure();
  auto counted =
      llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(size.fixed)));
  return constant(DenseElementsAttr::get(
      RankedTensorType::get(size.fixed, builder.getI32Type()),
      ArrayRef(counted)));
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

template <typename OpT>
Value TosaEmitter::elementwise(ArrayRef<Value> operands) {
  Type element = getType(operands.front()).getElementType();
  return OpT::create(builder, loc,
                     RankedTensorType::get(broadcastShapes(operands), element),
                     ValueRange(operands));
}

Value TosaEmitter::unary(Unary kind, Value x) {
  Type element = getType(x).getElementType();
  switch (kind) {
  case Unary::Negate: {
    Value zero = number(element, 0, 1);
    return tosa::NegateOp::create(builder, loc, x.getType(), x, zero, zero);
  }
  case Unary::Abs:
    return elementwise<tosa::AbsOp>(x);
  case Unary::Exp:
    return elementwise<tosa::ExpOp>(x);
  case Unary::Sqrt:
    return elementwise<tosa::ReciprocalOp>(elementwise<tosa::RsqrtOp>(x));
  case Unary::Rsqrt:
    return elementwise<tosa::RsqrtOp>(x);
  case Unary::Tanh:
    return elementwise<tosa::TanhOp>(x);
  case Unary::Erf:
    return elementwise<tosa::ErfOp>(x);
  case Unary::Sigmoid:
    return elementwise<tosa::SigmoidOp>(x);
  case Unary::Sin:
    return elementwise<tosa::SinOp>(x);
  case Unary::Cos:
    return elementwise<tosa::CosOp>(x);
  case Unary::Not:
    return elementwise<tosa::LogicalNotOp>(x);
  }
  llvm_unreachable("every function has its case");
}

Value TosaEmitter::binary(Binary kind, Value a, Value b) {
  Value operands[] = {a, b};
  auto compare = [&](auto op) -> Value {
    return decltype(op)::create(
        builder, loc,
        RankedTensorType::get(broadcastShapes(operands), builder.getI1Type()),
        ValueRange(operands));
  };
  switch (kind) {
  case Binary::Add:
    return elementwise<tosa::AddOp>(operands);
  case Binary::Subtract:
    return elementwise<tosa::SubOp>(operands);
  case Binary::Divide:
    b = elementwise<tosa::ReciprocalOp>(b);
    return binary(Binary::Multiply, a, b);
  case Binary::Multiply: {
    auto type = RankedTensorType::get(broadcastShapes(operands),
                                      getType(a).getElementType());
    Value shift = number(builder.getI8Type(), 0, 1);
    return tosa::MulOp::create(builder, loc, type, a, b, shift);
  }
  case Binary::Maximum:
    return elementwise<tosa::MaximumOp>(operands);
  case Binary::Minimum:
    return elementwise<tosa::MinimumOp>(operands);
  case Binary::And:
    return elementwise<tosa::LogicalAndOp>(operands);
  case Binary::Equal:
    return compare(tosa::EqualOp());
  case Binary::Greater:
    return compare(tosa::GreaterOp());
  case Binary::GreaterEqual:
    return compare(tosa::GreaterEqualOp());
  }
  llvm_unreachable("every operation has its case");
}

Value TosaEmitter::binary(Binary kind, Value a, double b) {
  if (kind == Binary::Divide)
    return binary(Binary::Multiply, a, 1 / b);
  return binary(kind, a, number(getType(a).getElementType(), b, getRank(a)));
}

Value TosaEmitter::select(Value condition, Value a, double otherwise) {
  Type element = getType(a).getElementType();
  Value operands[] = {condition, a, number(element, otherwise, getRank(a))};
  return tosa::SelectOp::create(
      builder, loc, RankedTensorType::get(broadcastShapes(operands), element),
      ValueRange(operands));
}

Value TosaEmitter::cast(Value input, Type element) {
  Type from = getType(input).getElementType();
  if (from == element)
    return input;
  // Truth values can be cast to integers only.
  if (from.isInteger(1) && isa<FloatType>(element))
    input = cast(input, builder.getI32Type());
  return tosa::CastOp::create(builder, loc, withElement(input, element), input);
}

//===----------------------------------------------------------------------===//
// Reductions, products, rows of tables
//===----------------------------------------------------------------------===//

Value TosaEmitter::reduce(Reduction kind, Value input, unsigned dim) {
  RankedTensorType type = withSize(input, dim, 1);
  IntegerAttr axis = builder.getI32IntegerAttr(static_cast<int32_t>(dim));
  switch (kind) {
  case Reduction::Sum:
    return tosa::ReduceSumOp::create(builder, loc, type, input, axis);
  case Reduction::Max:
    return tosa::ReduceMaxOp::create(builder, loc, type, input, axis);
  case Reduction::All:
    return tosa::ReduceAllOp::create(builder, loc, type, input, axis);
  }
  llvm_unreachable("every reduction has its case");
}

Value TosaEmitter::matmul(Value a, Value b) {
  if (getRank(a) == 2)
    return merge(
        matmul(split(a, 0, {1, Size(a, 0)}), split(b, 0, {1, Size(b, 0)})), 0,
        2);
  SmallVector<int64_t> sizes = {getType(a).getDimSize(0),
                                getType(a).getDimSize(1),
                                getType(b).getDimSize(2)};
  Value zero = number(getType(a).getElementType(), 0, 1);
  return tosa::MatMulOp::create(
      builder, loc, RankedTensorType::get(sizes, builder.getF32Type()), a, b,
      zero, zero);
}

Value TosaEmitter::gatherRows(Value table, Value indices) {
  RankedTensorType type = getType(indices);
  unsigned rank = type.getRank();
  Value flat = rank == 1 ? indices : merge(indices, 0, rank);
  flat = cast(split(flat, 0, {1, Size(flat, 0)}), builder.getI32Type());
  Value values = split(table, 0, {1, Size(table, 0)});
  int64_t width = getType(table).getDimSize(1);
  Value rows = tosa::GatherOp::create(
      builder, loc,
      RankedTensorType::get({1, getType(flat).getDimSize(1), width},
                            getType(table).getElementType()),
      values, flat);
  SmallVector<int64_t> sizes(type.getShape());
  sizes.push_back(width);
  return reshape(rows, sizes);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value TosaEmitter::transpose(Value input, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> sizes;
  SmallVector<int32_t> order;
  for (int64_t dim : permutation) {
    sizes.push_back(getType(input).getDimSize(dim));
    order.push_back(static_cast<int32_t>(dim));
  }
  return tosa::TransposeOp::create(
      builder, loc,
      RankedTensorType::get(sizes, getType(input).getElementType()), input,
      order);
}

Value TosaEmitter::split(Value input, unsigned dim, ArrayRef<Size> sizes) {
  return reshape(input, splitShape(input, dim, sizes));
}

Value TosaEmitter::merge(Value input, unsigned first, unsigned count) {
  return reshape(input, mergeShape(input, first, count));
}

Value TosaEmitter::repeat(Value input, unsigned dim, Size size) {
  SmallVector<int64_t> times(getRank(input), 1);
  times[dim] = size.fixed;
  return tosa::TileOp::create(builder, loc, withSize(input, dim, size.fixed),
                              input, shape(times));
}

Value TosaEmitter::slice(Value input, unsigned dim, int64_t offset,
                         int64_t size) {
  SmallVector<int64_t> offsets(getRank(input), 0);
  offsets[dim] = offset;
  RankedTensorType type = withSize(input, dim, size);
  return tosa::SliceOp::create(builder, loc, type, input, shape(offsets),
                               shape(type.getShape()));
}

Value TosaEmitter::concat(ArrayRef<Value> inputs, unsigned dim) {
  return tosa::ConcatOp::create(
      builder, loc,
      RankedTensorType::get(concatShape(inputs, dim),
                            getType(inputs.front()).getElementType()),
      ValueRange(inputs), builder.getI32IntegerAttr(static_cast<int32_t>(dim)));
}
