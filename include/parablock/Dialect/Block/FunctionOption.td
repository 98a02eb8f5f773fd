//===- FunctionOption.td - which function a pass works on --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_FUNCTIONOPTION_TD
#define PARABLOCK_IR_FUNCTIONOPTION_TD

include "mlir/Pass/PassBase.td"

/// For ModelFunction.h's findMainFunction.
def FunctionOption
    : Option<"functionName", "function", "std::string", "\"\"",
             "the model to work on; if empty, main or the only one">;

#endif // PARABLOCK_IR_FUNCTIONOPTION_TD
