//===- BarrierOps.cpp - CTA and cluster barriers --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "Worker.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

static void completeBarrier(Worker &worker, NamedBarrier &barrier) {
  const Knowledge &total = barrier.clock.collect(worker.joiner);
  for (Thread *thread : barrier.waiting)
    thread->knowledge = total;
  worker.wakeAll(barrier.waiting);
  barrier.clock.clear();
  barrier.lastTrue = barrier.numTrue;
  barrier.lastArrived = barrier.numArrived;
  barrier.numArrived = barrier.numTrue = barrier.expected = 0;
  barrier.forAll = false;
}

/// Adds the thread to barrier `id`, which completes with `count` threads, or
/// with all live ones for 0.
static NamedBarrier &arriveAt(OpCall &call, uint32_t id, uint32_t count) {
  Cta &cta = call.cta();
  Thread &thread = call.thread;
  auto complain = [&](const Twine &message) {
    call.worker().report(ReportKind::BarrierMisuse, thread, call.site, message);
  };
  if (id >= std::size(cta.barriers))
    complain("there is no barrier " + Twine(id));
  NamedBarrier &barrier = cta.barriers[id % std::size(cta.barriers)];
  bool forAll = count == 0;
  if (forAll)
    count = cta.numLive;
  else if (count % warpSize != 0 || count > cta.threads.size())
    complain("barrier " + Twine(id) + " for " + Twine(count) +
             " threads of a CTA of " + Twine(uint64_t(cta.threads.size())));
  if (barrier.numArrived != 0 && barrier.expected != count)
    complain("barrier " + Twine(id) + " for " + Twine(count) +
             " threads, where the first to arrive said " +
             Twine(barrier.expected));
  barrier.expected = count;
  barrier.forAll = forAll;
  barrier.clock.release(call.worker().joiner, thread.knowledge, thread.point());
  ++thread.epoch;
  ++barrier.numArrived;
  return barrier;
}

static void synchronizeAt(OpCall &call, NamedBarrier &barrier, uint32_t id) {
  Worker &worker = call.worker();
  barrier.waiting.push_back(&call.thread);
  if (barrier.numArrived < barrier.expected) {
    Wait wait;
    wait.kind = Wait::Named;
    wait.site = &call.site;
    wait.object = id;
    return worker.block(call.thread, wait);
  }
  barrier.waiting.pop_back();
  call.thread.knowledge = barrier.clock.collect(worker.joiner);
  completeBarrier(worker, barrier);
}

/// `hasCount`: the second operand is the number of threads.
template <bool hasCount> static void synchronize(OpCall &call) {
  uint32_t id = call.arguments[0].u32;
  NamedBarrier &barrier =
      arriveAt(call, id, hasCount ? call.arguments[1].u32 : 0);
  synchronizeAt(call, barrier, id);
}

static void arrive(OpCall &call) {
  NamedBarrier &barrier =
      arriveAt(call, call.arguments[0].u32, call.arguments[1].u32);
  if (barrier.numArrived >= barrier.expected)
    completeBarrier(call.worker(), barrier);
}

namespace {
enum Reduction : int32_t { Count, And, Or };
} // namespace

