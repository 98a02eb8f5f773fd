//===- ConfigLlama.h - parts of llama configs -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_CONFIGLLAMA_H
#define PARABLOCK_LIB_GENERATE_CONFIGLLAMA_H

#include "ConfigReader.h"

namespace parablock::generate {

/// Default sizes of a family. No `kvHeads`: all heads; no `headDim`: the width
/// divided by the heads.
struct LlamaDefaults {
  int64_t vocab = 32000, width = 4096, hidden = 11008;
  int64_t layers = 32, heads = 32, kvHeads = 0, headDim = 0;
  bool readsHeadDim = true; // else `head_dim` is another model's key
  /// Sizes of heads have keys of their own: that of the rotated part is the
  /// rope source's.
  bool hasLatent = false;
  int64_t positions = 2048;
  double theta = 10000;
  bool tied = false;
  llvm::StringRef activationKey = "hidden_act", activation = "silu";
};

/// Parts that all of them share: separate q, k, v, o without biases, a
/// full rotation and a gated MLP. Families change them before creating
/// layers.
struct LlamaParts {
  int64_t layers;
  AttentionSpec attention;
  MlpSpec mlp;

  void setAttentionBias(bool qkv, bool o);
  void setMlpBias(bool bias);
};

/// Also sets the embedding, the head and the positions.
LlamaParts readLlamaParts(ConfigReader &reader, const LlamaDefaults &defaults,
                          const RopeSource &rope = {});

/// Applies granite's factors to a model that is finished.
void scaleGranite(ConfigReader &reader);

/// Keys and defaults of a family's experts.
struct ExpertKeys {
  llvm::StringRef count, hidden;
  int64_t defaultCount, defaultHidden, defaultChosen;
};

/// Reads experts that a softmax over all of them chooses and weighs, under
/// "mlp".
ExpertsSpec readExperts(ConfigReader &reader, const ExpertKeys &keys,
                        block::Activation activation);

BranchSpec mixture(const ExpertsSpec &experts);

/// Reads the biases of attention, and sets qwen3's norms of queries and keys.
void readQwen3Attention(ConfigReader &reader, LlamaParts &parts, double eps);

/// The window of qwen's layers, if they have one.
std::optional<int64_t> readQwenWindow(const ConfigFields &fields);

/// Creates two pre-norm steps with `norm("input_layernorm")` and
/// `norm("post_attention_layernorm")`; the final norm is `norm("norm")`. Layer
/// `i` has the window `windows[i]` if there are windows, and the branch
/// `second(i)` in place of the MLP if that is given.
void finishLlama(ConfigReader &reader, const LlamaParts &parts, double eps,
                 const std::vector<std::optional<int64_t>> &windows = {},
                 llvm::function_ref<BranchSpec(int64_t)> second = nullptr);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_CONFIGLLAMA_H
