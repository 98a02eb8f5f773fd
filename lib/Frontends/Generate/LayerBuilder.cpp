//===- LayerBuilder.cpp - builds norms, branches and steps ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LayerBuilder.h"

#include "BranchBuilder.h"
#include "SpecAttributes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

Stream buildNorm(OpBuilder &builder, WeightReader &weights,
                 const NormSpec &norm, Stream input, double size) {
  auto type = cast<RankedTensorType>(input.value.getType());
  int64_t width = type.getShape().back();
  // Rows of length 1 have small elements: the gain makes up for that.
  double gainMean = size;
  if (norm.kind == block::NormKind::L2)
    gainMean *= std::sqrt(double(width));
  Value gamma =
      weights.readVector(norm.gamma, width, getGainRule(norm, gainMean));
  Value beta = weights.readVector(norm.beta, width, getNormBiasRule(size));
  Value result = block::NormOp::create(
      builder, input.value.getLoc(), type, input.value, gamma, beta,
      getNormAttr(builder.getContext(), norm), builder.getI64IntegerAttr(1));
  return {result, getNormedRms(norm, width, gainMean)};
}

namespace {
class LayerBuilder {
public:
  LayerBuilder(OpBuilder &builder, FunctionArguments &arguments,
               const LayerSpec &spec, const LayerContext &context)
      : builder(builder), arguments(arguments), spec(spec), context(context),
        weights(builder, arguments, spec.prefix, context.packed) {}

  FailureOr<Stream> buildStep(const StepSpec &step, Stream x);

private:
  Stream buildBranch(const BranchSpec &branch, const BranchPlan &plan,
                     Stream input);

  OpBuilder &builder;
  FunctionArguments &arguments;
  const LayerSpec &spec;
  const LayerContext &context;
  WeightReader weights;
};
} // namespace

/// The branch's own result, with its postNorm and its stored gain.
Stream LayerBuilder::buildBranch(const BranchSpec &branch,
                                 const BranchPlan &plan, Stream input) {
  Stream result{
      branch.attention ? buildAttention(builder, weights, *branch.attention,
                                        plan, input.value, context)
      : branch.experts
          ? buildExperts(builder, weights, *branch.experts, plan, input.value)
          : buildMlp(builder, weights, *branch.mlp, plan, input.value),
      plan.updateRms};
  if (branch.postNorm)
    result =
        buildNorm(builder, weights, *branch.postNorm, result, plan.postNormRms);
  if (!branch.gain.exists())
    return result;
  DrawRule rule{Distribution::Normal, branch.gainMean, 0.2 * branch.gainMean};
  int64_t size = branch.scalarGain ? 1 : context.width;
  if (branch.scalarGain)
    rule.distribution = Distribution::Constant;
  Value gain = weights.readVector(branch.gain, size, rule);
  Value scaled = block::ScaleOp::create(builder, result.value.getLoc(),
                                        result.value.getType(), result.value,
                                        gain, builder.getF64FloatAttr(1));
  return {scaled, result.rms * std::fabs(branch.gainMean)};
}

FailureOr<Stream> LayerBuilder::buildStep(const StepSpec &step, Stream x) {
  Stream normed = x;
  if (step.norm)
    normed = buildNorm(builder, weights, *step.norm, x);
  SmallVector<Stream> inputs;
  for (const BranchSpec &branch : step.branches)
    inputs.push_back(branch.preNorm
                         ? buildNorm(builder, weights, *branch.preNorm, x)
                         : normed);
  Stream skip = step.skipFromNorm ? normed : x;

  SmallVector<double> inputRms;
  for (const Stream &input : inputs)
    inputRms.push_back(input.rms);
  StepFacts facts{context.width, context.memory.rms, skip.rms,
                  context.updateRatio};
  auto plans = planStep(step, inputRms, facts);
  if (!plans)
    return arguments.getFunction().emitError()
           << "layer '" << spec.prefix
           << "': " << llvm::toString(plans.takeError());

  SmallVector<Value> branches;
  SmallVector<double> scales;
  double squares = std::pow(step.inputScale * skip.rms, 2);
  for (size_t k = 0; k < step.branches.size(); ++k) {
    Stream branch = buildBranch(step.branches[k], (*plans)[k], inputs[k]);
    branches.push_back(branch.value);
    scales.push_back(step.branches[k].scale);
    squares += std::pow(step.branches[k].scale * branch.rms, 2);
  }
  if (llvm::all_of(scales, [](double scale) { return scale == 1; }))
    scales.clear();
  Stream result{
      block::ResidualOp::create(builder, skip.value.getLoc(),
                                skip.value.getType(), skip.value, branches,
                                builder.getF64FloatAttr(step.inputScale),
                                builder.getF64ArrayAttr(scales)),
      std::sqrt(squares)};
  if (step.afterNorm)
    result = buildNorm(builder, weights, *step.afterNorm, result);
  return result;
}

FailureOr<Stream> buildLayer(OpBuilder &builder, FunctionArguments &arguments,
                             const LayerSpec &spec, int64_t index, Stream input,
                             const LayerContext &context) {
  Location loc = input.value.getLoc();
  auto layer = block::LayerOp::create(
      builder, loc, TypeRange{input.value.getType()},
      builder.getStringAttr(spec.prefix), builder.getI64IntegerAttr(index),
      block::ApproxAttr(), ArrayAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&layer.getBody());
  LayerBuilder body(builder, arguments, spec, context);
  Stream x = input;
  for (const StepSpec &step : spec.steps) {
    auto next = body.buildStep(step, x);
    if (failed(next))
      return failure();
    x = *next;
  }
  block::YieldOp::create(builder, loc, x.value);
  return Stream{layer.getResult(0), x.rms};
}

} // namespace parablock::generate
