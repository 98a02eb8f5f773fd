//===- HiddenSymbols.cpp - finds unregistered ops with symbol tables ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/HiddenSymbols.h"

using namespace mlir;

bool parablock::hidesSymbols(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return op->getNumRegions() == 1 && !op->getDialect()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}
