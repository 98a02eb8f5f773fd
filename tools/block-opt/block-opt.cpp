//===- block-opt.cpp - runs passes on model IR ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/InitAll.h"
#include "llvm/Support/raw_ostream.h"

/// `--block-list-reasons`: every reason for a missed rewrite, one a line.
static int listReasons() {
  for (parablock::Reason reason : parablock::getAllReasons())
    llvm::outs() << parablock::getReasonName(reason) << "\n";
  return 0;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "--block-list-reasons")
      return listReasons();
  mlir::DialectRegistry registry;
  parablock::registerAllDialects(registry);
  parablock::registerAllPasses();
  mlir::registerTransformsPasses();
  mlir::memref::registerResolveRankedShapeTypeResultDimsPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Parablock: passes on transformer blocks\n", registry));
}
