//===- OpTable.h - The closed table of operations ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_OPTABLE_H
#define PARABLOCK_EMULATOR_OPTABLE_H

#include "Site.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace parablock::emulator {

/// Return the rows by topic, each list in the file of its functions. Intrinsics
/// have their names without overload suffixes, assembly has "asm:" before its
/// mnemonic.
llvm::ArrayRef<OpRow> getRegisterOps();
llvm::ArrayRef<OpRow> getMathOps();
llvm::ArrayRef<OpRow> getConversionOps();
llvm::ArrayRef<OpRow> getWarpOps();
llvm::ArrayRef<OpRow> getMatrixMoveOps();
llvm::ArrayRef<OpRow> getMmaOps();
llvm::ArrayRef<OpRow> getWgmmaOps();
llvm::ArrayRef<OpRow> getBarrierOps();
llvm::ArrayRef<OpRow> getMBarrierOps();
llvm::ArrayRef<OpRow> getLocalCopyOps();
llvm::ArrayRef<OpRow> getBulkLoadOps();
llvm::ArrayRef<OpRow> getBulkStoreOps();
llvm::ArrayRef<OpRow> getFenceOps();
llvm::ArrayRef<OpRow> getControlOps();

llvm::ArrayRef<llvm::ArrayRef<OpRow>> getAllOps();

/// Null for an unknown name.
const OpRow *findOp(llvm::StringRef name);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_OPTABLE_H
