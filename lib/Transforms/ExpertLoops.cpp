//===- ExpertLoops.cpp - structured loops over rows -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpertLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value ScalarCode::f32(double value) const {
  return arith::ConstantOp::create(
      builder, builder.getF32FloatAttr(static_cast<float>(value)));
}

Value ScalarCode::add(Value a, Value b) const {
  return arith::AddFOp::create(builder, a, b);
}

Value ScalarCode::sub(Value a, Value b) const {
  return arith::SubFOp::create(builder, a, b);
}

Value ScalarCode::mul(Value a, Value b) const {
  return arith::MulFOp::create(builder, a, b);
}

Value ScalarCode::div(Value a, Value b) const {
  return arith::DivFOp::create(builder, a, b);
}

Value ScalarCode::max(Value a, Value b) const {
  return arith::MaximumFOp::create(builder, a, b);
}

Value ScalarCode::min(Value a, Value b) const {
  return arith::MinimumFOp::create(builder, a, b);
}

Value ScalarCode::neg(Value a) const {
  return arith::NegFOp::create(builder, a);
}

Value ScalarCode::exp(Value a) const { return math::ExpOp::create(builder, a); }

Value ScalarCode::tanh(Value a) const {
  return math::TanhOp::create(builder, a);
}

Value ScalarCode::normalShare(Value a) const {
  Value share = math::ErfOp::create(builder, mul(a, f32(std::sqrt(0.5))));
  return mul(add(share, f32(1)), f32(0.5));
}

Value ScalarCode::sqrt(Value a) const {
  return math::SqrtOp::create(builder, a);
}

Value ScalarCode::compare(arith::CmpFPredicate predicate, Value a,
                          Value b) const {
  return arith::CmpFOp::create(builder, predicate, a, b);
}

Value ScalarCode::select(Value condition, Value a, Value b) const {
  return arith::SelectOp::create(builder, condition, a, b);
}

Value ScalarCode::both(Value a, Value b) const {
  return arith::AndIOp::create(builder, a, b);
}

Value ScalarCode::either(Value a, Value b) const {
  return arith::OrIOp::create(builder, a, b);
}

Value ScalarCode::round(Value a, Type type) const {
  if (type.isF32())
    return a;
  Value rounded = arith::TruncFOp::create(builder, type, a);
  return arith::ExtFOp::create(builder, builder.getF32Type(), rounded);
}

Value ScalarCode::index(int64_t value) const {
  return arith::ConstantIndexOp::create(builder, value);
}

Value ScalarCode::addI(Value a, Value b) const {
  return arith::AddIOp::create(builder, a, b);
}

Value ScalarCode::mulI(Value a, int64_t b) const {
  return arith::MulIOp::create(builder, a, index(b));
}

Value ScalarCode::divI(Value a, int64_t b) const {
  return arith::DivSIOp::create(builder, a, index(b));
}

Value ScalarCode::compareI(arith::CmpIPredicate predicate, Value a,
                           Value b) const {
  return arith::CmpIOp::create(builder, predicate, a, b);
}

Value ScalarCode::read(Value tensor, ValueRange indices) const {
  Value element = tensor::ExtractOp::create(builder, tensor, indices);
  if (element.getType().isInteger())
    return arith::IndexCastOp::create(builder, builder.getIndexType(), element);
  if (element.getType().isF32())
    return element;
  return arith::ExtFOp::create(builder, builder.getF32Type(), element);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value RowLoops::empty(ArrayRef<int64_t> sizes, Type element) {
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(builder, builder.getLoc(), rows);
  shape.truncate(2);
  for (int64_t size : sizes)
    shape.push_back(builder.getIndexAttr(size));
  return tensor::EmptyOp::create(builder, shape, element);
}

/// Converts what a body computes to the element type of a result.
static Value convert(ImplicitLocOpBuilder &builder, Value value, Type element) {
  if (value.getType() == element)
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, element, value);
  return arith::TruncFOp::create(builder, element, value);
}

static SmallVector<Value> buildIndices(ImplicitLocOpBuilder &builder,
                                       unsigned count) {
  SmallVector<Value> indices;
  for (unsigned dim = 0; dim < count; ++dim)
    indices.push_back(linalg::IndexOp::create(builder, dim));
  return indices;
}

Value RowLoops::map(ArrayRef<int64_t> sizes, Type element, Element body) {
  Value init = empty(sizes, element);
  unsigned rank = sizes.size() + 2;
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, init.getType(), ValueRange(), init,
      builder.getMultiDimIdentityMap(rank), loops,
      [&](OpBuilder &inner, Location loc, ValueRange) {
        ImplicitLocOpBuilder own(loc, inner);
        Value value = body(ScalarCode(own), buildIndices(own, rank));
        linalg::YieldOp::create(own, convert(own, value, element));
      });
  return generic.getResult(0);
}

Value RowLoops::fold(ArrayRef<int64_t> sizes, int64_t steps, TypedAttr initial,
                     Element body, bool isMax) {
  Type element = initial.getType();
  unsigned rank = sizes.size() + 2;
  Value first = arith::ConstantOp::create(builder, initial);
  Value init = linalg::FillOp::create(builder, first, empty(sizes, element))
                   .getResult(0);
  // It has no elements of interest: it is the number of steps.
  Value counter = tensor::EmptyOp::create(builder, ArrayRef<int64_t>(steps),
                                          builder.getF32Type());
  AffineMap all = builder.getMultiDimIdentityMap(rank + 1);
  AffineMap maps[] = {all.getSubMap({rank}), all.dropResult(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      builder, init.getType(), counter, init, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange scalars) {
        ImplicitLocOpBuilder own(loc, inner);
        Value value = body(ScalarCode(own), buildIndices(own, rank + 1));
        value = convert(own, value, element);
        Value known = scalars.back();
        if (isMax)
          value = arith::MaximumFOp::create(own, known, value);
        else if (isa<FloatType>(element))
          value = arith::AddFOp::create(own, known, value);
        else
          value = arith::AddIOp::create(own, known, value);
        linalg::YieldOp::create(own, value);
      });
  return generic.getResult(0);
}

Value RowLoops::sum(ArrayRef<int64_t> sizes, int64_t steps, Type element,
                    Element body) {
  return fold(sizes, steps, cast<TypedAttr>(builder.getZeroAttr(element)), body,
              /*isMax=*/false);
}

Value RowLoops::max(ArrayRef<int64_t> sizes, int64_t steps, Element body) {
  return fold(sizes, steps,
              builder.getF32FloatAttr(-std::numeric_limits<float>::infinity()),
              body, /*isMax=*/true);
}
