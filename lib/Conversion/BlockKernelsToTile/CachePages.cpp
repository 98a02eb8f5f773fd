//===- CachePages.cpp - indexes pages of caches in kernels ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CachePages.h"

using namespace mlir;
using namespace parablock;

int64_t CachePages::getPageRows() const {
  return cast<MemRefType>(pool.getType()).getDimSize(1);
}

Value CachePages::createCapacity(TileCode code) const {
  return code.mulIndex(code.dim(table, 1), code.index(getPageRows()));
}

Value CachePages::loadPage(TileCode code, Value batch, Value entry) const {
  Value page = code.toIndex(code.load(table, batch, entry));
  Value last = code.subIndex(code.dim(pool, 0), code.index(1));
  return code.maxIndex(code.minIndex(page, last), code.index(0));
}

Value CachePages::findRow(TileCode code, Value batch, Value row) const {
  Value size = code.index(getPageRows());
  Value page = loadPage(code, batch, code.divIndex(row, size));
  return code.addIndex(code.mulIndex(page, size), code.remIndex(row, size));
}
