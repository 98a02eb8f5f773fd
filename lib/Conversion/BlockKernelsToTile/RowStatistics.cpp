//===- RowStatistics.cpp - sums of rows held in registers -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads that share a row of a tile each merge its statistics themselves: they
// are few numbers, in the first-level cache after the first thread.
//
//===----------------------------------------------------------------------===//

#include "RowStatistics.h"

#include "RowKernels.h"

using namespace mlir;
using namespace parablock;

Value parablock::createRowStatistic(const TileCode &code,
                                    tile::RowValuesType type, Value statistic,
                                    KernelShell &shell, Block &body,
                                    const TileRowRange &rows) {
  Value last = code.subIndex(rows.count, code.index(1));
  return code.map(
      type, {}, [&](TileCode inner, ValueRange indices, ValueRange) {
        ThreadCode own(inner.builder, inner.loc);
        Value row = own.minIndex(own.addIndex(rows.first, indices[0]), last);
        RowProgram program(own, kTileRows, row, rows.sequence);
        giveArguments(program, body, shell);
        return program.emitStatistic(statistic);
      });
}
