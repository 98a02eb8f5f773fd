//===- VjpInterface.td - gradients of ops -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIFFERENTIATE_VJPINTERFACE_TD
#define PARABLOCK_DIFFERENTIATE_VJPINTERFACE_TD

include "mlir/IR/OpBase.td"

def VjpOpInterface : OpInterface<"VjpOpInterface"> {
  let description = [{
    An op that says what the gradient by its results means for its operands. Ops
    have it as external models, one file per family in lib/Transforms/Differentiate;
    block-differentiate asks nothing else.
  }];
  let cppNamespace = "::parablock::block";
  let methods = [
    InterfaceMethod<[{
        Builds the op's product of vector and Jacobian: takes the adjoints of its results
        and adds what they make for each operand that `adjoints` has active. Fails, with
        an error at the op, where it has no gradient.
      }], "::llvm::LogicalResult", "buildVjp",
      (ins "::parablock::block::Adjoints &":$adjoints)>,
  ];
}

#endif // PARABLOCK_DIFFERENTIATE_VJPINTERFACE_TD
