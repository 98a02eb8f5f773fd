//===- RowStatistics.h - statistics of rows in registers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ROWSTATISTICS_H
#define PARABLOCK_LIB_CONVERSION_ROWSTATISTICS_H

#include "KernelShell.h"
#include "TileCode.h"

namespace parablock {

/// Code of one thread, whose rows differ from those of its warp.
struct ThreadCode final : TileCode {
  using TileCode::TileCode;

  Value sumOf(Value from, Value to,
              llvm::function_ref<Value(Value)> body) const override {
    return fold(from, to, f32(0),
                [&](Value at, Value before) { return add(before, body(at)); });
  }
};

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
