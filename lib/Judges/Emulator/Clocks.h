//===- Clocks.h - Vector clocks ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Vector clocks. Every thread of a cluster and every asynchronous engine of it
// is an agent with an epoch that grows whenever the agent publishes its
// accesses. A clock contains, per agent, the epoch up to which its accesses are
// known to be finished. Clocks are immutable and shared: after a barrier all
// its threads hold the same one, so joining is mostly a comparison of pointers.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_CLOCKS_H
#define PARABLOCK_EMULATOR_CLOCKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace parablock::emulator {

class Clock;
using ClockRef = llvm::IntrusiveRefCntPtr<const Clock>;

/// A null ClockRef is the empty clock.
class Clock : public llvm::RefCountedBase<Clock> {
public:
  /// Epochs by agent of the owning cluster; agents beyond the end are at 0.
  std::vector<uint32_t> epochs;
  /// Clocks of other clusters, sorted by cluster.
  llvm::SmallVector<std::pair<uint32_t, ClockRef>, 0> foreign;

  bool knows(uint16_t agent, uint32_t epoch) const {
    return agent < epochs.size() && epochs[agent] >= epoch;
  }
  bool knowsForeign(uint32_t cluster, uint16_t agent, uint32_t epoch) const;
};

/// One thing that an agent has published.
struct ClockPoint {
  uint16_t agent;
  uint32_t epoch;
};

/// Joins with a cache, since all threads that wait for one event join the same
/// two clocks.
class ClockJoiner {
public:
  ClockRef join(const ClockRef &a, const ClockRef &b);
  /// `base` with points added.
  ClockRef add(const ClockRef &base, llvm::ArrayRef<ClockPoint> points);
  /// Returns `base` joined with a clock of another cluster.
  ClockRef addForeign(const ClockRef &base, uint32_t cluster,
                      const ClockRef &clock);

private:
  struct Entry {
    ClockRef a, b, joined;
  };
  struct PointEntry {
    ClockRef base, joined;
    ClockPoint point = {0, 0};
  };
  std::array<Entry, 64> entries;
  PointEntry lastPoint;
};

/// The knowledge of a thread.
struct Knowledge {
  /// Accesses ordered before its next one, and those that a proxy fence has
  /// made visible to the async proxy.
  ClockRef seen, fenced;
  /// Accesses that are complete but whose writes may not be visible: another
  /// CTA has released them for itself alone.
  ClockRef over;
  /// Initialisations of mbarriers that a fence has made visible.
  ClockRef barriers;

  void join(ClockJoiner &joiner, const Knowledge &other);
  bool operator==(const Knowledge &other) const {
    return seen == other.seen && fenced == other.fenced && over == other.over &&
           barriers == other.barriers;
  }
};

/// A clock that the threads of a CTA have released at an address.
struct ReleasedClock {
  uint32_t cluster;
  /// The rank of the CTA; accesses released for all, and for the CTA alone.
  uint32_t rank;
  ClockRef forAll, forCta;
};

/// A synchronisation point: releasing threads add their clocks, acquiring
/// threads join them.
class SyncClock {
public:
  void release(ClockJoiner &joiner, const Knowledge &knowledge,
               ClockPoint point);
  /// Releases without the visibility of writes.
  void releaseOver(ClockJoiner &joiner, const Knowledge &knowledge,
                   ClockPoint point);
  /// Adds initialised mbarriers alone.
  void releaseBarriers(ClockJoiner &joiner, const Knowledge &knowledge);
  void add(ClockPoint point) { points.push_back(point); }
  /// Everything released so far as one clock.
  const Knowledge &collect(ClockJoiner &joiner);
  void clear();

private:
  Knowledge total;
  llvm::SmallVector<ClockPoint, 0> points;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_CLOCKS_H
