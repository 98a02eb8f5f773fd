//===- block-lsp-server.cpp - model IR in an editor -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MLIR's language server with the dialects of this project: diagnostics while
// typing, definitions, hovers with the ops' descriptions. Speaks JSON-RPC on
// standard input and output.
//
//===----------------------------------------------------------------------===//

#include "DescribeHovers.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "parablock/InitAll.h"
#include "parablock/Support/ToolFlags.h"

int main(int argc, char **argv) {
  parablock::spellOutHelp({argv, static_cast<size_t>(argc)});
  parablock::hideFlags([](llvm::StringRef) { return false; });
  parablock::prepareHelp(
      {"", "an editor starts it for files *.mlir and speaks with it"});
  mlir::DialectRegistry registry;
  parablock::registerAllDialects(registry);
  // Static, since --help ends the process.
  static DescribedOutput described;
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
