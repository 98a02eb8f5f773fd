//===- TileEmulation.h - emulation of tile instructions ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// AMX instructions in plain C++, so that machines without AMX can test code
// that uses it: the same LLVM IR, with calls of functions in place of the
// intrinsics.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_JIT_TILEEMULATION_H
#define PARABLOCK_LIB_CPU_JIT_TILEEMULATION_H

#include "llvm/IR/Module.h"

namespace parablock {

/// Replaces the intrinsics on tiles by calls of functions.
void callTileFunctions(llvm::Module &module);

/// Returns the address of such a function, or null.
void *findTileFunction(llvm::StringRef name);

} // namespace parablock

#endif // PARABLOCK_LIB_CPU_JIT_TILEEMULATION_H
