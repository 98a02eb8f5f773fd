//===- EvalAttention.cpp - attention with its projections -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GetSdpaOperands.h"
#include "Norm.h"
#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

namespace {
/// The steps that turn a projected query or key into what the scores are made
/// of.
struct HeadSteps {
  const Tensor *gamma, *beta;
  int64_t heads;
  int64_t position;
};
} // namespace

/// Steps 3 and 4: the norm and the rotation, in the order of `qk_norm`.
static FailureOr<Tensor> applyNormAndRope(block::AttentionOp op, Evaluation &at,
                                          Tensor x, HeadSteps steps) {
  std::optional<block::QkNormAttr> norm = op.getQkNorm();
  auto applyNorm = [&](block::QkNormPlace place) {
    if (!norm || norm->getPlace() != place)
      return;
    bool perHead = norm->getExtent() == block::QkNormExtent::Head;
    x = normalize(at, x,
                  {steps.gamma, steps.beta, norm->getForm(),
                   perHead ? steps.heads : 1, x.type});
  };
  applyNorm(block::QkNormPlace::BeforeRope);
  if (std::optional<block::RopeAttr> rope = op.getRope()) {
    FailureOr<Tensor> rotated =
        op.getRopeCos() ? rotateByTables(at, x, at.get(op.getRopeCos()),
                                         at.get(op.getRopeSin()),
                                         rope->getStyle(), rope->getDim(),
                                         steps.heads, /*inverse=*/false, x.type)
                        : rotate(at, x, *rope, steps.heads,
                                 static_cast<double>(steps.position),
                                 /*inverse=*/false, x.type);
    if (failed(rotated))
      return failure();
    x = std::move(*rotated);
  }
  applyNorm(block::QkNormPlace::AfterRope);
  return x;
}

/// Steps 1 and 2. Without a weight the source itself is what is bounded.
static FailureOr<Tensor> projectAndClip(block::AttentionOp op, Evaluation &at,
                                        const Tensor &source,
                                        const Tensor *weight,
                                        const Tensor *bias) {
  FailureOr<Tensor> x = source;
  if (weight)
    x = linear(at, source, *weight, bias, at.getType(op.getInput()));
  if (succeeded(x) && op.getClip())
    x = bound(at, *x, op.getClip()->convertToDouble(), x->type);
  return x;
}

static FailureOr<Tensor> evalAttention(block::AttentionOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor &source = at.get(op.getSource());
  const Tensor *pastKey = at.getOptional(op.getPastKey());
  int64_t position = pastKey ? pastKey->shape[1] : 0;

  FailureOr<Tensor> query = projectAndClip(
      op, at, input, &at.get(op.getQWeight()), at.getOptional(op.getQBias()));
  FailureOr<Tensor> key = projectAndClip(
      op, at, source, &at.get(op.getKWeight()), at.getOptional(op.getKBias()));
  FailureOr<Tensor> value =
      projectAndClip(op, at, source, at.getOptional(op.getVWeight()),
                     at.getOptional(op.getVBias()));
  if (failed(query) || failed(key) || failed(value))
    return failure();

  query = applyNormAndRope(op, at, *query,
                           {at.getOptional(op.getQGamma()),
                            at.getOptional(op.getQBeta()),
                            static_cast<int64_t>(op.getHeads()), position});
  key = applyNormAndRope(op, at, *key,
                         {at.getOptional(op.getKGamma()),
                          at.getOptional(op.getKBeta()),
                          static_cast<int64_t>(op.getKvHeads()), position});
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
  return linear(at, *attended, at.get(op.getOWeight()),
                at.getOptional(op.getOBias()), at.getResultType());
}

void reference::addAttentionEvaluators(Registry &registry) {
  registry.add<block::AttentionOp>(evalAttention);
}
