//===- BlockShapes.cpp - result shapes of ops with dynamic dimensions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every result has the rows of one operand; its last dimension is static or
// that of the same operand. So one rule reifies all of them, but for rows that
// are taken by number.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

/// The shape of `result`: static sizes as constants, dynamic ones read off the
/// same dimension of `rows`.
static SmallVector<OpFoldResult> reifyLike(OpBuilder &builder, Location loc,
                                           Value result, Value rows) {
  SmallVector<OpFoldResult> shape;
  auto type = cast<RankedTensorType>(result.getType());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (type.isDynamicDim(d))
      shape.push_back(builder.createOrFold<tensor::DimOp>(loc, rows, d));
    else
      shape.push_back(builder.getIndexAttr(type.getDimSize(d)));
  }
  return shape;
}

#define REIFY_LIKE(OP, OPERAND)                                                \
  LogicalResult OP::reifyResultShapes(OpBuilder &builder,                      \
                                      ReifiedRankedShapedTypeDims &shapes) {   \
    for (Value result : getOperation()->getResults())                          \
      shapes.push_back(reifyLike(builder, getLoc(), result, OPERAND));         \
    return success();                                                          \
  }

REIFY_LIKE(LinearSumOp, getInputs().front())
REIFY_LIKE(SplitOp, getInput())
REIFY_LIKE(DeferredNormOp, getInput())
REIFY_LIKE(AddBiasOp, getInput())
REIFY_LIKE(PartialStatsOp, getInput())
REIFY_LIKE(MergeStatsOp, getMoment())
REIFY_LIKE(ResidualOp, getInput())
REIFY_LIKE(ScaleOp, getInput())
REIFY_LIKE(DropoutOp, getInput())
REIFY_LIKE(StreamAddOp, getBranch())
REIFY_LIKE(StreamValueOp, getStream())
REIFY_LIKE(EmbeddingOp, getIds())
REIFY_LIKE(HeadOp, getInput())
REIFY_LIKE(NormOp, getInput())
REIFY_LIKE(NormStatsOp, getInput())
REIFY_LIKE(NormalizeOp, getInput())
REIFY_LIKE(GroupScalesOp, getInput())
REIFY_LIKE(EncodeGroupsOp, getInput())
REIFY_LIKE(DecodeGroupsOp, getCodes())
REIFY_LIKE(AttentionOp, getInput())
REIFY_LIKE(SdpaOp, getQuery())
REIFY_LIKE(CacheAppendOp, getCache())
REIFY_LIKE(RopeOp, getInput())
REIFY_LIKE(RotateOp, getInput())
REIFY_LIKE(MlpOp, getInput())
REIFY_LIKE(MoeOp, getInput())
REIFY_LIKE(RouteOp, getLogits())
REIFY_LIKE(ExpertsOp, getInput())
REIFY_LIKE(LinearOp, getInput())
REIFY_LIKE(ActivationOp, getInput())
REIFY_LIKE(GateOp, getUp())
REIFY_LIKE(LimitedGateOp, getUp())
REIFY_LIKE(ClampOp, getInput())
REIFY_LIKE(NormGradOp, getInput())
REIFY_LIKE(RowDotsOp, getInput())
REIFY_LIKE(DeferredNormGradOp, getInput())
REIFY_LIKE(ActivationGradOp, getInput())
REIFY_LIKE(GateGradOp, getUp())
REIFY_LIKE(ClampGradOp, getInput())
REIFY_LIKE(SoftcapGradOp, getOutput())

LogicalResult SampleOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  Value likes[] = {getEnded(), getSeen(), getEnded(), getLengths(), getStep()};
  for (auto [result, like] : llvm::zip_equal(getResults(), likes))
    shapes.push_back(reifyLike(builder, getLoc(), result, like));
  return success();
}

#undef REIFY_LIKE

LogicalResult
TakeRowsOp::reifyResultShapes(OpBuilder &builder,
                              ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(reifyLike(builder, getLoc(), getResult(), getInput()));
  if (getType().isDynamicDim(1))
    shapes.back()[1] =
        builder.createOrFold<tensor::DimOp>(getLoc(), getRows(), 0);
  return success();
}
