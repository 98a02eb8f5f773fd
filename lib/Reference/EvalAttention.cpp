//===- EvalAttention.cpp - attention with its projections -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GetSdpaOperands.h"
#include "Registry.h"
#include "parablock/IR/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

namespace {
/// What turns a projected query or key into what the scores are made of.
struct HeadSteps {
  NamedTensor gamma, beta;
  int64_t heads;
  int64_t position;
};
} // namespace

/// Steps 3 and 4: the norm and the rotation, in the order of `qk_norm`.
static FailureOr<Tensor> applyNormAndRope(block::AttentionOp op, Evaluation &at,
                                          Tensor projected, HeadSteps steps) {
  FailureOr<Tensor> x = std::move(projected);
  ElementType type = x->type;
  std::optional<block::QkNormAttr> norm = op.getQkNorm();
  std::optional<block::RopeAttr> rope = op.getRope();
  auto applyNorm = [&](block::QkNormPlace place) {
    if (failed(x) || !norm || norm->getPlace() != place)
      return;
    bool perHead = norm->getExtent() == block::QkNormExtent::Head;
    x = normalize(at, *x,
                  {steps.gamma, steps.beta, norm->getForm(),
                   perHead ? steps.heads : 1, type});
  };
  applyNorm(block::QkNormPlace::BeforeRope);
  if (succeeded(x) && rope)
    x = rotate(at, *x, *rope, steps.heads, steps.position, type);
  applyNorm(block::QkNormPlace::AfterRope);
  return x;
}

/// Steps 1 and 2. Without a weight the source itself is what is bounded.
static FailureOr<Tensor> projectAndClip(block::AttentionOp op, Evaluation &at,
                                        const Tensor &source,
                                        NamedTensor weight, NamedTensor bias) {
  FailureOr<Tensor> x = source;
  if (weight.tensor)
    x = linear(at, source, weight, bias, at.getType(op.getInput()));
  if (succeeded(x) && op.getClip())
    x = bound(at, *x, op.getClip()->convertToDouble(), x->type);
  return x;
}

static FailureOr<Tensor> evalAttention(block::AttentionOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor &source = at.get(op.getSource());
  int64_t heads = op.getHeads(), kvHeads = op.getKvHeads();
  const Tensor *pastKey = at.getOptional(op.getPastKey());
  int64_t position = pastKey ? pastKey->shape[1] : 0;

  FailureOr<Tensor> query = projectAndClip(
      op, at, input, {"q_weight", at.getOptional(op.getQWeight())},
      {"q_bias", at.getOptional(op.getQBias())});
  FailureOr<Tensor> key = projectAndClip(
      op, at, source, {"k_weight", at.getOptional(op.getKWeight())},
      {"k_bias", at.getOptional(op.getKBias())});
  FailureOr<Tensor> value = projectAndClip(
      op, at, source, {"v_weight", at.getOptional(op.getVWeight())},
      {"v_bias", at.getOptional(op.getVBias())});
  if (failed(query) || failed(key) || failed(value))
    return failure();

  query = applyNormAndRope(op, at, *query,
                           {{"q_gamma", at.getOptional(op.getQGamma())},
                            {"q_beta", at.getOptional(op.getQBeta())},
                            heads,
                            position});
  key = applyNormAndRope(op, at, *key,
                         {{"k_gamma", at.getOptional(op.getKGamma())},
                          {"k_beta", at.getOptional(op.getKBeta())},
                          kvHeads,
                          position});
  if (failed(query) || failed(key))
    return failure();

  SdpaOperands operands = getScoreOperands(op, at);
  operands.query = &*query;
  operands.key = &*key;
  operands.value = &*value;
  if (!op.getOWeight())
    return attend(at, operands, at.getResultType());
  FailureOr<Tensor> attended = attend(at, operands, input.type);
  if (failed(attended))
    return failure();
  return linear(at, *attended, {"o_weight", at.getOptional(op.getOWeight())},
                {"o_bias", at.getOptional(op.getOBias())}, at.getResultType());
}

void reference::addAttentionEvaluators(Registry &registry) {
  registry.add<block::AttentionOp>(evalAttention);
}
