//===- ArenaPlan.h - placement of buffers -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Places buffers in one allocation, so that two share memory only if the last
// use of one precedes the first use of the other. Requires only the standard
// library: the launcher, which links no LLVM, plans with it at run time, when
// sizes are known.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_ARENAPLAN_H
#define PARABLOCK_SUPPORT_ARENAPLAN_H

#include <cstdint>
#include <vector>

namespace parablock {

/// A buffer with the first and last step that use it.
struct ArenaBuffer {
  uint64_t bytes = 0;
  uint32_t firstUse = 0, lastUse = 0;
};

struct ArenaPlan {
  /// One per buffer, in their order.
  std::vector<uint64_t> offsets;
  /// The size of the allocation.
  uint64_t peakBytes = 0;
  /// The size without sharing.
  uint64_t sumBytes = 0;
};

/// Places large buffers first, each into the smallest sufficient gap between
/// buffers with overlapping lifetimes. Offsets and counted sizes are multiples
/// of `alignment`. Deterministic.
ArenaPlan planArena(const std::vector<ArenaBuffer> &buffers,
                    uint64_t alignment = 256);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_ARENAPLAN_H
