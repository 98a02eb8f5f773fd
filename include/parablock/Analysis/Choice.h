//===- Choice.h - choice files of parallel pairs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_CHOICE_H
#define PARABLOCK_ANALYSIS_CHOICE_H

#include "parablock/Analysis/LayerPair.h"
#include <vector>

namespace parablock {

/// A bias of corrected weights that the model lacks: operand `operand`
/// (`q_bias`, `k_bias`, `v_bias`, `o_bias` of the attention, `up_bias`,
/// `gate_bias`, `down_bias` of the MLP) of the layer with number `index` before
/// any shift is parameter `name`.
struct AddedParameter {
  int64_t index = 0;
  std::string operand;
  std::string name;
};

/// Treatment of the norm of a pair's second branch.
enum class SecondNorm { Separate, Shared, SharedLossy };

/// The stream that routers of experts read in a pair: that before the pair, as
/// the experts, or that behind the attention, as in series.
enum class RouterInput { Parallel, Serial };

/// The method by which weights were corrected.
/// Healing trains weights that another method may have fitted before.
enum class Correction { None, MeanJacobian, OutputRefit, Refit, Healed };

/// The contents of a choice file.
struct Choice {
  /// The hash of the serial model, from computeModelHash.
  std::string modelHash;
  /// In the order of the chain.
  std::vector<LayerPair> chosen;
  /// True if the pairs are layers whose branches read the stream one sum older.
  bool ladder = false;
  /// True if routed experts alone run beside the next attention.
  bool shortcut = false;
  SecondNorm norm = SecondNorm::Separate;
  RouterInput router = RouterInput::Parallel;
  double scale = 1.0, attentionScale = 1.0, mlpScale = 1.0;
  Correction correction = Correction::None;
  std::vector<AddedParameter> addedParameters;
  /// Hashes of the weights that the choice applies to and of the data it was
  /// made from; may be empty.
  std::string weightsHash, dataHash;
  /// The corrected weights, in the folder of the choice file or below; may be
  /// empty.
  std::string weightsFile;
  /// The KL divergence measured for the whole choice, in nats per token.
  std::optional<double> kl;
};

/// Returns whether a relative `path` stays below the folder that it starts
/// from.
bool isPathBelow(llvm::StringRef path);

/// Reads and checks a choice file; every error begins with the path.
llvm::Expected<Choice> readChoice(llvm::StringRef path);

/// Writes `choice` in the format of readChoice; rejects one that readChoice
/// would reject.
llvm::Error writeChoice(llvm::StringRef path, const Choice &choice);

} // namespace parablock

PARABLOCK_NAMED_ENUM(parablock::SecondNorm, "separate", "shared",
                     "shared-lossy")
PARABLOCK_NAMED_ENUM(parablock::RouterInput, "parallel", "serial")
PARABLOCK_NAMED_ENUM(parablock::Correction, "none", "mean-jacobian",
                     "output-refit", "refit", "healed")

#endif // PARABLOCK_ANALYSIS_CHOICE_H
