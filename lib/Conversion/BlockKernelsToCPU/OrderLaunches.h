//===- OrderLaunches.h - reordering of launches -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ORDERLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ORDERLAUNCHES_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock::cpugen {

/// Reorders launches of a run if less memory is then live between them, so that
/// recomputed forward values are freed as early as possible. Launches stay in
/// their layers, in the order of layers, and after their inputs, so results are
/// unaffected. Programs with dynamic sizes are unchanged.
void orderLaunches(CpuProgram &program);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ORDERLAUNCHES_H
