//===- VjpInterface.td - gradients of ops -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIFFERENTIATE_VJPINTERFACE_TD
#define PARABLOCK_DIFFERENTIATE_VJPINTERFACE_TD

include "mlir/IR/OpBase.td"

def VjpOpInterface : OpInterface<"VjpOpInterface"> {
  let description = [{
    An op that maps gradients by its results to gradients by its operands. Ops implement it
    by external models, one file per family in lib/Transforms/Differentiate;
    block-differentiate uses no other information.
  }];
  let cppNamespace = "::parablock::block";
  let methods = [
    InterfaceMethod<[{
        Builds the op's vector-Jacobian product: reads the adjoints of its results and adds
        the contribution to each operand that is active in `adjoints`. Fails, with an error
        at the op, if it has no gradient.
      }], "::llvm::LogicalResult", "buildVjp",
      (ins "::parablock::block::Adjoints &":$adjoints)>,
  ];
}

#endif // PARABLOCK_DIFFERENTIATE_VJPINTERFACE_TD
