//===- EvalLayer.cpp - layer, residual, scale, reparam, head --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/IR/BlockOps.h"
#include <cmath>

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
  if (failed(at.checkOneOf("gain", gain, 1, input.shape.back(),
                           "one, or one per channel")))
    return failure();
  double factor = op.getFactor().convertToDouble();
  std::vector<double> result(input.data());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] *= gain ? factor * gain->data()[i % gain->shape[0]] : factor;
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensor> evalReparam(block::ReparamOp op, Evaluation &at) {
  const Tensor &delta = at.get(op.getDelta());
  const Tensor *initial = at.getOptional(op.getInitial());
  if (initial && failed(at.checkSameShape("initial", *initial, "delta", delta)))
    return failure();
  if (!initial && failed(at.checkSize("delta", delta, 1, delta.shape[0],
                                      "square, as there is no initial matrix")))
    return failure();
  double skip = op.getSkip().convertToDouble();
  double residual = op.getResidual().convertToDouble();
  std::vector<double> result(delta.data());
  int64_t columns = delta.shape[1];
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    double identity = i / columns == i % columns ? 1 : 0;
    double start = initial ? initial->data()[i] : identity;
    result[i] = skip * start + residual * result[i];
  }
  return at.round(std::move(result), delta.shape, at.getResultType());
}

static FailureOr<Tensor> evalHead(block::HeadOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor &weight = at.get(op.getWeight());
  FailureOr<std::vector<double>> logits = project(
      at, input, {"weight", &weight}, {"bias", at.getOptional(op.getBias())});
  if (failed(logits))
    return failure();
  double scale = op.getScale().convertToDouble();
  std::optional<llvm::APFloat> softcap = op.getSoftcap();
  for (double &logit : *logits) {
    logit *= scale;
    if (softcap) {
      double cap = softcap->convertToDouble();
      logit = cap * std::tanh(logit / cap);
    }
  }
  return at.round(std::move(*logits),
                  {input.shape[0], input.shape[1], weight.shape[0]},
                  at.getResultType());
}

void reference::addLayerEvaluators(Registry &registry) {
  registry.add<block::LayerOp>(evalLayer);
  registry.add<block::ResidualOp>(evalResidual);
  registry.add<block::ScaleOp>(evalScale);
  registry.add<block::ReparamOp>(evalReparam);
  registry.add<block::HeadOp>(evalHead);
}
