//===- BlockEnums.td - the choices that families differ in -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKENUMS_TD
#define PARABLOCK_IR_BLOCKENUMS_TD

include "mlir/IR/EnumAttr.td"
include "parablock/Dialect/Block/BlockDialect.td"

class Block_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::parablock::block";
  let genSpecializedAttr = 0;
}

def Block_Activation : Block_Enum<"Activation", "elementwise function of an MLP", [
    I32EnumAttrCase<"Identity", 0, "identity">,
    I32EnumAttrCase<"Relu", 1, "relu">,
    I32EnumAttrCase<"ReluSquared", 2, "relu_squared">,
    I32EnumAttrCase<"GeluErf", 3, "gelu_erf">,
    I32EnumAttrCase<"GeluTanh", 4, "gelu_tanh">,
    I32EnumAttrCase<"QuickGelu", 5, "quick_gelu">,
    I32EnumAttrCase<"Silu", 6, "silu">,
    I32EnumAttrCase<"Sigmoid", 7, "sigmoid">,
    I32EnumAttrCase<"Tanh", 8, "tanh">,
    I32EnumAttrCase<"LeakyRelu", 9, "leaky_relu">,
    I32EnumAttrCase<"HardSwish", 10, "hardswish">,
    I32EnumAttrCase<"Mish", 11, "mish">,
    I32EnumAttrCase<"Softplus", 12, "softplus">]>;
def Block_ActivationAttr
    : EnumAttr<Block_Dialect, Block_Activation, "activation"> {
  let assemblyFormat = "`<` $value `>`";
}

def Block_NormKind : Block_Enum<"NormKind", "what a norm divides by", [
    I32EnumAttrCase<"Layer", 0, "layer">,
    I32EnumAttrCase<"Rms", 1, "rms">,
    I32EnumAttrCase<"L2", 2, "l2">]>;

def Block_EpsForm : Block_Enum<"EpsForm", "where epsilon enters a norm", [
    I32EnumAttrCase<"InsideRoot", 0, "inside_root">,
    I32EnumAttrCase<"OutsideRoot", 1, "outside_root">,
    I32EnumAttrCase<"Clamp", 2, "clamp">]>;

def Block_GammaForm : Block_Enum<"GammaForm", "how a stored gain is applied", [
    I32EnumAttrCase<"Direct", 0, "direct">,
    I32EnumAttrCase<"OnePlus", 1, "one_plus">]>;

def Block_NormRounding : Block_Enum<"NormRounding", "rounding order of a norm and its gain", [
    I32EnumAttrCase<"AfterGain", 0, "after_gain">,
    I32EnumAttrCase<"BeforeGain", 1, "before_gain">]>;

def Block_RopeStyle : Block_Enum<"RopeStyle", "which components a rotation pairs", [
    I32EnumAttrCase<"Half", 0, "half">,
    I32EnumAttrCase<"Interleaved", 1, "interleaved">]>;
def Block_RopeStyleAttr : EnumAttr<Block_Dialect, Block_RopeStyle, "rope_style"> {
  let assemblyFormat = "`<` $value `>`";
}

def Block_ScoreOrder : Block_Enum<"ScoreOrder", "order of scale, bias and soft cap", [
    I32EnumAttrCase<"ScaleBiasCap", 0, "scale_bias_cap">,
    I32EnumAttrCase<"BiasScaleCap", 1, "bias_scale_cap">,
    I32EnumAttrCase<"ScaleCapBias", 2, "scale_cap_bias">]>;

def Block_QkNormExtent : Block_Enum<"QkNormExtent", "what a query or key norm spans", [
    I32EnumAttrCase<"Head", 0, "head">,
    I32EnumAttrCase<"Whole", 1, "whole">]>;

def Block_QkNormPlace : Block_Enum<"QkNormPlace", "query and key norm before or after the rotation", [
    I32EnumAttrCase<"BeforeRope", 0, "before_rope">,
    I32EnumAttrCase<"AfterRope", 1, "after_rope">]>;

