//===- FamilyReader.cpp - reads families from their JSON ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file implements the reader of one family of families/*.json. A family
// has the fields of a ModelSpec; README.md in that folder describes them. The
// texts are part of the program: a mistake in one is an internal error.
//
//===----------------------------------------------------------------------===//

#include "FamilyTable.h"
#include "FamilyValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <functional>
#include <numeric>

using namespace parablock;
using namespace parablock::generate;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

namespace {
using ReadValue = std::function<void(const json::Value &)>;

/// Reads a model of the given sizes.
class FamilyReader {
public:
  explicit FamilyReader(const Sizes &sizes) : sizes(sizes) {}

  ModelSpec readModel(const json::Value &model);

private:
  using Field = std::pair<StringRef, ReadValue>;

  /// Calls the reader of each field of an object. Other fields are errors.
  static void readObject(const json::Value &value,
                         std::initializer_list<Field> fields);

  template <typename T> ReadValue into(T &target) {
    return [this, &target](const json::Value &value) { read(value, target); };
  }

  void read(const json::Value &value, bool &flag);
  void read(const json::Value &value, int64_t &number);
  void read(const json::Value &value, double &number);
  void read(const json::Value &value, std::string &text);
  void read(const json::Value &value, TableType &type);
  void read(const json::Value &value, StoredVector &vector);
  void read(const json::Value &value, NormSpec &norm);
  void read(const json::Value &value, StoredLinear &linear);
  void read(const json::Value &value, ReparamSpec &reparam) {
    readObject(value, {{"initial", into(reparam.initial)}});
  }
  void read(const json::Value &value, RopeSpec &rope);
  void read(const json::Value &value, QkNormSpec &norm);
  void read(const json::Value &value, BucketsSpec &buckets);
  void read(const json::Value &value, LatentSpec &latent);
  void read(const json::Value &value, AttentionSpec &attention);
  void read(const json::Value &value, MlpSpec &mlp);
  void read(const json::Value &value, ExpertsSpec &experts);
  void read(const json::Value &value, BranchSpec &branch);
  void read(const json::Value &value, StepSpec &step);
  void read(const json::Value &value, std::vector<LayerSpec> &layers);
  void read(const json::Value &value, EmbeddingSpec &embedding);
  void read(const json::Value &value, HeadSpec &head);
  template <typename T>
  std::enable_if_t<std::is_enum_v<T>> read(const json::Value &value, T &item);
  template <typename T>
  void read(const json::Value &value, std::optional<T> &item) {
    read(value, item.emplace());
  }
  template <typename T>
  void read(const json::Value &value, std::vector<T> &items);

  void readNorm(const json::Value &form, std::string name, NormSpec &norm);
  void readLinear(const json::Value &form, StringRef tensor,
                  StoredLinear &linear);

  const Sizes &sizes;
  /// The forms of norms and matrices that are given by their names alone.
  json::Value norms = json::Object(), matrices = json::Object();
};
} // namespace

//===----------------------------------------------------------------------===//
// Plain values
//===----------------------------------------------------------------------===//

void FamilyReader::readObject(const json::Value &value,
                              std::initializer_list<Field> fields) {
  for (const auto &field : getObject(value)) {
    StringRef key = field.first;
    const Field *known = llvm::find_if(
        fields, [&](const Field &known) { return known.first == key; });
    if (known == fields.end())
      stop("unknown field '" + key + "'");
    known->second(field.second);
  }
}

void FamilyReader::read(const json::Value &value, bool &flag) {
  std::optional<bool> found = value.getAsBoolean();
  if (!found)
    stop("true or false", value);
  flag = *found;
}

void FamilyReader::read(const json::Value &value, int64_t &number) {
  std::optional<int64_t> found = value.getAsInteger();
  if (auto name = value.getAsString())
    found =
        llvm::StringSwitch<std::optional<int64_t>>(*name)
            .Case("heads", sizes.heads)
            .Case("kv_heads", sizes.kvHeads)
            .Case("head_dim", sizes.headDim)
            .Case("vocab", sizes.vocab)
            // Published models have this many shards; fewer heads have
            // fewer.
            .Case("gcd(kv_heads, 4)", std::gcd(sizes.kvHeads, int64_t(4)))
            .Case("gcd(kv_heads, 8, hidden)",
                  std::gcd(std::gcd(sizes.kvHeads, int64_t(8)), sizes.hidden))
            .Default(std::nullopt);
  if (!found)
    stop("an integer or the name of a size", value);
  number = *found;
}

