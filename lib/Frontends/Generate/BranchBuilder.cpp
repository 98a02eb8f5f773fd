//===- BranchBuilder.cpp - attention and MLP as IR ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BranchBuilder.h"

#include "SpecAttributes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

namespace {
/// Gains and biases of the query and key norm; null where there are none.
struct QkNormValues {
  Value qGamma, qBeta, kGamma, kBeta;
};

/// Tables that add to the scores or the values; null where there are none.
struct TableValues {
  Value relative, shawKey, shawValue;
};
} // namespace

static QkNormValues readQkNorm(WeightReader &weights, const AttentionSpec &spec,
                               const BranchPlan &plan) {
  if (!spec.qkNorm)
    return {};
  const QkNormSpec &norm = *spec.qkNorm;
  bool oneHead = norm.extent == block::QkNormExtent::Head && norm.sharedByHeads;
  int64_t qSize = spec.headDim * (oneHead ? 1 : spec.heads);
  int64_t kSize = spec.headDim * (oneHead ? 1 : spec.kvHeads);
  auto gamma = [&](const NormSpec &form, int64_t size) {
    return weights.readVector(form.gamma, size, getGainRule(form, plan.qkGain));
  };
  auto beta = [&](const NormSpec &form, int64_t size) {
    return weights.readVector(form.beta, size, getNormBiasRule());
  };
  QkNormValues values;
  values.qGamma = gamma(norm.q, qSize);
  values.qBeta = beta(norm.q, qSize);
  values.kGamma = gamma(norm.k, kSize);
  values.kBeta = beta(norm.k, kSize);
  return values;
}

static TableValues readTables(WeightReader &weights, const AttentionSpec &spec,
                              const BranchPlan &plan) {
  TableValues values;
  if (const auto &buckets = spec.buckets)
    values.relative =
        weights.readTensor(buckets->table, {buckets->count, spec.heads},
                           {Distribution::Normal, 0, 0.5});
  if (!spec.shaw)
    return values;
  int64_t rows = 2 * spec.shaw->distance + 1;
  double scale = std::fmax(std::fabs(spec.scores.scale), 1e-3);
  double keyDeviation =
      0.5 / (scale * plan.queryRms * std::sqrt(double(spec.headDim)));
  if (!spec.shaw->key.empty())
    values.shawKey =
        weights.readTensor(spec.shaw->key, {rows, spec.headDim},
                           {Distribution::Normal, 0, keyDeviation});
  if (!spec.shaw->value.empty())
    values.shawValue =
        weights.readTensor(spec.shaw->value, {rows, spec.valueHeadDim},
                           {Distribution::Normal, 0, 0.5});
  return values;
}

Value buildAttention(OpBuilder &builder, WeightReader &weights,
                     const AttentionSpec &spec, const BranchPlan &plan,
                     Value input, const LayerContext &context) {
  // In the order in which checkpoints list them: matrix, bias, next matrix.
  std::array<Value, 4> matrix, bias;
  for (Role role : {Role::Q, Role::K, Role::V, Role::O}) {
    matrix[static_cast<int>(role)] = weights.readMatrix(plan[role]);
    bias[static_cast<int>(role)] = weights.readBias(plan[role]);
  }
  QkNormValues norm = readQkNorm(weights, spec, plan);
  TableValues tables = readTables(weights, spec, plan);
  auto gain = [&](const StoredVector &stored) {
    return weights.readVector(stored, spec.scalarGains ? 1 : spec.heads,
                              {Distribution::Normal, 1, 0.2});
  };
  Value alpha = gain(spec.alpha), beta = gain(spec.beta),
        gamma = gain(spec.gamma);

  MLIRContext *mlir = builder.getContext();
  return block::AttentionOp::create(
      builder, input.getLoc(), input.getType(), input,
      spec.cross ? context.memory.value : Value(), matrix[0], matrix[1],
      matrix[2], matrix[3], bias[0], bias[1], bias[2], bias[3], norm.qGamma,
      norm.qBeta, norm.kGamma, norm.kBeta,
      spec.cross ? context.memoryLengths : context.lengths, tables.relative,
      tables.shawKey, tables.shawValue, alpha, beta, gamma,
      /*past_key=*/Value(), /*past_value=*/Value(),
      /*score_bias=*/Value(), /*rope_cos=*/Value(), /*rope_sin=*/Value(),
      context.cuSeqlens, /*seed=*/Value(),
      builder.getI64IntegerAttr(spec.heads),
      builder.getI64IntegerAttr(spec.kvHeads), getScoresAttr(mlir, spec.scores),
      getRopeAttr(mlir, spec.rope), getQkNormAttr(mlir, spec.qkNorm),
      getBucketsAttr(mlir, spec.buckets),
      spec.clip ? builder.getF64FloatAttr(*spec.clip) : FloatAttr(),
      /*dropout=*/block::DropoutAttr());
}

Value buildMlp(OpBuilder &builder, WeightReader &weights, const MlpSpec &spec,
               const BranchPlan &plan, Value input) {
  Value gate = weights.readMatrix(plan[Role::Gate]);
  Value gateBias = weights.readBias(plan[Role::Gate]);
  Value up = weights.readMatrix(plan[Role::Up]);
  Value upBias = weights.readBias(plan[Role::Up]);
  Value down = weights.readMatrix(plan[Role::Down]);
  Value downBias = weights.readBias(plan[Role::Down]);
  return block::MlpOp::create(
      builder, input.getLoc(), input.getType(), input, up, gate, down, upBias,
      gateBias, downBias,
      block::ActivationAttr::get(builder.getContext(), spec.activation));
}

} // namespace parablock::generate
