//===- LinalgEmitter.cpp - emits steps as linalg on tensors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"

#include "LinalgScalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <limits>

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Sizes and results
//===----------------------------------------------------------------------===//

OpFoldResult LinalgEmitter::getFoldResult(const Size &size) {
  if (size.isFixed())
    return builder.getIndexAttr(size.fixed);
  return tensor::DimOp::create(builder, loc, size.source, size.dim).getResult();
}

Value LinalgEmitter::empty(ArrayRef<Size> sizes, Type element) {
  SmallVector<OpFoldResult> results = llvm::map_to_vector(
      sizes, [&](const Size &size) { return getFoldResult(size); });
  return tensor::EmptyOp::create(builder, loc, results, element);
}

Value LinalgEmitter::filled(ArrayRef<Size> sizes, TypedAttr value) {
  Value init = empty(sizes, value.getType());
  Value number = arith::ConstantOp::create(builder, loc, value);
  return linalg::FillOp::create(builder, loc, number, init).getResult(0);
}

static SmallVector<Size> getSizes(Value value) {
  SmallVector<Size> sizes;
  for (unsigned dim = 0; dim < TensorEmitter::getRank(value); ++dim)
    sizes.push_back(Size(value, dim));
  return sizes;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Returns the loop sizes of an elementwise op.
static SmallVector<Size> joinSizes(ArrayRef<Value> operands) {
  SmallVector<Size> sizes = getSizes(operands.front());
  for (Value operand : operands.drop_front())
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (size.isFixed() && size.fixed == 1)
        size = Size(operand, dim);
  return sizes;
}

/// Reads `value` at the loops' indices, a dimension of size 1 always at 0.
static AffineMap getReadingMap(OpBuilder &builder, Value value,
                               ArrayRef<Size> loops) {
  SmallVector<AffineExpr> places;
  for (auto [dim, size] :
       llvm::enumerate(TensorEmitter::getType(value).getShape()))
    places.push_back(size == 1 && loops[dim].fixed != 1
                         ? builder.getAffineConstantExpr(0)
                         : builder.getAffineDimExpr(dim));
  return AffineMap::get(places.size(), 0, places, builder.getContext());
}

Value LinalgEmitter::elementwise(ArrayRef<Value> operands, Type element,
                                 Body body) {
  SmallVector<Size> sizes = joinSizes(operands);
  unsigned rank = sizes.size();
  SmallVector<AffineMap> maps;
  for (Value operand : operands)
    maps.push_back(getReadingMap(builder, operand, sizes));
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value init = empty(sizes, element);
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), operands, init, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange scalars) {
        ImplicitLocOpBuilder b(loc, inner);
        linalg::YieldOp::create(b, body(b, scalars.drop_back()));
      });
  return generic.getResult(0);
}

Value LinalgEmitter::unary(Unary kind, Value input) {
  return elementwise(input, getType(input).getElementType(),
                     [&](ImplicitLocOpBuilder &b, ValueRange scalars) {
                       return buildUnary(b, kind, scalars[0]);
                     });
}

Value LinalgEmitter::binary(Binary kind, Value a, Value b) {
  Type element =
      isComparison(kind) ? builder.getI1Type() : getType(a).getElementType();
  return elementwise({a, b}, element,
                     [&](ImplicitLocOpBuilder &b, ValueRange scalars) {
                       return buildBinary(b, kind, scalars[0], scalars[1]);
                     });
}

Value LinalgEmitter::binary(Binary kind, Value a, double b) {
  Type type = getType(a).getElementType();
  Value number = arith::ConstantOp::create(builder, loc, getNumber(type, b));
  return elementwise(a, isComparison(kind) ? builder.getI1Type() : type,
                     [&](ImplicitLocOpBuilder &b, ValueRange scalars) {
                       return buildBinary(b, kind, scalars[0], number);
                     });
}

Value LinalgEmitter::select(Value condition, Value a, double otherwise) {
  Type type = getType(a).getElementType();
  Value number =
      arith::ConstantOp::create(builder, loc, getNumber(type, otherwise));
  return elementwise({condition, a}, type,
                     [&](ImplicitLocOpBuilder &b, ValueRange scalars) -> Value {
                       return arith::SelectOp::create(b, scalars[0], scalars[1],
                                                      number);
                     });
}

Value LinalgEmitter::cast(Value input, Type element) {
  if (getType(input).getElementType() == element)
    return input;
  return elementwise(input, element,
                     [&](ImplicitLocOpBuilder &b, ValueRange scalars) {
                       return buildCast(b, scalars[0], element);
                     });
}

//===----------------------------------------------------------------------===//
// Reductions, products, rows of tables
//===----------------------------------------------------------------------===//

Value LinalgEmitter::reduce(Reduction kind, Value input, unsigned dim) {
  Type element = getType(input).getElementType();
  SmallVector<Size> sizes = getSizes(input);
  sizes[dim] = Size(1);
  double start = kind == Reduction::Max
                     ? -std::numeric_limits<double>::infinity()
                 : kind == Reduction::All ? 1
                                          : 0;
  Value init = filled(sizes, getNumber(element, start));

  unsigned rank = sizes.size();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops[dim] = utils::IteratorType::reduction;
  AffineMap whole = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineExpr> places(whole.getResults());
  places[dim] = builder.getAffineConstantExpr(0);
  AffineMap reduced = AffineMap::get(rank, 0, places, builder.getContext());
  Binary combine = kind == Reduction::Sum   ? Binary::Add
                   : kind == Reduction::Max ? Binary::Maximum
                                            : Binary::And;
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), input, init,
      SmallVector<AffineMap>{whole, reduced}, loops,
      [&](OpBuilder &inner, Location loc, ValueRange scalars) {
        ImplicitLocOpBuilder b(loc, inner);
        linalg::YieldOp::create(
            b, buildBinary(b, combine, scalars[0], scalars[1]));
      });
  return generic.getResult(0);
}

