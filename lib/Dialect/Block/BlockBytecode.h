//===- BlockBytecode.h - versioned bytecode of the dialect ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_IR_BLOCKBYTECODE_H
#define PARABLOCK_LIB_IR_BLOCKBYTECODE_H

#include "parablock/Dialect/Block/BlockDialect.h"

namespace parablock::block {
/// Adds the interface that writes the dialect's version and upgrades older
/// files.
void addBytecodeInterface(BlockDialect *dialect);
} // namespace parablock::block

#endif // PARABLOCK_LIB_IR_BLOCKBYTECODE_H
