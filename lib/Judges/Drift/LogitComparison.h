//===- LogitComparison.h - drift at the end of the model --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_LOGITCOMPARISON_H
#define PARABLOCK_LIB_DRIFT_LOGITCOMPARISON_H

#include "Model.h"
#include "TokenStatistics.h"

namespace parablock::drift {

/// Differences between the logits of one stream and those of the original one.
struct LogitDrift {
  /// KL(original || other) in nats, per token.
  TokenStatistics kl;
  /// 1 where the most likely token is the same, else 0.
  TokenStatistics agreement;
  /// -log p of the token that comes next, in a causal model of ids.
  TokenStatistics originalNll, nll;

  /// Returns the perplexity as a multiple of the original model's.
  double getPerplexityRatio() const;

  void append(const LogitDrift &other);
};

/// Returns the place of the largest number, of equal ones the first.
size_t getLargest(llvm::ArrayRef<double> values);

/// Returns one comparison for each of `others`, on the chunks of `splits`;
/// `exactly` computes logits on the reference engine.
llvm::Expected<std::vector<LogitDrift>>
compareLogits(const Model &model, llvm::ArrayRef<Split> splits,
              const Stream &original, llvm::ArrayRef<const Stream *> others,
              bool exactly = false);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_LOGITCOMPARISON_H