def Block_Sinusoid : Block_Enum<"Sinusoid", "layout of sinusoidal positions", [
    I32EnumAttrCase<"Interleaved", 0, "sin_cos_pairs">,
    I32EnumAttrCase<"Concatenated", 1, "sin_then_cos">]>;
def Block_SinusoidAttr : EnumAttr<Block_Dialect, Block_Sinusoid, "sinusoid"> {
  let assemblyFormat = "`<` $value `>`";
}

def Block_CodeForm : Block_Enum<"CodeForm", "what a code of a quantised weight stands for", [
    I32EnumAttrCase<"Int8", 0, "int8">,
    I32EnumAttrCase<"Int4", 1, "int4">,
    I32EnumAttrCase<"MxFp4", 2, "mxfp4">,
    I32EnumAttrCase<"Fp8", 3, "fp8">]>;
def Block_CodeFormAttr : EnumAttr<Block_Dialect, Block_CodeForm, "code_form"> {
  let assemblyFormat = "`<` $value `>`";
}

def Block_RouterScore : Block_Enum<"RouterScore", "score of an expert that a router chooses by", [
    I32EnumAttrCase<"Softmax", 0, "softmax">,
    I32EnumAttrCase<"Sigmoid", 1, "sigmoid">,
    I32EnumAttrCase<"RootSoftplus", 2, "root_softplus">,
    I32EnumAttrCase<"Logit", 3, "logit">]>;

def Block_RouterWeight : Block_Enum<"RouterWeight", "weight of a chosen expert", [
    I32EnumAttrCase<"Score", 0, "score">,
    I32EnumAttrCase<"Softmax", 1, "softmax">,
    I32EnumAttrCase<"Sigmoid", 2, "sigmoid">]>;

def Block_GroupScore : Block_Enum<"GroupScore", "score of a group of experts", [
    I32EnumAttrCase<"Best", 0, "best">,
    I32EnumAttrCase<"BestTwo", 1, "best_two">]>;

def Block_HiddenGroups : Block_Enum<"HiddenGroups", "choice score in a group that is not kept", [
    I32EnumAttrCase<"Never", 0, "never">,
    I32EnumAttrCase<"Zero", 1, "zero">]>;

def Block_WeightSum : Block_Enum<"WeightSum", "what weights of a row are divided by", [
    I32EnumAttrCase<"One", 0, "one">,
    I32EnumAttrCase<"Added", 1, "added">,
    I32EnumAttrCase<"Floored", 2, "floored">]>;

def Block_ExpertLayout : Block_Enum<"ExpertLayout", "hidden columns of the first projection of experts", [
    I32EnumAttrCase<"Up", 0, "up">,
    I32EnumAttrCase<"GateUp", 1, "gate_up">,
    I32EnumAttrCase<"Interleaved", 2, "interleaved">]>;

def Block_Weigh : Block_Enum<"Weigh", "what the weight of an expert multiplies", [
    I32EnumAttrCase<"Output", 0, "output">,
    I32EnumAttrCase<"Input", 1, "input">]>;

def Block_InitKind : Block_Enum<"InitKind", "distribution of a generated weight", [
    I32EnumAttrCase<"Normal", 0, "normal">,
    I32EnumAttrCase<"Uniform", 1, "uniform">,
    I32EnumAttrCase<"Constant", 2, "constant">]>;

def Block_Outcome : Block_Enum<"Outcome", "what a pass did at one place", [
    I32EnumAttrCase<"Passed", 0, "passed">,
    I32EnumAttrCase<"Missed", 1, "missed">,
    I32EnumAttrCase<"Failed", 2, "failed">]>;

//===----------------------------------------------------------------------===//
// What steps are
//===----------------------------------------------------------------------===//

def Block_KernelKind : Block_Enum<"KernelKind", "what the root of a kernel is", [
    I32EnumAttrCase<"Linear", 0, "linear">,
    I32EnumAttrCase<"LinearSum", 1, "linear_sum">,
    I32EnumAttrCase<"Sdpa", 2, "sdpa">,
    I32EnumAttrCase<"Head", 3, "head">,
    I32EnumAttrCase<"Rows", 4, "rows">,
    I32EnumAttrCase<"Elements", 5, "elements">]>;
