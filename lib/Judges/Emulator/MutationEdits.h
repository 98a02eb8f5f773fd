//===- MutationEdits.h - Edits of instructions ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_MUTATIONEDITS_H
#define PARABLOCK_EMULATOR_MUTATIONEDITS_H

#include "llvm/IR/Instructions.h"

namespace parablock::emulator {

/// Erases it; replaces a boolean result by true, any other number by
/// 0.
void drop(llvm::Instruction &instruction);
/// The wait at a cluster's barrier with the arrival before it.
void dropClusterBarrier(llvm::Instruction &instruction);
/// A function of one number gives that number.
void dropFunction(llvm::Instruction &instruction);

void addToInteger(llvm::Instruction &instruction, unsigned operand,
                  int64_t amount);
void addToPointer(llvm::Instruction &instruction, unsigned operand,
                  int64_t bytes);
template <unsigned operand, int64_t amount>
void add(llvm::Instruction &instruction) {
  addToInteger(instruction, operand, amount);
}
template <unsigned operand, int64_t bytes>
void move(llvm::Instruction &instruction) {
  addToPointer(instruction, operand, bytes);
}

void flipParity(llvm::Instruction &instruction);
/// The second coordinate of a box, or the source of a plain copy.
void moveSource(llvm::Instruction &instruction);
void moveOutput(llvm::Instruction &instruction);
/// The next element is loaded.
void moveLoad(llvm::Instruction &instruction);
/// Half of the bytes, the rest zero.
void halveCopy(llvm::Instruction &instruction);
/// The other CTAs of the cluster.
void flipMulticast(llvm::Instruction &instruction);
/// Change the descriptor of B: its start, its stride offset, its swizzle.
void changeStart(llvm::Instruction &instruction);
void changeStride(llvm::Instruction &instruction);
void changeSwizzle(llvm::Instruction &instruction);
void flipScale(llvm::Instruction &instruction);
void swapOperands(llvm::Instruction &instruction);
/// Selects the next lane; for a butterfly half the distance, since with an odd
/// one its steps together might still reach all lanes.
void changeLane(llvm::Instruction &instruction);
/// Every other warp comes to the next barrier.
void splitBarrier(llvm::Instruction &instruction);
/// The first lane is left out.
void shrinkMask(llvm::Instruction &instruction);
/// The result is 1 more.
void addToResult(llvm::Instruction &instruction);
/// The neighbour in the fragment.
void takeNeighbour(llvm::Instruction &instruction);
void startAtOne(llvm::Instruction &instruction);
/// A sum instead of a product or a difference, a difference instead of a sum.
void changeArithmetic(llvm::Instruction &instruction);
/// One round more, or less.
void includeEnd(llvm::Instruction &instruction);
void leaveOutEnd(llvm::Instruction &instruction);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_MUTATIONEDITS_H
