//===- EvalFusion.cpp - merged projections, deferred norms, kernels -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Registry.h"
#include "parablock/IR/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensor> evalLinearSum(block::LinearSumOp op, Evaluation &at) {
  std::vector<double> sum;
  llvm::SmallVector<int64_t> shape;
  for (auto [input, weight] :
       llvm::zip_equal(op.getInputs(), op.getWeights())) {
    const Tensor &source = at.get(input);
    // The bias counts once: it joins the first product.
    const Tensor *bias = sum.empty() ? at.getOptional(op.getBias()) : nullptr;
    FailureOr<std::vector<double>> product =
        project(at, source, {"weight", &at.get(weight)}, {"bias", bias});
    if (failed(product))
      return failure();
    llvm::SmallVector<int64_t> rows = source.shape;
    rows.back() = at.get(weight).shape[0];
    if (sum.empty()) {
      sum = std::move(*product);
      shape = rows;
      continue;
    }
    if (rows != shape)
      return at.error() << "expected every input to have the same rows";
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] += (*product)[i];
  }
  return at.round(std::move(sum), shape, at.getResultType());
}

static FailureOr<Tensors> evalSplit(block::SplitOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  int64_t width = input.shape.back(), first = 0;
  int64_t rows = width ? input.getNumElements() / width : 0;
  Tensors segments;
  for (Value result : op.getSegments()) {
    llvm::SmallVector<int64_t> shape = input.shape;
    shape.back() = cast<RankedTensorType>(result.getType()).getShape().back();
    std::vector<double> values;
    values.reserve(rows * shape.back());
    for (int64_t row = 0; row < rows; ++row) {
      const double *begin = input.data().data() + row * width + first;
      values.insert(values.end(), begin, begin + shape.back());
    }
    segments.push_back(at.wrap(std::move(values), shape, input.type));
    first += shape.back();
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
  int64_t width = input.shape.back();
  for (unsigned dim : {0, 1})
    if (failed(at.checkSize("moment", moment, dim, input.shape[dim],
                            "rows of the input")) ||
        failed(at.checkSize("mean", mean, dim, input.shape[dim],
                            "rows of the input")))
      return failure();
  std::vector<double> result(input.data());
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    int64_t row = i / width, column = i % width;
    if (mean)
      result[i] -= mean->data()[row] * sums->data()[column];
    result[i] *= computeFactor(op.getForm(), moment.data()[row], op.getWidth());
    if (bias)
      result[i] += bias->data()[column];
  }
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensor> evalAddBias(block::AddBiasOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor &bias = at.get(op.getBias());
  std::vector<double> result(input.data());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] += bias.data()[i % bias.data().size()];
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensors> evalPartialStats(block::PartialStatsOp op,
                                           Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  int64_t width = input.shape.back(), tile = op.getTile();
  llvm::SmallVector<int64_t> shape = input.shape;
  shape.back() = (width + tile - 1) / tile;
  std::vector<double> means, moments;
  for (int64_t first = 0, e = input.getNumElements(); first < e; first += width)
    for (int64_t column = 0; column < width; column += tile) {
      int64_t size = std::min(tile, width - column);
      RowStatistics part = computeStatistics(
          input.data().slice(first + column, size), op.getCentered());
      means.push_back(part.mean);
      moments.push_back(part.moment * size);
    }
  Tensors results;
  if (op.getCentered())
    results.push_back(at.round(std::move(means), shape, ElementType::F32));
  results.push_back(at.round(std::move(moments), shape, ElementType::F32));
  return results;
}

static FailureOr<Tensors> evalMergeStats(block::MergeStatsOp op,
                                         Evaluation &at) {
  const Tensor *mean = at.getOptional(op.getMean());
  const Tensor &moment = at.get(op.getMoment());
  int64_t width = op.getWidth(), tile = op.getTile();
  int64_t tiles = moment.shape.back();
  if (mean && failed(at.checkSameShape("mean", *mean, "moment", moment)))
    return failure();
  llvm::SmallVector<int64_t> shape = moment.shape;
  shape.back() = 1;
  std::vector<double> means, moments;
  for (int64_t first = 0, e = moment.getNumElements(); first < e;
       first += tiles) {
    double mergedMean = 0, mergedMoment = 0, count = 0;
    for (int64_t t = 0; t < tiles; ++t) {
      double size = std::min(tile, width - t * tile);
      double distance = (mean ? mean->data()[first + t] : 0) - mergedMean;
      double total = count + size;
      mergedMean += distance * size / total;
      mergedMoment +=
          moment.data()[first + t] + distance * distance * count * size / total;
      count = total;
    }
    means.push_back(mergedMean);
    moments.push_back(mergedMoment / width);
  }
  Tensors results;
  if (mean)
    results.push_back(at.round(std::move(means), shape, ElementType::F32));
  results.push_back(at.round(std::move(moments), shape, ElementType::F32));
  return results;
}

static FailureOr<Tensors> evalKernel(block::KernelOp op, Evaluation &at) {
  for (auto [argument, operand] :
       llvm::zip_equal(op.getBody().getArguments(), op.getOperands()))
    at.frame.set(argument, at.get(operand));
  return at.frame.runBlock(op.getBody().front());
}

void reference::addFusionEvaluators(Registry &registry) {
  registry.add<block::LinearSumOp>(evalLinearSum);
  registry.add<block::SplitOp>(evalSplit);
  registry.add<block::DeferredNormOp>(evalDeferredNorm);
  registry.add<block::AddBiasOp>(evalAddBias);
  registry.add<block::PartialStatsOp>(evalPartialStats);
  registry.add<block::MergeStatsOp>(evalMergeStats);
  registry.add<block::KernelOp>(evalKernel);
}
