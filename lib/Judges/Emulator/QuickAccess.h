//===- QuickAccess.h - Fast checks of accesses ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Nearly all accesses are plain accesses of a thread to initialised bytes
// without conflicts. These are recognised, and recorded, by a few
// comparisons; all others are left to History.h, which repeats the whole
// access.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_QUICKACCESS_H
#define PARABLOCK_EMULATOR_QUICKACCESS_H

#include "Hooks.h"
#include "Machine.h"

namespace parablock::emulator {

/// A thread that looks at the past of memory.
struct QuickView {
  QuickView(const Thread &thread, const QuickMemory &memory, bool isShared)
      : seen(thread.knowledge.seen.get()), epoch(thread.epoch),
        cluster(memory.cluster), firstEpoch(memory.firstEpoch),
        numThreads(memory.numThreads), agent(thread.agent), isShared(isShared) {
  }

  /// Returns whether the past access no longer matters.
  bool isStale(const PastAccess &past) const {
    return past.epoch < firstEpoch || (isShared && past.cluster != cluster);
  }
  /// Returns whether it completed before the thread's next access begins. May
  /// return false for other clusters.
  bool isOver(const PastAccess &past) const {
    if (isStale(past))
      return true;
    return past.cluster == cluster &&
           (past.agent == agent ||
            (seen && seen->knows(past.agent, past.epoch)));
  }
  bool isOfWarp(const PastAccess &past) const {
    return past.cluster == cluster &&
           past.agent / warpSize == agent / warpSize && past.agent < numThreads;
  }
  bool isSame(const PastAccess &past) const {
    return past.epoch == epoch && past.agent == agent &&
           past.cluster == cluster;
  }
  PastAccess makeEntry(uint8_t bytes, uint16_t site) const {
    PastAccess entry;
    entry.epoch = epoch;
    entry.cluster = cluster;
    entry.agent = agent;
    entry.site = site;
    entry.bytes = bytes;
    return entry;
  }

  const Clock *seen;
  uint32_t epoch, cluster, firstEpoch, numThreads;
  uint16_t agent;
  bool isShared;
};

/// Records a read of the bytes of a mask. False where it may be a defect.
inline bool quickRead(Cell &cell, uint8_t bytes, const QuickView &view,
                      uint16_t site) {
  if ((cell.write.bytes & bytes) != 0 && !view.isOver(cell.write))
    return false;
  // Each warp has its own slot while there are enough.
  unsigned usual = view.agent / warpSize % Cell::numReads;
  PastAccess *place = &cell.reads[usual];
  if (!view.isOfWarp(*place) && !view.isStale(*place)) {
    PastAccess *end = std::end(cell.reads);
    PastAccess *other = std::begin(cell.reads);
    while (other != end && !view.isOfWarp(*other) && !view.isOver(*other))
      ++other;
    if (other != end)
      place = other;
  }
  if (view.isSame(*place))
    place->bytes |= bytes;
  else
    *place = view.makeEntry(bytes, site);
  return true;
}

/// Checks and records a write.
inline bool quickWrite(Cell &cell, uint8_t bytes, const QuickView &view,
                       uint16_t site) {
  PastAccess &write = cell.write;
  if ((write.bytes & bytes) != 0 && !view.isOver(write))
    return false;
  for (const PastAccess &read : cell.reads)
    if (read.epoch != 0 && (read.bytes & bytes) != 0 && !view.isOver(read))
      return false;
  for (PastAccess &read : cell.reads) {
    read.bytes &= ~bytes;
    if (read.bytes == 0)
      read.epoch = 0;
  }
  if (view.isSame(write) && write.proxy == Proxy::Generic)
    bytes |= write.bytes;
  write = view.makeEntry(bytes, site);
  return true;
}

/// The hooks for accesses of 1, 2, 4, 8 or 16 bytes, with their names.
llvm::ArrayRef<Hook> getQuickHooks();

/// The hook for a plain access, or null where there is none for its size.
const char *findQuickHook(unsigned addressSpace, uint64_t bytes, bool isWrite);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_QUICKACCESS_H
