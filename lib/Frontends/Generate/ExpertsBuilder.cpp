//===- ExpertsBuilder.cpp - mixtures of experts as IR ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ActivationMoments.h"
#include "BranchBuilder.h"
#include "SpecAttributes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

/// Intended standard deviation of a router's logits: of so different ones, the
/// weight of the last that is chosen is small where roundings choose another.
/// Sigmoids of larger ones would be equal.
static constexpr double logitSpread = 3, sigmoidSpread = 1.5;
/// Standard deviation of biases, relative to the values they are added to.
static constexpr double biasSpread = 0.2;
/// The size of bounded values relative to their limit: some reach it.
static constexpr double limitShare = 0.6;

namespace {
/// Builds one mixture. Each tensor is drawn so that the experts chosen for a
/// row, and the shared ones, contribute equally to an update of the planned
/// size.
class ExpertsBuilder {
public:
  ExpertsBuilder(OpBuilder &builder, WeightReader &weights,
                 const ExpertsSpec &spec, const BranchPlan &plan, Value input)
      : builder(builder), weights(weights), spec(spec), plan(plan),
        input(input), width(block::getDim(input, -1)) {}

  Value build();

private:
  /// Returns a rule for weights that read `depth` numbers of size `from`, for a
  /// product of size `to`.
  static DrawRule drawWeight(double from, double to, int64_t depth) {
    return {Distribution::Normal, 0, to / (from * std::sqrt(double(depth)))};
  }
  static DrawRule drawBias(double size) {
    return {Distribution::Uniform, 0, biasSpread * size};
  }
  Value readVector(const std::string &name, const DrawRule &rule, Type type) {
    return name.empty() ? Value()
                        : weights.readTensor(name, {spec.count}, rule, type);
  }
  double getWeightSize() const;
  bool isSigmoid() const {
    return spec.score == block::RouterScore::Sigmoid ||
           spec.weight == block::RouterWeight::Sigmoid;
  }

  OpBuilder &builder;
  WeightReader &weights;
  const ExpertsSpec &spec;
  const BranchPlan &plan;
  Value input;
  int64_t width;
};
} // namespace

/// Returns the expected root of the sum of squared weights of a row.
double ExpertsBuilder::getWeightSize() const {
  double sum = 1;
  bool isDivided = spec.divideBy != block::WeightSum::One ||
                   spec.weight == block::RouterWeight::Softmax;
  if (!isDivided)
    sum = spec.score == block::RouterScore::Softmax &&
                  spec.weight == block::RouterWeight::Score
              ? 0.5
              : 0.8 * spec.chosen;
  // Few of the chosen have most of the weight.
  double equal = std::min<double>(spec.chosen, isSigmoid() ? 8 : 2);
  return sum * spec.weightScale.value_or(1) / std::sqrt(equal);
}

Value ExpertsBuilder::build() {
  double rms = plan.inputRms, branches = spec.shared.empty() ? 1 : 2;
  double target = plan.updateRms / (std::sqrt(branches) * spec.scale);
  bool hasGate = spec.layout != block::ExpertLayout::Up;
  double size = spec.limit ? limitShare * *spec.limit : 1;
  double inner = getActivationRms(spec.activation, size);
  if (hasGate)
    inner *= std::hypot(size, spec.upOffset.value_or(0));
  int64_t columns = hasGate ? 2 * spec.hidden : spec.hidden;
  double result = target / getWeightSize();

  double spread = isSigmoid() ? sigmoidSpread : logitSpread;
  Type f32 = builder.getF32Type(), element;
  if (spec.routerIsF32)
    element = f32;
  Value router =
      weights.readTensor(spec.router + ".weight", {spec.count, width},
                         drawWeight(rms, spread, width), element);
  Value routerBias = readVector(spec.routerBias ? spec.router + ".bias" : "",
                                drawBias(1), element);
  Value correction = readVector(spec.correction, drawBias(1), f32);
  // Gate and up are matrices of their own where they do not alternate.
  int64_t parts = spec.layout == block::ExpertLayout::GateUp ? 2 : 1;
  Value up =
      weights.readStack(spec.up, {spec.count, parts, columns / parts, width},
                        spec.transposed, drawWeight(rms, size, width));
  Value down = weights.readStack(spec.down, {spec.count, 1, width, spec.hidden},
                                 spec.transposed,
                                 drawWeight(inner, result, spec.hidden));
  Value upBias, downBias;
  if (spec.biases) {
    upBias = weights.readTensor(spec.up + "_bias", {spec.count, columns},
                                drawBias(size));
    downBias = weights.readTensor(spec.down + "_bias", {spec.count, width},
                                  drawBias(result));
  }
  Value sharedGate, sharedUp, sharedDown, sharedRouter;
  if (!spec.shared.empty()) {
    DrawRule rule = drawWeight(rms, 1, width);
    int64_t hidden = spec.sharedHidden;
    double own = getActivationRms(spec.activation, 1);
    auto read = [&](const char *name, int64_t out, int64_t in,
                    const DrawRule &rule) {
      return weights.readLinear(spec.shared + name, out, in, rule);
    };
    sharedGate = read(".gate_proj", hidden, width, rule);
    sharedUp = read(".up_proj", hidden, width, rule);
    // A gate is open by half.
    double wanted = spec.sharedRouter.empty() ? target : 2 * target;
    sharedDown =
        read(".down_proj", width, hidden, drawWeight(own, wanted, hidden));
    if (!spec.sharedRouter.empty())
      sharedRouter = weights.readTensor(spec.sharedRouter + ".weight",
                                        {1, width}, drawWeight(rms, 1, width));
  }
  MLIRContext *context = builder.getContext();
  return block::MoeOp::create(
      builder, input.getLoc(), input.getType(), input, router, up, down,
      routerBias, correction, /*expert_scale=*/Value(), upBias, downBias,
      sharedUp, sharedGate, sharedDown, sharedRouter,
      getRoutingAttr(context, spec), getExpertsAttr(context, spec),
      builder.getF64FloatAttr(spec.scale),
      spec.roundWeights ? builder.getUnitAttr() : UnitAttr());
}

Value buildExperts(OpBuilder &builder, WeightReader &weights,
                   const ExpertsSpec &spec, const BranchPlan &plan,
                   Value input) {
  return ExpertsBuilder(builder, weights, spec, plan, input).build();
}

} // namespace parablock::generate
