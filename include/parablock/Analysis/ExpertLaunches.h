//===- ExpertLaunches.h - launches of experts on GPUs -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_EXPERTLAUNCHES_H
#define PARABLOCK_ANALYSIS_EXPERTLAUNCHES_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <optional>

namespace parablock {

/// Returns the number of runs that slots of rows are counted in, one by a warp:
/// `slots` of them, open if absent.
inline int64_t countExpertChunks(std::optional<int64_t> slots) {
  constexpr int64_t most = 128, leastSlots = 16;
  if (!slots)
    return most;
  return std::clamp<int64_t>(llvm::divideCeil(*slots, leastSlots), 1, most);
}

/// Returns the number of launches of a `block.experts`: slots are counted, if
/// these are several runs, and placed; rows are gathered, multiplied twice and
/// summed.
inline int64_t countExpertLaunches(std::optional<int64_t> slots) {
  return countExpertChunks(slots) > 1 ? 6 : 5;
}

/// Returns the experts that compute the result of `kernel`, a norm of rows,
/// while they gather these: it has no launch of its own then.
block::ExpertsOp findGatheringExperts(block::KernelOp kernel);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_EXPERTLAUNCHES_H
