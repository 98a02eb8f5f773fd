//===- SpecParts.h - steps and matrices for configs -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_SPECPARTS_H
#define PARABLOCK_LIB_GENERATE_SPECPARTS_H

#include "parablock/Frontends/Generate/LayerSpec.h"
#include <array>

namespace parablock::generate {

/// RMSNorm that rounds before the gain.
NormSpec llamaNorm(const std::string &name, double eps);

/// self_attn.{q,k,v,o}_proj without biases.
std::vector<StoredLinear> llamaProjections();

/// Returns separate matrices, PREFIX + name: q, k, v and o in that order.
std::vector<StoredLinear>
separateProjections(const std::string &prefix,
                    const std::array<const char *, 4> &names, bool qkvBias,
                    bool outputBias);

BranchSpec branch(AttentionSpec attention);
BranchSpec branch(MlpSpec mlp);

/// x + F(N(x)).
StepSpec preNormStep(NormSpec norm, BranchSpec branch);
/// N(x + F(x)).
StepSpec postNormStep(NormSpec norm, BranchSpec branch);
/// x + A(N(x)) + F(N(x)).
StepSpec parallelStep(NormSpec norm, BranchSpec attention, BranchSpec mlp);
/// x + A(N1(x)) + F(N2(x)).
StepSpec parallelStep(NormSpec attentionNorm, BranchSpec attention,
                      NormSpec mlpNorm, BranchSpec mlp);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_SPECPARTS_H
