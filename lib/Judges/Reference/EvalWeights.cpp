//===- EvalWeights.cpp - weight-only steps --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// Element `[row, column]` of a matrix becomes `function(row, column, it)`; a
/// vector is a matrix of one column.
static Tensor
mapMatrix(Evaluation &at, const Tensor &matrix,
          llvm::function_ref<double(int64_t, int64_t, double)> function) {
  int64_t columns = matrix.shape.size() == 2 ? matrix.shape[1] : 1;
  std::vector<double> result(matrix.data());
  for (int64_t i = 0, e = result.size(); i < e; ++i)
    result[i] = function(i / columns, i % columns, result[i]);
  return at.round(std::move(result), matrix.shape, at.getResultType());
}

static FailureOr<Tensor> evalReparam(block::ReparamOp op, Evaluation &at) {
  const Tensor &delta = at.get(op.getDelta());
  const Tensor *initial = at.getOptional(op.getInitial());
  double skip = op.getSkip().convertToDouble();
  double residual = op.getResidual().convertToDouble();
  return mapMatrix(at, delta, [&](int64_t row, int64_t column, double change) {
    double identity = row == column ? 1 : 0;
    double start =
        initial ? initial->data()[row * delta.shape[1] + column] : identity;
    return skip * start + residual * change;
  });
}

static FailureOr<Tensor> evalFoldGain(block::FoldGainOp op, Evaluation &at) {
  const Tensor &gamma = at.get(op.getGamma());
  return mapMatrix(
      at, at.get(op.getWeight()), [&](int64_t, int64_t column, double weight) {
        return getEffectiveGain(op.getForm(), gamma.data()[column]) * weight;
      });
}

static FailureOr<Tensor> evalFoldScale(block::FoldScaleOp op, Evaluation &at) {
  const Tensor *gain = at.getOptional(op.getGain());
  double factor = op.getFactor().convertToDouble();
  return mapMatrix(at, at.get(op.getWeight()),
                   [&](int64_t row, int64_t, double weight) {
                     double g = 1;
                     if (gain)
                       g = gain->data()[gain->shape[0] == 1 ? 0 : row];
                     return factor * g * weight;
                   });
}

static FailureOr<Tensor> evalFoldBias(block::FoldBiasOp op, Evaluation &at) {
  const Tensor &weight = at.get(op.getWeight());
  const Tensor *beta = at.getOptional(op.getBeta());
  const Tensor *bias = at.getOptional(op.getBias());
  int64_t rows = weight.shape[0], columns = weight.shape[1];
  FailureOr<std::vector<double>> result = at.allocate({rows});
  if (failed(result))
    return failure();
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (int64_t k = 0; beta && k < columns; ++k)
      sum += beta->data()[k] * weight.data()[row * columns + k];
    (*result)[row] = (bias ? bias->data()[row] : 0.0) + sum;
  }
  return at.round(std::move(*result), {rows}, at.getResultType());
}

static FailureOr<Tensor> evalWeightSums(block::WeightSumsOp op,
                                        Evaluation &at) {
  const Tensor &weight = at.get(op.getWeight());
  int64_t rows = weight.shape[0], columns = weight.shape[1];
  FailureOr<std::vector<double>> result = at.allocate({rows});
  if (failed(result))
    return failure();
  for (int64_t row = 0; row < rows; ++row) {
    llvm::ArrayRef<double> stored = weight.data().slice(row * columns, columns);
    (*result)[row] = std::accumulate(stored.begin(), stored.end(), 0.0);
  }
  return at.round(std::move(*result), {rows}, at.getResultType());
}

static FailureOr<Tensor> evalBiasSum(block::BiasSumOp op, Evaluation &at) {
  std::vector<double> result(at.get(op.getBiases().front()).data());
  for (Value bias : op.getBiases().drop_front())
    for (auto [sum, added] : llvm::zip_equal(result, at.get(bias).data()))
      sum += added;
  int64_t width = result.size();
  return at.round(std::move(result), {width}, at.getResultType());
}

void reference::addWeightEvaluators(Registry &registry) {
  registry.add<block::ReparamOp>(evalReparam);
  registry.add<block::FoldGainOp>(evalFoldGain);
  registry.add<block::FoldScaleOp>(evalFoldScale);
  registry.add<block::FoldBiasOp>(evalFoldBias);
  registry.add<block::WeightSumsOp>(evalWeightSums);
  registry.add<block::BiasSumOp>(evalBiasSum);
}
