//===- BlockNamedOperands.td - operands of attention -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attention has many operands and most of them are absent most of the time. This
// file describes each of them once, for all ops that have it: the keyword in
// front of it, its name, role and type. Accessors, builders, verifiers, syntax,
// roles, bytecode and documentation of an op follow from its list.
//
// The named operands of an op follow its positional ones, in the order of its
// list, and `operandSegmentSizes` counts each of both, 0 or 1. A new operand
// goes to the end of a list: text and bytecode with fewer counts stay readable.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKNAMEDOPERANDS_TD
#define PARABLOCK_IR_BLOCKNAMEDOPERANDS_TD

include "parablock/Dialect/Block/BlockOpBase.td"

/// An operand by name. `symbol` is its name in C++, `operandName` in messages,
/// `role` is one of OperandRole. An op whose list has a required one always has it.
class Block_Named<int number, string symbol, string operandName, string role,
                  TypeConstraint type, string meaning, string keyword = operandName,
                  bit isRequired = 0>
    : I32EnumAttrCase<symbol, number, operandName> {
  string name = operandName;
  bit required = isRequired;
  string info = "{::parablock::block::AttentionOperand::" # symbol # ", \"" # operandName
      # "\", \"" # keyword # "\", ::parablock::block::OperandRole::" # role
      # ", &::parablock::block::" # type.cppFunctionName # ", \"" # type.summary # "\", "
      # !if(isRequired, "true", "false") # "}";
  string row = "| `" # keyword # "` | `" # operandName # "` | " # role # " | " # meaning # " |";
}

// Where queries, keys and values come from.
def Block_Memory : Block_Named<0, "Memory", "memory", "Rows", Block_Hidden,
    "source of keys and values, else the input">;
def Block_QWeight : Block_Named<1, "QWeight", "q_weight", "Weight", Block_Matrix,
    "projection to queries", "q", 1>;
def Block_KWeight : Block_Named<2, "KWeight", "k_weight", "Weight", Block_Matrix,
    "projection to keys", "k", 1>;
def Block_VWeight : Block_Named<3, "VWeight", "v_weight", "Weight", Block_Matrix,
    "projection to values", "v">;
def Block_OWeight : Block_Named<4, "OWeight", "o_weight", "Weight", Block_Matrix,
    "projection of the result", "o">;
def Block_QBias : Block_Named<5, "QBias", "q_bias", "Bias", Block_Vector, "bias of queries">;
def Block_KBias : Block_Named<6, "KBias", "k_bias", "Bias", Block_Vector, "bias of keys">;
def Block_VBias : Block_Named<7, "VBias", "v_bias", "Bias", Block_Vector, "bias of values">;
def Block_OBias : Block_Named<8, "OBias", "o_bias", "Bias", Block_Vector, "bias of the result">;
def Block_QGamma : Block_Named<9, "QGamma", "q_gamma", "NormGain", Block_Vector,
    "gain of the query norm">;
def Block_QBeta : Block_Named<10, "QBeta", "q_beta", "NormGain", Block_Vector,
    "bias of the query norm">;
def Block_KGamma : Block_Named<11, "KGamma", "k_gamma", "NormGain", Block_Vector,
    "gain of the key norm">;
def Block_KBeta : Block_Named<12, "KBeta", "k_beta", "NormGain", Block_Vector,
    "bias of the key norm">;

// Which keys are allowed, what is added to scores, what results are made of.
def Block_ValidLengths : Block_Named<13, "Lengths", "lengths", "Setting", Block_Lengths,
    "number of valid keys of each batch row">;
def Block_RelativeTable : Block_Named<14, "RelativeTable", "relative_table", "Table", Block_Matrix,
    "bias of each bucket of distances and head", "relative">;
def Block_ShawKey : Block_Named<15, "ShawKey", "shaw_key", "Table", Block_Matrix,
    "what keys have added, by distance">;
def Block_ShawValue : Block_Named<16, "ShawValue", "shaw_value", "Table", Block_Matrix,
    "what values have added, by distance">;
def Block_Alpha : Block_Named<17, "Alpha", "alpha", "Gain", Block_Vector,
    "gain of a query's own value">;
def Block_Beta : Block_Named<18, "Beta", "beta", "Gain", Block_Vector,
    "gain of the weighted sum, else 1">;
def Block_Gamma : Block_Named<19, "Gamma", "gamma", "Gain", Block_Vector,
    "gain of the mean that is subtracted">;
