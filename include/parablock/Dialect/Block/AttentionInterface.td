//===- AttentionInterface.td - what ops of attention share -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_ATTENTIONINTERFACE_TD
#define PARABLOCK_IR_ATTENTIONINTERFACE_TD

include "parablock/Dialect/Block/BlockNamedOperands.td"

defvar attentionValue = "::mlir::TypedValue<::mlir::RankedTensorType>";

def AttentionOpInterface : OpInterface<"AttentionOpInterface"> {
  let description = [{
    Heads, scores and operands of an attention: of `block.attention`, of its core
    `block.sdpa` and of the core's gradient. Passes that treat these ops alike, and
    code of kernels, depend on this interface instead of on one of them.
  }];
  let cppNamespace = "::parablock::block";
  let methods = [
    InterfaceMethod<"Returns the number of query heads.", "int64_t", "getHeads">,
    InterfaceMethod<"Returns the number of key and value heads.", "int64_t", "getKvHeads">,
    InterfaceMethod<"Returns the form of the scores.",
      "::parablock::block::ScoresAttr", "getScores">,
    InterfaceMethod<"Sets the form of the scores.", "void", "setScoresAttr",
      (ins "::parablock::block::ScoresAttr":$scores)>,
    InterfaceMethod<"Returns the form of the relative table.",
      "std::optional<::parablock::block::BucketsAttr>", "getBuckets">,
    InterfaceMethod<"Returns the form of dropped weights, or null.",
      "::parablock::block::DropoutAttr", "getDropoutAttr">,
    InterfaceMethod<"Sets, or with null removes, the form of dropped weights.",
      "void", "setDropoutAttr", (ins "::parablock::block::DropoutAttr":$dropout)>,
    InterfaceMethod<"Returns the queries, or the rows that they are projected from.",
      attentionValue, "getQuery">,
    InterfaceMethod<"Returns the keys, or the rows that they are projected from.",
      attentionValue, "getKey">,
    InterfaceMethod<"Returns the values, or the rows that they are projected from.",
      attentionValue, "getValue">,
    InterfaceMethod<"Returns the named operands that there are.",
      "::parablock::block::NamedOperands", "getNamedOperands">,
    InterfaceMethod<"Returns the operand that dropped weights depend on, if any.",
      "::mlir::MutableOperandRange", "getSeedMutable">,
  ];
  // Each is null where it is absent, and for ops that cannot have it.
  let extraClassDeclaration = !interleave(!foreach(one, !instances<Block_Named>(),
      "::mlir::TypedValue<::mlir::RankedTensorType> get" # one.symbol # [{() {
        return ::llvm::cast_if_present<::mlir::TypedValue<::mlir::RankedTensorType>>(
            getNamedOperands()[AttentionOperand::}] # one.symbol # [{]);
      }
  }]), "");
}

#endif // PARABLOCK_IR_ATTENTIONINTERFACE_TD
