//===- ExpandSteps.cpp - level 1 ops as the steps they are ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandSteps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

Operation *block::buildNorm(OpBuilder &builder, Location loc, Value input,
                            const NormParts &parts, Type element) {
  bool centered = parts.form.isCentered();
  RankedTensorType statistic =
      withWidth(input, parts.groups, builder.getF32Type());
  SmallVector<Type, 2> types(centered ? 2 : 1, statistic);
  auto stats =
      NormStatsOp::create(builder, loc, types, input, centered, parts.groups);
  return NormalizeOp::create(builder, loc, withElementType(input, element),
                             input, stats.getMean(), stats.getMoment(),
                             parts.gamma, parts.beta, parts.form, parts.groups);
}

Operation *block::expandNorm(OpBuilder &builder, NormOp op) {
  NormParts parts = {op.getForm(), op.getGamma(), op.getBeta(),
                     static_cast<int64_t>(op.getGroups())};
  return buildNorm(builder, op.getLoc(), op.getInput(), parts,
                   getElementTypeOrSelf(op.getResult()));
}

Operation *block::buildLinear(OpBuilder &builder, Location loc, Value input,
                              Value weight, Value bias, Type element) {
  int64_t width = cast<RankedTensorType>(weight.getType()).getDimSize(0);
  return LinearOp::create(builder, loc, withWidth(input, width, element), input,
                          weight, bias);
}

Operation *block::expandMlp(OpBuilder &builder, MlpOp op) {
  Location loc = op.getLoc();
  Value input = op.getInput();
  Type element = getElementTypeOrSelf(input);
  Value hidden = buildLinear(builder, loc, input, op.getUpWeight(),
                             op.getUpBias(), element)
                     ->getResult(0);
  ActivationAttr activation = op.getActivationAttr();
  if (op.getGateWeight()) {
    Value gate = buildLinear(builder, loc, input, op.getGateWeight(),
                             op.getGateBias(), element)
                     ->getResult(0);
    hidden = GateOp::create(builder, loc, hidden.getType(), gate, hidden,
                            activation);
  } else {
    hidden = ActivationOp::create(builder, loc, hidden.getType(), hidden,
                                  activation);
  }
  return buildLinear(builder, loc, hidden, op.getDownWeight(), op.getDownBias(),
                     getElementTypeOrSelf(op.getResult()));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
/// Builds the steps of one attention, numbered as in the op's description.
class AttentionExpansion {
public:
  AttentionExpansion(OpBuilder &builder, AttentionOp op)
      : builder(builder), op(op), loc(op.getLoc()),
        element(getElementTypeOrSelf(op.getInput())) {}

  Operation *build();

private:
  Value project(Value source, Value weight, Value bias);
  Value normalizeAndRotate(Value projected, Value gamma, Value beta,
                           int64_t heads, Value position);
  Operation *buildSdpa(Value query, Value key, Value value);

  OpBuilder &builder;
  AttentionOp op;
  Location loc;
  /// The element type of every intermediate result.
  Type element;
};
} // namespace

/// Steps 1 and 2. Without a weight the source itself is what is bounded.
Value AttentionExpansion::project(Value source, Value weight, Value bias) {
  Value x = source;
  if (weight)
    x = buildLinear(builder, loc, source, weight, bias, element)->getResult(0);
  if (FloatAttr clip = op.getClipAttr())
    x = ClampOp::create(builder, loc, x.getType(), x, clip);
  return x;
}

/// Steps 3 and 4, in the order of `qk_norm`.
Value AttentionExpansion::normalizeAndRotate(Value projected, Value gamma,
                                             Value beta, int64_t heads,
                                             Value position) {
  Value x = projected;
  std::optional<QkNormAttr> norm = op.getQkNorm();
  auto normalizeAt = [&](QkNormPlace place) {
    if (!norm || norm->getPlace() != place)
      return;
    int64_t groups = norm->getExtent() == QkNormExtent::Head ? heads : 1;
    NormParts parts = {norm->getForm(), gamma, beta, groups};
    x = buildNorm(builder, loc, x, parts, element)->getResult(0);
  };
  normalizeAt(QkNormPlace::BeforeRope);
  if (RopeAttr rope = op.getRopeAttr()) {
    if (op.getRopeCos())
      x = RotateOp::create(builder, loc, x.getType(), x, op.getRopeCos(),
                           op.getRopeSin(), heads, rope.getDim(),
                           rope.getStyle());
    else
      x = RopeOp::create(builder, loc, x.getType(), x, position, heads, rope);
  }
  normalizeAt(QkNormPlace::AfterRope);
  return x;
}

/// Steps 5 and 6.
Operation *AttentionExpansion::buildSdpa(Value query, Value key, Value value) {
  auto queryType = cast<RankedTensorType>(query.getType());
  // Without a projection after it, this is the attention's result.
  Type type = op.getType();
  if (op.getOWeight())
    type = RankedTensorType::get(
        {queryType.getDimSize(0), queryType.getDimSize(1),
         op.getValueHeadSize() * static_cast<int64_t>(op.getHeads())},
        element);
  return SdpaOp::create(
      builder, loc, type, query, key, value,
      op.getNamedOperands().select(SdpaOp::getNamedOperandTable()),
      op.getHeads(), op.getKvHeads(), op.getScoresAttr(), op.getBucketsAttr(),
      op.getDropoutAttr());
}

Operation *AttentionExpansion::build() {
  Value query = project(op.getInput(), op.getQWeight(), op.getQBias());
  Value key = project(op.getSource(), op.getKWeight(), op.getKBias());
  Value value = project(op.getSource(), op.getVWeight(), op.getVBias());

  // New tokens follow those of the past.
  Value position;
  if (op.getRope() && !op.getRopeCos() && op.getPastKey())
    position = tensor::DimOp::create(builder, loc, op.getPastKey(), 1);
  query = normalizeAndRotate(query, op.getQGamma(), op.getQBeta(),
                             op.getHeads(), position);
  key = normalizeAndRotate(key, op.getKGamma(), op.getKBeta(), op.getKvHeads(),
                           position);

  Operation *sdpa = buildSdpa(query, key, value);
  if (!op.getOWeight())
    return sdpa;
  return buildLinear(builder, loc, sdpa->getResult(0), op.getOWeight(),
                     op.getOBias(), getElementTypeOrSelf(op.getResult()));
}

Operation *block::expandAttention(OpBuilder &builder, AttentionOp op) {
  return AttentionExpansion(builder, op).build();
}
