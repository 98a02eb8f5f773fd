//===- Passes.td - from launches to plans ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_PASSES_TD
#define PARABLOCK_DEVICE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLaunchesToPlan : Pass<"convert-launches-to-plan", "::mlir::ModuleOp"> {
  let summary = "functions that launch device code to plans";
  let description = [{
    Class: exact. `@main`, and whatever else launches, becomes a `plan.program`
    (docs/generated/Plan.md) of its name: sizes of results, which launches say in those of
    their operands, follow from the sizes that callers choose, and what reshapes is a
    view. An op that is neither a launch, nor what ranks do, nor structure is an error that
    names it: nothing runs on the host in silence. So is a program, also one that was
    there before, which the launcher cannot follow.

    Example: test/Transforms/convert-launches-to-plan/doc.mlir.
  }];
  let options = [
    Option<"checkOnly", "check-only", "bool", "false",
           "say what there is no plan for, and leave functions as they are">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::parablock::plan::PlanDialect"];
}

#endif // PARABLOCK_DEVICE_PASSES_TD
