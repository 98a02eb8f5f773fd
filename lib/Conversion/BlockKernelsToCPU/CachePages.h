//===- CachePages.h - caches in pages ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CACHEPAGES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CACHEPAGES_H

#include "parablock/Conversion/CPUCode/Code.h"

namespace parablock::cpugen {

/// The pages of a pool that contain the caches of batch rows.
struct CachePages {
  /// The table of numbers, the number of its entries per batch row, and the
  /// number of pages.
  Value table, entries, pages;
  int64_t pageRows;

  Value createCapacity(const Code &code) const {
    return code.mulI(entries, pageRows);
  }
  /// Loads an entry of the table, clamped to the existing
  /// pages.
  Value loadPage(const Code &code, Value batch, Value entry) const;
  /// Finds the row of the pool that is `row` of a cache.
  Value findRow(const Code &code, Value batch, Value row) const;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CACHEPAGES_H
