//===- CheckAssembly.cpp - checks inline assembly against the table -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

/// Returns whether the op becomes inline assembly in LLVM IR.
static bool isAssembly(Operation *op) {
  if (auto text = dyn_cast<NVVM::BasicPtxBuilderInterface>(op))
    return !text.hasIntrinsic();
  return isa<LLVM::InlineAsmOp>(op);
}

/// Returns whether a row of the table has the op, with the instruction of that
/// row.
static bool isInTable(Operation *op) {
  if (auto written = dyn_cast<LLVM::InlineAsmOp>(op)) {
    StringRef text = written.getAsmString();
    if (text.count(';') != 1)
      return false;
#define TILE_ASSEMBLY(Op, instruction)                                         \
  if (text.starts_with(instruction))                                           \
    return true;
#include "Assembly.def"
    return false;
  }
#define TILE_ASSEMBLY(Op, text)                                                \
  if (auto known = dyn_cast<NVVM::Op>(op))                                     \
    return StringRef(known.getPtx()).contains(text);
#include "Assembly.def"
  return false;
}

LogicalResult parablock::tile::checkAssembly(LLVM::LLVMFuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    if (!isAssembly(op) || isInTable(op))
      return WalkResult::advance();
    InFlightDiagnostic error =
        op->emitOpError("is assembly that device code is never made with, "
                        "expected one of");
#define TILE_ASSEMBLY(Op, text) error << " " << text;
#include "Assembly.def"
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
