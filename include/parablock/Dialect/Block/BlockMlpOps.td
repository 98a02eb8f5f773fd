//===- BlockMlpOps.td - MLP, linear and elementwise steps --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKMLPOPS_TD
#define PARABLOCK_IR_BLOCKMLPOPS_TD

include "parablock/Dialect/Block/BlockOpBase.td"

def Block_MlpOp : Block_PureOp<"mlp", [
    Block_Composite<"Mlp">,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "the feed-forward part of a block, plain or gated";
  let description = [{
    Level 1. Plain: `act(input up^T + up_bias) down^T + down_bias`. Gated, with a
    `gate_weight`: `(act(input gate^T + gate_bias) * (input up^T + up_bias)) down^T +
    down_bias`; the gate is the side with the activation. Rounding points: each
    projection, the activation or product, the result.

    Constraints: [MLP-1] up and gate read the input's width and have one shape;
    [MLP-2] down reads the hidden width; [MLP-3] biases have the size of their
    projection, and a gate bias needs a gate; [MLP-4] the result has the input's
    rows and the width of down.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Weight", Block_Matrix>:$up_weight,
                       Block_In<"Weight", Optional<Block_Matrix>>:$gate_weight,
                       Block_In<"Weight", Block_Matrix>:$down_weight,
                       Block_In<"Bias", Optional<Block_Vector>>:$up_bias,
                       Block_In<"Bias", Optional<Block_Vector>>:$gate_bias,
                       Block_In<"Bias", Optional<Block_Vector>>:$down_bias,
                       Block_ActivationAttr:$activation);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = [{
    $input `up` $up_weight (`gate` $gate_weight^)? `down` $down_weight
    (`up_bias` $up_bias^)? (`gate_bias` $gate_bias^)? (`down_bias` $down_bias^)?
  }] # Block_Signature<"ruleMlp", [
      "input", "up_weight", "gate_weight", "down_weight", "up_bias", "gate_bias",
      "down_bias"]>.format;
}

def Block_LinearOp : Block_RowOp<"linear", [
    Block_Step<"Product">]> {
  let summary = "projection of the last dimension";
  let description = [{
    Level 2. `result = input weight^T + bias`. Accumulated in f32 or wider, rounded
    once; the result may be of another float type than the operands.

    Constraints: [LINEAR-1] input and weight agree on the width read; [LINEAR-2]
    bias and result have the width of the weight; [LINEAR-3] the result has the
    rows of the input.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Weight", Block_Matrix>:$weight,
                       Block_In<"Bias", Optional<Block_Vector>>:$bias);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input `,` $weight (`bias` $bias^)?" #
      Block_Signature<"ruleLinear", ["input", "weight", "bias"]>.format;
  let extraClassDeclaration = [{
    static std::optional<KernelKind> getRootKind() { return KernelKind::Linear; }
  }];
}

def Block_ActivationOp : Block_ElementwiseOp<"activation", [
    Block_Step<"Element", "Step", "Mlp">,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "elementwise function";
  let description = [{
    `relu` max(x, 0); `leaky_relu` max(x, x / 100); `relu_squared` max(x, 0)^2; `gelu_erf` x (1 + erf(x / sqrt 2)) / 2;
    `gelu_tanh` x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2; `quick_gelu`
    x sigmoid(1.702 x); `silu` x sigmoid(x); `hardswish` x min(max(x + 3, 0), 6) / 6; `softplus` log(1 + exp(x));
    `mish` x tanh(softplus(x)); `sigmoid`, `tanh`, `identity`. Evaluated
    in f32 or wider, rounded once.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$input, Block_ActivationAttr:$kind);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$input" #
      Block_Signature<"ruleActivation", ["input"]>.format;
  let hasFolder = 1;
}

def Block_GateOp : Block_ElementwiseOp<"gate", [
    Block_Step<"Element", "Step", "Mlp">,
    AllTypesMatch<["gate", "up", "result"]>]> {
  let summary = "product of an activated gate and a value";
  let description = [{
    `result = kind(gate) * up`, evaluated in f32 or wider and rounded once.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$gate, Block_In<"Columns", Block_Any>:$up,
                       Block_ActivationAttr:$kind);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$gate `,` $up" #
      Block_Signature<"ruleGate", ["gate", "up"]>.format;
}

def Block_LimitedGateOp : Block_ElementwiseOp<"limited_gate", [
    Block_Step<"Element", "Step", "Mlp">,
    AllTypesMatch<["gate", "up", "result"]>]> {
  let summary = "gated value of bounded factors";
  let description = [{
    `result = kind(min(gate, limit)) * (min(max(up, -limit), limit) + offset)`, evaluated in
    f32 or wider and rounded once. The gate is bounded above alone.

    Constraints: [LIMGATE-1] the limit is positive, and both numbers are finite.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$gate, Block_In<"Columns", Block_Any>:$up,
                       Block_ActivationAttr:$kind, F64Attr:$limit,
                       DefaultValuedAttr<F64Attr, "0.0">:$offset);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$gate `,` $up" #
      Block_Signature<"ruleGate", ["gate", "up"]>.format;
  let hasVerifier = 1;
}

def Block_ClampOp : Block_ElementwiseOp<"clamp", [
    Block_Step<"Element">,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "bounds every element to [-limit, limit]";
  let description = [{
    Constraint: [CLAMP-1] the limit is positive.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$input, F64Attr:$limit);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$input" #
      Block_Signature<"ruleClamp", ["input"]>.format;
  let hasVerifier = 1;
}

#endif // PARABLOCK_IR_BLOCKMLPOPS_TD
