//===- RowKernels.h - kernels of rows ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ROWKERNELS_H
#define PARABLOCK_LIB_CONVERSION_ROWKERNELS_H

#include "KernelShell.h"
#include "parablock/Conversion/Rows/RowProgram.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

extern const RowMachine kTileRows;

/// Registers the arguments of `body` with `program`.
void giveArguments(RowProgram &program, mlir::Block &body, KernelShell &shell);

/// One warp per row, `rows` of them where that is known.
tile::ScheduleAttr getRowSchedule(mlir::MLIRContext *context,
                                  std::optional<int64_t> rows,
                                  llvm::StringRef chip);

/// The kernel of a `block.kernel "rows"`: any steps that need one row only.
mlir::FailureOr<tile::KernelOp> buildRowsKernel(mlir::OpBuilder &atModule,
                                                block::KernelOp kernel,
                                                llvm::StringRef name,
                                                llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ROWKERNELS_H
