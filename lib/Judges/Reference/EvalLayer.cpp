//===- EvalLayer.cpp - evaluates layers and residuals ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensors> evalLayer(block::LayerOp op, Evaluation &at) {
  return at.frame.runBlock(op.getBody().front());
}

static FailureOr<Tensor> evalResidual(block::ResidualOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  double inputScale = op.getInputScale().convertToDouble();
  std::vector<double> result(input.data());
  for (double &x : result)
    x *= inputScale;
  for (auto [k, value] : llvm::enumerate(op.getBranches())) {
    const Tensor &branch = at.get(value);
    if (failed(at.checkSameShape("branch", branch, "input", input)))
      return failure();
    double scale = op.getBranchScale(k);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] += scale * branch.data()[i];
  }
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensor> evalScale(block::ScaleOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor *gain = at.getOptional(op.getGain());
  if (gain && gain->shape[0] != 1 && gain->shape[0] != input.shape.back())
    return at.error()
           << "expected gain to have one element, or one per channel, "
           << input.shape.back() << ", got " << gain->shape[0];
  double factor = op.getFactor().convertToDouble();
  std::vector<double> result(input.data());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] *= gain ? factor * gain->data()[i % gain->shape[0]] : factor;
  return at.round(std::move(result), input.shape, at.getResultType());
}

void reference::addLayerEvaluators(Registry &registry) {
  registry.add<block::LayerOp>(evalLayer);
  registry.add<block::ResidualOp>(evalResidual);
  registry.add<block::ScaleOp>(evalScale);
}