Value LinalgEmitter::matmul(Value a, Value b) {
  SmallVector<Size> sizes = getSizes(a);
  sizes.back() = Size(b, sizes.size() - 1);
  Value init = filled(sizes, builder.getF32FloatAttr(0));
  if (sizes.size() == 2)
    return linalg::MatmulOp::create(builder, loc, ValueRange{a, b}, init)
        .getResult(0);
  return linalg::BatchMatmulOp::create(builder, loc, ValueRange{a, b}, init)
      .getResult(0);
}

Value LinalgEmitter::gatherRows(Value table, Value indices) {
  unsigned rank = getRank(indices);
  SmallVector<Size> sizes = getSizes(indices);
  sizes.push_back(Size(table, 1));
  Value init = empty(sizes, getType(table).getElementType());
  AffineMap whole = builder.getMultiDimIdentityMap(rank + 1);
  AffineMap reading = whole.dropResult(rank);
  SmallVector<utils::IteratorType> loops(rank + 1,
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), indices, init,
      SmallVector<AffineMap>{reading, whole}, loops,
      [&](OpBuilder &inner, Location loc, ValueRange scalars) {
        ImplicitLocOpBuilder b(loc, inner);
        Value row = arith::IndexCastOp::create(b, b.getIndexType(), scalars[0]);
        Value column = linalg::IndexOp::create(b, rank);
        linalg::YieldOp::create(
            b, tensor::ExtractOp::create(b, table, ValueRange{row, column})
                   .getResult());
      });
  return generic.getResult(0);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value LinalgEmitter::transpose(Value input, ArrayRef<int64_t> permutation) {
  SmallVector<Size> sizes;
  for (int64_t dim : permutation)
    sizes.push_back(Size(input, dim));
  Value init = empty(sizes, getType(input).getElementType());
  return linalg::TransposeOp::create(builder, loc, input, init, permutation)
      .getResult()[0];
}

/// Dimensions `first` to `first + count - 1` of `rank` as one group.
static SmallVector<ReassociationIndices> group(unsigned rank, unsigned first,
                                               unsigned count) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (dim > first && dim < first + count)
      groups.back().push_back(dim);
    else
      groups.push_back({static_cast<int64_t>(dim)});
  return groups;
}

Value LinalgEmitter::split(Value input, unsigned dim, ArrayRef<Size> sizes) {
  SmallVector<int64_t> shape = splitShape(input, dim, sizes);
  SmallVector<Size> all = getSizes(input);
  SmallVector<OpFoldResult> results;
  for (const Size &size : ArrayRef(all).take_front(dim))
    results.push_back(getFoldResult(size));
  for (const Size &size : sizes)
    results.push_back(getFoldResult(size));
  for (const Size &size : ArrayRef(all).drop_front(dim + 1))
    results.push_back(getFoldResult(size));
  return tensor::ExpandShapeOp::create(
      builder, loc,
      RankedTensorType::get(shape, getType(input).getElementType()), input,
      group(shape.size(), dim, sizes.size()), results);
}

Value LinalgEmitter::merge(Value input, unsigned first, unsigned count) {
  return tensor::CollapseShapeOp::create(builder, loc, input,
                                         group(getRank(input), first, count));
}

Value LinalgEmitter::repeat(Value input, unsigned dim, Size size) {
  SmallVector<Size> sizes = getSizes(input);
  sizes[dim] = size;
  Value init = empty(sizes, getType(input).getElementType());
  unsigned rank = sizes.size();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), input, init,
      SmallVector<AffineMap>{getReadingMap(builder, input, sizes),
                             builder.getMultiDimIdentityMap(rank)},
      loops, [](OpBuilder &inner, Location loc, ValueRange scalars) {
        linalg::YieldOp::create(inner, loc, scalars[0]);
      });
  return generic.getResult(0);
}

Value LinalgEmitter::slice(Value input, unsigned dim, int64_t offset,
                           int64_t size) {
  unsigned rank = getRank(input);
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(rank, builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  for (const Size &whole : getSizes(input))
    sizes.push_back(getFoldResult(whole));
  offsets[dim] = builder.getIndexAttr(offset);
  sizes[dim] = builder.getIndexAttr(size);
  return tensor::ExtractSliceOp::create(builder, loc, input, offsets, sizes,
                                        strides);
}

Value LinalgEmitter::concat(ArrayRef<Value> inputs, unsigned dim) {
  if (inputs.size() == 1)
    return inputs.front();
  return tensor::ConcatOp::create(
      builder, loc,
      RankedTensorType::get(concatShape(inputs, dim),
                            getType(inputs.front()).getElementType()),
      dim, inputs);
}

Value LinalgEmitter::constant(DenseElementsAttr value) {
  return arith::ConstantOp::create(builder, loc, value);
}

FailureOr<Value> LinalgEmitter::iota(Size size) {
  Value init = empty(size, builder.getI32Type());
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), ValueRange(), init,
      SmallVector<AffineMap>{builder.getMultiDimIdentityMap(1)},
      SmallVector<utils::IteratorType>{utils::IteratorType::parallel},
      [&](OpBuilder &inner, Location loc, ValueRange) {
        ImplicitLocOpBuilder b(loc, inner);
        Value index = linalg::IndexOp::create(b, 0);
        linalg::YieldOp::create(
            b,
            arith::IndexCastOp::create(b, b.getI32Type(), index).getResult());
      });
  return generic.getResult(0);
}