void FamilyReader::read(const json::Value &value, double &number) {
  std::optional<double> found = value.getAsNumber();
  if (auto formula = value.getAsString())
    found = llvm::StringSwitch<std::optional<double>>(*formula)
                .Case("sqrt(width)", std::sqrt(double(sizes.width)))
                .Case("1/sqrt(width)", 1 / std::sqrt(double(sizes.width)))
                .Case("(2*layers)^(1/4)", std::pow(2.0 * sizes.layers, 0.25))
                .Default(std::nullopt);
  if (!found)
    stop("a number or a formula", value);
  number = *found;
}

void FamilyReader::read(const json::Value &value, std::string &text) {
  std::optional<StringRef> found = value.getAsString();
  if (!found)
    stop("a string", value);
  text = found->str();
}

void FamilyReader::read(const json::Value &value, TableType &type) {
  if (value.getAsString() != "bf16")
    stop("bf16", value);
  type = TableType::BF16;
}

template <typename T>
std::enable_if_t<std::is_enum_v<T>> FamilyReader::read(const json::Value &value,
                                                       T &item) {
  std::string name;
  read(value, name);
  std::optional<T> found = block::symbolizeEnum<T>(name);
  if (!found)
    stop("the name of a case", value);
  item = *found;
}

template <typename T>
void FamilyReader::read(const json::Value &value, std::vector<T> &items) {
  for (const json::Value &item : getList(value))
    read(item, items.emplace_back());
}

