//===- Gather.cpp - gathers threads at collective ops ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Gather.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

/// Returns those already waiting for `call`, or a new gathering.
static Gathering &findOrOpen(GatherPoint &point, const OpCall &call,
                             uint32_t mask, uint32_t width,
                             uint32_t numExpected, bool sameSite) {
  for (const std::unique_ptr<Gathering> &open : point.open)
    if (open->mask == mask && (sameSite ? open->site == &call.site
                                        : open->site->row == call.site.row))
      return *open;
  if (point.unused.empty())
    point.unused.push_back(std::make_unique<Gathering>());
  point.open.push_back(std::move(point.unused.back()));
  point.unused.pop_back();
  Gathering &gathering = *point.open.back();
  gathering.site = &call.site;
  gathering.mask = mask;
  gathering.numExpected = numExpected;
  gathering.numArrived = 0;
  gathering.width = width;
  std::fill_n(gathering.threads, width, nullptr);
  return gathering;
}

static void gather(OpCall &call, GatherPoint &point, uint32_t lane,
                   uint32_t mask, uint32_t width, uint32_t numExpected,
                   bool sameSite, GatherFunction compute) {
  Worker &worker = call.worker();
  Gathering &gathering =
      findOrOpen(point, call, mask, width, numExpected, sameSite);
  gathering.threads[lane] = &call.thread;
  gathering.arguments[lane] = call.arguments;
  gathering.results[lane] = call.result;
  if (++gathering.numArrived < numExpected) {
    Wait wait;
    wait.kind = Wait::Gather;
    wait.site = &call.site;
    wait.object = mask;
    worker.block(call.thread, wait);
    return;
  }
  compute(gathering);
  for (Thread *thread : gathering.members())
    if (thread && thread != &call.thread)
      worker.wake(*thread);
  for (std::unique_ptr<Gathering> &open : point.open)
    if (open.get() == &gathering) {
      point.unused.push_back(std::move(open));
      std::swap(open, point.open.back());
      point.open.pop_back();
      break;
    }
}

void parablock::emulator::gatherMasked(OpCall &call, uint32_t mask,
                                       GatherFunction compute) {
  Cta &cta = call.cta();
  uint32_t warp = call.thread.index / warpSize;
  uint32_t existing = llvm::maskTrailingOnes<uint32_t>(cta.warpThreads(warp));
  uint32_t lane = call.thread.lane();
  if ((mask & ~existing) != 0 || (mask >> lane & 1) == 0)
    call.worker().report(
        ReportKind::BadOperand, call.thread, call.site,
        (mask >> lane & 1) == 0
            ? Twine("the member mask does not hold the executing lane")
            : Twine("the member mask holds lanes that do not exist"));
  mask = (mask & existing) | 1u << lane;
  gather(call, cta.warps[warp], lane, mask, warpSize, llvm::popcount(mask),
         /*sameSite=*/false, compute);
}

void parablock::emulator::gatherWarp(OpCall &call, GatherFunction compute) {
  Cta &cta = call.cta();
  uint32_t warp = call.thread.index / warpSize;
  uint32_t count = cta.warpThreads(warp);
  gather(call, cta.warps[warp], call.thread.lane(),
         llvm::maskTrailingOnes<uint32_t>(count), warpSize, count,
         /*sameSite=*/true, compute);
}

void parablock::emulator::gatherWarpgroup(OpCall &call,
                                          GatherFunction compute) {
  gather(call, call.cta().warpgroups[call.thread.index / warpgroupSize],
         call.thread.index % warpgroupSize, 0, warpgroupSize, warpgroupSize,
         /*sameSite=*/true, compute);
}
