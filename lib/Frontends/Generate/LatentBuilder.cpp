//===- LatentBuilder.cpp - latent attention as IR -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file implements multi-head latent attention by projections and
// block.sdpa. block.rope rotates the first components of heads, so rotated
// ones come first in queries and in keys, which have one order: scores do not
// depend on it. Keys are the sum of two projections, each of which is 0 where
// the other is not: of the latent, and of the rotated part that heads share.
//
//===----------------------------------------------------------------------===//

#include "BranchBuilder.h"

#include "SpecAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

namespace {
class LatentBuilder {
public:
  LatentBuilder(OpBuilder &builder, WeightReader &weights,
                const AttentionSpec &spec, const BranchPlan &plan, Value input)
      : builder(builder), weights(weights), spec(spec), latent(*spec.latent),
        plan(plan), input(input), rotated(spec.rope->dim),
        unrotated(spec.headDim - rotated) {}

  Value build(const LayerContext &context);

private:
  Location getLoc() const { return input.getLoc(); }
  RolePlan planPart(const StoredLinear &stored, int64_t out, int64_t offset,
                    int64_t total) const;
  Value project(Value rows, Value matrix, Value bias = {});
  Value project(Value rows, const RolePlan &part);
  Value projectLatent(const StoredLinear &stored, const NormSpec &norm,
                      int64_t rank, int64_t total);
  Value rotate(Value rows, int64_t heads);
  Value joinHeads(Value first, Value second);
  Value swapParts(Value matrix);
  Value makeZeros(int64_t rows, int64_t columns);
  Value makeCopies();
  Value buildQuery();
  Value buildKey(Value shared);

  OpBuilder &builder;
  WeightReader &weights;
  const AttentionSpec &spec;
  const LatentSpec &latent;
  const BranchPlan &plan;
  Value input;
  /// Components of a head of queries and keys.
  int64_t rotated, unrotated;
};
} // namespace

/// Returns a plan of `out` rows of a matrix of `total`, for results of the
/// size that queries have.
RolePlan LatentBuilder::planPart(const StoredLinear &stored, int64_t out,
                                 int64_t offset, int64_t total) const {
  int64_t width = block::getDim(input, -1);
  RolePlan part;
  part.stored = &stored;
  part.out = out;
  part.in = width;
  part.offset = offset;
  part.total = total;
  part.deviation = plan.queryRms / (plan.inputRms * std::sqrt(double(width)));
  part.biasDeviation = 0.2 * plan.queryRms;
  return part;
}

