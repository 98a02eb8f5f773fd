//===- MmaOps.cpp - mma.sync ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// With g = lane / 4 and t = lane % 4, register q of
//   A of 16 bits holds rows g + 8 (q % 2), columns 2t + 8 (q / 2) and the next,
//   B of 16 bits holds rows 2t + 8q and the next, column g,
//   A of tf32    holds row g + 8 (q % 2), column t + 4 (q / 2),
//   B of tf32    holds row t + 4q, column g,
//   C and D      hold rows g + 8 (q / 2), columns 2t + q % 2,
// f16 accumulators two to a register. Products are exact; sums are rounded to
// f32 one after the other in the order of k.
//
//===----------------------------------------------------------------------===//

#include "Gather.h"
#include "Numbers.h"
#include "OpTable.h"

#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace parablock;
using namespace parablock::emulator;

namespace {
constexpr uint32_t numRows = 16, numColumns = 8, maxDepth = 16;

struct Operands {
  float a[numRows][maxDepth] = {};
  float b[maxDepth][numColumns] = {};
  float c[numRows][numColumns] = {};
};
} // namespace

template <NumberFormat format, uint32_t depth>
static void unpackLane(const Slot *slots, uint32_t lane, Operands &operands) {
  constexpr bool narrow = format != TF32;
  constexpr uint32_t perRegister = narrow ? 2 : 1, step = 4 * perRegister;
  constexpr uint32_t numA = 2 * depth / step, numB = depth / step;
  uint32_t g = lane / 4, t = lane % 4;
  auto unpack = [](uint32_t bits, uint32_t i) {
    return narrow ? from16(static_cast<uint16_t>(bits >> 16 * i), format)
                  : fromTF32(bits);
  };
  for (uint32_t i = 0; i < perRegister; ++i) {
    for (uint32_t q = 0; q < numA; ++q)
      operands.a[g + 8 * (q % 2)][perRegister * t + step * (q / 2) + i] =
          unpack(slots[q].u32, i);
    for (uint32_t q = 0; q < numB; ++q)
      operands.b[perRegister * t + step * q + i][g] =
          unpack(slots[numA + q].u32, i);
  }
}

/// The accumulator that part `i` of register `q` is.
static float &accumulator(Operands &operands, uint32_t lane, uint32_t i) {
  return operands.c[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2];
}

template <NumberFormat format, uint32_t depth, bool halfAccumulators>
static void multiplyTiles(OpCall &call) {
  constexpr uint32_t firstC = depth / (format == TF32 ? 4 : 8) * 3;
  gatherWarp(call, [](Gathering &all) {
    Operands operands;
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      if (!all.threads[lane])
        continue;
      const Slot *slots = all.arguments[lane];
      unpackLane<format, depth>(slots, lane, operands);
      for (uint32_t i = 0; i < 4; ++i)
        accumulator(operands, lane, i) =
            halfAccumulators ? fromF16(static_cast<uint16_t>(
                                   slots[firstC + i / 2].u32 >> 16 * (i % 2)))
                             : slots[firstC + i].f32;
    }
    for (uint32_t m = 0; m < numRows; ++m)
      for (uint32_t k = 0; k < depth; ++k)
        for (uint32_t n = 0; n < numColumns; ++n)
          operands.c[m][n] += operands.a[m][k] * operands.b[k][n];
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      if (!all.threads[lane])
        continue;
      auto *result = static_cast<char *>(all.results[lane]);
      for (uint32_t i = 0; i < 4; ++i) {
        float value = accumulator(operands, lane, i);
        if (halfAccumulators) {
          uint16_t bits = toF16(value);
          std::memcpy(result + 2 * i, &bits, 2);
        } else {
          std::memcpy(result + 4 * i, &value, 4);
        }
      }
    }
  });
}

#define MMA(shape, types) "llvm.nvvm.mma." shape ".row.col." types

llvm::ArrayRef<OpRow> parablock::emulator::getMmaOps() {
  static const OpRow rows[] = {
      {MMA("m16n8k16", "bf16"), multiplyTiles<BF16, 16, false>},
      {MMA("m16n8k16", "f32.f32"), multiplyTiles<F16, 16, false>},
      {MMA("m16n8k16", "f16.f16"), multiplyTiles<F16, 16, true>},
      {MMA("m16n8k8", "bf16"), multiplyTiles<BF16, 8, false>},
      {MMA("m16n8k8", "f32.f32"), multiplyTiles<F16, 8, false>},
      {MMA("m16n8k8", "f16.f16"), multiplyTiles<F16, 8, true>},
      {MMA("m16n8k8", "tf32"), multiplyTiles<TF32, 8, false>},
      {MMA("m16n8k4", "tf32"), multiplyTiles<TF32, 4, false>},
  };
  return rows;
}
