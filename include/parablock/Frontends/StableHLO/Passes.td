//===- Passes.td - passes on StableHLO ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_STABLEHLO_PASSES_TD
#define PARABLOCK_STABLEHLO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertStablehloToUpstream : Pass<"convert-stablehlo-to-upstream", "::mlir::ModuleOp"> {
  let summary = "converts StableHLO to linalg, tensor, arith and math";
  let description = [{
    Class: interchange. Ops of `stablehlo` and `chlo`, and ops of the `shape` dialect next
    to them, become upstream ops: calls are inlined where composites and custom calls
    require it, loops with a known trip count are unrolled, complex numbers split into
    pairs. `chlo.top_k` becomes a `block.route` of plain scores. An op without a
    counterpart is an error.

    Tools that read a module and `block-raise` run this conversion themselves; the pass is
    for pipelines and for inspecting its result.

    Example: test/Transforms/convert-stablehlo-to-upstream/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
    "::parablock::block::BlockDialect"
  ];
}

#endif // PARABLOCK_STABLEHLO_PASSES_TD
