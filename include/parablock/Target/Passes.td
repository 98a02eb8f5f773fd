//===- Passes.td - passes from device code to LLVM ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_PASSES_TD
#define PARABLOCK_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerDeviceToLLVM : Pass<"lower-device-to-llvm"> {
  let summary = "lowers the remaining ops of device code to LLVM and NVVM";
  let description = [{
    Class: exact. Converts `arith`, `math`, `cf`, `ub` and `vector` ops, and `nvvm` ops that
    represent a line of PTX, in one conversion. Device libraries are never called: a `math`
    op without an instruction (`math.exp`, `math.tanh`, `math.erf`, ...) is an error that
    names it, and so is any other op that is left at the end. Control flow must be `cf` by
    then (`convert-scf-to-cf`). Runs on a gpu.module, or on its functions one by one.

    Example: test/Transforms/lower-device-to-llvm/doc.mlir.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // PARABLOCK_TARGET_PASSES_TD
