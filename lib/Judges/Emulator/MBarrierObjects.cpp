//===- MBarrierObjects.cpp - phases, counts and bytes of mbarriers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MBarrierObjects.h"
#include "BulkBox.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

/// The most that a barrier can count, arrivals and bytes.
static constexpr int64_t maxCount = (1 << 20) - 1;

MBarrier *parablock::emulator::findObject(OpCall &call, uint64_t address,
                                          unsigned addressSpace,
                                          bool needsFence) {
  Thread &thread = call.thread;
  Worker &worker = call.worker();
  if (!checkAlignment(thread, call.site, address, mbarrierBytes))
    return nullptr;
  Place place = locate(thread, address, addressSpace);
  if (place.kind != Place::SharedMemory) {
    worker.report(ReportKind::OutOfBounds, thread, call.site,
                  "mbarrier at " + describePlace(worker, place));
    return nullptr;
  }
  auto found = place.cta->objects.find(place.offset);
  if (found == place.cta->objects.end()) {
    worker.report(ReportKind::BarrierMisuse, thread, call.site,
                  "no mbarrier has been initialised at " +
                      describePlace(worker, place));
    return nullptr;
  }
  MBarrier &barrier = *found->second;
  if (!worker.launch.options.checks)
    return &barrier;
  noteRemoteAccess(thread, call.site, *place.cta, thread.point(),
                   /*isWrite=*/false);
  ClockPoint point = barrier.initialized;
  auto isKnown = [&](const ClockRef &clock) {
    return clock && clock->knows(point.agent, point.epoch);
  };
  if (point.agent != thread.agent && !isKnown(thread.knowledge.seen) &&
      !isKnown(thread.knowledge.barriers))
    worker.report(ReportKind::Race, thread, call.site,
                  "the use of the mbarrier at " + describePlace(worker, place) +
                      " is not ordered after its initialisation by " +
                      call.cluster().describeAgent(point.agent));
  if ((needsFence || place.cta != thread.cta) && !barrier.fenced)
    worker.report(ReportKind::MissingFence, thread, call.site,
                  "no fence.mbarrier_init after the initialisation of the "
                  "mbarrier at " +
                      describePlace(worker, place));
  return &barrier;
}

void parablock::emulator::updatePhase(Worker &worker, MBarrier &barrier) {
  if (barrier.pending != 0 || barrier.pendingBytes != 0)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.completed.join(worker.joiner, barrier.running.collect(worker.joiner));
  barrier.running.clear();
  worker.wakeAll(barrier.waiting);
}

void parablock::emulator::arrive(OpCall &call, MBarrier &barrier,
                                 uint32_t count, uint32_t dropped) {
  if (count > barrier.pending) {
    call.worker().report(ReportKind::BarrierMisuse, call.thread, call.site,
                         Twine(count) +
                             " arrivals at the mbarrier at shared "
                             "memory + " +
                             Twine(barrier.offset) + ", which awaits " +
                             Twine(barrier.pending) + " of " +
                             Twine(barrier.expected) + " in this phase");
    count = barrier.pending;
  }
  barrier.pending -= count;
  barrier.expected -= std::min(dropped, barrier.expected);
  updatePhase(call.worker(), barrier);
}

void parablock::emulator::completeLoad(Worker &worker, MBarrier &barrier,
                                       std::unique_ptr<PendingLoad> load) {
  if (load->isArrival) {
    for (const LocalCopy &copy : load->localCopies)
      performLocalCopy(*load->issuer, copy);
    barrier.pending -= barrier.pending != 0;
  } else {
    performLoad(worker, *load);
    barrier.pendingBytes -= getBoxBytes(load->box);
  }
  barrier.running.add(load->point);
  if (barrier.pendingBytes < -maxCount)
    worker.report(ReportKind::BarrierMisuse, *load->issuer, *load->site,
                  "the transaction count of the mbarrier at shared memory + " +
                      Twine(barrier.offset) + " is out of range");
  updatePhase(worker, barrier);
}
