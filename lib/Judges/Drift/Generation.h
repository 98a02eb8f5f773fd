//===- Generation.h - divergence of generated tokens ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_GENERATION_H
#define PARABLOCK_LIB_DRIFT_GENERATION_H

#include "Convert.h"

namespace parablock::drift {

/// Differences between greedy generations from the same prompts.
struct Divergence {
  int64_t sequences = 0, prompt = 0, tokens = 0;
  /// Sequences that stay the same to the end.
  int64_t same = 0;
  /// Number of equal tokens before the first difference, for sequences that
  /// differ.
  TokenStatistics firstDifference;
};

/// Generates `tokens` tokens after the first halves of a few report sequences,
/// without a cache, by the original model and by `conversion`.
llvm::Expected<Divergence> compareGeneration(const Model &model,
                                             const Conversion &conversion,
                                             int64_t tokens,
                                             Progress &progress);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_GENERATION_H
