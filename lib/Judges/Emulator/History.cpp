//===- History.cpp - compares accesses with the past ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "History.h"
#include "QuickAccess.h"

#include <algorithm>
#include <cstring>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

namespace {
/// One access being compared with the past of the bytes it touches.
class Comparison {
public:
  Comparison(Actor &actor, const Place &place)
      : actor(actor), place(place), cluster(*actor.thread.cta->cluster),
        worker(*cluster.worker) {}

  /// Returns whether the past access completed before this one begins, with its
  /// writes visible.
  bool isOrdered(const PastAccess &past) const;
  /// The past access is over, without more.
  bool isOver(const PastAccess &past) const;
  /// Returns whether the past access no longer matters.
  bool isStale(const PastAccess &past) const {
    return past.epoch < worker.launch.shadow.firstEpoch ||
           (place.kind == Place::SharedMemory && past.cluster != cluster.index);
  }
  void checkConflict(const PastAccess &past, uint8_t bytes, bool isWrite,
                     bool pastIsRead, uint32_t done);
  void checkProxy(const PastAccess &write, uint8_t bytes, uint32_t done);
  void checkState(ByteState state, const Cell &cell, uint32_t done,
                  bool isRead);
  PastAccess makeEntry(uint8_t bytes) const;
  void addRead(Cell &cell, uint8_t bytes) const;
  void setWrite(Cell &cell, uint8_t bytes) const;

private:
  std::string describe(uint32_t done) const {
    Place at = place;
    at.address += done;
    at.offset += done;
    return describePlace(worker, at);
  }
  std::string describePast(const PastAccess &past) const;
  bool isWarpmate(const PastAccess &past) const {
    return past.cluster == cluster.index && !cluster.isEngine(past.agent) &&
           !cluster.isEngine(actor.agent) &&
           past.agent / warpSize == actor.agent / warpSize;
  }

  Actor &actor;
  const Place &place;
  Cluster &cluster;
  Worker &worker;
};
} // namespace

bool Comparison::isOrdered(const PastAccess &past) const {
  if (isStale(past))
    return true;
  if (past.cluster != cluster.index) {
    for (const Knowledge *view : actor.views)
      if (!view->seen ||
          !view->seen->knowsForeign(past.cluster, past.agent, past.epoch))
        return false;
    return true;
  }
  if (past.agent == actor.self)
    return true;
  for (const Knowledge *view : actor.views)
    if (!view->seen || !view->seen->knows(past.agent, past.epoch))
      return false;
  return true;
}

bool Comparison::isOver(const PastAccess &past) const {
  return past.cluster == cluster.index &&
         llvm::all_of(actor.views, [&](const Knowledge *view) {
           auto knows = [&](const ClockRef &clock) {
             return clock && clock->knows(past.agent, past.epoch);
           };
           return knows(view->seen) || knows(view->over);
         });
}

std::string Comparison::describePast(const PastAccess &past) const {
  const Site &site = worker.launch.sites[past.site];
  std::string who = past.cluster == cluster.index
                        ? cluster.describeAgent(past.agent)
                        : ("cluster " + Twine(past.cluster)).str();
  return (Twine(who) + ", " + site.op + " at " + site.location).str();
}

void Comparison::checkConflict(const PastAccess &past, uint8_t bytes,
                               bool isWrite, bool pastIsRead, uint32_t done) {
  if ((past.bytes & bytes) == 0 || (past.atomic && actor.atomic) ||
      isOrdered(past))
    return;
  bool isEngine = past.cluster == cluster.index && cluster.isEngine(past.agent);
  // Reads leave no trace, nor does an engine's write that is complete and
  // overwritten; a thread's own may still be pending.
  if (isWrite && (pastIsRead || isEngine) && isOver(past))
    return;
  // Lanes that write to one place in one instruction: one of them wins.
  if (isWrite && !pastIsRead && past.site == actor.site.index &&
      isWarpmate(past))
    return;
  worker.report(
      isEngine ? ReportKind::MissingWait : ReportKind::Race, actor.thread,
      actor.site,
      "the access to " + describe(done) + " is not ordered after the " +
          (pastIsRead ? "read" : "write") + " by " + describePast(past) +
          (isOver(past) ? ", which the arrival released to its own CTA alone"
                        : ""),
      past.site);
}

void Comparison::checkProxy(const PastAccess &write, uint8_t bytes,
                            uint32_t done) {
  if (actor.proxy != Proxy::Async || write.proxy != Proxy::Generic ||
      (write.bytes & bytes) == 0 || isStale(write) ||
      write.cluster != cluster.index || !isOrdered(write))
    return;
  for (const Knowledge *view : actor.views)
    if (!view->fenced || !view->fenced->knows(write.agent, write.epoch)) {
      worker.report(ReportKind::MissingProxyFence, actor.thread, actor.site,
                    "no fence.proxy.async between this use of " +
                        describe(done) + " and the write by " +
                        describePast(write),
                    write.site);
      return;
    }
}

void Comparison::checkState(ByteState state, const Cell &cell, uint32_t done,
                            bool isRead) {
  switch (state) {
  case ByteState::Uninitialized:
    if (isRead)
      worker.report(ReportKind::UninitializedRead, actor.thread, actor.site,
                    "nothing has written " + describe(done));
    return;
  case ByteState::Pending:
    worker.report(ReportKind::MissingWait, actor.thread, actor.site,
                  Twine(isRead ? "read of " : "write to ") + describe(done) +
                      " before the asynchronous copy into it has been waited "
                      "for: " +
                      describePast(cell.write),
                  cell.write.site);
    return;
  case ByteState::Barrier:
    worker.report(ReportKind::BarrierMisuse, actor.thread, actor.site,
                  Twine(isRead ? "read of " : "write to ") + describe(done) +
                      ", which is part of an mbarrier");
    return;
  case ByteState::Initialized:
  case ByteState::Outside:
  case ByteState::Released:
    return;
  }
}

