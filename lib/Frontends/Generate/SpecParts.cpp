//===- SpecParts.cpp - steps and matrices for configs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SpecParts.h"

namespace parablock::generate {

NormSpec llamaNorm(const std::string &name, double eps) {
  NormSpec norm = rmsNorm(name, eps);
  norm.rounding = block::NormRounding::BeforeGain;
  return norm;
}

std::vector<StoredLinear> llamaProjections() {
  return separateProjections("self_attn.",
                             {"q_proj", "k_proj", "v_proj", "o_proj"},
                             /*qkvBias=*/false, /*outputBias=*/false);
}

std::vector<StoredLinear>
separateProjections(const std::string &prefix,
                    const std::array<const char *, 4> &names, bool qkvBias,
                    bool outputBias) {
  return {linear(prefix + names[0], Role::Q, qkvBias),
          linear(prefix + names[1], Role::K, qkvBias),
          linear(prefix + names[2], Role::V, qkvBias),
          linear(prefix + names[3], Role::O, outputBias)};
}

BranchSpec branch(AttentionSpec attention) {
  BranchSpec branch;
  branch.attention = std::move(attention);
  return branch;
}

BranchSpec branch(MlpSpec mlp) {
  BranchSpec branch;
  branch.mlp = std::move(mlp);
  return branch;
}

StepSpec preNormStep(NormSpec norm, BranchSpec branch) {
  StepSpec step;
  step.norm = std::move(norm);
  step.branches = {std::move(branch)};
  return step;
}

StepSpec postNormStep(NormSpec norm, BranchSpec branch) {
  StepSpec step;
  step.afterNorm = std::move(norm);
  step.branches = {std::move(branch)};
  return step;
}

StepSpec parallelStep(NormSpec norm, BranchSpec attention, BranchSpec mlp) {
  StepSpec step;
  step.norm = std::move(norm);
  step.branches = {std::move(attention), std::move(mlp)};
  return step;
}

StepSpec parallelStep(NormSpec attentionNorm, BranchSpec attention,
                      NormSpec mlpNorm, BranchSpec mlp) {
  attention.preNorm = std::move(attentionNorm);
  mlp.preNorm = std::move(mlpNorm);
  StepSpec step;
  step.branches = {std::move(attention), std::move(mlp)};
  return step;
}

} // namespace parablock::generate
