//===- SdpaGradTensors.h - tensors of attention's gradient ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADTENSORS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADTENSORS_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Engines/CPU/CpuTarget.h"

namespace parablock::cpugen {

/// A tensor that a launch of attention's gradients writes.
enum class GradTensor {
  /// Results.
  Query,
  Key,
  Value,
  PastKey,
  PastValue,
  /// A block of queries' weights, `u` and slopes of the soft cap, by key.
  Weights,
  Pulls,
  CapSlopes,
  /// Sums of each query head, those by keys and values with the past ones
  /// first.
  KeySums,
  ValueSums,
  RelativeSums,
  ShawKeySums,
  ShawValueSums,
  AlphaSums,
  BetaSums,
  GammaSums,
  SinkSums,
  /// The gradient by score_bias, not rounded yet.
  BiasSums
};

struct GradTensorInfo {
  GradTensor what;
  /// True for results, which have the shape and type of the operand; others are
  /// f32 [batch][head], then if `isPerKey` [key], then [size].
  bool isResult = false, isPerKey = false;
  int64_t size = 1;
};

/// One of the two launches: that of all gradients except score_bias's, an item
/// of which is a query head, or score_bias's, where an item is one entry of its
/// first two dimensions.
enum class GradLaunch { Heads, Bias };

/// Returns the tensors of a launch, in order.
llvm::SmallVector<GradTensorInfo> listGradTensors(block::SdpaGradOp op,
                                                  GradLaunch launch,
                                                  const CpuTarget &target);

/// Returns whether `op` has a gradient by the operand called `name`.
bool wantsGradient(block::SdpaGradOp op, llvm::StringRef name);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADTENSORS_H
