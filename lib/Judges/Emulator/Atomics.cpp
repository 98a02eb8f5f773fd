//===- Atomics.cpp - joins clocks at atomics and fences -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A releasing write leaves the writer's clock at the address, an acquiring read
// joins it; with a fence, relaxed accesses do the same. A fence of the CTA does
// it between threads of the same CTA.
//
//===----------------------------------------------------------------------===//

#include "Atomics.h"

#include "llvm/ADT/STLExtras.h"

using namespace parablock::emulator;

static ClockRef publish(Thread &thread) {
  ClockJoiner &joiner = thread.cta->cluster->worker->joiner;
  ClockRef clock = joiner.add(thread.knowledge.seen, {thread.point()});
  ++thread.epoch;
  return clock;
}

static void acquireFrom(Thread &thread, const Site &site,
                        const ReleasedClock &entry) {
  Cluster &cluster = *thread.cta->cluster;
  ClockJoiner &joiner = cluster.worker->joiner;
  auto join = [&](ClockRef &target, const ClockRef &clock) {
    target = entry.cluster == cluster.index
                 ? joiner.join(target, clock)
                 : joiner.addForeign(target, entry.cluster, clock);
  };
  bool isOwn = entry.cluster == cluster.index && entry.rank == thread.cta->rank;
  if (site.acquires) {
    join(thread.knowledge.seen, isOwn ? entry.forCta : entry.forAll);
    return;
  }
  join(thread.readByAtomics, entry.forAll);
  if (isOwn)
    join(thread.readInCta, entry.forCta);
}

void parablock::emulator::orderAtomic(Thread &thread, const Site &site,
                                      uint64_t address) {
  Cluster &cluster = *thread.cta->cluster;
  Worker &worker = *cluster.worker;
  if (site.isRead) {
    auto found = worker.atomicClocks.find(address);
    if (found != worker.atomicClocks.end())
      for (const ReleasedClock &entry : found->second)
        acquireFrom(thread, site, entry);
  }
  if (!site.isWrite)
    return;
  auto &clocks = worker.atomicClocks[address];
  // A read-modify-write continues the release sequence.
  if (!site.isRead)
    clocks.clear();
  ClockRef forAll = site.releases ? publish(thread) : thread.releasedByFence;
  ClockRef forCta = worker.joiner.join(thread.releasedInCta, forAll);
  if (!forCta)
    return;
  auto *entry = llvm::find_if(clocks, [&](const ReleasedClock &entry) {
    return entry.cluster == cluster.index && entry.rank == thread.cta->rank;
  });
  if (entry == clocks.end()) {
    clocks.push_back({cluster.index, thread.cta->rank, forAll, forCta});
    return;
  }
  entry->forAll = worker.joiner.join(entry->forAll, forAll);
  entry->forCta = worker.joiner.join(entry->forCta, forCta);
}

void parablock::emulator::orderFence(Thread &thread, bool acquires,
                                     bool releases, bool isForCta) {
  ClockJoiner &joiner = thread.cta->cluster->worker->joiner;
  ClockRef &seen = thread.knowledge.seen;
  if (acquires) {
    seen = joiner.join(seen, thread.readInCta);
    thread.readInCta = nullptr;
    if (!isForCta) {
      seen = joiner.join(seen, thread.readByAtomics);
      thread.readByAtomics = nullptr;
    }
  }
  if (releases)
    (isForCta ? thread.releasedInCta : thread.releasedByFence) =
        publish(thread);
}
