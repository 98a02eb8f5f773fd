//===- MBarrierOps.cpp - mbarrier instructions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MBarrierObjects.h"
#include "OpTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

static constexpr uint32_t maxArrivals = (1 << 20) - 1;

static void initialize(OpCall &call) {
  Thread &thread = call.thread;
  Worker &worker = call.worker();
  uint64_t address = call.arguments[0].u64;
  uint32_t count = call.arguments[1].u32;
  if (count == 0 || count > maxArrivals)
    worker.report(ReportKind::BadOperand, thread, call.site,
                  "mbarrier for " + Twine(count) + " arrivals");
  Actor actor(thread, call.site);
  if (!checkWrite(actor, address, mbarrierBytes, mbarrierBytes, Generic))
    return;
  Place place = locate(thread, address, Generic);
  if (place.kind != Place::SharedMemory || place.cta != thread.cta) {
    worker.report(ReportKind::OutOfBounds, thread, call.site,
                  "mbarrier at " + describePlace(worker, place));
    return;
  }
  auto barrier = std::make_unique<MBarrier>();
  barrier->cta = thread.cta;
  barrier->offset = place.offset;
  barrier->expected = barrier->pending = count;
  barrier->initialized = thread.point();
  thread.unfencedBarriers.push_back(barrier.get());
  setSharedStates(*thread.cta, place.offset, mbarrierBytes, ByteState::Barrier);
  thread.cta->objects[place.offset] = std::move(barrier);
}

static void invalidate(OpCall &call) {
  MBarrier *barrier =
      findObject(call, call.arguments[0].u64, Generic, /*needsFence=*/false);
  if (!barrier)
    return;
  if (!barrier->waiting.empty() || !barrier->loads.empty())
    call.worker().report(ReportKind::BarrierMisuse, call.thread, call.site,
                         "the mbarrier at shared memory + " +
                             Twine(barrier->offset) + " is in use");
  llvm::erase(call.thread.unfencedBarriers, barrier);
  setSharedStates(*barrier->cta, barrier->offset, mbarrierBytes,
                  ByteState::Uninitialized);
  barrier->cta->objects.erase(barrier->offset);
}

namespace {
/// Additional effects of an arrival.
enum ArriveFlags : int32_t {
  /// The second operand is a number of arrivals.
  Counts = 1,
  /// The second operand is a number of bytes to expect.
  Expects = 2,
  Drops = 4,
  Relaxed = 8,
  /// The object may belong to another CTA; there is no result.
  Remote = 16,
  /// Orders for the threads of the whole cluster.
  ForCluster = 32
};
} // namespace

static void arriveAt(OpCall &call, uint64_t address, int32_t flags,
                     uint32_t operand) {
  Thread &thread = call.thread;
  MBarrier *barrier =
      findObject(call, address, flags & Remote ? SharedCluster : Generic,
                 /*needsFence=*/false);
  uint64_t state = barrier ? barrier->phase : 0;
  if (!(flags & Remote))
    call.setResult(state);
  if (!barrier)
    return;
  if (flags & Expects)
    barrier->pendingBytes += operand;
  if (!(flags & Relaxed)) {
    // A release for this CTA alone only completes accesses for others.
    bool isVisible = flags & ForCluster || barrier->cta == thread.cta;
    ClockJoiner &joiner = call.worker().joiner;
    if (isVisible)
      barrier->running.release(joiner, thread.knowledge, thread.point());
    else
      barrier->running.releaseOver(joiner, thread.knowledge, thread.point());
    ++thread.epoch;
  }
  uint32_t count = flags & Counts ? operand : 1;
  arrive(call, *barrier, count, flags & Drops ? count : 0);
}

static void arriveOp(OpCall &call) {
  int32_t flags = call.parameter();
  arriveAt(call, call.arguments[0].u64, flags,
           flags & (Counts | Expects) ? call.arguments[1].u32 : 0);
}

/// mapa and an arrival in one text: a 32-bit shared address and a CTA's rank.
static void arriveMapped(OpCall &call) {
  Cluster &cluster = call.cluster();
  uint32_t rank = call.arguments[1].u32;
  if (rank >= cluster.ctas.size())
    return call.worker().report(ReportKind::BadOperand, call.thread, call.site,
                                "there is no CTA " + Twine(rank) +
                                    " in a cluster of " +
                                    Twine(uint64_t(cluster.ctas.size())));
  uint64_t offset = call.arguments[0].u32 % sharedWindowBytes;
  arriveAt(call, reinterpret_cast<uint64_t>(cluster.ctas[rank].shared) + offset,
           Remote | ForCluster, 0);
}

/// expect_tx and complete_tx without an arrival; the parameter is the sign.
static void countBytes(OpCall &call) {
  MBarrier *barrier = findObject(call, call.arguments[0].u64, SharedCluster,
                                 /*needsFence=*/false);
  if (!barrier)
    return;
  barrier->pendingBytes += int64_t(call.parameter()) * call.arguments[1].u32;
  if (call.parameter() < 0)
    updatePhase(call.worker(), *barrier);
}

static void acquire(OpCall &call, const MBarrier &barrier) {
  call.thread.knowledge.join(call.worker().joiner, barrier.completed);
}

namespace {
enum WaitFlags : int32_t {
  /// The operand is a parity, otherwise the state that an arrival gave.
  Parity = 1,
  /// Returns true or false at once.
  Polls = 2,
  /// Loops in the text itself, so there is no result.
  Loops = 4,
  RelaxedWait = 8
};
} // namespace

