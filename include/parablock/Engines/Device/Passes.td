//===- Passes.td - passes from launches to plans -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_PASSES_TD
#define PARABLOCK_DEVICE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLaunchesToPlan : Pass<"convert-launches-to-plan", "::mlir::ModuleOp"> {
  let summary = "lowers functions that launch device code to plans";
  let description = [{
    Class: exact. `@main`, and every other function with launches, becomes a `plan.program`
    (docs/generated/Plan.md) of its name: sizes of results, which launches express in those
    of their operands, follow from the sizes that callers choose, and reshapes become views.
    An op other than a launch, a collective or structure is an error that names it, since it
    would run on the host. A program that the launcher does not support is an error, too,
    even if it existed before.

    A collective with the attribute `plan.started`, which `convert-block-kernels-to-tile`
    sets on sums that are not exposed, becomes two steps, with the launches in between that
    do not read it.

    Example: test/Transforms/convert-launches-to-plan/doc.mlir.
  }];
  let options = [
    Option<"checkOnly", "check-only", "bool", "false",
           "report unsupported ops, and leave functions unchanged">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::parablock::plan::PlanDialect"];
}

#endif // PARABLOCK_DEVICE_PASSES_TD