Value LatentBuilder::project(Value rows, Value matrix, Value bias) {
  auto type = cast<RankedTensorType>(rows.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = cast<RankedTensorType>(matrix.getType()).getDimSize(0);
  return block::LinearOp::create(builder, getLoc(), type.clone(shape), rows,
                                 matrix, bias);
}

Value LatentBuilder::project(Value rows, const RolePlan &part) {
  Value matrix = weights.readMatrix(part);
  return project(rows, matrix, weights.readBias(part));
}

/// Returns the normalised first `rank` columns of a projection of the input.
Value LatentBuilder::projectLatent(const StoredLinear &stored,
                                   const NormSpec &norm, int64_t rank,
                                   int64_t total) {
  Value rows = project(input, planPart(stored, rank, 0, total));
  return buildNorm(builder, weights, norm, {rows, 1}).value;
}

Value LatentBuilder::rotate(Value rows, int64_t heads) {
  return block::RopeOp::create(builder, getLoc(), rows.getType(), rows,
                               /*offset=*/Value(),
                               builder.getI64IntegerAttr(heads),
                               getRopeAttr(builder.getContext(), spec.rope),
                               /*inverse=*/UnitAttr());
}

Value LatentBuilder::makeZeros(int64_t rows, int64_t columns) {
  auto element = cast<RankedTensorType>(input.getType()).getElementType();
  auto type = RankedTensorType::get({rows, columns}, element);
  return arith::ConstantOp::create(builder, getLoc(),
                                   builder.getZeroAttr(type));
}

/// Returns the rows of each head: those of `first`, then those of `second`.
Value LatentBuilder::joinHeads(Value first, Value second) {
  SmallVector<ReassociationIndices> split = {{0, 1}, {2}};
  SmallVector<Value> parts;
  int64_t rows = 0, columns = 0;
  for (Value part : {first, second}) {
    auto type = cast<RankedTensorType>(part.getType());
    int64_t own = type.getDimSize(0) / spec.heads;
    rows += own;
    columns = type.getDimSize(1);
    parts.push_back(tensor::ExpandShapeOp::create(
        builder, getLoc(), type.clone({spec.heads, own, columns}), part,
        split));
  }
  Value joined = tensor::ConcatOp::create(builder, getLoc(), 1, parts);
  auto type = cast<RankedTensorType>(joined.getType());
  return tensor::CollapseShapeOp::create(
      builder, getLoc(), type.clone({spec.heads * rows, columns}), joined,
      split);
}

/// Returns the rows of a stored query matrix, which begin with those that are
/// not rotated in each head, with the rotated ones first.
Value LatentBuilder::swapParts(Value matrix) {
  auto type = cast<RankedTensorType>(matrix.getType());
  int64_t columns = type.getDimSize(1), size = rotated + unrotated;
  SmallVector<ReassociationIndices> split = {{0, 1}, {2}};
  Value heads = tensor::ExpandShapeOp::create(
      builder, getLoc(), type.clone({spec.heads, size, columns}), matrix,
      split);
  auto take = [&](int64_t offset, int64_t count) -> Value {
    auto attr = [&](int64_t number) -> OpFoldResult {
      return builder.getIndexAttr(number);
    };
    return tensor::ExtractSliceOp::create(
        builder, getLoc(), heads,
        SmallVector<OpFoldResult>{attr(0), attr(offset), attr(0)},
        SmallVector<OpFoldResult>{attr(spec.heads), attr(count), attr(columns)},
        SmallVector<OpFoldResult>(3, attr(1)));
  };
  Value joined = tensor::ConcatOp::create(
      builder, getLoc(), 1,
      ValueRange{take(unrotated, rotated), take(0, unrotated)});
  return tensor::CollapseShapeOp::create(builder, getLoc(), type, joined,
                                         split);
}

/// Returns the matrix that copies a row to the rotated components of all heads.
Value LatentBuilder::makeCopies() {
  auto element = cast<RankedTensorType>(input.getType()).getElementType();
  auto type = RankedTensorType::get({rotated, rotated}, element);
  SmallVector<Attribute> elements(rotated * rotated,
                                  builder.getFloatAttr(element, 0));
  for (int64_t row = 0; row < rotated; ++row)
    elements[row * (rotated + 1)] = builder.getFloatAttr(element, 1);
  Value identity = arith::ConstantOp::create(
      builder, getLoc(), DenseElementsAttr::get(type, elements));
  Value zeros = makeZeros(unrotated, rotated);
  SmallVector<Value> parts;
  for (int64_t head = 0; head < spec.heads; ++head)
    parts.append({identity, zeros});
  return tensor::ConcatOp::create(builder, getLoc(), 0, parts);
}

Value LatentBuilder::buildQuery() {
  Value rows = input;
  if (latent.queryRank)
    rows = projectLatent(latent.queryDown, latent.queryNorm, latent.queryRank,
                         latent.queryRank);
  // Components of a head that are not rotated are stored first.
  const RolePlan &stored = plan[Role::Q];
  Value matrix = weights.readMatrix(stored), bias = weights.readBias(stored);
  return rotate(project(rows, swapParts(matrix), bias), spec.heads);
}

Value LatentBuilder::buildKey(Value shared) {
  const StoredLinear &down = latent.down;
  Value row = rotate(project(input, planPart(down, rotated, latent.rank,
                                             latent.rank + rotated)),
                     /*heads=*/1);
  Value own = joinHeads(makeZeros(spec.heads * rotated, latent.rank),
                        weights.readMatrix(plan[Role::K]));
  Value first = project(row, makeCopies()), second = project(shared, own);
  return block::ResidualOp::create(
      builder, getLoc(), first.getType(), first, ValueRange(second),
      builder.getF64FloatAttr(1), builder.getF64ArrayAttr({}));
}

Value LatentBuilder::build(const LayerContext &context) {
  Value query = buildQuery();
  Value shared = projectLatent(latent.down, latent.norm, latent.rank,
                               latent.rank + rotated);
  Value key = buildKey(shared);
  Value value = project(shared, weights.readMatrix(plan[Role::V]));
  block::NamedOperands named;
  named[block::AttentionOperand::Lengths] = context.lengths;
  named[block::AttentionOperand::CuSeqlens] = context.cuSeqlens;
  auto type = cast<RankedTensorType>(query.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = spec.heads * spec.valueHeadDim;
  Value result = block::SdpaOp::create(
      builder, getLoc(), type.clone(shape), query, key, value,
      named.select(block::SdpaOp::getNamedOperandTable()), spec.heads,
      spec.heads, getScoresAttr(builder.getContext(), spec.scores),
      /*buckets=*/block::BucketsAttr(), /*dropout=*/block::DropoutAttr());
  return project(result, plan[Role::O]);
}

Value buildLatentAttention(OpBuilder &builder, WeightReader &weights,
                           const AttentionSpec &spec, const BranchPlan &plan,
                           Value input, const LayerContext &context) {
  return LatentBuilder(builder, weights, spec, plan, input).build(context);
}

} // namespace parablock::generate
