//===- Gather.h - Collective operations -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_GATHER_H
#define PARABLOCK_EMULATOR_GATHER_H

#include "Worker.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::emulator {

using GatherFunction = llvm::function_ref<void(Gathering &)>;

/// Waits until the lanes in `mask` have all come to the same operation with
/// the same mask; the last one computes for all.
void gatherMasked(OpCall &call, uint32_t mask, GatherFunction compute);

/// Gathers for instructions that are .aligned without a mask: all lanes of the
/// warp, at the same instruction.
void gatherWarp(OpCall &call, GatherFunction compute);

/// All 128 threads of the warpgroup, at the same instruction.
void gatherWarpgroup(OpCall &call, GatherFunction compute);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_GATHER_H
