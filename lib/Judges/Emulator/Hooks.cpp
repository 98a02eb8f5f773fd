//===- Hooks.cpp - functions called by compiled kernels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hooks.h"
#include "Access.h"
#include "Atomics.h"
#include "Numbers.h"
#include "QuickAccess.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::emulator;

/// An atomic load repeated this often without anything else lets others run.
static constexpr uint32_t pollsBeforeYield = 8;

static void callOperation(const Site *site, Slot *arguments, void *result) {
  Thread &thread = Worker::current();
  Worker &worker = *thread.cta->cluster->worker;
  ++worker.counters[site->counter];
  OpCall call = {thread, *site, arguments, result};
  site->row->function(call);
}

void *parablock::emulator::checkAccess(void *pointer, const Site *site) {
  Thread &thread = Worker::current();
  Worker &worker = *thread.cta->cluster->worker;
  auto address = reinterpret_cast<uint64_t>(pointer);
  Actor actor(thread, *site);
  actor.atomic = site->isAtomic;
  Place place = locate(thread, address, site->addressSpace);
  bool allowed = checkAlignment(thread, *site, address, site->align);
  if (allowed && site->isRead)
    allowed = checkRead(actor, place, site->bytes);
  if (allowed && site->isWrite)
    allowed = checkWrite(actor, place, site->bytes);
  if (!allowed) {
    std::fill_n(worker.sink, site->bytes, char(0xFF));
    return worker.sink;
  }
  if (site->isWrite) {
    worker.noteProgress();
    thread.polls = 0;
  } else if (site->isAtomic && ++thread.polls % pollsBeforeYield == 0) {
    Wait wait;
    wait.kind = Wait::Spin;
    wait.site = site;
    worker.poll(thread, wait);
  }
  // Done last: the access must follow everything ordered before it.
  if (site->isAtomic)
    orderAtomic(thread, *site, address);
  return pointer;
}

static bool checkRange(void *pointer, uint64_t bytes, const Site *site,
                       bool isWrite) {
  Thread &thread = Worker::current();
  Actor actor(thread, *site);
  auto address = reinterpret_cast<uint64_t>(pointer);
  if (bytes == 0)
    return true;
  Place place = locate(thread, address, site->addressSpace);
  if (bytes > UINT32_MAX)
    place.kind = Place::Nowhere;
  return isWrite ? checkWrite(actor, place, bytes)
                 : checkRead(actor, place, bytes);
}

static void fence(bool acquires, bool releases, bool isForCta) {
  orderFence(Worker::current(), acquires, releases, isForCta);
}

static void *getShared() { return Worker::current().cta->shared; }

static uint32_t getAccumulators() { return Worker::current().wgmmaIssued; }

static void touchAccumulators(uint32_t name, const Site *site) {
  Thread &thread = Worker::current();
  if (name > thread.wgmmaCompleted)
    thread.cta->cluster->worker->report(
        ReportKind::MissingWait, thread, *site,
        "accumulators are read before the wgmma that gives them has been "
        "waited for");
}

// The compiler's runtime functions for conversions that the host lacks. They
// return the 16 bits in the low half of a vector register, as a float whose low
// half contains them.
static float truncateToBF16(float value) {
  return llvm::bit_cast<float>(uint32_t(toBF16(value)));
}
static float truncateDoubleToBF16(double value) {
  return llvm::bit_cast<float>(uint32_t(toBF16Bits(value)));
}
static float truncateDoubleToF16(double value) {
  return llvm::bit_cast<float>(uint32_t(toF16Bits(value)));
}

template <typename Function> static void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

llvm::ArrayRef<Hook> parablock::emulator::getBasicHooks() {
  static const Hook table[] = {
      {hooks::call, addressOf(callOperation)},
      {hooks::access, addressOf(checkAccess)},
      {hooks::range, addressOf(checkRange)},
      {hooks::fence, addressOf(fence)},
      {hooks::shared, addressOf(getShared)},
      {hooks::accumulators, addressOf(getAccumulators)},
      {hooks::touch, addressOf(touchAccumulators)},
      {"__truncsfbf2", addressOf(truncateToBF16)},
      {"__truncdfbf2", addressOf(truncateDoubleToBF16)},
      {"__truncdfhf2", addressOf(truncateDoubleToF16)},
  };
  return table;
}
