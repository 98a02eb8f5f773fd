//===- CachePages.cpp - indexes pages of caches ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CachePages.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

Value CachePages::loadPage(const Code &code, Value batch, Value entry) const {
  Value page = code.loadI64(table, code.addI(code.mulI(batch, entries), entry));
  return code.maxI(code.minI(page, code.addI(pages, -1)), code.index(0));
}

Value CachePages::findRow(const Code &code, Value batch, Value row) const {
  Value page = loadPage(code, batch, code.divI(row, pageRows));
  return code.addI(code.mulI(page, pageRows), code.remI(row, pageRows));
}
