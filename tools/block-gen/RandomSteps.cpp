//===- RandomSteps.cpp - draws random MLPs and structures -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomForms.h"

#include <cmath>
#include <numeric>

namespace parablock::generate {

MlpSpec randomMlp(const Dice &dice, const RandomSizes &sizes,
                  const std::string &name) {
  using block::Activation;
  MlpSpec mlp;
  mlp.hidden = sizes.hidden;
  mlp.gated = dice.chance("gated", 50);
  mlp.activation = static_cast<Activation>(
      dice.pick("activation", block::getMaxEnumValForActivation() + 1));
  auto store = [&](const char *suffix, std::vector<Role> parts) {
    StoredLinear stored = fused(name + suffix, std::move(parts),
                                dice.chance(suffix + std::string(" bias"), 50));
    stored.inputMajor = dice.chance(suffix + std::string(" input major"), 25);
    mlp.linears.push_back(stored);
  };
  switch (mlp.gated ? dice.pick("layout", 3) : 0) {
  case 0:
    if (mlp.gated)
      store(".gate", {Role::Gate});
    store(".up", {Role::Up});
    break;
  case 1:
    store(".gate_up", {Role::Gate, Role::Up});
    break;
  default:
    store(".up_gate", {Role::Up, Role::Gate});
    mlp.linears.back().groups =
        std::gcd(mlp.hidden, dice.among<int64_t>("groups", {1, 2, 4}));
    break;
  }
  store(".down", {Role::Down});
  return mlp;
}

void spanBranches(const Dice &dice, StepSpec &step) {
  StoredLinear input, output;
  input.name = "input_proj";
  output.name = "output_proj";
  output.columns = true;
  int64_t groups = dice.among<int64_t>("shards", {1, 2, 4});
  for (BranchSpec &branch : step.branches) {
    auto &own =
        branch.attention ? branch.attention->linears : branch.mlp->linears;
    for (const StoredLinear &stored : own)
      for (Role part : stored.parts) {
        bool isOutput = part == Role::O || part == Role::Down;
        (isOutput ? output : input).parts.push_back(part);
      }
    own.clear();
    groups = branch.attention ? std::gcd(groups, branch.attention->kvHeads)
                              : std::gcd(groups, branch.mlp->hidden);
  }
  input.groups = output.groups = groups;
  input.bias = dice.chance("input bias", 50);
  output.bias = dice.chance("output bias", 50);
  input.inputMajor = dice.chance("input major", 25);
  output.inputMajor = dice.chance("output major", 25);
  step.linears = {input, output};
}

namespace {
enum class Structure {
  SerialPreNorm,
  ParallelSharedNorm,
  ParallelTwoNorms,
  PostNorm,
  PeriNorm,
  PostNormInBranch,
  NoNorm,
  SameKindPairs, // two attentions side by side, then two MLPs
  Count
};
} // namespace

/// True where no weight decides how large the branch's result is.
static bool hasFixedSize(const StepSpec &step, const BranchSpec &branch) {
  auto hasOutput = [](const std::vector<StoredLinear> &linears) {
    for (const StoredLinear &stored : linears)
      for (Role part : stored.parts)
        if (part == Role::O || part == Role::Down)
          return true;
    return false;
  };
  return branch.attention && !hasOutput(branch.attention->linears) &&
         !hasOutput(step.linears);
}

/// Scales and stored gains on top of a finished step.
static void addScales(const Dice &dice, StepSpec &step,
                      const std::string &name) {
  if (dice.chance("input scale", 20))
    step.inputScale = dice.among("input factor", {0.5, 1.4, 0.0});
  step.skipFromNorm = step.norm && dice.chance("skip from norm", 15);
  for (size_t k = 0; k < step.branches.size(); ++k) {
    BranchSpec &branch = step.branches[k];
    if (hasFixedSize(step, branch))
      continue; // it would only become small
    const std::string number = std::to_string(k);
    if (dice.chance("scale " + number, 25))
      branch.scale = dice.among("factor " + number, {0.7071, 0.22, 2.0});
    if (!dice.chance("gain " + number, 20))
      continue;
    branch.gain = name + "_gain" + number;
    branch.scalarGain = dice.chance("scalar " + number, 40);
    branch.gainMean = dice.among("gain mean " + number, {0.5, 1.0, 0.1});
  }
}

/// The norm of a branch's result: with a gain, which decides its size.
static NormSpec randomPostNorm(const Dice &dice, const std::string &name) {
  NormSpec norm = randomNorm(dice, name);
  norm.gamma = name + ".weight";
  return norm;
}

/// Returns one branch as a separate step, with norms where the structure has
/// them.
static StepSpec serialStep(const Dice &dice, Structure structure,
                           std::vector<BranchSpec> branches,
                           const std::string &name) {
  StepSpec step;
  step.branches = std::move(branches);
  switch (structure) {
  case Structure::PostNorm:
    step.afterNorm = randomNorm(dice.in("norm"), name + "_norm");
    break;
  case Structure::PeriNorm:
    step.norm = randomNorm(dice.in("norm"), name + "_norm");
    [[fallthrough]];
  case Structure::PostNormInBranch:
    for (size_t k = 0; k < step.branches.size(); ++k)
      step.branches[k].postNorm = randomPostNorm(
          dice.in("post"), name + "_post_norm" + (k ? std::to_string(k) : ""));
    break;
  case Structure::NoNorm:
    break;
  default:
    step.norm = randomNorm(dice.in("norm"), name + "_norm");
  }
  addScales(dice, step, name);
  return step;
}

std::vector<StepSpec> randomSteps(const Dice &model, const Dice &layer,
                                  const RandomSizes &sizes, bool causal,
                                  bool cross, int64_t index) {
  auto structure = static_cast<Structure>(
      model.pick("structure", static_cast<int64_t>(Structure::Count)));
  auto attention = [&](const std::string &name, bool isCross) {
    BranchSpec branch;
    branch.attention =
        randomAttention(layer.in(name), sizes, name, causal, isCross, index);
    return branch;
  };
  auto mlp = [&](const std::string &name) {
    BranchSpec branch;
    branch.mlp = randomMlp(layer.in(name), sizes, name);
    return branch;
  };

  bool parallel = structure == Structure::ParallelSharedNorm ||
                  structure == Structure::ParallelTwoNorms;
  std::vector<StepSpec> steps;
  if (parallel) {
    StepSpec step;
    step.branches = {attention("attn", false), mlp("mlp")};
    if (structure == Structure::ParallelSharedNorm) {
      step.norm = randomNorm(layer.in("norm"), "norm");
    } else {
      step.branches[0].preNorm = randomNorm(layer.in("norm 1"), "attn_norm");
      step.branches[1].preNorm = randomNorm(layer.in("norm 2"), "mlp_norm");
    }
    if (layer.chance("spanning", 30))
      spanBranches(layer.in("span"), step);
    addScales(layer.in("parallel"), step, "parallel");
    steps.push_back(step);
    if (cross)
      steps.push_back(serialStep(layer.in("cross step"),
                                 Structure::SerialPreNorm,
                                 {attention("cross", true)}, "cross"));
    return steps;
  }
  bool pairs = structure == Structure::SameKindPairs;
  std::vector<BranchSpec> attentions = {attention("attn", false)};
  std::vector<BranchSpec> mlps = {mlp("mlp")};
  if (pairs) {
    attentions.push_back(attention("attn1", false));
    mlps.push_back(mlp("mlp1"));
  }
  steps.push_back(
      serialStep(layer.in("attn step"), structure, attentions, "attn"));
  if (cross)
    steps.push_back(serialStep(layer.in("cross step"), structure,
                               {attention("cross", true)}, "cross"));
  steps.push_back(serialStep(layer.in("mlp step"), structure, mlps, "mlp"));
  return steps;
}

} // namespace parablock::generate
