//===- CachePages.h - caches in pages ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_CACHEPAGES_H
#define PARABLOCK_LIB_CONVERSION_CACHEPAGES_H

#include "TileCode.h"

namespace parablock {

/// The pages of a pool that contain the caches of batch rows.
struct CachePages {
  /// Both are arguments of the kernel.
  mlir::Value table, pool;

  int64_t getPageRows() const;
  /// Creates the number of rows that the pages of a batch row have together.
  mlir::Value createCapacity(TileCode code) const;
  /// Loads an entry of the table, clamped to the existing
  /// pages.
  mlir::Value loadPage(TileCode code, mlir::Value batch,
                       mlir::Value entry) const;
  /// Finds the row of the pool that is `row` of a cache.
  mlir::Value findRow(TileCode code, mlir::Value batch, mlir::Value row) const;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_CACHEPAGES_H
