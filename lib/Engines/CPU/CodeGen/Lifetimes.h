//===- Lifetimes.h - which launches tensors are needed by -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_CODEGEN_LIFETIMES_H
#define PARABLOCK_LIB_CPU_CODEGEN_LIFETIMES_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock::cpugen {

/// Finds the first and the last use of every tensor among the launches of a
/// run.
void findLifetimes(CpuProgram &program);

/// Lets what a launch may write in place of what it reads last, neither of
/// which anybody else has, be one tensor with that.
void shareInPlace(CpuProgram &program);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_CODEGEN_LIFETIMES_H
