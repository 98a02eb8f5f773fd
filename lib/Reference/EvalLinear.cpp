//===- EvalLinear.cpp - projections and their parts -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "StridedCopy.h"
#include "parablock/IR/BlockOps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensor> evalLinear(block::LinearOp op, Evaluation &at) {
  return linear(at, at.get(op.getInput()), at.get(op.getWeight()),
                at.getOptional(op.getBias()), at.getResultType());
}

static FailureOr<Tensor> evalLinearSum(block::LinearSumOp op, Evaluation &at) {
  const Tensor &first = at.get(op.getInputs().front());
  llvm::SmallVector<int64_t> shape =
      withWidth(first, at.get(op.getWeights().front()).shape[0]);
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  const Tensor *bias = at.getOptional(op.getBias());
  for (auto [input, weight] :
       llvm::zip_equal(op.getInputs(), op.getWeights())) {
    for (unsigned dim : {0, 1})
      if (failed(at.checkSize("input", at.get(input), dim, shape[dim],
                              "size in the first input")))
        return failure();
    FailureOr<std::vector<double>> sums =
        project(at, at.get(input), at.get(weight), bias);
    if (failed(sums))
      return failure();
    for (auto [total, sum] : llvm::zip_equal(*result, *sums))
      total += sum;
    // Once is enough.
    bias = nullptr;
  }
  return at.round(std::move(*result), shape, at.getResultType());
}

static FailureOr<Tensor> evalAddBias(block::AddBiasOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput()), &bias = at.get(op.getBias());
  std::vector<double> result(input.data());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] += bias.data()[i % bias.data().size()];
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensors> evalSplit(block::SplitOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  Layout from = getRowMajorLayout(input.shape);
  Tensors segments;
  for (Value value : op.getSegments()) {
    int64_t width = cast<RankedTensorType>(value.getType()).getDimSize(2);
    llvm::SmallVector<int64_t> shape = withWidth(input, width);
    FailureOr<std::vector<double>> segment = at.allocate(shape);
    if (failed(segment))
      return failure();
    copyStrided(shape, input.data(), from, *segment, getRowMajorLayout(shape));
    segments.push_back(at.wrap(std::move(*segment), shape, input.type));
    from.offset += width;
  }
  return segments;
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
  registry.add<block::LinearSumOp>(evalLinearSum);
  registry.add<block::AddBiasOp>(evalAddBias);
  registry.add<block::SplitOp>(evalSplit);
  registry.add<block::HeadOp>(evalHead);
}
