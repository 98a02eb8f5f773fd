//===- block-opt.cpp - runs passes on model IR ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/InitAll.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  parablock::registerAllDialects(registry);
  parablock::registerAllPasses();
  mlir::registerTransformsPasses();
  mlir::memref::registerResolveRankedShapeTypeResultDimsPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Parablock: passes on transformer blocks\n", registry));
}
