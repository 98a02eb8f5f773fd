//===- BlockEnums.td - the choices that families differ in -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKENUMS_TD
#define PARABLOCK_IR_BLOCKENUMS_TD

include "mlir/IR/EnumAttr.td"
include "parablock/IR/BlockDialect.td"

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

def Block_InitKind : Block_Enum<"InitKind", "distribution of a generated weight", [
    I32EnumAttrCase<"Normal", 0, "normal">,
    I32EnumAttrCase<"Uniform", 1, "uniform">,
    I32EnumAttrCase<"Constant", 2, "constant">]>;

def Block_Outcome : Block_Enum<"Outcome", "what a pass did at one place", [
    I32EnumAttrCase<"Passed", 0, "passed">,
    I32EnumAttrCase<"Missed", 1, "missed">,
    I32EnumAttrCase<"Failed", 2, "failed">]>;

#endif // PARABLOCK_IR_BLOCKENUMS_TD
