//===- Barriers.h - Barriers, barrier objects, gatherings -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_BARRIERS_H
#define PARABLOCK_EMULATOR_BARRIERS_H

#include "AsyncCopies.h"
#include "Clocks.h"
#include "Site.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace parablock::emulator {

struct Thread;
struct Cta;

/// bar.sync and its kin.
struct NamedBarrier {
  /// 0 before the first arrival.
  uint32_t expected = 0;
  uint32_t numArrived = 0;
  /// All live threads of the CTA take part.
  bool forAll = false;
  /// Counts of barrier.red: how many threads had true.
  uint32_t numTrue = 0, lastTrue = 0, lastArrived = 0;
  std::vector<Thread *> waiting;
  SyncClock clock;
};

struct ClusterBarrier {
  uint32_t numArrived = 0;
  std::vector<Thread *> waiting;
  SyncClock clock;
  Knowledge completed;
  uint32_t phase = 0;
};

/// An mbarrier in shared memory.
struct MBarrier {
  Cta *cta = nullptr;
  uint32_t offset = 0;
  uint32_t expected = 0, pending = 0;
  int64_t pendingBytes = 0;
  /// Completed phases; the running one has this parity.
  uint32_t phase = 0;
  /// The initialisation, and whether a fence has published it to other proxies
  /// and CTAs.
  ClockPoint initialized = {0, 0};
  bool fenced = false;
  /// True if a thread polls it without blocking.
  bool polled = false;
  SyncClock running;
  Knowledge completed;
  std::vector<Thread *> waiting;
  /// Copies that will signal this barrier, in the order of their issue.
  std::deque<std::unique_ptr<PendingLoad>> loads;
};

static constexpr uint32_t maxGathered = 128;

/// Threads that execute one collective operation together: a warp or a
/// warpgroup of `width` places.
struct Gathering {
  const Site *site = nullptr;
  uint32_t mask = 0;
  uint32_t width = 0, numExpected = 0, numArrived = 0;
  /// Threads by lane, or by place in the warpgroup; null where not in the mask.
  Thread *threads[maxGathered];
  Slot *arguments[maxGathered];
  void *results[maxGathered];

  llvm::ArrayRef<Thread *> members() const { return {threads, width}; }
};

/// A warp or a warpgroup: the collectives that some of its threads have reached
/// and others not yet.
struct GatherPoint {
  std::vector<std::unique_ptr<Gathering>> open, unused;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_BARRIERS_H