def Block_PastKey : Block_Named<20, "PastKey", "past_key", "Rows", Block_Hidden,
    "keys of past tokens, in front of the new ones">;
def Block_PastValue : Block_Named<21, "PastValue", "past_value", "Rows", Block_Hidden,
    "values of past tokens, in front of the new ones">;
def Block_Slopes : Block_Named<22, "Slopes", "slopes", "Gain", Block_Vector,
    "slope of each head, instead of those of `alibi_max`">;
def Block_AddedScores : Block_Named<23, "ScoreBias", "score_bias", "Table", Block_ScoreBias,
    "what each score has added">;
def Block_RopeCos : Block_Named<24, "RopeCos", "rope_cos", "Table", Block_Hidden,
    "cosines of the rotation">;
def Block_RopeSin : Block_Named<25, "RopeSin", "rope_sin", "Table", Block_Hidden,
    "sines of the rotation">;
def Block_CuSeqlens : Block_Named<26, "CuSeqlens", "cu_seqlens", "Setting", Block_Bounds,
    "first row of each packed sequence, and the end">;
def Block_PastLengths : Block_Named<27, "PastLengths", "past_lengths", "Setting", Block_Lengths,
    "number of past tokens of each batch row; keys are a cache">;
def Block_Starts : Block_Named<28, "Starts", "starts", "Setting", Block_Lengths,
    "first key behind padding of each batch row">;
def Block_PageTable : Block_Named<29, "Pages", "pages", "Setting", Block_Pages,
    "pages of each batch row in pools of keys and values">;
def Block_DropoutSeed : Block_Named<30, "Seed", "seed", "Setting", Block_Seed,
    "number that dropped weights depend on">;
def Block_Sinks : Block_Named<31, "Sinks", "sinks", "Gain", Block_Vector,
    "logit beside those of a head's keys">;

def Block_AttentionOperand : Block_Enum<"AttentionOperand", "a named operand of attention",
    !instances<Block_Named>()>;

/// The named operands of an op, behind so many positional ones.
class Block_NamedOperands<list<Block_Named> all, int positional> {
  // Text is given by keyword, and types by the rule of TypeRules.cpp.
  string methods = [{
    static unsigned getNumPositionalOperands() { return }] # positional # [{; }
    /// Describes the named operands, in their order.
    static ::llvm::ArrayRef<::parablock::block::NamedOperandInfo> getNamedOperandTable() {
      static constexpr ::parablock::block::NamedOperandInfo table[] = {
        }] # !interleave(!foreach(one, all, one.info), ",\n        ") # [{};
      return table;
    }
    /// Returns the named operands that there are.
    ::parablock::block::NamedOperands getNamedOperands() {
      return ::parablock::block::readNamedOperands(*this);
    }
    ::parablock::block::OperandRole getOperandRole(::mlir::OpOperand &operand) {
      return ::parablock::block::lookupNamedRole(*this, operand.getOperandNumber());
    }
  }] # !interleave(!foreach(place, !range(all), [{
    ::mlir::TypedValue<::mlir::RankedTensorType> get}] # all[place].symbol # [{() {
      return ::parablock::block::findNamedOperand(*this, }] # place # [{);
    }
    }] # !if(all[place].required, "::mlir::OpOperand &", "::mlir::MutableOperandRange ")
        # "get" # all[place].symbol # [{Mutable() {
      return ::parablock::block::}]
        # !if(all[place].required, "findRequiredOperand", "findMutableOperand")
        # "(*this, " # place # [{);
    }
  }]), "");
  string table = [{

    Named operands, each at most once and in any order. [NAMED-1] `operandSegmentSizes`
    counts the operands, positional ones first.

    | keyword | operand | read as | meaning |
    | --- | --- | --- | --- |
    }] # !interleave(!foreach(one, all, one.row), "\n    ") # "\n";
}

/// The end of an assembly format like Block_Signature's, with the named operands
/// first, each behind its keyword.
class Block_NamedSignature<string rule, list<string> positional, string result = "result"> {
  string names = !interleave(positional, " ");
  string arguments = !interleave(
      !foreach(name, positional, "ref($" # name # "), type($" # name # ")"), ", ");
  string format = " custom<NamedSignature>(\"getOperationName()\", \"getNamedOperandTable()\", "
      # "\"\\\"" # names # "\\\"\", \"" # rule # "\", $named, type($named), attr-dict, "
      # arguments # ", type($" # result # "))";
}

#endif // PARABLOCK_IR_BLOCKNAMEDOPERANDS_TD