/// Replaces "{}" in a name.
static std::string number(StringRef name, int64_t index) {
  auto [before, after] = name.split("{}");
  if (before.size() == name.size())
    return name.str();
  return (before + Twine(index) + after).str();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// A name, a name with a shape, or one tensor for each of `count`.
void FamilyReader::read(const json::Value &value, StoredVector &vector) {
  if (auto name = value.getAsString()) {
    vector = name->str();
    return;
  }
  std::string name, each;
  int64_t count = 0;
  readObject(value, {{"name", into(name)},
                     {"shape", into(vector.shape)},
                     {"each", into(each)},
                     {"count", into(count)}});
  if (!name.empty())
    vector.names.push_back(name);
  for (int64_t index = 0; index < count; ++index)
    vector.names.push_back(number(each, index));
}

void FamilyReader::read(const json::Value &value, NormSpec &norm) {
  if (auto name = value.getAsString())
    return readNorm(norms, name->str(), norm);
  readNorm(value, "", norm);
}

void FamilyReader::readNorm(const json::Value &form, std::string name,
                            NormSpec &norm) {
  std::string gainName = "weight";
  std::optional<bool> bias;
  readObject(form, {{"name", into(name)},
                    {"kind", into(norm.kind)},
                    {"eps", into(norm.eps)},
                    {"eps_form", into(norm.epsForm)},
                    {"gamma_form", into(norm.gammaForm)},
                    {"rounding", into(norm.rounding)},
                    {"gain_name", into(gainName)},
                    {"bias", into(bias)},
                    {"gamma", into(norm.gamma)}});
  if (name.empty())
    return;
  norm.gamma = name + "." + gainName;
  if (bias.value_or(norm.kind == block::NormKind::Layer))
    norm.beta = name + ".bias";
}

void FamilyReader::read(const json::Value &value, StoredLinear &linear) {
  if (auto tensor = value.getAsString())
    return readLinear(matrices, *tensor, linear);
  readLinear(value, "", linear);
}

/// `tensor` is a name and its parts: "attn.c_attn: q k v".
void FamilyReader::readLinear(const json::Value &form, StringRef tensor,
                              StoredLinear &linear) {
  std::string text = tensor.str();
  readObject(form, {{"tensor", into(text)},
                    {"bias", into(linear.bias)},
                    {"groups", into(linear.groups)},
                    {"columns", into(linear.columns)},
                    {"input_major", into(linear.inputMajor)},
                    {"reparam", into(linear.reparam)}});
  auto [name, parts] = StringRef(text).split(": ");
  linear.name = name.str();
  if (parts.empty())
    return;
  for (StringRef part : llvm::split(parts, ' ')) {
    auto role = llvm::StringSwitch<std::optional<Role>>(part)
                    .Case("q", Role::Q)
                    .Case("k", Role::K)
                    .Case("v", Role::V)
                    .Case("o", Role::O)
                    .Case("gate", Role::Gate)
                    .Case("up", Role::Up)
                    .Case("down", Role::Down)
                    .Default(std::nullopt);
    if (!role)
      stop("unknown part '" + part + "' of '" + text + "'");
    linear.parts.push_back(*role);
  }
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void FamilyReader::read(const json::Value &value, RopeSpec &rope) {
  rope.dim = sizes.ropeDim;
  readObject(value, {{"base", into(rope.base)},
                     {"style", into(rope.style)},
                     {"table_type", into(rope.tableType)}});
}

void FamilyReader::read(const json::Value &value, QkNormSpec &norm) {
  readObject(value, {{"q", into(norm.q)},
                     {"k", into(norm.k)},
                     {"extent", into(norm.extent)},
                     {"place", into(norm.place)},
                     {"shared_by_heads", into(norm.sharedByHeads)}});
}

void FamilyReader::read(const json::Value &value, BucketsSpec &buckets) {
  readObject(value, {{"table", into(buckets.table)},
                     {"bidirectional", into(buckets.bidirectional)}});
}

/// Returns a share of a size as a fraction of two integers gives it, rounded up
/// to a multiple of `unit`.
static int64_t takeShare(int64_t size, const std::vector<int64_t> &fraction,
                         int64_t unit, const json::Value &value) {
  if (fraction.size() != 2 || fraction[0] < 1 || fraction[1] < 1)
    stop("a fraction of two positive integers", value);
  int64_t parts = fraction[1] * unit;
  return (size * fraction[0] + parts - 1) / parts * unit;
}

/// Ranks are shares of the width.
void FamilyReader::read(const json::Value &value, LatentSpec &latent) {
  std::vector<int64_t> share, queryShare;
  readObject(value, {{"share", into(share)},
                     {"down", into(latent.down)},
                     {"norm", into(latent.norm)},
                     {"query_share", into(queryShare)},
                     {"query_down", into(latent.queryDown)},
                     {"query_norm", into(latent.queryNorm)}});
  latent.rank = takeShare(sizes.width, share, 8, value);
  if (!queryShare.empty())
    latent.queryRank = takeShare(sizes.width, queryShare, 8, value);
}

/// Heads of queries and keys of a latent are as wide as their rotated
/// components and those of a value together.
void FamilyReader::read(const json::Value &value, AttentionSpec &attention) {
  attention.heads = sizes.heads;
  attention.kvHeads = sizes.kvHeads;
  attention.headDim = attention.valueHeadDim = sizes.headDim;
  ScoresSpec &scores = attention.scores;
  std::optional<double> scale;
  readObject(value, {{"causal", into(scores.causal)},
                     {"cross", into(attention.cross)},
                     {"scale", into(scale)},
                     {"latent", into(attention.latent)},
                     {"window", into(scores.window)},
                     {"softcap", into(scores.softcap)},
                     {"alibi_max", into(scores.alibiMax)},
                     {"order", into(scores.order)},
                     {"rope", into(attention.rope)},
                     {"qk_norm", into(attention.qkNorm)},
                     {"buckets", into(attention.buckets)},
                     {"sinks", into(attention.sinks)},
                     {"alpha", into(attention.alpha)},
                     {"beta", into(attention.beta)},
                     {"gamma", into(attention.gamma)},
                     {"linears", into(attention.linears)}});
  if (attention.latent) {
    if (!attention.rope || sizes.kvHeads != sizes.heads)
      stop("a latent with a rotation, and as many keys as queries", value);
    attention.headDim += attention.rope->dim;
  }
  scores.scale = scale.value_or(1 / std::sqrt(double(attention.headDim)));
}

void FamilyReader::read(const json::Value &value, MlpSpec &mlp) {
  mlp.hidden = sizes.hidden;
  readObject(value, {{"activation", into(mlp.activation)},
                     {"gated", into(mlp.gated)},
                     {"linears", into(mlp.linears)}});
}

/// A hidden width is a share of that of dense layers, as a fraction, rounded up
/// to a multiple of 8.
void FamilyReader::read(const json::Value &value, ExpertsSpec &experts) {
  std::vector<int64_t> share, sharedShare;
  readObject(value, {{"count", into(experts.count)},
                     {"share", into(share)},
                     {"up", into(experts.up)},
                     {"down", into(experts.down)},
                     {"biases", into(experts.biases)},
                     {"activation", into(experts.activation)},
                     {"layout", into(experts.layout)},
                     {"transposed", into(experts.transposed)},
                     {"limit", into(experts.limit)},
                     {"up_offset", into(experts.upOffset)},
                     {"router", into(experts.router)},
                     {"router_bias", into(experts.routerBias)},
                     {"router_f32", into(experts.routerIsF32)},
                     {"correction", into(experts.correction)},
                     {"chosen", into(experts.chosen)},
                     {"score", into(experts.score)},
                     {"weight", into(experts.weight)},
                     {"divide_by", into(experts.divideBy)},
                     {"eps", into(experts.eps)},
                     {"weight_scale", into(experts.weightScale)},
                     {"groups", into(experts.groups)},
                     {"kept", into(experts.kept)},
                     {"group_score", into(experts.groupScore)},
                     {"round_weights", into(experts.roundWeights)},
                     {"shared", into(experts.shared)},
                     {"shared_share", into(sharedShare)},
                     {"shared_router", into(experts.sharedRouter)},
                     {"scale", into(experts.scale)}});
  auto scale = [&](const std::vector<int64_t> &fraction) {
    return fraction.empty() ? sizes.hidden
                            : takeShare(sizes.hidden, fraction, 8, value);
  };
  experts.hidden = scale(share);
  experts.sharedHidden = scale(sharedShare);
}

void FamilyReader::read(const json::Value &value, BranchSpec &branch) {
  readObject(value, {{"attention", into(branch.attention)},
                     {"mlp", into(branch.mlp)},
                     {"experts", into(branch.experts)},
                     {"pre_norm", into(branch.preNorm)},
                     {"post_norm", into(branch.postNorm)},
                     {"scale", into(branch.scale)},
                     {"gain", into(branch.gain)},
                     {"scalar_gain", into(branch.scalarGain)},
                     {"gain_mean", into(branch.gainMean)}});
}

void FamilyReader::read(const json::Value &value, StepSpec &step) {
  readObject(value, {{"norm", into(step.norm)},
                     {"after_norm", into(step.afterNorm)},
                     {"input_scale", into(step.inputScale)},
                     {"branches", into(step.branches)},
                     {"linears", into(step.linears)}});
}

void FamilyReader::read(const json::Value &value,
                        std::vector<LayerSpec> &layers) {
  std::string prefix;
  int64_t firstNumber = 0, firstCount = 1;
  std::vector<int64_t> firstShare;
  json::Value steps = nullptr, first = json::Object(), even = json::Object(),
              fourth = json::Object();
  auto keep = [](json::Value &kept) {
    return [&kept](const json::Value &value) { kept = value; };
  };
  readObject(value, {{"prefix", into(prefix)},
                     {"first_number", into(firstNumber)},
                     {"steps", keep(steps)},
                     {"first", keep(first)},
                     {"first_share", into(firstShare)},
                     {"even", keep(even)},
                     {"fourth", keep(fourth)}});
  if (!firstShare.empty())
    firstCount = takeShare(sizes.layers, firstShare, 1, value);
  for (int64_t index = 0; index < sizes.layers; ++index) {
    json::Value own = steps;
    if (index < firstCount)
      patch(own, first);
    if (index % 2 == 0)
      patch(own, even);
    if (index % 4 == 3)
      patch(own, fourth);
    LayerSpec &layer = layers.emplace_back();
    layer.prefix = number(prefix, firstNumber + index);
    read(own, layer.steps);
  }
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

void FamilyReader::read(const json::Value &value, EmbeddingSpec &embedding) {
  embedding.vocab = sizes.vocab;
  readObject(value, {{"table", into(embedding.table)},
                     {"scale", into(embedding.scale)},
                     {"positions", into(embedding.positionTable)},
                     {"offset", into(embedding.positionOffset)},
                     {"pad_id", into(embedding.padId)},
                     {"sinusoid", into(embedding.sinusoid)},
                     {"types", into(embedding.typeTable)},
                     {"type_count", into(embedding.typeCount)},
                     {"norm", into(embedding.norm)}});
  if (embedding.positionTable.empty())
    return;
  embedding.positionCount = sizes.positions + embedding.positionOffset;
  // Positions count the real tokens from the padding id on.
  if (embedding.padId)
    embedding.positionCount += *embedding.padId + 1;
}

void FamilyReader::read(const json::Value &value, HeadSpec &head) {
  head.vocab = sizes.vocab;
  readObject(value, {{"weight", into(head.weight)},
                     {"bias", into(head.bias)},
                     {"scale", into(head.scale)},
                     {"softcap", into(head.softcap)}});
}

ModelSpec FamilyReader::readModel(const json::Value &model) {
  // Forms precede what they are the form of.
  if (const json::Value *form = getObject(model).get("norms"))
    norms = *form;
  if (const json::Value *form = getObject(model).get("matrices"))
    matrices = *form;
  auto done = [](const json::Value &) {};
  ModelSpec spec;
  readObject(model, {{"name", done},
                     {"is", done},
                     {"sizes", done},
                     {"values_are_rows", done},
                     {"norms", done},
                     {"matrices", done},
                     {"tokens", into(spec.positions)},
                     {"embedding", into(spec.stack.embedding)},
                     {"layers", into(spec.stack.layers)},
                     {"final_norm", into(spec.stack.finalNorm)},
                     {"head", into(spec.head)}});
  // A model that is a sequence of modules numbers this norm like a layer.
  if (std::optional<NormSpec> &norm = spec.stack.finalNorm)
    for (std::string &name : norm->gamma.names)
      name = number(name, sizes.layers + 1);
  return spec;
}

ModelSpec Family::make(const Sizes &sizes) const {
  return FamilyReader(sizes).readModel(model);
}
