//===- StepPlan.h - sizes and distributions of a residual step --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Generated weights must be demanding: an update that is small relative to the
// residual stream, a gain of 1 or a bias of 0 would hide errors. So the builder
// tracks the expected root mean square of every value and chooses distributions
// that keep scores near 1.5 standard deviations and every update a fair share
// of the stream.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_STEPPLAN_H
#define PARABLOCK_LIB_GENERATE_STEPPLAN_H

#include "parablock/Frontends/Generate/LayerSpec.h"
#include "parablock/Support/DrawTensor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <array>
#include <vector>

namespace parablock::generate {

/// A role's matrix: where it is stored, which part of that, and its size.
struct RolePlan {
  const StoredLinear *stored = nullptr; // null if the matrix does not exist
  int64_t out = 0, in = 0;
  /// The role's share of the sliced dimension of `stored`, as [out, in].
  int64_t offset = 0, total = 0;
  double deviation = 0;     // of the weights
  double biasDeviation = 0; // of the bias, where it has one
  double biasMean = 0;
};

/// The expected size of a branch's values, and the roles' plans.
struct BranchPlan {
  std::array<RolePlan, 7> roles;
  double inputRms = 1; // of the branch's input
  double qkGain = 1;   // mean gain of the query and key norm
  double queryRms = 1; // of q as the scores see it
  double queryInputRms = 1,
         sourceRms = 1;   // of what q, and k and v, are made of
  double updateRms = 1;   // of the branch's own result
  double postNormRms = 1; // rms after the postNorm

  RolePlan &operator[](Role role) { return roles[static_cast<int>(role)]; }
  const RolePlan &operator[](Role role) const {
    return roles[static_cast<int>(role)];
  }
};

/// Facts known before a step is planned.
struct StepFacts {
  int64_t width = 0;
  double memoryRms = 1; // rms of the input of cross-attentions
  double streamRms = 1;
  double updateRatio = 1; // intended ratio of an update to the stream
};

/// Plans all branches of a step; `inputRms` has one entry per branch. Fails if
/// a role is missing or a fused matrix cannot be divided as required.
llvm::Expected<std::vector<BranchPlan>>
planStep(const StepSpec &step, llvm::ArrayRef<double> inputRms,
         const StepFacts &facts);

/// Return the distributions of a norm's stored gain around `mean`, and of its
/// bias; `size` is the number of elements normalised together.
DrawRule getGainRule(const NormSpec &norm, double mean = 1);
DrawRule getNormBiasRule(double scale = 1);

/// The expected root mean square of a norm's result.
double getNormedRms(const NormSpec &norm, int64_t size, double gainMean = 1);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_STEPPLAN_H
