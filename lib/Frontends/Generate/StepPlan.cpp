//===- StepPlan.cpp - plans spreads of generated weights ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StepPlan.h"

#include "ActivationMoments.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using llvm::SmallVector;

namespace parablock::generate {

/// Standard deviations of drawn values, relative to the values that they are
/// added to.
static constexpr double gainSpread = 0.2, biasShare = 0.2;
/// Intended standard deviation of the scores; larger if a soft cap should take
/// effect.
static constexpr double plainScores = 1.5, cappedScores = 3.0;
/// The share of the values left after averaging over some tens of keys; after a
/// shaped attention, which keeps the row's own value; and after one that only
/// subtracts the mean.
static constexpr double averagedShare = 0.6, shapedShare = 1.1,
                        centredShare = 0.3;

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

DrawRule getGainRule(const NormSpec &norm, double mean) {
  double stored = norm.gammaForm == block::GammaForm::OnePlus ? mean - 1 : mean;
  return {Distribution::Normal, stored, gainSpread * std::max(mean, 0.5)};
}

DrawRule getNormBiasRule(double scale) {
  return {Distribution::Uniform, 0.1 * scale, 0.2 * scale};
}

double getNormedRms(const NormSpec &norm, int64_t size, double gainMean) {
  double rms = norm.kind == block::NormKind::L2 ? 1 / std::sqrt(size) : 1;
  if (norm.gamma.exists())
    rms *= gainMean * std::sqrt(1 + gainSpread * gainSpread);
  return norm.beta.exists() ? std::hypot(rms, 0.22) : rms;
}

//===----------------------------------------------------------------------===//
// Roles and where they are stored
//===----------------------------------------------------------------------===//

static llvm::StringRef getRoleName(Role role) {
  switch (role) {
  case Role::Q:
    return "query";
  case Role::K:
    return "key";
  case Role::V:
    return "value";
  case Role::O:
    return "output";
  case Role::Gate:
    return "gate";
  case Role::Up:
    return "up";
  case Role::Down:
    return "down";
  }
  return "";
}

namespace {
/// Plans one step; the branches share matrices, so they are planned together.
class StepPlanner {
public:
  StepPlanner(const StepSpec &step, llvm::ArrayRef<double> inputRms,
              const StepFacts &facts)
      : step(step), inputRms(inputRms), facts(facts),
        plans(step.branches.size()) {}

  llvm::Expected<std::vector<BranchPlan>> plan();

private:
  llvm::Error locate(size_t branch, Role role, int64_t out, int64_t in,
                     bool optional = false);
  llvm::Error cut(RolePlan &plan, Role role, size_t branch);
  llvm::Error locateAll(size_t branch);
  const RolePlan *find(Role role, size_t preferred) const;

  /// Gives all parts of a matrix one deviation: the choice between two wishes.
  void settle(llvm::ArrayRef<Role> roles,
              llvm::function_ref<double(double, double)> choose);
  void wishForAttentionInputs(size_t branch);
  void wishForMlpInputs(size_t branch);
  void wishForOutput(size_t branch);

