//===- BlockRankOps.h - rows that ranks exchange ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKRANKOPS_H
#define PARABLOCK_IR_BLOCKRANKOPS_H

#include "mlir/IR/SymbolTable.h"
#include "parablock/Dialect/Block/BlockOps.h"

#define GET_OP_CLASSES
#include "parablock/Dialect/Block/BlockRankOps.h.inc"

namespace parablock::block {

/// Returns whether `op`, which may be null, exchanges rows of ranks.
inline bool isRowExchange(mlir::Operation *op) {
  return mlir::isa_and_nonnull<RowsToExpertsOp, RowsFromExpertsOp>(op);
}

} // namespace parablock::block

#endif // PARABLOCK_IR_BLOCKRANKOPS_H
