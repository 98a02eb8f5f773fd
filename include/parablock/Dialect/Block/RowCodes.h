//===- RowCodes.h - codes of 8 bits of elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_ROWCODES_H
#define PARABLOCK_DIALECT_BLOCK_ROWCODES_H

#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock {

/// Emits the code of E4M3 of `number`, which is one of its numbers, as i8.
mlir::Value emitCode(const RowCode &code, mlir::Value number);

} // namespace parablock

#endif // PARABLOCK_DIALECT_BLOCK_ROWCODES_H