  const StepSpec &step;
  llvm::ArrayRef<double> inputRms;
  const StepFacts &facts;
  std::vector<BranchPlan> plans;
};
} // namespace

const RolePlan *StepPlanner::find(Role role, size_t preferred) const {
  if (plans[preferred][role].out)
    return &plans[preferred][role];
  for (const BranchPlan &plan : plans)
    if (plan[role].out)
      return &plan[role];
  return nullptr;
}

llvm::Error StepPlanner::locate(size_t branch, Role role, int64_t out,
                                int64_t in, bool optional) {
  RolePlan &plan = plans[branch][role];
  const BranchSpec &spec = step.branches[branch];
  // Stacks of experts are no roles.
  assert((spec.attention || spec.mlp) && "expected a branch of matrices");
  const auto &own =
      spec.attention ? spec.attention->linears : spec.mlp->linears;
  for (const auto *linears : {&own, &step.linears})
    for (const StoredLinear &stored : *linears)
      if (!plan.stored && llvm::is_contained(stored.parts, role))
        plan.stored = &stored;
  plan.out = plan.stored ? out : 0;
  plan.in = plan.stored ? in : 0;
  if (plan.stored || optional)
    return llvm::Error::success();
  return llvm::createStringError("expected a " + getRoleName(role) +
                                 " matrix, got none");
}

llvm::Error StepPlanner::locateAll(size_t branch) {
  const BranchSpec &spec = step.branches[branch];
  if (spec.experts)
    return llvm::Error::success();
  int64_t width = facts.width;
  auto join = [](llvm::Error a, llvm::Error b) {
    return llvm::joinErrors(std::move(a), std::move(b));
  };
  if (const auto &mlp = spec.mlp) {
    llvm::Error error = locate(branch, Role::Up, mlp->hidden, width);
    if (mlp->gated)
      error = join(std::move(error),
                   locate(branch, Role::Gate, mlp->hidden, width));
    return join(std::move(error),
                locate(branch, Role::Down, width, mlp->hidden));
  }
  const AttentionSpec &attention = *spec.attention;
  int64_t values = attention.heads * attention.valueHeadDim;
  int64_t queryWidth = width, keyWidth = width, keyDim = attention.headDim;
  const std::optional<LatentSpec> &latent = attention.latent;
  if (latent) {
    keyWidth = latent->rank;
    keyDim -= attention.rope->dim;
    if (latent->queryRank)
      queryWidth = latent->queryRank;
  }
  return join(
      join(locate(branch, Role::Q, attention.heads * attention.headDim,
                  queryWidth),
           locate(branch, Role::K, attention.kvHeads * keyDim, keyWidth)),
      join(locate(branch, Role::V, attention.kvHeads * attention.valueHeadDim,
                  keyWidth, /*optional=*/!latent),
           locate(branch, Role::O, width, values, /*optional=*/!latent)));
}

/// Finds the role's share of its stored matrix.
llvm::Error StepPlanner::cut(RolePlan &plan, Role role, size_t branch) {
  const StoredLinear &stored = *plan.stored;
  for (Role part : stored.parts) {
    const RolePlan *size = find(part, branch);
    if (!size)
      return llvm::createStringError("expected sizes for the " +
                                     getRoleName(part) + " part of '" +
                                     stored.name + "', got none");
    int64_t share = stored.columns ? size->in : size->out;
    if (stored.groups < 1 || share % stored.groups)
      return llvm::createStringError(
          "expected the " + getRoleName(part) + " part of '" + stored.name +
          "', " + std::to_string(share) + ", to be a multiple of " +
          std::to_string(stored.groups) + " groups");
    if (part == role)
      plan.offset = plan.total;
    plan.total += share;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

void StepPlanner::settle(llvm::ArrayRef<Role> roles,
                         llvm::function_ref<double(double, double)> choose) {
  auto forEachRole = [&](auto visit) {
    for (BranchPlan &plan : plans)
      for (Role role : roles)
        if (plan[role].stored)
          visit(plan[role]);
  };
  llvm::SmallVector<std::pair<const StoredLinear *, double>> settled;
  forEachRole([&](RolePlan &plan) {
    for (auto &[stored, deviation] : settled)
      if (stored == plan.stored) {
        deviation = choose(deviation, plan.deviation);
        return;
      }
    settled.push_back({plan.stored, plan.deviation});
  });
  forEachRole([&](RolePlan &plan) {
    for (auto &[stored, deviation] : settled)
      if (stored == plan.stored)
        plan.deviation = deviation;
  });
}

void StepPlanner::wishForAttentionInputs(size_t branch) {
  const AttentionSpec &attention = *step.branches[branch].attention;
  BranchPlan &plan = plans[branch];
  double rms = inputRms[branch];
  double source = attention.cross ? facts.memoryRms : rms;
  double scale = std::fabs(attention.scores.scale);
  if (scale == 0)
    scale = 1;
  double scores = attention.scores.softcap ? cappedScores : plainScores;
  // Scores are sums of headDim products of independent numbers.
  double wanted =
      std::sqrt(scores / (scale * std::sqrt(double(attention.headDim))));
  double projected = wanted;
  if (const auto &norm = attention.qkNorm) {
    int64_t size = norm->extent == block::QkNormExtent::Head
                       ? attention.headDim
                       : attention.heads * attention.headDim;
    double gain = wanted / getNormedRms(norm->q, size);
    plan.qkGain = gain > 0.5 && gain < 2 ? 1 : gain;
    wanted = getNormedRms(norm->q, size, plan.qkGain);
    projected = 1; // its size is immaterial
  }
  plan.queryRms = wanted;
  plan.queryInputRms = rms;
  plan.sourceRms = source;
  if (const auto &latent = attention.latent) {
    plan.sourceRms = getNormedRms(latent->norm, latent->rank);
    if (latent->queryRank)
      plan.queryInputRms = getNormedRms(latent->queryNorm, latent->queryRank);
  }
  auto wish = [&](Role role, double result, double input) {
    plan[role].deviation = result / (input * std::sqrt(double(plan[role].in)));
    plan[role].biasDeviation = biasShare * result;
  };
  wish(Role::Q, projected, plan.queryInputRms);
  wish(Role::K, projected, plan.sourceRms);
  if (plan[Role::V].stored)
    wish(Role::V, 1, plan.sourceRms);
}

void StepPlanner::wishForMlpInputs(size_t branch) {
  for (Role role : {Role::Gate, Role::Up}) {
    RolePlan &plan = plans[branch][role];
    plan.deviation = 1 / (inputRms[branch] * std::sqrt(double(facts.width)));
    plan.biasDeviation = biasShare;
  }
}

/// Returns the rms of the output projection's input.
static double getInnerRms(const BranchSpec &spec, double gate, double up,
                          double values) {
  if (const auto &mlp = spec.mlp) {
    if (mlp->gated)
      return getActivationRms(mlp->activation, gate) * up;
    return getActivationRms(mlp->activation, up);
  }
  if (spec.attention->alpha.exists())
    return values * shapedShare;
  return values *
         (spec.attention->gamma.exists() ? centredShare : averagedShare);
}

/// The size of a projection's result; a change of the identity keeps the input.
static double getResultRms(const RolePlan &role, double input) {
  double rms = role.deviation * std::sqrt(double(role.in)) * input;
  if (!role.stored)
    return rms;
  if (const auto &reparam = role.stored->reparam;
      reparam && reparam->initial.empty())
    rms = std::hypot(rms, reparam->skip * input);
  return role.stored->bias ? std::hypot(rms, role.biasDeviation) : rms;
}

void StepPlanner::wishForOutput(size_t branch) {
  const BranchSpec &spec = step.branches[branch];
  BranchPlan &plan = plans[branch];
  double input = inputRms[branch];
  plan.inputRms = input;
  double source = spec.attention ? plan.sourceRms : input;
  double values =
      plan[Role::V].stored ? getResultRms(plan[Role::V], source) : source;
  if (spec.attention && spec.attention->clip)
    values = std::min(values, 0.8 * *spec.attention->clip);
  double gain = std::fabs(spec.scale);
  if (spec.gain.exists())
    gain *= spec.gainMean;
  double wanted = facts.updateRatio * facts.streamRms *
                  std::max(1.0, std::fabs(step.inputScale)) /
                  std::max(gain, 1e-3);
  if (!spec.attention) // an activation's results vary more than averaged values
    wanted *= 1.2;
  if (spec.experts) {
    plan.postNormRms = wanted;
    plan.updateRms = spec.postNorm ? 1 : wanted;
    return;
  }
  double inner = getInnerRms(spec, getResultRms(plan[Role::Gate], input),
                             getResultRms(plan[Role::Up], input), values);
  RolePlan &output = plan[spec.mlp ? Role::Down : Role::O];
  plan.postNormRms = wanted;
  if (spec.postNorm)
    wanted = 1; // its size is immaterial
  if (!output.stored) {
    plan.updateRms = inner;
    return;
  }
  output.deviation = wanted / (inner * std::sqrt(double(output.in)));
  output.biasDeviation = biasShare * wanted;
  output.biasMean = 0.5 * biasShare * wanted;
  plan.updateRms = getResultRms(output, inner);
}

llvm::Expected<std::vector<BranchPlan>> StepPlanner::plan() {
  for (size_t branch = 0; branch < plans.size(); ++branch)
    if (llvm::Error error = locateAll(branch))
      return error;
  for (size_t branch = 0; branch < plans.size(); ++branch)
    for (int role = 0; role < 7; ++role)
      if (RolePlan &plan = plans[branch].roles[role]; plan.stored)
        if (llvm::Error error = cut(plan, static_cast<Role>(role), branch))
          return error;

  for (size_t branch = 0; branch < plans.size(); ++branch) {
    if (step.branches[branch].attention)
      wishForAttentionInputs(branch);
    else if (step.branches[branch].mlp)
      wishForMlpInputs(branch);
  }
  // Too large scores would make a softmax brittle, too small updates would hide
  // errors.
  settle({Role::Q, Role::K, Role::V, Role::Gate, Role::Up},
         [](double a, double b) { return std::min(a, b); });
  for (size_t branch = 0; branch < plans.size(); ++branch)
    wishForOutput(branch);
  settle({Role::O, Role::Down},
         [](double a, double b) { return std::max(a, b); });
  return std::move(plans);
}

llvm::Expected<std::vector<BranchPlan>>
planStep(const StepSpec &step, llvm::ArrayRef<double> inputRms,
         const StepFacts &facts) {
  return StepPlanner(step, inputRms, facts).plan();
}

} // namespace parablock::generate
