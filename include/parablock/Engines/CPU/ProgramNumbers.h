//===- ProgramNumbers.h - a CPU program for the runtime ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_PROGRAMNUMBERS_H
#define PARABLOCK_CPU_PROGRAMNUMBERS_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock {

/// The row of numbers that CPU/Runtime/Program.h describes, and the kernels it
/// counts by.
struct ProgramNumbers {
  std::vector<int64_t> numbers;
  std::vector<std::string> kernels;
};

ProgramNumbers makeProgramNumbers(const CpuProgram &program);

} // namespace parablock

#endif // PARABLOCK_CPU_PROGRAMNUMBERS_H
