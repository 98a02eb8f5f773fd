//===- WgmmaOps.h - The operands of wgmma -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_WGMMAOPS_H
#define PARABLOCK_EMULATOR_WGMMAOPS_H

namespace parablock::emulator {

/// The immediates of a wgmma.mma_async site. Its slots are the accumulators, A
/// (a descriptor or four registers), the descriptor of B and, if scaleD is
/// `scaleIsOperand`, the predicate that keeps the accumulators.
enum WgmmaImmediate : unsigned {
  Columns,
  Format,
  AInRegisters,
  ScaleD,
  ScaleA,
  ScaleB,
  TransposeA,
  TransposeB,
  numWgmmaImmediates
};

static constexpr int scaleIsOperand = -1;

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_WGMMAOPS_H
