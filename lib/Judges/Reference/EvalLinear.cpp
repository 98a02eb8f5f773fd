//===- EvalLinear.cpp - projections: linear and head ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensor> evalLinear(block::LinearOp op, Evaluation &at) {
  return linear(at, at.get(op.getInput()), at.get(op.getWeight()),
                at.getOptional(op.getBias()), at.getResultType());
}

static FailureOr<Tensor> evalHead(block::HeadOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor &weight = at.get(op.getWeight());
  FailureOr<std::vector<double>> logits =
      project(at, input, weight, at.getOptional(op.getBias()));
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
  return at.round(std::move(*logits), withWidth(input, weight.shape[0]),
                  at.getResultType());
}

void reference::addLinearEvaluators(Registry &registry) {
  registry.add<block::LinearOp>(evalLinear);
  registry.add<block::HeadOp>(evalHead);
}
