//===- CacheAppends.h - new rows in caches ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_CACHEAPPENDS_H
#define PARABLOCK_LIB_CONVERSION_CACHEAPPENDS_H

#include "TileCode.h"

namespace parablock {

/// A `block.cache_append` by the arguments of its kernel, which either moves
/// the new rows or computes them.
struct CacheAppend {
  mlir::Value cache, lengths;
  /// Null for a cache that is one tensor.
  mlir::Value pages;
  mlir::Value result;

  /// Creates the row of the result that new row `row` becomes, where each
  /// batch row has `count` of them.
  mlir::Value createRow(TileCode code, mlir::Value row,
                        mlir::Value count) const;
  /// Creates the copies of the rows that stay, which the result lacks unless it
  /// is the cache's memory.
  void copyOthers(TileCode code, mlir::Value count) const;
};

void copyRow(TileCode code, mlir::Value from, mlir::Value fromRow,
             mlir::Value to, mlir::Value toRow);

/// Creates the row of `input` that is row `row` of those that `numbers` select.
/// A number that no row has is taken for one that there is.
mlir::Value createTakenRow(TileCode code, mlir::Value input,
                           mlir::Value numbers, mlir::Value row);

/// Loads element `at` of a tensor of counts.
mlir::Value loadCount(TileCode code, mlir::Value counts, mlir::Value at);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_CACHEAPPENDS_H
