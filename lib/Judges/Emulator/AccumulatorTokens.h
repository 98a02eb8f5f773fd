//===- AccumulatorTokens.h - Following the results of wgmma -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_ACCUMULATORTOKENS_H
#define PARABLOCK_EMULATOR_ACCUMULATORTOKENS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace parablock::emulator {

/// Adds a name next to every result of `wgmmas`, from `makeName` right after
/// the call, through the same phis and selects. If any op but another wgmma
/// uses the result, `touch` is called with the name and the result of
/// `makeSite` for the user.
void checkAccumulators(
    llvm::Function &function, llvm::ArrayRef<llvm::CallInst *> wgmmas,
    llvm::FunctionCallee makeName, llvm::FunctionCallee touch,
    llvm::function_ref<llvm::Value *(llvm::Instruction &)> makeSite);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_ACCUMULATORTOKENS_H
