//===- MutationSites.h - Predicates on instructions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_MUTATIONSITES_H
#define PARABLOCK_EMULATOR_MUTATIONSITES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"

namespace parablock::emulator {

/// The name of the intrinsic that is called, after "llvm.nvvm."; else empty.
llvm::StringRef getOperation(const llvm::Instruction &instruction);

/// Returns whether the callee's name begins with one of the prefixes.
template <typename... Prefix>
bool callsAny(const llvm::Instruction &instruction, Prefix... prefixes) {
  llvm::StringRef name = getOperation(instruction);
  return !name.empty() && (name.starts_with(prefixes) || ...);
}

/// Returns true for assembly whose text contains `part`.
bool isAssembly(const llvm::Instruction &instruction, llvm::StringRef part);

bool isWgmma(llvm::Instruction &instruction);
bool isObjectWait(llvm::Instruction &instruction);
bool isParityWait(llvm::Instruction &instruction);
bool expectsBytes(llvm::Instruction &instruction);
bool isArrival(llvm::Instruction &instruction);
bool isLocalCopy(llvm::Instruction &instruction);
bool isTensorLoad(llvm::Instruction &instruction);
/// A local copy or a tensor load.
bool isCopy(llvm::Instruction &instruction);
bool isMulticast(llvm::Instruction &instruction);
bool isMatrixMove(llvm::Instruction &instruction);
bool isGlobalStore(llvm::Instruction &instruction);
bool isGlobalLoad(llvm::Instruction &instruction);
/// A global store or a bulk store of a tensor.
bool isOutput(llvm::Instruction &instruction);
bool isSharedStore(llvm::Instruction &instruction);
/// Returns true for a comparison that decides whether a loop continues.
bool isLoopBound(llvm::Instruction &instruction);
/// Any other strict comparison of integers that a branch or a mask depends on.
bool isBound(llvm::Instruction &instruction);
/// Returns true for an operation whose first operand is a mask of lanes.
bool hasMemberMask(llvm::Instruction &instruction);
/// Returns true for a part of the result of a matrix operation.
bool isFragmentPart(llvm::Instruction &instruction);
/// A sum that begins at zero.
bool isAccumulatorStart(llvm::Instruction &instruction);
/// An addition, subtraction or multiplication of numbers.
bool isArithmetic(llvm::Instruction &instruction);
/// An approximation, or another function of one number.
bool isFunction(llvm::Instruction &instruction);

/// Returns the operand of a wgmma that decides whether it accumulates; the
/// number of operands if there is none.
unsigned findScale(const llvm::CallInst &call);
bool scalesByOperand(llvm::Instruction &instruction);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_MUTATIONSITES_H
