//===- RowSteps.h - what a row is computed by -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_ROWS_ROWSTEPS_H
#define PARABLOCK_LIB_ROWS_ROWSTEPS_H

#include "parablock/Dialect/Block/RowInterface.h"

namespace parablock {

using IsGiven = llvm::function_ref<bool(mlir::Value)>;

/// The ops that `tensor` is computed by, up to what is given, in program order.
llvm::SmallVector<mlir::Operation *> collectSteps(mlir::Value tensor,
                                                  IsGiven isGiven);

void sortSteps(llvm::SmallVectorImpl<mlir::Operation *> &steps);

/// Tells whether the kernel stores what it computes as `value`.
bool isStored(mlir::Value value);

/// The step that yields `tensor` as a statistic; null for rows.
block::RowStepOpInterface getStatisticsStep(mlir::Value tensor);

/// Columns of a group of the first step that has groups; 0 for none.
int64_t getGroupSize(llvm::ArrayRef<mlir::Operation *> steps);

/// Gives what all steps together ask for.
ColumnOrder joinOrders(llvm::ArrayRef<mlir::Operation *> steps);

} // namespace parablock

#endif // PARABLOCK_LIB_ROWS_ROWSTEPS_H
