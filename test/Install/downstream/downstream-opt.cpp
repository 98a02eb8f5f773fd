//===- downstream-opt.cpp - an opt tool of another project ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RaiseEpsilon.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "parablock/InitAll.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  parablock::registerAllDialects(registry);
  parablock::registerAllPasses();
  downstream::registerRaiseEpsilonPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "passes of another project\n", registry));
}
