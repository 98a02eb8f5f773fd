//===- StatisticsRow.h - rows that statistics are of ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_STATISTICSROW_H
#define PARABLOCK_DIALECT_BLOCK_STATISTICSROW_H

#include "mlir/IR/Value.h"

namespace parablock::block {

/// Returns the row of the statistic `partial`, as visible to the reader of
/// `partial`; null if unknown.
mlir::Value findStatisticsRow(mlir::Value partial);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_STATISTICSROW_H
