//===- ProgramNumbers.h - programs encoded as numbers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_PROGRAMNUMBERS_H
#define PARABLOCK_CPU_PROGRAMNUMBERS_H

#include "parablock/Engines/CPU/Runtime/Program.h"

namespace parablock {

/// Returns the numbers that CPU/Runtime/Program.h describes.
std::vector<int64_t> makeProgramNumbers(const cpu::ProgramData &program);

} // namespace parablock

#endif // PARABLOCK_CPU_PROGRAMNUMBERS_H