PastAccess Comparison::makeEntry(uint8_t bytes) const {
  PastAccess entry;
  entry.epoch = actor.epoch;
  entry.cluster = cluster.index;
  entry.agent = actor.agent;
  entry.site = actor.site.index;
  entry.bytes = bytes;
  entry.proxy = actor.proxy;
  entry.atomic = actor.atomic;
  return entry;
}

void Comparison::addRead(Cell &cell, uint8_t bytes) const {
  PastAccess *place = nullptr;
  for (PastAccess &read : cell.reads) {
    if (read.epoch == actor.epoch && read.agent == actor.agent &&
        read.cluster == cluster.index) {
      read.bytes |= bytes;
      return;
    }
    if (!place && (isStale(read) || isWarpmate(read) || isOrdered(read)))
      place = &read;
  }
  if (!place)
    place = &cell.reads[actor.agent % std::size(cell.reads)];
  *place = makeEntry(bytes);
}

void Comparison::setWrite(Cell &cell, uint8_t bytes) const {
  const PastAccess &past = cell.write;
  if (past.epoch == actor.epoch && past.agent == actor.agent &&
      past.cluster == cluster.index && past.proxy == actor.proxy)
    bytes |= past.bytes;
  cell.write = makeEntry(bytes);
}

/// Bytes of the memory outside of every allocation.
static bool isOutside(ByteState state) {
  return state == ByteState::Outside || state == ByteState::Released;
}

/// Calls `visit(cell, bytes, first)` for each cell of the span, `bytes` being a
/// mask and `first` the span's index of the first of them.
template <typename Visit>
static void forEachCell(uint64_t address, const ShadowSpan &span,
                        uint32_t count, Visit visit) {
  uint32_t lead = address % Cell::numBytes;
  Cell *cell = span.cells;
  for (uint32_t first = 0; first < count; ++cell) {
    uint32_t begin = first == 0 ? lead : 0;
    uint32_t end = std::min<uint32_t>(Cell::numBytes, begin + (count - first));
    visit(*cell, uint8_t((1u << end) - (1u << begin)), first);
    first += end - begin;
  }
}

/// A thread's own access, which quickRead and quickWrite understand.
static bool isPlain(const Actor &actor) {
  return actor.proxy == Proxy::Generic && !actor.atomic &&
         actor.self == actor.agent;
}

/// The first byte that is not simply initialised, or `count`.
static uint32_t findUnusual(const ShadowSpan &span, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (span.states[i] != ByteState::Initialized)
      return i;
  return count;
}

bool parablock::emulator::recordRead(Actor &actor, const Place &place,
                                     const ShadowSpan &span, uint32_t done,
                                     uint32_t count) {
  Comparison comparison(actor, place);
  uint32_t unusual = findUnusual(span, count);
  if (unusual != count) {
    for (uint32_t i = unusual; i < count; ++i)
      if (isOutside(span.states[i]))
        return false;
    uint32_t lead = (place.address + done) % Cell::numBytes;
    comparison.checkState(span.states[unusual],
                          span.cells[(lead + unusual) / Cell::numBytes],
                          done + unusual, /*isRead=*/true);
    if (span.states[unusual] != ByteState::Uninitialized)
      return true;
  }
  bool plain = isPlain(actor);
  QuickView view(actor.thread, actor.thread.cta->quick,
                 place.kind == Place::SharedMemory);
  forEachCell(place.address + done, span, count,
              [&](Cell &cell, uint8_t bytes, uint32_t first) {
                if (plain && quickRead(cell, bytes, view, actor.site.index))
                  return;
                comparison.checkConflict(cell.write, bytes, false, false,
                                         done + first);
                comparison.checkProxy(cell.write, bytes, done + first);
                comparison.addRead(cell, bytes);
              });
  return true;
}

bool parablock::emulator::recordWrite(Actor &actor, const Place &place,
                                      const ShadowSpan &span, uint32_t done,
                                      uint32_t count, ByteState after) {
  Comparison comparison(actor, place);
  uint32_t lead = (place.address + done) % Cell::numBytes;
  for (uint32_t i = 0; i < count; ++i)
    if (isOutside(span.states[i]))
      return false;
  for (uint32_t i = 0; i < count; ++i)
    if (span.states[i] == ByteState::Pending ||
        span.states[i] == ByteState::Barrier) {
      comparison.checkState(span.states[i],
                            span.cells[(lead + i) / Cell::numBytes], done + i,
                            /*isRead=*/false);
      break;
    }
  std::fill_n(span.states, count, after);
  bool plain = isPlain(actor);
  QuickView view(actor.thread, actor.thread.cta->quick,
                 place.kind == Place::SharedMemory);
  forEachCell(
      place.address + done, span, count,
      [&](Cell &cell, uint8_t bytes, uint32_t first) {
        if (plain && quickWrite(cell, bytes, view, actor.site.index))
          return;
        comparison.checkConflict(cell.write, bytes, true, false, done + first);
        comparison.checkProxy(cell.write, bytes, done + first);
        for (PastAccess &read : cell.reads) {
          if (read.epoch == 0)
            continue;
          comparison.checkConflict(read, bytes, true, true, done + first);
          read.bytes &= ~bytes;
          if (read.bytes == 0)
            read.epoch = 0;
        }
        comparison.setWrite(cell, bytes);
      });
  return true;
}
