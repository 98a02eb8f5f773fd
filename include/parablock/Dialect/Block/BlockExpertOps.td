//===- BlockExpertOps.td - mixtures of experts -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKEXPERTOPS_TD
#define PARABLOCK_IR_BLOCKEXPERTOPS_TD

include "parablock/Dialect/Block/BlockOpBase.td"

/// Experts of each row, one column a slot.
def Block_Choices : ConfinedType<Block_RankedOf<[I64], [3]>, [Block_StaticWidth],
    "3D tensor of i64 with a static last dimension of at least 1"> {
  let cppFunctionName = "isChoicesTensor";
}
/// A matrix of each expert.
def Block_Stack : ConfinedType<Block_RankedOf<[Block_Float], [3]>, [Block_PositiveShape],
    "static 3D tensor of f32, bf16 or f16 without a size of 0"> {
  let cppFunctionName = "isStackTensor";
}

def Block_MoeOp : Block_PureOp<"moe", [
    Block_Composite<"Mlp">,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "the feed-forward part of a block as a mixture of experts";
  let description = [{
    Level 1. A router chooses `routing.chosen` of the stacked experts for each row:

    1. `logits = input router_weight^T + router_bias`, of the input's type; with a router
       weight of f32, of the input converted to f32, and of f32;
    2. `indices, weights = block.route logits` by `routing`, with `correction` and
       `expert_scale`; the weights are f32, with `round_weights` of the input's type;
    3. `routed = block.experts input, indices, weights` by `form`;
    4. with shared matrices, `shared` is the `block.mlp` of them with the activation of
       `form`, times `sigmoid(input shared_router^T)` where there is a shared router, whose
       product is rounded to the input's type, and so is the gated value;
    5. `result = scale * routed + scale * shared`, or `scale * routed`.

    Rounding points: those of these ops, and the result.

    Constraints: [MOE-1] the router has a row per stacked expert, of the input's width;
    [MOE-2] routing, correction and scales of experts are what `block.route` allows for its
    logits; [MOE-3] stacks and their biases are what `block.experts` allows; [MOE-4] shared
    matrices are what `block.mlp` allows, and come together; a shared router has one row of
    the input's width and comes with them; [MOE-5] the result has the rows of the input and
    the width of down.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Weight", Block_Matrix>:$router_weight,
                       Block_In<"Weight", Block_Stack>:$up_weight,
                       Block_In<"Weight", Block_Stack>:$down_weight,
                       Block_In<"Bias", Optional<Block_Vector>>:$router_bias,
                       Block_In<"Bias", Optional<Block_Vector>>:$correction,
                       Block_In<"Gain", Optional<Block_Vector>>:$expert_scale,
                       Block_In<"Bias", Optional<Block_Matrix>>:$up_bias,
                       Block_In<"Bias", Optional<Block_Matrix>>:$down_bias,
                       Block_In<"Weight", Optional<Block_Matrix>>:$shared_up,
                       Block_In<"Weight", Optional<Block_Matrix>>:$shared_gate,
                       Block_In<"Weight", Optional<Block_Matrix>>:$shared_down,
                       Block_In<"Weight", Optional<Block_Matrix>>:$shared_router,
                       Block_RoutingAttr:$routing, Block_ExpertsAttr:$form,
                       DefaultValuedAttr<F64Attr, "1.0">:$scale,
                       UnitAttr:$round_weights);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = [{
    $input `router` $router_weight `up` $up_weight `down` $down_weight
    (`router_bias` $router_bias^)? (`correction` $correction^)?
    (`expert_scale` $expert_scale^)? (`up_bias` $up_bias^)? (`down_bias` $down_bias^)?
    (`shared_up` $shared_up^)? (`shared_gate` $shared_gate^)? (`shared_down` $shared_down^)?
    (`shared_router` $shared_router^)? (`round_weights` $round_weights^)?
  }] # Block_Signature<"ruleMoe", [
      "input", "router_weight", "up_weight", "down_weight", "router_bias", "correction",
      "expert_scale", "up_bias", "down_bias", "shared_up", "shared_gate", "shared_down",
      "shared_router"]>.format;
}

