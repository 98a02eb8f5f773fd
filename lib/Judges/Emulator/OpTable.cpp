//===- OpTable.cpp - collects rows of all ops -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpTable.h"

#include "llvm/ADT/StringMap.h"

using namespace parablock::emulator;

llvm::ArrayRef<llvm::ArrayRef<OpRow>> parablock::emulator::getAllOps() {
  static const llvm::ArrayRef<OpRow> lists[] = {
      getRegisterOps(),  getMathOps(),       getConversionOps(),
      getWarpOps(),      getMatrixMoveOps(), getMmaOps(),
      getWgmmaOps(),     getBarrierOps(),    getMBarrierOps(),
      getLocalCopyOps(), getBulkLoadOps(),   getBulkStoreOps(),
      getFenceOps(),     getControlOps()};
  return lists;
}

const OpRow *parablock::emulator::findOp(llvm::StringRef name) {
  static const auto rows = [] {
    llvm::StringMap<const OpRow *> map;
    for (llvm::ArrayRef<OpRow> list : getAllOps())
      for (const OpRow &row : list)
        map[row.name] = &row;
    return map;
  }();
  return rows.lookup(name);
}
