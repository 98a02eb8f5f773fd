//===- WeightInterface.td - work on weights alone ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_WEIGHTINTERFACE_TD
#define PARABLOCK_IR_WEIGHTINTERFACE_TD

include "mlir/IR/OpBase.td"

def Block_WeightOpInterface : OpInterface<"WeightOpInterface"> {
  let description = [{
    What rewrites do to weights. An element of the only result is a formula of one
    element of each operand, or of a sum of such formulas over one more loop, and is
    rounded once. Whoever computes weights asks for the formula (WeightMath.h): as
    code of a kernel, as ops on tensors, or as the `linalg.generic` that
    block-expand-weights makes of it.
  }];
  let cppNamespace = "::parablock::block";
  let methods = [
    InterfaceMethod<[{
        Returns which element of an operand an element of the result reads: a map from
        the dimensions of the result and then the loop of the sum.
      }], "::mlir::AffineMap", "getOperandMap", (ins "unsigned":$operand)>,
    InterfaceMethod<"Builds an element of the result; `sum` is null where there is none.",
      "::mlir::Value", "buildElement",
      (ins "::parablock::block::WeightMath &":$math, "::mlir::Value":$sum)>,
    InterfaceMethod<"Returns true where elements of the result hold a sum.",
      "bool", "hasSum", (ins), "", "return false;">,
    InterfaceMethod<"Builds what is summed.",
      "::mlir::Value", "buildSummand", (ins "::parablock::block::WeightMath &":$math), "",
      "return {};">,
    InterfaceMethod<"Returns true where a formula depends on where its element stands.",
      "bool", "readsPositions", (ins), "", "return false;">,
  ];
}

#endif // PARABLOCK_IR_WEIGHTINTERFACE_TD
