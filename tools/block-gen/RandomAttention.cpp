//===- RandomAttention.cpp - draws random attentions and norms ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomForms.h"

#include <cmath>
#include <numeric>

namespace parablock::generate {

using namespace block;

NormSpec randomNorm(const Dice &dice, const std::string &name) {
  NormSpec norm;
  norm.kind = dice.among("kind", {NormKind::Layer, NormKind::Layer,
                                  NormKind::Rms, NormKind::Rms, NormKind::L2});
  norm.eps = dice.among("eps", {1e-12, 1e-6, 1e-5, 1e-3, 1e-2});
  norm.epsForm =
      dice.among("eps form", {EpsForm::InsideRoot, EpsForm::InsideRoot,
                              EpsForm::OutsideRoot, EpsForm::Clamp});
  norm.rounding = dice.among(
      "rounding", {NormRounding::AfterGain, NormRounding::BeforeGain});
  // Rows of length 1 stay small without a gain.
  if (norm.kind == NormKind::L2 || dice.chance("gamma", 80)) {
    norm.gamma = name + ".weight";
    norm.gammaForm =
        dice.among("gamma form",
                   {GammaForm::Direct, GammaForm::Direct, GammaForm::OnePlus});
  }
  if (dice.chance("beta", 50))
    norm.beta = name + ".bias";
  return norm;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

static ScoresSpec randomScores(const Dice &dice, int64_t headDim, bool causal,
                               bool cross, int64_t layer) {
  double root = 1 / std::sqrt(double(headDim));
  ScoresSpec scores;
  scores.scale =
      dice.among("scale", {root, root, root, 1.0, 0.1, root / (layer + 1)});
  scores.causal = causal && !cross;
  scores.order =
      dice.among("order", {ScoreOrder::ScaleBiasCap, ScoreOrder::BiasScaleCap,
                           ScoreOrder::ScaleCapBias});
  if (dice.chance("softcap", 25))
    scores.softcap = dice.real("cap", 2, 20);
  if (cross)
    return scores;
  if (dice.chance("window", 25) && !(dice.chance("alternate", 50) && layer % 2))
    scores.window = 1 + dice.pick("window size", 9);
  if (dice.chance("alibi", 20))
    scores.alibiMax = dice.among("alibi max", {8.0, 4.0, 16.0});
  if (scores.alibiMax && scores.causal && dice.chance("alibi rounded", 30))
    scores.alibiType = dice.among(
        "alibi type", {TableType::F32, TableType::BF16, TableType::F16});
  return scores;
}

static std::optional<RopeSpec> randomRope(const Dice &dice, int64_t headDim) {
  if (headDim < 2 || !dice.chance("rope", 50))
    return std::nullopt;
  RopeSpec rope;
  rope.style = dice.among("style", {RopeStyle::Half, RopeStyle::Interleaved});
  rope.dim = dice.chance("whole head", 50)
                 ? headDim / 2 * 2
                 : 2 + 2 * dice.pick("pairs", headDim / 2);
  rope.base = dice.among("base", {10000.0, 1e6, 500.0});
  if (dice.chance("listed", 30))
    for (int64_t pair = 0; pair < rope.dim / 2; ++pair)
      rope.invFreq.push_back(
          dice.real("frequency " + std::to_string(pair), 0.01, 1.5));
  rope.tableScale =
      dice.chance("scaled", 30) ? dice.real("factor", 0.7, 1.3) : 1.0;
  rope.tableType =
      dice.among("table", {TableType::Unrounded, TableType::Unrounded,
                           TableType::F32, TableType::BF16, TableType::F16});
  return rope;
}

/// Gains of all heads side by side: one vector, a matrix, or a tensor a head.
static StoredVector spreadOverHeads(const Dice &dice, const StoredVector &one,
                                    int64_t heads, int64_t headDim) {
  StoredVector stored = one;
  if (!one.exists())
    return stored;
  switch (dice.pick("storage", 3)) {
  case 0:
    stored.shape = {heads, headDim};
    break;
  case 1:
    stored.names.clear();
    for (int64_t head = 0; head < heads; ++head)
      stored.names.push_back(one.names[0] + "." + std::to_string(head));
    break;
  default: // as one vector
    break;
  }
  return stored;
}

static std::optional<QkNormSpec> randomQkNorm(const Dice &dice,
                                              const RandomSizes &sizes,
                                              const std::string &name) {
  if (!dice.chance("qk norm", 35))
    return std::nullopt;
  QkNormSpec norm;
  norm.q = randomNorm(dice, name + ".q_norm");
  norm.k = randomNorm(dice, name + ".k_norm");
  norm.extent = dice.among("extent", {QkNormExtent::Head, QkNormExtent::Whole});
  norm.place =
      dice.among("place", {QkNormPlace::BeforeRope, QkNormPlace::AfterRope});
  if (norm.extent == QkNormExtent::Whole || dice.chance("shared", 50))
    return norm;
  norm.sharedByHeads = false;
  norm.q.gamma =
      spreadOverHeads(dice, norm.q.gamma, sizes.heads, sizes.headDim);
  norm.k.gamma =
      spreadOverHeads(dice, norm.k.gamma, sizes.kvHeads, sizes.headDim);
  return norm;
}

/// Tables that add to the scores and gains that shape them.
static void addTables(const Dice &dice, AttentionSpec &attention,
                      const std::string &name) {
  if (dice.chance("buckets", 20)) {
    BucketsSpec &buckets = attention.buckets.emplace();
    bool shared = dice.chance("shared table", 50);
    buckets.table =
        (shared ? (attention.cross ? "/shared_cross" : "/shared") : name) +
        ".relative_attention_bias.weight";
    buckets.count = 8;
    buckets.maxDistance = dice.among<int64_t>("distance", {12, 128});
    buckets.bidirectional = dice.chance("bidirectional", 50);
    if (shared) // one table cannot be cut in two ways
      buckets.bidirectional = attention.cross;
  }
  if (dice.chance("shaw", 15)) {
    ShawSpec &shaw = attention.shaw.emplace();
    shaw.distance = 1 + dice.pick("shaw distance", 6);
    int64_t which = dice.pick("shaw tables", 3);
    if (which != 1)
      shaw.key = name + ".shaw_key.weight";
    if (which != 0)
      shaw.value = name + ".shaw_value.weight";
  }
  if (dice.chance("sinks", 15))
    attention.sinks = name + ".sinks";
  if (!dice.chance("shaped", 20))
    return;
  attention.scalarGains = dice.chance("scalar gains", 40);
  auto gain = [&](const char *suffix) {
    StoredVector stored(name + suffix);
    if (!attention.scalarGains && dice.chance("gain shape", 50))
      stored.shape = {1, attention.heads, 1, 1};
    return stored;
  };
  // In a cross-attention, keys and queries differ: there is no own value.
  if (!attention.cross && dice.chance("alpha", 70))
    attention.alpha = gain(".alpha");
  if (dice.chance("beta gain", 70))
    attention.beta = gain(".beta");
  if (dice.chance("gamma gain", 70))
    attention.gamma = gain(".gamma");
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static StoredLinear randomStored(const Dice &dice, std::string name,
                                 std::vector<Role> parts, int64_t groups) {
  StoredLinear stored =
      fused(std::move(name), std::move(parts), dice.chance("bias", 50), groups);
  stored.inputMajor = dice.chance("input major", 25);
  return stored;
}

/// Returns a separate matrix, sometimes stored as a change of its initial
/// value.
static StoredLinear randomMatrix(const Dice &dice, const std::string &name,
                                 Role role, bool square) {
  StoredLinear stored = randomStored(dice, name, {role}, 1);
  if (!dice.chance("reparam", 15))
    return stored;
  ReparamSpec &reparam = stored.reparam.emplace();
  reparam.skip = dice.real("skip", 0.5, 1);
  reparam.residual = dice.real("residual", 0.5, 1);
  if (!square || dice.chance("initial", 50))
    reparam.initial = name + ".initial";
  return stored;
}

static std::vector<Role> shuffle(const Dice &dice, std::vector<Role> parts) {
  for (size_t left = parts.size(); left > 1; --left)
    std::swap(parts[left - 1],
              parts[dice.pick("order " + std::to_string(left), left)]);
  return parts;
}

static void addProjections(const Dice &dice, AttentionSpec &attention,
                           const RandomSizes &sizes, const std::string &name) {
  auto &linears = attention.linears;
  bool hasValue = true;
  // Without a value matrix the input is cut into heads.
  if (dice.chance("identity value", 12) &&
      sizes.width % attention.kvHeads == 0) {
    hasValue = false;
    attention.valueHeadDim = sizes.width / attention.kvHeads;
  }
  std::vector<Role> parts = {Role::Q, Role::K};
  if (hasValue)
    parts.push_back(Role::V);
  int64_t valueWidth = attention.kvHeads * attention.valueHeadDim;
  switch (dice.pick("layout", 4)) {
  case 0: // a matrix each
  case 1:
    linears.push_back(randomMatrix(dice.in("q"), name + ".q", Role::Q, false));
    linears.push_back(randomMatrix(dice.in("k"), name + ".k", Role::K, false));
    if (hasValue)
      linears.push_back(randomMatrix(dice.in("v"), name + ".v", Role::V,
                                     valueWidth == sizes.width));
    break;
  case 2: // one after the other, in any order
    linears.push_back(
        randomStored(dice.in("qkv"), name + ".qkv", shuffle(dice, parts), 1));
    break;
  default: // per head, per group or per shard
    linears.push_back(randomStored(
        dice.in("qkv"), name + ".qkv", shuffle(dice, parts),
        std::gcd(attention.kvHeads, dice.among<int64_t>("shards", {8, 4, 2}))));
    break;
  }
  int64_t outputs = attention.heads * attention.valueHeadDim;
  if (outputs == sizes.width && dice.chance("identity output", 15))
    return;
  linears.push_back(
      randomMatrix(dice.in("o"), name + ".o", Role::O, outputs == sizes.width));
}

AttentionSpec randomAttention(const Dice &dice, const RandomSizes &sizes,
                              const std::string &name, bool causal, bool cross,
                              int64_t layer) {
  AttentionSpec attention;
  attention.cross = cross;
  attention.heads = sizes.heads;
  attention.kvHeads = sizes.kvHeads;
  attention.headDim = sizes.headDim;
  attention.valueHeadDim = sizes.valueHeadDim;
  attention.scores = randomScores(dice, sizes.headDim, causal, cross, layer);
  if (!cross)
    attention.rope = randomRope(dice, sizes.headDim);
  attention.qkNorm = randomQkNorm(dice.in("qk"), sizes, name);
  if (dice.chance("clip", 15))
    attention.clip = dice.real("limit", 0.8, 2.5);
  addProjections(dice, attention, sizes, name);
  addTables(dice, attention, name);
  return attention;
}

} // namespace parablock::generate
