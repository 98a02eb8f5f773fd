//===- ControlOps.cpp - setmaxnreg, grid waits and clocks -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Gather.h"
#include "OpTable.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

/// setmaxnreg: all warps of a warpgroup pass the same number. The pool is
/// checked when the CTA ends. The parameter is the direction.
static void setRegisters(OpCall &call) {
  uint32_t count = call.arguments[0].u32;
  if (count < 24 || count > 256 || count % 8 != 0)
    call.worker().report(ReportKind::BadOperand, call.thread, call.site,
                         "setmaxnreg of " + Twine(count) +
                             ", which is no multiple of 8 from 24 to 256");
  gatherWarpgroup(call, [&](Gathering &all) {
    uint32_t &current = call.cta().registers[call.thread.index / warpgroupSize];
    bool increases = all.site->row->parameter > 0;
    if (current != 0 && (increases ? count < current : count > current))
      call.worker().report(ReportKind::BadOperand, call.thread, call.site,
                           "setmaxnreg." + Twine(increases ? "inc" : "dec") +
                               " from " + Twine(current) + " to " +
                               Twine(count));
    current = count;
  });
}

/// Launches complete before the next begins; Access.cpp checks accesses of a
/// thread before its wait.
static void waitForLaunch(OpCall &call) {
  call.thread.hasWaited = true;
  call.worker().launch.hasWaited = true;
}

/// The next launch waits for this one, whose end does not imply that of the
/// previous one unless this one has waited.
static void letNextBegin(OpCall &call) {
  if (!call.thread.hasWaited)
    call.worker().launch.signalsTooEarly = true;
}

static void sleep(OpCall &call) {
  Wait wait;
  wait.kind = Wait::Spin;
  wait.site = &call.site;
  call.worker().poll(call.thread, wait);
}

/// A clock that counts the ops of the thread's host thread, so that runs are
/// reproducible.
template <typename T> static void readClock(OpCall &call) {
  uint64_t total = 0;
  for (uint64_t count : call.worker().counters)
    total += count;
  call.setResult(static_cast<T>(total));
}

#define NVVM(name) "llvm.nvvm." name

llvm::ArrayRef<OpRow> parablock::emulator::getControlOps() {
  static const OpRow rows[] = {
      {NVVM("setmaxnreg.inc.sync.aligned.u32"), setRegisters, 1},
      {NVVM("setmaxnreg.dec.sync.aligned.u32"), setRegisters, -1},
      {NVVM("griddepcontrol.wait"), waitForLaunch},
      {NVVM("griddepcontrol.launch.dependents"), letNextBegin},
      {NVVM("nanosleep"), sleep},
      {NVVM("read.ptx.sreg.clock"), readClock<uint32_t>},
      {NVVM("read.ptx.sreg.clock64"), readClock<uint64_t>},
      {NVVM("read.ptx.sreg.globaltimer"), readClock<uint64_t>},
  };
  return rows;
}
