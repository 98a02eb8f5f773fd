//===- DivideRows.h - launches divided by rows ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_DIVIDEROWS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_DIVIDEROWS_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock::cpugen {

/// Parts begin at multiples of this number of rows; kernels that sum rows
/// process as many, or a divisor, at once.
inline constexpr int64_t kPartRows = 128;

/// Makes consecutive launches of a layer process some rows at a time, each part
/// through all launches, if that needs less memory between launches: tensors
/// used only within them have memory for the current rows only. Attention keeps
/// as many items as there are workers. Programs with dynamic sizes are
/// unchanged; other programs have no parts afterwards.
void divideRows(CpuProgram &program, int32_t workers);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_DIVIDEROWS_H
