//===- OrderLaunches.h - an order of launches that takes less ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_CODEGEN_ORDERLAUNCHES_H
#define PARABLOCK_LIB_CPU_CODEGEN_ORDERLAUNCHES_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock::cpugen {

/// Puts launches of a run in another order where less lies between them then,
/// so that a value of forward that is there again goes as soon as it can. They
/// stay in their layers, in the order of these, and behind what they read; so
/// no number changes. Programs with open sizes stay as they are.
void orderLaunches(CpuProgram &program);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_CODEGEN_ORDERLAUNCHES_H
