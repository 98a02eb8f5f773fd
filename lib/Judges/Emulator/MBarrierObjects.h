//===- MBarrierObjects.h - Barrier objects in shared memory -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_MBARRIEROBJECTS_H
#define PARABLOCK_EMULATOR_MBARRIEROBJECTS_H

#include "Access.h"

namespace parablock::emulator {

static constexpr uint32_t mbarrierBytes = 8;

/// Finds the barrier object at `address`; reports and returns null if there is
/// none, or if its initialisation is not ordered before this use. `needsFence`:
/// used by the async proxy or by another CTA.
MBarrier *findObject(OpCall &call, uint64_t address, unsigned addressSpace,
                     bool needsFence);

/// Completes the running phase if nothing is pending any more.
void updatePhase(Worker &worker, MBarrier &barrier);

/// `count` arrivals, of which `dropped` do not take part any more.
void arrive(OpCall &call, MBarrier &barrier, uint32_t count, uint32_t dropped);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_MBARRIEROBJECTS_H
