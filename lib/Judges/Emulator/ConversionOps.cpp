//===- ConversionOps.cpp - conversions and byte permutations --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "OpTable.h"
#include "Worker.h"

using namespace parablock;
using namespace parablock::emulator;

/// f32 to tf32, to nearest: ties away from zero, or to even.
static void toTF32Away(OpCall &call) {
  uint32_t bits = call.arguments[0].u32;
  if ((bits & 0x7FFFFFFF) < 0x7F800000)
    bits += 0x1000;
  call.setResult(bits & 0xFFFFE000);
}

static void toTF32Even(OpCall &call) {
  uint32_t bits = call.arguments[0].u32;
  if ((bits & 0x7FFFFFFF) < 0x7F800000)
    bits += 0xFFF + ((bits >> 13) & 1);
  call.setResult(bits & 0xFFFFE000);
}

template <NumberFormat format> static uint16_t to16(float value) {
  return format == BF16 ? toBF16(value) : toF16(value);
}

template <NumberFormat format> static void to16One(OpCall &call) {
  call.setResult(to16<format>(call.arguments[0].f32));
}

/// The first operand goes into the upper half.
template <NumberFormat format> static void to16Pair(OpCall &call) {
  uint32_t upper = to16<format>(call.arguments[0].f32);
  uint32_t lower = to16<format>(call.arguments[1].f32);
  call.setResult(upper << 16 | lower);
}

/// Picks four bytes from eight; bit 3 of a selector repeats the sign instead.
static void permuteBytes(OpCall &call) {
  uint64_t bytes =
      uint64_t(call.arguments[1].u32) << 32 | call.arguments[0].u32;
  uint32_t selector = call.arguments[2].u32, result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned which = selector >> 4 * i & 0xF;
    uint32_t byte = bytes >> 8 * (which & 7) & 0xFF;
    if (which & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << 8 * i;
  }
  call.setResult(result);
}

llvm::ArrayRef<OpRow> parablock::emulator::getConversionOps() {
  static const OpRow rows[] = {
      {"llvm.nvvm.f2tf32.rna", toTF32Away},
      {"llvm.nvvm.f2tf32.rn", toTF32Even},
      {"llvm.nvvm.f2bf16.rn", to16One<BF16>},
      {"llvm.nvvm.f2f16.rn", to16One<F16>},
      {"llvm.nvvm.ff2bf16x2.rn", to16Pair<BF16>},
      {"llvm.nvvm.ff2f16x2.rn", to16Pair<F16>},
      {"llvm.nvvm.prmt", permuteBytes},
      {"asm:cvt.rna.tf32.f32", toTF32Away},
      {"asm:cvt.rn.bf16x2.f32", to16Pair<BF16>},
      {"asm:cvt.rn.f16x2.f32", to16Pair<F16>},
  };
  return rows;
}
