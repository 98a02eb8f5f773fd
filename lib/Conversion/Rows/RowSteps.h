//===- RowSteps.h - steps of a row ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_ROWS_ROWSTEPS_H
#define PARABLOCK_LIB_ROWS_ROWSTEPS_H

#include "parablock/Dialect/Block/RowInterface.h"

namespace parablock {

using IsGiven = llvm::function_ref<bool(mlir::Value)>;

/// Returns the ops that compute `tensor`, up to given values, in program order.
llvm::SmallVector<mlir::Operation *> collectSteps(mlir::Value tensor,
                                                  IsGiven isGiven);

void sortSteps(llvm::SmallVectorImpl<mlir::Operation *> &steps);

/// Returns whether the kernel stores `value`.
bool isStored(mlir::Value value);

/// The step that yields `tensor` as a statistic; null for rows.
block::RowStepOpInterface getStatisticsStep(mlir::Value tensor);

/// Columns of a group of the first step that has groups; 0 for none.
int64_t getGroupSize(llvm::ArrayRef<mlir::Operation *> steps);

/// Returns the order of columns that satisfies all steps.
ColumnOrder joinOrders(llvm::ArrayRef<mlir::Operation *> steps);

} // namespace parablock

#endif // PARABLOCK_LIB_ROWS_ROWSTEPS_H