/// Kept as a string, as it is written.
def Block_KernelKindAttr : StringBasedAttr<CPred<
    "::llvm::isa<::mlir::StringAttr>($_self) && "
    "::parablock::block::symbolizeKernelKind(::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "a kind of kernel: linear, linear_sum, sdpa, head, rows or elements"> {
  let returnType = "::parablock::block::KernelKind";
  let convertFromStorage = "*::parablock::block::symbolizeKernelKind($_self.getValue())";
  let constBuilderCall = "$_builder.getStringAttr(::parablock::block::stringifyKernelKind($0))";
}

def Block_StepKind : Block_Enum<"StepKind", "what a step is to kernels", [
    I32EnumAttrCase<"Step", 0, "step">,
    // Of level 1.
    I32EnumAttrCase<"Composite", 1, "composite">,
    // Repeated in every kernel that reads its result rather than stored.
    I32EnumAttrCase<"Prologue", 2, "prologue">,
    // On weights alone.
    I32EnumAttrCase<"Weights", 3, "weights">,
    // No kernel of blocks takes it.
    I32EnumAttrCase<"Outside", 4, "outside">]>;

/// In this order, as "no further than" is asked.
def Block_StepReach : Block_Enum<"StepReach", "what a column of a step's result is computed of", [
    // The same column of its operands.
    I32EnumAttrCase<"Element", 0, "element">,
    // The columns of a tile, whichever size tiles have.
    I32EnumAttrCase<"Tile", 1, "tile">,
    // Another column of the same head.
    I32EnumAttrCase<"Pair", 2, "pair">,
    // All columns of a head or group.
    I32EnumAttrCase<"Group", 3, "group">,
    I32EnumAttrCase<"Row", 4, "row">,
    // Rows and weights, or several rows.
    I32EnumAttrCase<"Product", 5, "product">]>;

def Block_OperandRole : Block_Enum<"OperandRole", "what a step reads an operand as", [
    // Data whose columns are those of the result.
    I32EnumAttrCase<"Columns", 0, "columns">,
    // The same, where branches meet: the columns of a stream stay together.
    I32EnumAttrCase<"Stream", 1, "stream">,
    // Data whose columns are others than those of the result.
    I32EnumAttrCase<"Rows", 2, "rows">,
    I32EnumAttrCase<"Weight", 3, "weight">,
    // A weight of which sums are taken: its elements do not end up in the result.
    I32EnumAttrCase<"SummedWeight", 4, "summed_weight">,
    // One number per column that is added, or scales with what is.
    I32EnumAttrCase<"Bias", 5, "bias">,
    // One number, or one per column or head, that is multiplied.
    I32EnumAttrCase<"Gain", 6, "gain">,
    // Gain or bias of a norm.
    I32EnumAttrCase<"NormGain", 7, "norm_gain">,
    // A number per row and group.
    I32EnumAttrCase<"Statistic", 8, "statistic">,
    // Rows to look up, the same for all columns or heads.
    I32EnumAttrCase<"Table", 9, "table">,
    // A table with a row per position.
    I32EnumAttrCase<"Position", 10, "position">,
    // Ids, lengths and offsets.
    I32EnumAttrCase<"Setting", 11, "setting">]>;

def Block_ModelPart : Block_Enum<"ModelPart", "the part of a model that a step belongs to", [
    I32EnumAttrCase<"Embedding", 0, "embedding">,
    I32EnumAttrCase<"Attention", 1, "attention">,
    I32EnumAttrCase<"Mlp", 2, "mlp">,
    I32EnumAttrCase<"Norm", 3, "norm">,
    I32EnumAttrCase<"Head", 4, "head">,
    I32EnumAttrCase<"Other", 5, "other">]> {
  let cppNamespace = "::parablock";
}

#endif // PARABLOCK_IR_BLOCKENUMS_TD
