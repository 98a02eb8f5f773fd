//===- NormStatistics.h - statistics of norms -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_NORMSTATISTICS_H
#define PARABLOCK_LIB_DRIFT_NORMSTATISTICS_H

#include "Scan.h"

namespace parablock::drift {

/// Measures |mean| / standard deviation of each token read by a norm at the
/// start of a sublayer, over all splits: `[{"layer", "sublayer",
/// "mean_over_std": {"mean", "p99", "max"}}]`. Folding a LayerNorm over a wide
/// stream is accurate if it is small.
llvm::Expected<llvm::json::Array> measureNorms(const Model &model,
                                               const Scan &scan);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_NORMSTATISTICS_H
