//===- roles.td - an operand without a role ----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

include "parablock/Dialect/Block/BlockOpBase.td"

def Hole_Dialect : Dialect {
  let name = "hole";
  let cppNamespace = "::hole";
}

def Hole_Op : Block_Op<"op", [Block_Step<"Element">]> {
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input, Block_Vector:$gain,
                       Block_In<"Bias", Block_Vector>:$bias);
}
