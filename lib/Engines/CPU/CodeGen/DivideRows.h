//===- DivideRows.h - launches that go through rows together ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_CODEGEN_DIVIDEROWS_H
#define PARABLOCK_LIB_CPU_CODEGEN_DIVIDEROWS_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock::cpugen {

/// Rows that parts begin with a multiple of, of which kernels that add up rows
/// take as many, or a divisor of them, at once.
inline constexpr int64_t kPartRows = 128;

/// Has launches of a layer that follow each other do their rows some at a time,
/// all of them the first, then all of them the next, where less lies between
/// launches then: what they alone hand on has room for the rows at hand.
/// Attention keeps as many items as there are workers. Programs with open sizes
/// stay as they are; others say nothing of parts then.
void divideRows(CpuProgram &program, int32_t workers);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_CODEGEN_DIVIDEROWS_H
