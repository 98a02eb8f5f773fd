//===- ConfigExperts.cpp - reads mixtral and qwen3_moe configs ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConfigLlama.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::generate;

/// Keys and defaults of a family's experts.
namespace {
struct ExpertKeys {
  llvm::StringRef count, hidden;
  int64_t defaultCount, defaultHidden, defaultChosen;
};
} // namespace

/// Reads experts that a softmax over all of them chooses and weighs.
static ExpertsSpec readExperts(ConfigReader &reader, const ExpertKeys &keys,
                               block::Activation activation) {
  const ConfigFields &fields = reader.fields;
  ExpertsSpec experts;
  experts.count =
      fields.getInt(keys.count, keys.defaultCount, 1, limits::width);
  experts.hidden =
      fields.getInt(keys.hidden, keys.defaultHidden, 1, limits::hidden);
  experts.chosen = fields.getInt("num_experts_per_tok", keys.defaultChosen, 1);
  if (experts.chosen > experts.count)
    fields.refuse("num_experts_per_tok", "at most the " +
                                             llvm::Twine(experts.count) +
                                             " of '" + keys.count + "'");
  experts.activation = activation;
  experts.router = "mlp.gate";
  experts.up = "mlp.experts.gate_up_proj";
  experts.down = "mlp.experts.down_proj";
  experts.divideBy = block::WeightSum::Added;
  return experts;
}

static BranchSpec mixture(const ExpertsSpec &experts) {
  BranchSpec spec;
  spec.experts = experts;
  return spec;
}

void generate::readMixtral(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.hidden = 14336;
  defaults.kvHeads = 8;
  defaults.positions = 131072;
  defaults.theta = 1e6;
  LlamaParts parts = readLlamaParts(reader, defaults);
  parts.attention.scores.window = fields.findInt("sliding_window");
  ExpertsSpec experts = readExperts(
      reader, {"num_local_experts", "intermediate_size", 8, defaults.hidden, 2},
      parts.mlp.activation);
  finishLlama(reader, parts, fields.getEps("rms_norm_eps", 1e-5), {},
              [&](int64_t) { return mixture(experts); });
}

void generate::readQwen3Moe(ConfigReader &reader) {
  const ConfigFields &fields = reader.fields;
  LlamaDefaults defaults;
  defaults.vocab = 151936;
  defaults.width = 2048;
  defaults.hidden = 6144;
  defaults.layers = 24;
  defaults.kvHeads = 4;
  defaults.positions = 32768;
  LlamaParts parts = readLlamaParts(reader, defaults);
  double eps = fields.getEps("rms_norm_eps", 1e-6);
  readQwen3Attention(reader, parts, eps);
  parts.attention.scores.window = readQwenWindow(fields);

  ExpertsSpec experts =
      readExperts(reader,
                  {fields.either("num_local_experts", "num_experts"),
                   "moe_intermediate_size", 128, 768, 8},
                  parts.mlp.activation);
  if (!fields.getBool("norm_topk_prob", false))
    experts.divideBy = block::WeightSum::One;
  experts.roundWeights = true;
  int64_t step = fields.getInt("decoder_sparse_step", 1);
  std::vector<double> dense =
      fields.findReals("mlp_only_layers").value_or(std::vector<double>());
  finishLlama(reader, parts, eps, {}, [&](int64_t i) {
    bool hasExperts = (i + 1) % step == 0 &&
                      !llvm::is_contained(dense, static_cast<double>(i));
    return hasExperts ? mixture(experts) : branch(parts.mlp);
  });
}
