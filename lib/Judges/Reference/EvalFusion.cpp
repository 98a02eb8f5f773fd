//===- EvalFusion.cpp - evaluates merged and deferred ops -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Parts.h"
#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensor> evalLinearSum(block::LinearSumOp op, Evaluation &at) {
  const Tensor &first = at.get(op.getInputs().front());
  llvm::SmallVector<int64_t> shape =
      withWidth(first, at.get(op.getWeights().front()).shape[0]);
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  // The bias counts once: it joins the first product.
  const Tensor *bias = at.getOptional(op.getBias());
  for (auto [input, weight] :
       llvm::zip_equal(op.getInputs(), op.getWeights())) {
    for (unsigned dim : {0, 1})
      if (failed(at.checkSize("input", at.get(input), dim, shape[dim],
                              "size in the first input")))
        return failure();
    FailureOr<std::vector<double>> product =
        project(at, at.get(input), at.get(weight), bias);
    if (failed(product))
      return failure();
    for (auto [sum, added] : llvm::zip_equal(*result, *product))
      sum += added;
    bias = nullptr;
  }
  return at.round(std::move(*result), shape, at.getResultType());
}

static FailureOr<Tensors> evalSplit(block::SplitOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  Tensors segments;
  int64_t offset = 0;
  for (Value value : op.getSegments()) {
    int64_t width = cast<RankedTensorType>(value.getType()).getDimSize(2);
    FailureOr<Tensor> segment =
        takePart(at, input, input.shape.size() - 1, offset, width);
    if (failed(segment))
      return failure();
    segments.push_back(*segment);
    offset += width;
  }
  return segments;
}

static FailureOr<Tensor> evalDeferredNorm(block::DeferredNormOp op,
                                          Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor *mean = at.getOptional(op.getMean());
  const Tensor &moment = at.get(op.getMoment());
  const Tensor *sums = at.getOptional(op.getSums());
  const Tensor *bias = at.getOptional(op.getBias());
  if (failed(checkStatisticsRows(at, input, mean, moment)))
    return failure();
  int64_t columns = input.shape.back();
  std::vector<double> result(input.data());
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    int64_t row = i / columns, column = i % columns;
    double factor =
        computeNormFactor(op.getForm(), moment.data()[row], op.getWidth());
    if (mean) {
      result[i] -= mean->data()[row] * sums->data()[column];
      if (moment.data()[row] == 0 && op.getForm().getEpsValue() > 0)
        factor = 0;
    }
    result[i] *= factor;
    if (bias)
      result[i] += bias->data()[column];
  }
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensor> evalAddBias(block::AddBiasOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput()), &bias = at.get(op.getBias());
  std::vector<double> result(input.data());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] += bias.data()[i % bias.data().size()];
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensors> evalKernel(block::KernelOp op, Evaluation &at) {
  for (auto [argument, operand] :
       llvm::zip_equal(op.getBody().getArguments(), op.getInputs()))
    at.frame.set(argument, at.get(operand));
  return at.frame.runBlock(op.getBody().front());
}

void reference::addFusionEvaluators(Registry &registry) {
  registry.add<block::LinearSumOp>(evalLinearSum);
  registry.add<block::SplitOp>(evalSplit);
  registry.add<block::DeferredNormOp>(evalDeferredNorm);
  registry.add<block::AddBiasOp>(evalAddBias);
  registry.add<block::KernelOp>(evalKernel);
}
