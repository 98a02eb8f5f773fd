//===- WgmmaTiles.h - Matrix operands in shared memory ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_WGMMATILES_H
#define PARABLOCK_EMULATOR_WGMMATILES_H

#include "Access.h"
#include "Numbers.h"

namespace parablock::emulator {

static constexpr uint32_t wgmmaRows = 64, wgmmaMaxDepth = 32,
                          wgmmaMaxColumns = 256;

/// Returns the depth of one wgmma: 32 bytes of each operand's row.
inline uint32_t getWgmmaDepth(NumberFormat format) {
  return format == E4M3 ? 32 : 16;
}

/// Operands and result of one wgmma.
struct WgmmaTiles {
  alignas(64) float a[wgmmaRows][wgmmaMaxDepth];
  alignas(64) float b[wgmmaMaxDepth][wgmmaMaxColumns];
  alignas(64) float d[wgmmaRows][wgmmaMaxColumns];
};

/// Reads the operand that `descriptor` describes: `count` rows of A or columns
/// of B, and as many values of each as the instruction has depth, into put(i,
/// k, value). Numbers of 8 bits are K-major.
void readWgmmaTile(Actor &actor, uint64_t descriptor, uint32_t count,
                   bool isMNMajor, NumberFormat format,
                   llvm::function_ref<void(uint32_t, uint32_t, float)> put);

/// d += a * b in the first `columns` columns. Sums of products of 8 bits keep
/// 14 bits, as published for sm_90 (DeepSeek-V3, section 3.3.2), toward zero.
void multiplyWgmmaTiles(WgmmaTiles &tiles, uint32_t columns,
                        NumberFormat format);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_WGMMATILES_H
