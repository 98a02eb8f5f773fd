//===- Lifetimes.h - lifetimes of tensors -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LIFETIMES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LIFETIMES_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock::cpugen {

/// Finds the first and the last use of every tensor among the launches of a
/// run.
void findLifetimes(CpuProgram &program);

/// Merges a result and an operand into one tensor if a launch may write over
/// the operand, reads it last, and no other tensor shares either.
void shareInPlace(CpuProgram &program);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LIFETIMES_H