def Block_RouteOp : Block_PureOp<"route", [
    Block_Step<"Row", "Outside", "Mlp">,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "experts of each row and their weights, from a router's logits";
  let description = [{
    Level 2. Chooses `form.chosen` columns of each row of `logits`, as `#block.routing`
    defines it, computed in f32 or wider. `indices` are the chosen columns, the best first;
    of equal choice scores the lower column comes first. `weights` are rounded once.

    A logit that is NaN is an error of the caller that engines report.

    Constraints: [ROUTE-1] groups divide the columns of logits, a group whose two best
    count has two, and the groups that are kept have at least the chosen columns; [ROUTE-2]
    `correction` and `expert_scale` have one element per column of logits; [ROUTE-3] indices
    and weights have the rows of logits and one column for each that is chosen.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$logits,
                       Block_In<"Bias", Optional<Block_Vector>>:$correction,
                       Block_In<"Gain", Optional<Block_Vector>>:$expert_scale,
                       Block_RoutingAttr:$form);
  let results = (outs Block_Choices:$indices, Block_Hidden:$weights);
  let assemblyFormat = [{
    $logits (`correction` $correction^)? (`expert_scale` $expert_scale^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Block_ExpertsOp : Block_PureOp<"experts", [
    Block_Step<"Product", "Outside", "Mlp">,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "MLPs of the chosen experts of each row, summed by weight";
  let description = [{
    Level 2. With `e_s` and `w_s` the expert and the weight in slot `s` of a row `x`, and
    `f_e` the MLP of expert `e` (`#block.experts`), `result = sum_s w_s f_{e_s}(x)`, or
    `sum_s f_{e_s}(w_s x)` where `form.weigh` is `input`. No row is dropped, however many
    choose one expert. The sum is taken in f32 or wider, in the order of the slots.

    A slot of weight 0 with an index of at least the number of experts is empty: it adds
    nothing. Any other index without an expert is an error of the caller that engines report.

    Rounding points: with `weigh = input` the weighted row; gate and up, each; the hidden
    value that down reads; the result. The product by down is not rounded.

    Constraints: [EXPERTS-1] up has a matrix for each expert, which reads the input's width,
    and where it has a gate, an even number of hidden columns; [EXPERTS-2] down has as many
    matrices, which read the hidden width; [EXPERTS-3] biases have a row for each expert, of
    the width of their projection; [EXPERTS-4] indices and weights have the rows of the
    input and one shape; [EXPERTS-5] the result has the rows of the input and the width of
    down.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Setting", Block_Choices>:$indices,
                       Block_In<"Statistic", Block_Hidden>:$weights,
                       Block_In<"Weight", Block_Stack>:$up_weight,
                       Block_In<"Weight", Block_Stack>:$down_weight,
                       Block_In<"Bias", Optional<Block_Matrix>>:$up_bias,
                       Block_In<"Bias", Optional<Block_Matrix>>:$down_bias,
                       Block_ExpertsAttr:$form);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = [{
    $input `of` $indices `by` $weights `up` $up_weight `down` $down_weight
    (`up_bias` $up_bias^)? (`down_bias` $down_bias^)?
  }] # Block_Signature<"ruleExperts", [
      "input", "indices", "weights", "up_weight", "down_weight", "up_bias",
      "down_bias"]>.format;
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

def Block_RouteGradOp : Block_PureOp<"route_grad", [
    Block_Step<"Product", "Outside", "Mlp">]> {
  let summary = "gradients of a router's weights";
  let description = [{
    Level 2. Of the `block.route` of the same logits, scales and form that chose `indices`,
    which are constants: no gradient reaches a correction, or an expert that is not chosen
    other than by a softmax. With `b_s` the weight of step 5 in slot `s` before it is divided,
    `d` its divisor, `f_s` the factor of step 6 and `u_s = gradient_s f_s`, the gradient by
    `b_s` is `v_s = (u_s - m) / d`, where `m = sum_s u_s b_s / d` if the divisor is the sum or
    has it as a summand, else 0. In the order of `wrt`:
    `logits`: `v` through the score, or through the softmax or sigmoid of the chosen, times
    `logit_scale`; `expert_scale`: the sum of `gradient_s weight_scale b_s / d` over the rows
    and slots that choose the expert. In f32 or wider, each result rounded once.

    Constraints: those of `block.route`; [ROUTEGRAD-1] `wrt` names operands that are there,
    of `logits` and `expert_scale`, in this order and once each; [ROUTEGRAD-2] there is a
    result for each, of its shape; [ROUTEGRAD-3] gradient and indices have the rows of logits
    and one column for each that is chosen.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$gradient,
                       Block_In<"Rows", Block_Hidden>:$logits,
                       Block_In<"Setting", Block_Choices>:$indices,
                       Block_In<"Gain", Optional<Block_Vector>>:$expert_scale,
                       StrArrayAttr:$wrt, Block_RoutingAttr:$form);
  let results = (outs Variadic<Block_Any>:$gradients);
  let assemblyFormat = [{
    $gradient `of` $logits `at` $indices (`expert_scale` $expert_scale^)?
  }] # Block_Signature<"ruleRouteGrad", [
      "gradient", "logits", "indices", "expert_scale"], "gradients">.format;
}

def Block_ExpertsGradOp : Block_PureOp<"experts_grad", [
    Block_Step<"Product", "Outside", "Mlp">, AttrSizedOperandSegments]> {
  let summary = "gradients of the chosen experts of each row";
  let description = [{
    Level 2. Of the `block.experts` of the same operands and form, whose values are formed
    again and rounded as there; `gradient` is that of its result `dy`. For slot `s` of a row,
    with `w` its weight, `x` the row that its expert `e` reads, `h` the hidden value, and
    `t = dy` times `w`, or `t = dy` where `form.weigh` is `input`: the gradient by `h` is
    `t down_e`, `g` that by gate and up, 0 beyond a limit, and that by `x` is `g up_e`. In the
    order of `wrt`:
    `input`: the sum of the last over slots, in their order, each times `w` where it weighs
    the input; `weights`: `dy . (h down_e^T + down_bias_e)`, or the product of the input's row
    and the gradient by `x`; `up_weight`, `up_bias`, `down_weight` and `down_bias`: for each
    expert the sums of `g x`, `g`, `t h` and `t` over its slots. Empty slots give and get
    nothing. In f32 or wider; `g`, and `w h` in the sum of `t h`, may be rounded to the type
    of the input where products read them, and each result is rounded once.

    Constraints: those of `block.experts`; [EXPERTSGRAD-1] `wrt` names operands that are
    there, of `input`, `weights`, `up_weight`, `down_weight`, `up_bias` and `down_bias`, in
    this order and once each; [EXPERTSGRAD-2] there is a result for each, of its shape;
    [EXPERTSGRAD-3] the gradient has the rows of the input and the width of down.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$gradient,
                       Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Setting", Block_Choices>:$indices,
                       Block_In<"Statistic", Block_Hidden>:$weights,
                       Block_In<"Weight", Block_Stack>:$up_weight,
                       Block_In<"Weight", Block_Stack>:$down_weight,
                       Block_In<"Bias", Optional<Block_Matrix>>:$up_bias,
                       Block_In<"Bias", Optional<Block_Matrix>>:$down_bias,
                       StrArrayAttr:$wrt, Block_ExpertsAttr:$form);
  let results = (outs Variadic<Block_Any>:$gradients);
  let assemblyFormat = [{
    $gradient `of` $input `at` $indices `by` $weights `up` $up_weight `down` $down_weight
    (`up_bias` $up_bias^)? (`down_bias` $down_bias^)?
  }] # Block_Signature<"ruleExpertsGrad", [
      "gradient", "input", "indices", "weights", "up_weight", "down_weight", "up_bias",
      "down_bias"], "gradients">.format;
}

#endif // PARABLOCK_IR_BLOCKEXPERTOPS_TD
