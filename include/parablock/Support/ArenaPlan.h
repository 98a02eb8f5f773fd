//===- ArenaPlan.h - buffers that share one allocation ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where buffers lie in one allocation, so that two share memory only if one is
// never needed again when the other is first used. Needs nothing but the
// standard library: the launcher, which links no LLVM, plans with it at run
// time, when sizes are known.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_ARENAPLAN_H
#define PARABLOCK_SUPPORT_ARENAPLAN_H

#include <cstdint>
#include <vector>

namespace parablock {

/// A buffer and the steps that use it, both ends included.
struct ArenaBuffer {
  uint64_t bytes = 0;
  uint32_t firstUse = 0, lastUse = 0;
};

struct ArenaPlan {
  /// One per buffer, in their order.
  std::vector<uint64_t> offsets;
  /// The size of the allocation.
  uint64_t peakBytes = 0;
  /// The size that it would have without sharing.
  uint64_t sumBytes = 0;
};

/// Large buffers first, each into the smallest gap that holds it between those
/// it meets in time. Offsets, and the sizes that count, are multiples of
/// `alignment`. The same buffers give the same plan.
ArenaPlan planArena(const std::vector<ArenaBuffer> &buffers,
                    uint64_t alignment = 256);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_ARENAPLAN_H
