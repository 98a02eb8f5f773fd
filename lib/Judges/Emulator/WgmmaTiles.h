//===- WgmmaTiles.h - Matrix operands in shared memory ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_WGMMATILES_H
#define PARABLOCK_EMULATOR_WGMMATILES_H

#include "Access.h"
#include "Numbers.h"

namespace parablock::emulator {

static constexpr uint32_t wgmmaRows = 64, wgmmaDepth = 16,
                          wgmmaMaxColumns = 256;

/// Operands and result of one wgmma of 16-bit types.
struct WgmmaTiles {
  alignas(64) float a[wgmmaRows][wgmmaDepth];
  alignas(64) float b[wgmmaDepth][wgmmaMaxColumns];
  alignas(64) float d[wgmmaRows][wgmmaMaxColumns];
};

/// Reads the operand that `descriptor` describes: `count` rows of A or columns
/// of B, and `wgmmaDepth` values of each, into put(i, k, value).
void readWgmmaTile(Actor &actor, uint64_t descriptor, uint32_t count,
                   bool isMNMajor, NumberFormat format,
                   llvm::function_ref<void(uint32_t, uint32_t, float)> put);

/// d += a * b in the first `columns` columns.
void multiplyWgmmaTiles(WgmmaTiles &tiles, uint32_t columns);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_WGMMATILES_H
