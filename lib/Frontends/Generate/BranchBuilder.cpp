//===- BranchBuilder.cpp - attention and MLP as IR ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BranchBuilder.h"

#include "SpecAttributes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

using Operand = block::AttentionOperand;

/// Reads gains and biases of the query and key norm.
static void readQkNorm(WeightReader &weights, const AttentionSpec &spec,
                       const BranchPlan &plan, block::NamedOperands &named) {
  if (!spec.qkNorm)
    return;
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
  named[Operand::QGamma] = gamma(norm.q, qSize);
  named[Operand::QBeta] = beta(norm.q, qSize);
  named[Operand::KGamma] = gamma(norm.k, kSize);
  named[Operand::KBeta] = beta(norm.k, kSize);
}

/// Reads tables that add to the scores or the values.
static void readTables(WeightReader &weights, const AttentionSpec &spec,
                       const BranchPlan &plan, block::NamedOperands &named) {
  if (const auto &buckets = spec.buckets)
    named[Operand::RelativeTable] =
        weights.readTensor(buckets->table, {buckets->count, spec.heads},
                           {Distribution::Normal, 0, 0.5});
  if (!spec.shaw)
    return;
  int64_t rows = 2 * spec.shaw->distance + 1;
  double scale = std::fmax(std::fabs(spec.scores.scale), 1e-3);
  double keyDeviation =
      0.5 / (scale * plan.queryRms * std::sqrt(double(spec.headDim)));
  if (!spec.shaw->key.empty())
    named[Operand::ShawKey] =
        weights.readTensor(spec.shaw->key, {rows, spec.headDim},
                           {Distribution::Normal, 0, keyDeviation});
  if (!spec.shaw->value.empty())
    named[Operand::ShawValue] =
        weights.readTensor(spec.shaw->value, {rows, spec.valueHeadDim},
                           {Distribution::Normal, 0, 0.5});
}

Value buildAttention(OpBuilder &builder, WeightReader &weights,
                     const AttentionSpec &spec, const BranchPlan &plan,
                     Value input, const LayerContext &context) {
  if (spec.latent)
    return buildLatentAttention(builder, weights, spec, plan, input, context);
  // In the order in which checkpoints list them: matrix, bias, next matrix.
  block::NamedOperands named;
  for (auto [role, weight, bias] :
       {std::tuple{Role::Q, Operand::QWeight, Operand::QBias},
        {Role::K, Operand::KWeight, Operand::KBias},
        {Role::V, Operand::VWeight, Operand::VBias},
        {Role::O, Operand::OWeight, Operand::OBias}}) {
    named[weight] = weights.readMatrix(plan[role]);
    named[bias] = weights.readBias(plan[role]);
  }
  readQkNorm(weights, spec, plan, named);
  readTables(weights, spec, plan, named);
  auto gain = [&](const StoredVector &stored) {
    return weights.readVector(stored, spec.scalarGains ? 1 : spec.heads,
                              {Distribution::Normal, 1, 0.2});
  };
  named[Operand::Alpha] = gain(spec.alpha);
  named[Operand::Beta] = gain(spec.beta);
  named[Operand::Gamma] = gain(spec.gamma);
  named[Operand::Sinks] =
      weights.readVector(spec.sinks, spec.scalarGains ? 1 : spec.heads,
                         {Distribution::Normal, 0, 1});
  if (spec.cross)
    named[Operand::Memory] = context.memory.value;
  named[Operand::Lengths] =
      spec.cross ? context.memoryLengths : context.lengths;
  named[Operand::CuSeqlens] = context.cuSeqlens;

  MLIRContext *mlir = builder.getContext();
  return block::AttentionOp::create(
      builder, input.getLoc(), input.getType(), input, named,
      {spec.heads, spec.kvHeads, getScoresAttr(mlir, spec.scores),
       getRopeAttr(mlir, spec.rope), getQkNormAttr(mlir, spec.qkNorm),
       getBucketsAttr(mlir, spec.buckets),
       spec.clip ? builder.getF64FloatAttr(*spec.clip) : FloatAttr(),
       /*dropout=*/block::DropoutAttr()});
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
