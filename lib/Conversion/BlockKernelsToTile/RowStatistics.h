//===- RowStatistics.h - statistics of rows in registers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ROWSTATISTICS_H
#define PARABLOCK_LIB_CONVERSION_ROWSTATISTICS_H

#include "KernelShell.h"
#include "TileCode.h"

namespace parablock {

/// Rows of a tile: the first one, and how many the tensor has and a sequence.
struct TileRowRange {
  mlir::Value first, count, sequence;
};

/// Computes a statistic of each row of a tile, a value of `body` known without
/// a product. Rows past the last one get its value.
mlir::Value createRowStatistic(const TileCode &code, tile::RowValuesType type,
                               mlir::Value statistic, KernelShell &shell,
                               mlir::Block &body, const TileRowRange &rows);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ROWSTATISTICS_H
