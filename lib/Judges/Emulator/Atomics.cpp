//===- Atomics.cpp - What atomic accesses and fences order ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A releasing write leaves the writer's clock at the address, an acquiring read
// takes what is there; with a fence, relaxed accesses do the same.
//
//===----------------------------------------------------------------------===//

#include "Atomics.h"

using namespace parablock::emulator;

static ClockRef publish(Thread &thread) {
  ClockJoiner &joiner = thread.cta->cluster->worker->joiner;
  ClockRef clock = joiner.add(thread.knowledge.seen, {thread.point()});
  ++thread.epoch;
  return clock;
}

void parablock::emulator::orderAtomic(Thread &thread, const Site &site,
                                      uint64_t address) {
  Cluster &cluster = *thread.cta->cluster;
  Worker &worker = *cluster.worker;
  if (site.isRead) {
    auto found = worker.atomicClocks.find(address);
    if (found != worker.atomicClocks.end()) {
      ClockRef &target =
          site.acquires ? thread.knowledge.seen : thread.readByAtomics;
      for (const auto &[index, clock] : found->second)
        target = index == cluster.index
                     ? worker.joiner.join(target, clock)
                     : worker.joiner.addForeign(target, index, clock);
    }
  }
  if (!site.isWrite)
    return;
  auto &clocks = worker.atomicClocks[address];
  // A read-modify-write continues what earlier releases began.
  if (!site.isRead)
    clocks.clear();
  ClockRef released = site.releases ? publish(thread) : thread.releasedByFence;
  if (!released)
    return;
  for (auto &[index, clock] : clocks)
    if (index == cluster.index) {
      clock = worker.joiner.join(clock, released);
      return;
    }
  clocks.push_back({cluster.index, released});
}

void parablock::emulator::orderFence(Thread &thread, bool acquires,
                                     bool releases) {
  Worker &worker = *thread.cta->cluster->worker;
  if (acquires) {
    thread.knowledge.seen =
        worker.joiner.join(thread.knowledge.seen, thread.readByAtomics);
    thread.readByAtomics = nullptr;
  }
  if (releases)
    thread.releasedByFence = publish(thread);
}
