//===- BlockVersion.h - version of the dialect's bytecode -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKVERSION_H
#define PARABLOCK_IR_BLOCKVERSION_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace parablock::block {

/// The version of the dialect that this build writes, and the newest it reads.
/// Raise `minor` for what older readers may ignore, `major` for what they may
/// not, and teach `upgradeFromVersion` (BlockBytecode.cpp) the step.
struct BlockVersion : public mlir::DialectVersion {
  BlockVersion(uint64_t major, uint64_t minor) : major(major), minor(minor) {}
  static BlockVersion getCurrent() { return {1, 0}; }
  uint64_t major, minor;
};

} // namespace parablock::block

#endif // PARABLOCK_IR_BLOCKVERSION_H
