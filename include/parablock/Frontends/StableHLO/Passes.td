//===- Passes.td - from StableHLO to upstream ops ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_STABLEHLO_PASSES_TD
#define PARABLOCK_STABLEHLO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertStablehloToUpstream : Pass<"convert-stablehlo-to-upstream", "::mlir::ModuleOp"> {
  let summary = "StableHLO as linalg, tensor, arith and math";
  let description = [{
    Class: interchange. Ops of `stablehlo`, `chlo` and of the `shape` dialect beside them
    become upstream ops: calls are inlined where composites and custom calls need it,
    loops of a known number of turns written out, complex numbers split into pairs. What
    has no counterpart is an error at the op.

    Tools that read a module do this by themselves, and so does `block-raise`; the pass is
    for pipelines, and for looking at what they get.

    Example: test/Transforms/convert-stablehlo-to-upstream/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // PARABLOCK_STABLEHLO_PASSES_TD
