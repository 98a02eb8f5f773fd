//===- Clocks.cpp - joins and compares clocks -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Clocks.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace parablock::emulator;

bool Clock::knowsForeign(uint32_t cluster, uint16_t agent,
                         uint32_t epoch) const {
  for (const auto &[other, clock] : foreign)
    if (other == cluster)
      return clock && clock->knows(agent, epoch);
  return false;
}

/// `a` holds everything that `b` does.
static bool dominates(const Clock &a, const Clock &b) {
  if (!b.foreign.empty() || a.epochs.size() < b.epochs.size())
    return false;
  bool result = true;
  for (size_t i = 0, e = b.epochs.size(); i < e; ++i)
    result &= a.epochs[i] >= b.epochs[i];
  return result;
}

ClockRef ClockJoiner::join(const ClockRef &a, const ClockRef &b) {
  if (!b || a == b)
    return a;
  if (!a)
    return b;
  size_t slot = (reinterpret_cast<uintptr_t>(a.get()) / 64 * 31 +
                 reinterpret_cast<uintptr_t>(b.get()) / 64) %
                entries.size();
  Entry &entry = entries[slot];
  if (entry.a == a && entry.b == b)
    return entry.joined;

  ClockRef joined;
  if (dominates(*a, *b)) {
    joined = a;
  } else if (dominates(*b, *a)) {
    joined = b;
  } else {
    auto *sum = new Clock(*a);
    joined = ClockRef(sum);
    sum->epochs.resize(std::max(a->epochs.size(), b->epochs.size()));
    for (size_t i = 0, e = b->epochs.size(); i < e; ++i)
      sum->epochs[i] = std::max(sum->epochs[i], b->epochs[i]);
    for (const auto &[cluster, clock] : b->foreign) {
      auto *found =
          llvm::find_if(sum->foreign, [cluster = cluster](const auto &entry) {
            return entry.first == cluster;
          });
      if (found == sum->foreign.end())
        sum->foreign.push_back({cluster, clock});
      else
        found->second = join(found->second, clock);
    }
  }
  entries[slot] = Entry{a, b, joined};
  return joined;
}

ClockRef ClockJoiner::add(const ClockRef &base,
                          llvm::ArrayRef<ClockPoint> points) {
  if (llvm::all_of(points, [&](ClockPoint point) {
        return base && base->knows(point.agent, point.epoch);
      }))
    return base;
  if (points.size() == 1 && lastPoint.joined && lastPoint.base == base &&
      lastPoint.point.agent == points[0].agent &&
      lastPoint.point.epoch == points[0].epoch)
    return lastPoint.joined;
  auto *sum = base ? new Clock(*base) : new Clock();
  ClockRef result(sum);
  for (ClockPoint point : points) {
    if (point.agent >= sum->epochs.size())
      sum->epochs.resize(point.agent + 1);
    sum->epochs[point.agent] = std::max(sum->epochs[point.agent], point.epoch);
  }
  if (points.size() == 1)
    lastPoint = PointEntry{base, result, points[0]};
  return result;
}

ClockRef ClockJoiner::addForeign(const ClockRef &base, uint32_t cluster,
                                 const ClockRef &clock) {
  if (!clock)
    return base;
  auto *wrapper = new Clock();
  ClockRef wrapped(wrapper);
  wrapper->foreign.push_back({cluster, clock});
  for (const auto &entry : clock->foreign)
    wrapper->foreign.push_back(entry);
  return join(base, wrapped);
}

void Knowledge::join(ClockJoiner &joiner, const Knowledge &other) {
  seen = joiner.join(seen, other.seen);
  fenced = joiner.join(fenced, other.fenced);
  over = joiner.join(over, other.over);
  barriers = joiner.join(barriers, other.barriers);
}

void SyncClock::release(ClockJoiner &joiner, const Knowledge &knowledge,
                        ClockPoint point) {
  total.join(joiner, knowledge);
  points.push_back(point);
}

void SyncClock::releaseOver(ClockJoiner &joiner, const Knowledge &knowledge,
                            ClockPoint point) {
  total.over = joiner.join(total.over, knowledge.over);
  total.over = joiner.join(total.over, knowledge.seen);
  total.over = joiner.add(total.over, {point});
}

void SyncClock::releaseBarriers(ClockJoiner &joiner,
                                const Knowledge &knowledge) {
  total.barriers = joiner.join(total.barriers, knowledge.barriers);
}

const Knowledge &SyncClock::collect(ClockJoiner &joiner) {
  if (!points.empty())
    total.seen = joiner.add(total.seen, points);
  points.clear();
  return total;
}

void SyncClock::clear() {
  total = Knowledge();
  points.clear();
}