template <bool hasCount> static void reduceVotes(OpCall &call) {
  uint32_t id = call.arguments[0].u32;
  NamedBarrier &barrier =
      arriveAt(call, id, hasCount ? call.arguments[1].u32 : 0);
  barrier.numTrue += call.arguments[hasCount ? 2 : 1].i1 & 1;
  synchronizeAt(call, barrier, id);
  switch (static_cast<Reduction>(call.parameter())) {
  case Count:
    return call.setResult(barrier.lastTrue);
  case And:
    return call.setResult(uint8_t(barrier.lastTrue == barrier.lastArrived));
  case Or:
    return call.setResult(uint8_t(barrier.lastTrue != 0));
  }
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// A relaxed arrival has not published the thread's knowledge, so this adds to
/// it instead of replacing it.
static void learn(Thread &thread, const Knowledge &completed) {
  thread.knowledge.join(thread.cta->cluster->worker->joiner, completed);
  thread.arrivedAtCluster = false;
}

static void completeCluster(Cluster &cluster) {
  ClusterBarrier &barrier = cluster.barrier;
  Worker &worker = *cluster.worker;
  barrier.completed = barrier.clock.collect(worker.joiner);
  barrier.numArrived = 0;
  ++barrier.phase;
  for (Thread *thread : barrier.waiting)
    learn(*thread, barrier.completed);
  worker.wakeAll(barrier.waiting);
}

/// `relaxed`: publishes none of the thread's accesses, except mbarriers
/// published by a separate fence.
template <bool relaxed> static void arriveAtCluster(OpCall &call) {
  Cluster &cluster = call.cluster();
  Thread &thread = call.thread;
  if (thread.arrivedAtCluster)
    call.worker().report(ReportKind::BarrierMisuse, thread, call.site,
                         "second arrival at the cluster's barrier without a "
                         "wait between");
  thread.arrivedAtCluster = true;
  thread.clusterPhase = cluster.barrier.phase;
  if (relaxed) {
    cluster.barrier.clock.releaseBarriers(call.worker().joiner,
                                          thread.knowledge);
  } else {
    cluster.barrier.clock.release(call.worker().joiner, thread.knowledge,
                                  thread.point());
    ++thread.epoch;
  }
  if (++cluster.barrier.numArrived >= cluster.numLive)
    completeCluster(cluster);
}

static void waitForCluster(OpCall &call) {
  Cluster &cluster = call.cluster();
  Thread &thread = call.thread;
  if (!thread.arrivedAtCluster) {
    call.worker().report(ReportKind::BarrierMisuse, thread, call.site,
                         "wait at the cluster's barrier without an arrival");
    return;
  }
  if (thread.clusterPhase != cluster.barrier.phase) {
    learn(thread, cluster.barrier.completed);
    return;
  }
  cluster.barrier.waiting.push_back(&thread);
  Wait wait;
  wait.kind = Wait::ClusterWide;
  wait.site = &call.site;
  call.worker().block(thread, wait);
}

void parablock::emulator::leaveBarriers(Worker &worker, Cta &cta) {
  for (NamedBarrier &barrier : cta.barriers) {
    if (!barrier.forAll || barrier.numArrived == 0)
      continue;
    barrier.expected = cta.numLive;
    if (barrier.numArrived >= barrier.expected)
      completeBarrier(worker, barrier);
  }
  Cluster &cluster = *cta.cluster;
  if (cluster.barrier.numArrived != 0 &&
      cluster.barrier.numArrived >= cluster.numLive)
    completeCluster(cluster);
}

#define BARRIER(name) "llvm.nvvm.barrier." name
/// The forms for all threads and for some, each with .aligned or not.
#define FORMS(stem, function, mode)                                            \
  {BARRIER(stem ".aligned.all"), function<false>, mode},                       \
      {BARRIER(stem ".all"), function<false>, mode},                           \
      {BARRIER(stem ".aligned.count"), function<true>, mode}, {                \
    BARRIER(stem ".count"), function<true>, mode                               \
  }

llvm::ArrayRef<OpRow> parablock::emulator::getBarrierOps() {
  static const OpRow rows[] = {
      FORMS("cta.sync", synchronize, 0),
      FORMS("cta.red.popc", reduceVotes, Count),
      FORMS("cta.red.and", reduceVotes, And),
      FORMS("cta.red.or", reduceVotes, Or),
      {BARRIER("cta.arrive.aligned.count"), arrive},
      {BARRIER("cta.arrive.count"), arrive},
      {"asm:bar.arrive", arrive},
      {BARRIER("cluster.arrive"), arriveAtCluster<false>},
      {BARRIER("cluster.arrive.aligned"), arriveAtCluster<false>},
      {BARRIER("cluster.arrive.relaxed"), arriveAtCluster<true>},
      {BARRIER("cluster.arrive.relaxed.aligned"), arriveAtCluster<true>},
      {BARRIER("cluster.wait"), waitForCluster},
      {BARRIER("cluster.wait.aligned"), waitForCluster},
  };
  return rows;
}
