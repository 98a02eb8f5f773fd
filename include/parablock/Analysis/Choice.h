//===- Choice.h - choice files of parallel pairs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_CHOICE_H
#define PARABLOCK_ANALYSIS_CHOICE_H

#include "parablock/Analysis/LayerPair.h"
#include "llvm/Support/JSON.h"
#include <vector>

namespace parablock {

/// A parameter `name` of corrected weights that the model lacks, for the layer
/// with number `index` before any shift. `operand` is a projection of the
/// attention (q, k, v, o) or MLP (up, gate, down) and `_bias`, `_left` or
/// `_right`: left `[rank, out]`, transposed, times right `[rank, in]` is added
/// to its matrix.
struct AddedParameter {
  int64_t index = 0;
  std::string operand;
  std::string name;
  /// 0 for a bias.
  int64_t rank = 0;

  llvm::StringRef getProjection() const {
    return llvm::StringRef(operand).rsplit('_').first;
  }
  /// Returns bias, left or right.
  llvm::StringRef getKind() const {
    return llvm::StringRef(operand).rsplit('_').second;
  }
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

  /// Returns the largest rank of changes of matrices, 0 without one.
  int64_t getRank() const;
};

/// Returns an error if the rank of `added` is more than its matrix can have.
llvm::Error checkRank(const AddedParameter &added, int64_t outputs,
                      int64_t inputs);

/// Returns the entry of a choice file.
llvm::json::Object describe(const AddedParameter &added);

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
