//===- RowCodes.h - codes of 8 bits of elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_ROWCODES_H
#define PARABLOCK_DIALECT_BLOCK_ROWCODES_H

#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock {

/// Emits the code of E4M3 of `number`, which is one of its numbers, as i8.
mlir::Value emitCode(const RowCode &code, mlir::Value number);

/// Emits the magnitude of `number`, 0 where it is not finite.
mlir::Value emitFiniteMagnitude(const RowCode &code, mlir::Value number);

/// Emits the scale of a group with this largest finite magnitude.
mlir::Value emitGroupScale(const RowCode &code, mlir::Value largest);

/// Emits the reciprocal of a group's scale.
mlir::Value emitReciprocal(const RowCode &code, mlir::Value scale);

/// Emits the nearest number of E4M3; none where `number` is not finite.
mlir::Value emitNearest(const RowCode &code, mlir::Value number);

} // namespace parablock

#endif // PARABLOCK_DIALECT_BLOCK_ROWCODES_H
