//===- FenceOps.cpp - fences, mapa and prefetches -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Atomics.h"
#include "OpTable.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

static void fenceBarriers(OpCall &call) {
  Thread &thread = call.thread;
  if (thread.unfencedBarriers.empty())
    return;
  for (MBarrier *barrier : thread.unfencedBarriers)
    barrier->fenced = true;
  thread.unfencedBarriers.clear();
  ClockRef &known = thread.knowledge.barriers;
  known = call.worker().joiner.add(known, {thread.point()});
  ++thread.epoch;
}

/// The thread's whole clock becomes visible to the async proxy of threads that
/// synchronise with it.
static void fenceProxy(OpCall &call) {
  fenceBarriers(call);
  Thread &thread = call.thread;
  ClockJoiner &joiner = call.worker().joiner;
  Knowledge &own = thread.knowledge;
  own.fenced = joiner.add(joiner.join(own.fenced, own.seen), {thread.point()});
  ++thread.epoch;
}

/// The parameter: it orders threads of the CTA alone.
static void fenceThreads(OpCall &call) {
  orderFence(call.thread, /*acquires=*/true, /*releases=*/true,
             /*isForCta=*/call.parameter());
}

static void doNothing(OpCall &) {}

/// The address of the same variable in another CTA of the cluster.
static void mapAddress(OpCall &call) {
  Cluster &cluster = call.cluster();
  Place place = locate(call.thread, call.arguments[0].u64, SharedCluster);
  uint32_t rank = call.arguments[1].u32;
  if (place.kind != Place::SharedMemory || rank >= cluster.ctas.size()) {
    call.worker().report(ReportKind::BadOperand, call.thread, call.site,
                         place.kind != Place::SharedMemory
                             ? Twine("the address is not in shared memory")
                             : "there is no CTA " + Twine(rank) +
                                   " in a cluster of " +
                                   Twine(uint64_t(cluster.ctas.size())));
    return call.setResult(call.arguments[0].u64);
  }
  call.setResult(cluster.ctas[rank].shared + place.offset);
}

static void getRank(OpCall &call) {
  Place place = locate(call.thread, call.arguments[0].u64, SharedCluster);
  call.setResult(place.kind == Place::SharedMemory ? place.cta->rank
                                                   : call.cta().rank);
}

/// isspacep; the parameter is the address space.
static void isInSpace(OpCall &call) {
  Place place = locate(call.thread, call.arguments[0].u64, Generic);
  bool isShared = place.kind == Place::SharedMemory;
  bool result = false;
  switch (call.parameter()) {
  case Shared:
    result = isShared && place.cta == call.thread.cta;
    break;
  case SharedCluster:
    result = isShared;
    break;
  case Local:
    result = call.thread.fiber.holds(call.arguments[0].u64);
    break;
  default:
    result = !isShared && !call.thread.fiber.holds(call.arguments[0].u64);
    break;
  }
  call.setResult(uint8_t(result));
}

#define NVVM(name) "llvm.nvvm." name

llvm::ArrayRef<OpRow> parablock::emulator::getFenceOps() {
  static const OpRow rows[] = {
      {NVVM("fence.mbarrier_init.release.cluster"), fenceBarriers},
      {NVVM("fence.proxy.async"), fenceProxy},
      {NVVM("fence.proxy.async.global"), fenceProxy},
      {NVVM("fence.proxy.async.shared_cta"), fenceProxy},
      {NVVM("fence.proxy.async.shared_cluster"), fenceProxy},
      {NVVM("membar.cta"), fenceThreads, 1},
      {NVVM("membar.gl"), fenceThreads},
      {NVVM("membar.sys"), fenceThreads},
      {NVVM("fence.sc.cluster"), fenceThreads},
      {NVVM("mapa"), mapAddress},
      {NVVM("mapa.shared.cluster"), mapAddress},
      {NVVM("getctarank"), getRank},
      {NVVM("getctarank.shared.cluster"), getRank},
      {NVVM("isspacep.shared"), isInSpace, Shared},
      {NVVM("isspacep.shared.cluster"), isInSpace, SharedCluster},
      {NVVM("isspacep.global"), isInSpace, Global},
      {NVVM("isspacep.local"), isInSpace, Local},
      {NVVM("prefetch.tensormap"), doNothing},
      {NVVM("prefetch.L1"), doNothing},
      {NVVM("prefetch.L2"), doNothing},
      {NVVM("prefetch.global.L1"), doNothing},
      {NVVM("prefetch.global.L2"), doNothing},
      {NVVM("cp.async.bulk.prefetch.L2"), doNothing},
  };
  return rows;
}
