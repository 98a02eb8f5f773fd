//===- LayerSpec.h - one transformer block as data --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A layer is a list of residual steps, each of one or more branches:
//
//   n = norm(x)                                   where the step has a norm
//   b_k = gain_k * postNorm_k(F_k(preNorm_k(x) or n or x))
//   y = afterNorm(inputScale * (x or n) + sum_k scale_k * b_k)
//
//   serial pre-norm    two steps of one branch, each with a norm
//   parallel shared    one step with a norm and two branches
//   parallel two norms one step, two branches with a preNorm each
//   post-LN            two steps with an afterNorm
//   peri-LN            two steps with a norm, branches with a postNorm
//   post-norm inside   two steps without a norm, branches with a postNorm
//   decoder            three steps, the second with a cross-attention
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATE_LAYERSPEC_H
#define PARABLOCK_GENERATE_LAYERSPEC_H

#include "parablock/Frontends/Generate/WeightSpec.h"

namespace parablock::generate {

enum class TableType { Unrounded, F32, BF16, F16 };

struct ScoresSpec {
  double scale = 1;
  bool causal = false;
  std::optional<int64_t> window;
  std::optional<double> softcap, alibiMax;
  block::ScoreOrder order = block::ScoreOrder::ScaleBiasCap;
  TableType alibiType = TableType::Unrounded;
};

struct RopeSpec {
  block::RopeStyle style = block::RopeStyle::Half;
  int64_t dim = 0; // rotated components of each head, even
  double base = 10000;
  std::vector<double> invFreq; // dim/2 frequencies that replace those of `base`
  double tableScale = 1;
  TableType tableType = TableType::Unrounded;
};

/// The gains of `q` and `k` have the size of one head (shared by all heads), or
/// of all heads if `sharedByHeads` is false or the extent is Whole.
struct QkNormSpec {
  NormSpec q, k; // one form, each with its own gamma and beta
  block::QkNormExtent extent = block::QkNormExtent::Head;
  block::QkNormPlace place = block::QkNormPlace::BeforeRope;
  bool sharedByHeads = true;
};

/// T5's table [count, heads]; layers that name the same table share it.
struct BucketsSpec {
  std::string table; // full name, usually absolute ('/')
  int64_t count = 32, maxDistance = 128;
  bool bidirectional = false;
};

/// Shaw tables [2 * distance + 1, head dim]; either may be empty.
struct ShawSpec {
  int64_t distance = 8;
  std::string key, value; // full names
};

/// Multi-head latent attention. `down` makes of a row of the input a latent of
/// `rank` elements, of which `norm` and the matrices of roles K and V make keys
/// and values, and one part of a key that is rotated and that all heads share:
/// the last `rope->dim` components of each. With a `queryRank`, role Q reads
/// the result of `queryDown` and `queryNorm`.
struct LatentSpec {
  int64_t rank = 0, queryRank = 0;
  StoredLinear down, queryDown; // of no role
  NormSpec norm, queryNorm;
};

struct AttentionSpec {
  bool cross = false;
  int64_t heads = 1, kvHeads = 1;
  int64_t headDim = 0, valueHeadDim = 0; // of q and k; of v
  std::optional<LatentSpec> latent;
  ScoresSpec scores;
  std::optional<RopeSpec> rope;
  std::optional<QkNormSpec> qkNorm;
  std::optional<double> clip;
  std::optional<BucketsSpec> buckets;
  std::optional<ShawSpec> shaw;
  StoredVector alpha, beta, gamma; // shaped attention, one element per head
  StoredVector sinks;              // logits beside those of the keys
  bool scalarGains = false;        // or one element in all
  /// Roles Q, K, V, O. Without V the input is the value; without O there is no
  /// output projection.
  std::vector<StoredLinear> linears;
};

struct MlpSpec {
  int64_t hidden = 0;
  block::Activation activation = block::Activation::GeluTanh;
  bool gated = false;
  /// Roles Up, Down and, if gated, Gate.
  std::vector<StoredLinear> linears;
};

/// A router with stacked experts, and shared ones beside them. Tensors of
/// stacks have no suffix; their biases are named NAME_bias.
struct ExpertsSpec {
  int64_t count = 1, hidden = 0;
  std::string up, down;
  bool biases = false;
  block::Activation activation = block::Activation::Silu;
  block::ExpertLayout layout = block::ExpertLayout::GateUp;
  bool transposed = false;
  block::Weigh weigh = block::Weigh::Output;
  std::optional<double> limit, upOffset;

  std::string router; // without ".weight" and ".bias"
  bool routerBias = false, routerIsF32 = false;
  std::string correction; // full name, or empty; of f32
  int64_t chosen = 1;
  block::RouterScore score = block::RouterScore::Softmax;
  block::RouterWeight weight = block::RouterWeight::Score;
  block::WeightSum divideBy = block::WeightSum::One;
  std::optional<double> eps, logitScale, weightScale;
  int64_t groups = 1, kept = 1;
  block::GroupScore groupScore = block::GroupScore::Best;
  block::HiddenGroups hiddenGroups = block::HiddenGroups::Never;
  bool roundWeights = false;

  /// Prefix of gate_proj, up_proj and down_proj, or empty.
  std::string shared;
  int64_t sharedHidden = 0;
  std::string sharedRouter; // without ".weight", or empty
  double scale = 1;         // of the sum of both
};

struct BranchSpec {
  std::optional<AttentionSpec> attention; // one of these three
  std::optional<MlpSpec> mlp;
  std::optional<ExpertsSpec> experts;
  std::optional<NormSpec> preNorm, postNorm;
  double scale = 1;
  /// A stored gain: per channel (LayerScale) or, with `scalarGain`, one
  /// element.
  StoredVector gain;
  bool scalarGain = false;
  double gainMean = 0.5; // mean of a gain in generated weights
};

struct StepSpec {
  std::optional<NormSpec> norm, afterNorm;
  double inputScale = 1;
  bool skipFromNorm = false; // the skip carries n, not x (BLOOM's option)
  std::vector<BranchSpec> branches;
  /// Matrices that span the branches (the single linear of PaLM and mesh-v2);
  /// branches without their own matrix for a role use these.
  std::vector<StoredLinear> linears;
};

struct LayerSpec {
  std::string prefix; // "h.0": label of the layer and prefix of its names
  std::vector<StepSpec> steps;
};

} // namespace parablock::generate

#endif // PARABLOCK_GENERATE_LAYERSPEC_H