static void waitOp(OpCall &call) {
  int32_t flags = call.parameter();
  Thread &thread = call.thread;
  Worker &worker = call.worker();
  MBarrier *barrier = findObject(call, call.arguments[0].u64, Generic,
                                 /*needsFence=*/false);
  if (!barrier) {
    if (!(flags & Loops))
      call.setResult(uint8_t(1));
    return;
  }
  uint64_t operand = call.arguments[1].u64;
  if (flags & Parity)
    operand = call.arguments[1].u32 & 1;
  auto isComplete = [&] {
    return flags & Parity ? (barrier->phase & 1) != operand
                          : barrier->phase != operand;
  };
  if (!isComplete()) {
    Wait wait;
    wait.site = &call.site;
    wait.object = barrier->offset;
    wait.parity = static_cast<uint32_t>(operand & 1);
    if (flags & Polls) {
      barrier->polled = true;
      wait.kind = Wait::Spin;
      worker.poll(thread, wait);
      barrier->polled = false;
    } else {
      wait.kind = Wait::Object;
      barrier->waiting.push_back(&thread);
      worker.block(thread, wait);
    }
  }
  // A woken thread has observed the completion of its phase, whatever came
  // later.
  bool complete = !(flags & Polls) || isComplete();
  if (complete && !(flags & RelaxedWait))
    acquire(call, *barrier);
  if (!(flags & Loops))
    call.setResult(uint8_t(complete));
}

/// The arrival that a thread's cp.async operations so far trigger. The
/// parameter: it is not among those that the barrier expects.
static void arriveAfterCopies(OpCall &call) {
  MBarrier *barrier =
      findObject(call, call.arguments[0].u64, Generic, /*needsFence=*/false);
  if (!barrier)
    return;
  Thread &thread = call.thread;
  auto load = std::make_unique<PendingLoad>();
  load->serial = call.worker().nextSerial++;
  load->site = &call.site;
  load->issuer = &thread;
  load->cta = barrier->cta;
  load->isArrival = true;
  load->point = thread.point();
  for (auto &group : thread.copies.groups) {
    llvm::append_range(load->localCopies, group);
    group.clear();
  }
  llvm::append_range(load->localCopies, thread.copies.open);
  thread.copies.open.clear();
  if (call.parameter())
    ++barrier->pending;
  ++thread.epoch;
  barrier->loads.push_back(std::move(load));
}

#define MBARRIER(name) "llvm.nvvm.mbarrier." name
#define SPACES(stem, flags)                                                    \
  {MBARRIER(stem ".scope.cta.space.cta"), arriveOp, flags},                    \
      {MBARRIER(stem ".scope.cluster.space.cta"), arriveOp,                    \
       flags | ForCluster},                                                    \
      {MBARRIER(stem ".scope.cta.space.cluster"), arriveOp, flags | Remote}, { \
    MBARRIER(stem ".scope.cluster.space.cluster"), arriveOp,                   \
        flags | Remote | ForCluster                                            \
  }
#define ARRIVALS(stem, flags)                                                  \
  SPACES(stem, flags), SPACES(stem ".relaxed", flags | Relaxed)
#define WAITS(stem, flags)                                                     \
  {MBARRIER(stem ".scope.cta.space.cta"), waitOp, flags},                      \
      {MBARRIER(stem ".scope.cluster.space.cta"), waitOp, flags},              \
      {MBARRIER(stem ".relaxed.scope.cta.space.cta"), waitOp,                  \
       flags | RelaxedWait},                                                   \
  {                                                                            \
    MBARRIER(stem ".relaxed.scope.cluster.space.cta"), waitOp,                 \
        flags | RelaxedWait                                                    \
  }
#define BYTES(stem, sign)                                                      \
  {MBARRIER(stem ".scope.cta.space.cta"), countBytes, sign},                   \
      {MBARRIER(stem ".scope.cluster.space.cta"), countBytes, sign},           \
      {MBARRIER(stem ".scope.cta.space.cluster"), countBytes, sign}, {         \
    MBARRIER(stem ".scope.cluster.space.cluster"), countBytes, sign            \
  }
#define SHARED(stem, function, flags)                                          \
  {MBARRIER(stem), function, flags}, {                                         \
    MBARRIER(stem ".shared"), function, flags                                  \
  }

llvm::ArrayRef<OpRow> parablock::emulator::getMBarrierOps() {
  static const OpRow rows[] = {
      SHARED("init", initialize, 0),
      SHARED("inval", invalidate, 0),
      SHARED("arrive", arriveOp, 0),
      SHARED("arrive.drop", arriveOp, Drops),
      ARRIVALS("arrive", Counts),
      ARRIVALS("arrive.expect.tx", Expects),
      ARRIVALS("arrive.drop", Counts | Drops),
      ARRIVALS("arrive.drop.expect.tx", Expects | Drops),
      BYTES("expect.tx", 1),
      BYTES("complete.tx", -1),
      SHARED("test.wait", waitOp, Polls),
      WAITS("test.wait", Polls),
      WAITS("test.wait.parity", Polls | Parity),
      WAITS("try.wait", 0),
      WAITS("try.wait.tl", 0),
      WAITS("try.wait.parity", Parity),
      WAITS("try.wait.parity.tl", Parity),
      {"asm:mbarrier.try_wait.parity", waitOp, Parity | Loops},
      {"asm:mbarrier.arrive.release.cluster", arriveMapped},
      {"llvm.nvvm.cp.async.mbarrier.arrive", arriveAfterCopies, 1},
      {"llvm.nvvm.cp.async.mbarrier.arrive.shared", arriveAfterCopies, 1},
      {"llvm.nvvm.cp.async.mbarrier.arrive.noinc", arriveAfterCopies, 0},
      {"llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared", arriveAfterCopies, 0},
  };
  return rows;
}
