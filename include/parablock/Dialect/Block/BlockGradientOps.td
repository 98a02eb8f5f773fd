//===- BlockGradientOps.td - steps of a backward pass ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a gradient consists of beside the ops that models have: a gradient by the
// rows of a projection is a projection again, that of a rotation a rotation.
// Gradients by weights are f32, others of the type of what they are by.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKGRADIENTOPS_TD
#define PARABLOCK_IR_BLOCKGRADIENTOPS_TD

include "parablock/Dialect/Block/AttentionInterface.td"

/// A sum over rows: no step on rows, so that it is a launch of its own.
class Block_GradientStep<string reach, string part = "Other">
    : Block_Step<reach, "Outside", part>;

//===----------------------------------------------------------------------===//
// The loss
//===----------------------------------------------------------------------===//

def Block_CrossEntropyOp : Block_PureOp<"cross_entropy", [
    Block_GradientStep<"Product", "Head">,
    AttrSizedOperandSegments]> {
  let summary = "cross entropy of a head's logits with given ids";
  let description = [{
    Level 2. With the logits `l` of `block.head` of the same input, weight, bias, `scale`
    and `softcap`, which are not rounded:
    `result = sum_{b,t} (log sum_v exp(l[b,t,v]) - l[b,t,targets[b,t]]) / divisor`
    over the tokens whose target is not `ignored`. Without a `divisor` it is the number
    of these tokens; where there are none the result is 0. Needs the logits of no more
    than one row at a time. In f32 or wider, rounded once.

    Constraints: [LOSS-1] input and weight agree on the width; [LOSS-2] the bias has
    the vocabulary's size; [LOSS-3] there is a target for each row of the input;
    [LOSS-4] the soft cap is positive.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Weight", Block_Matrix>:$weight,
                       Block_In<"Setting", Block_Ids>:$targets,
                       Block_In<"Bias", Optional<Block_Vector>>:$bias,
                       Block_In<"Setting", Optional<Block_Number>>:$divisor,
                       DefaultValuedAttr<F64Attr, "1.0">:$scale, OptionalAttr<F64Attr>:$softcap,
                       DefaultValuedAttr<I64Attr, "-100">:$ignored);
  let results = (outs Block_Number:$result);
  let assemblyFormat = [{
    $input `,` $weight `targets` $targets (`bias` $bias^)? (`divisor` $divisor^)?
  }] # Block_Signature<"ruleCrossEntropy", [
      "input", "weight", "targets", "bias", "divisor"]>.format;
}

def Block_CrossEntropyGradOp : Block_PureOp<"cross_entropy_grad", [
    Block_GradientStep<"Product", "Head">,
    AttrSizedOperandSegments]> {
  let summary = "gradients of a cross entropy";
  let description = [{
    Level 2. With `c[b,t,v] = gradient (softmax(l)[v] - [v = targets[b,t]]) scale
    (1 - (l[v] / softcap)^2) / divisor`, 0 where the target is `ignored` and without the
    last factor where there is no soft cap, in the order of `wrt`:
    `input`: `sum_v c[..,v] weight[v]`; `weight`: `sum_{b,t} c[b,t,v] input[b,t]`;
    `bias`: `sum_{b,t} c[b,t,v]`. Reads what `block.cross_entropy` reads and forms the
    logits again. In f32 or wider, each result rounded once.

    Constraints: those of `block.cross_entropy`; [LOSSGRAD-1] `wrt` names operands that
    are there, of `input`, `weight` and `bias`, in this order and once each; [LOSSGRAD-2]
    there is a result for each, of its shape.
  }];
  let arguments = (ins Block_In<"Setting", Block_Number>:$gradient,
                       Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Weight", Block_Matrix>:$weight,
                       Block_In<"Setting", Block_Ids>:$targets,
                       Block_In<"Bias", Optional<Block_Vector>>:$bias,
                       Block_In<"Setting", Optional<Block_Number>>:$divisor, StrArrayAttr:$wrt,
                       DefaultValuedAttr<F64Attr, "1.0">:$scale, OptionalAttr<F64Attr>:$softcap,
                       DefaultValuedAttr<I64Attr, "-100">:$ignored);
  let results = (outs Variadic<Block_Any>:$gradients);
  let assemblyFormat = [{
    $gradient `of` $input `,` $weight `targets` $targets (`bias` $bias^)? (`divisor` $divisor^)?
  }] # Block_Signature<"ruleCrossEntropyGrad", [
      "gradient", "input", "weight", "targets", "bias", "divisor"], "gradients">.format;
}

def Block_SoftcapGradOp : Block_ElementwiseOp<"softcap_grad", [
    Block_Step<"Element", "Step", "Head">,
    AllTypesMatch<["gradient", "output", "result"]>]> {
  let summary = "gradient through a soft cap, from its output";
  let description = [{
    Level 2. `result = gradient * scale * (1 - (output / softcap)^2)`: by `x` where
    `output = softcap * tanh(scale * x / softcap)`. In f32 or wider, rounded once.

    Constraint: [CAPGRAD-1] the soft cap is positive.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$gradient,
                       Block_In<"Columns", Block_Any>:$output, F64Attr:$softcap,
                       DefaultValuedAttr<F64Attr, "1.0">:$scale);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$gradient `of` $output" #
      Block_Signature<"ruleSoftcapGrad", ["gradient", "output"]>.format;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// By weights
//===----------------------------------------------------------------------===//

def Block_WeightGradOp : Block_PureOp<"weight_grad", [
    Block_GradientStep<"Product">, AttrSizedOperandSegments]> {
  let summary = "gradient by the weight of a projection";
  let description = [{
    Level 2. `result[n, k] = sum_{b,t} gradients[b,t,n] inputs[b,t,k]`, where several
    gradients, and several inputs, stand side by side: one product for the weights of
    projections that have an input or an output in common. Accumulated in f32 or wider
    over all rows and rounded once.

    Constraints: [WGRAD-1] there is at least one gradient and one input; [WGRAD-2] all
    have the same rows; [WGRAD-3] the result has a row per column of the gradients and
    a column per column of the inputs.
  }];
  let arguments = (ins Block_In<"Rows", Variadic<Block_Hidden>>:$gradients,
                       Block_In<"Rows", Variadic<Block_Hidden>>:$inputs);
  let results = (outs Block_Matrix:$result);
  let assemblyFormat = "`(` $gradients `)` `of` `(` $inputs `)`" #
      Block_Signature<"ruleWeightGrad", ["gradients", "inputs"]>.format;
}

def Block_ColumnSumsOp : Block_PureOp<"column_sums", [
    Block_GradientStep<"Product">]> {
  let summary = "sum of each column over all rows";
  let description = [{
    Level 2. `result[c] = sum input[.., c] * factor[.., c]` over all dimensions but the
    last, without a `factor` of the input alone; with several `groups` of columns also
    over these, column by column. A `factor` of one column is one number for each row. In
    f32 or wider, rounded once.

    Constraints: [COLSUMS-1] the factor has the shape of the input, or one column with its
    rows; [COLSUMS-2] groups divide the last dimension; [COLSUMS-3] the result has one
    element per column of a group.
  }];
  let arguments = (ins Block_In<"Rows", Block_Any>:$input,
                       Block_In<"Rows", Optional<Block_Any>>:$factor,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
  let results = (outs Block_Vector:$result);
  let assemblyFormat = "$input (`times` $factor^)?" #
      Block_Signature<"ruleColumnSums", ["input", "factor"]>.format;
}

def Block_EmbeddingGradOp : Block_PureOp<"embedding_grad", [
    Block_GradientStep<"Product", "Embedding">,
    AttrSizedOperandSegments]> {
  let summary = "gradients by the tables of an embedding";
  let description = [{
    Level 2. In the order of `wrt`: `table`, whose row `r` is `scale` times the sum of
    `gradient[b, t]` over the tokens with `ids[b, t] = r`; `position_table` likewise over
    the tokens at position `r` as `block.embedding` counts them, and `type_table` over
    those of type `r`, both without `scale`. A `pad_id` has its row like any other. In
    f32 or wider, token by token in order, each result rounded once.

    Constraints: [EMBGRAD-1] `wrt` names `table`, `position_table` and `type_table`, in
    this order and once each; [EMBGRAD-2] there is a result for each, as wide as the
    gradient; [EMBGRAD-3] gradient, ids and type ids agree on batch and sequence;
    [EMBGRAD-4] a pad id comes without an offset.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$gradient,
                       Block_In<"Setting", Block_Ids>:$ids,
                       Block_In<"Setting", Optional<Block_Ids>>:$type_ids,
                       Block_In<"Setting", Optional<Index>>:$offset, StrArrayAttr:$wrt,
                       DefaultValuedAttr<F64Attr, "1.0">:$scale,
                       DefaultValuedAttr<I64Attr, "0">:$position_offset,
                       OptionalAttr<I64Attr>:$pad_id);
  let results = (outs Variadic<Block_Matrix>:$gradients);
  let assemblyFormat = "$gradient `at` $ids (`types` $type_ids^)? (`offset` $offset^)?" #
      Block_Signature<"ruleEmbeddingGrad", ["gradient", "ids", "type_ids", "offset"],
                      "gradients">.format;
}

def Block_PatchEmbeddingGradOp : Block_PureOp<"patch_embedding_grad", [
    Block_GradientStep<"Product", "Embedding">]> {
  let summary = "gradients of a patch embedding";
  let description = [{
    Level 2. In the order of `wrt`, of the `block.patch_embedding` of these pixels and
    this weight: `pixels`: each is in one patch, `sum_n gradient[b, patch, n] weight[n, c,
    i, j]`; `weight`: `sum_{b, patch} gradient[b, patch, n] pixels`; `bias`: the sum of
    the patches' rows; `class_token`: that of the first rows, where there is one, as
    `class` says; `position_table`: the sum over the batch. In f32 or wider, each result
    rounded once.

    Constraints: [PATCHGRAD-1] `wrt` names `pixels`, `weight`, `bias`, `class_token` and
    `position_table`, in this order and once each, and `class_token` only with `class`;
    [PATCHGRAD-2] image and patch agree on channels, and the image is a whole number of
    patches; [PATCHGRAD-3] the gradient has one row per token and the weight's width;
    [PATCHGRAD-4] there is a result for each, of the shape of what it is by.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$gradient,
                       Block_In<"Rows", Block_Image>:$pixels,
                       Block_In<"Weight", Block_Image>:$weight, UnitAttr:$has_class,
                       StrArrayAttr:$wrt);
  let results = (outs Variadic<Block_Any>:$gradients);
  let assemblyFormat = "$gradient `of` $pixels `,` $weight (`class` $has_class^)?" #
      Block_Signature<"rulePatchEmbeddingGrad", ["gradient", "pixels", "weight"],
                      "gradients">.format;
}

//===----------------------------------------------------------------------===//
// By rows
//===----------------------------------------------------------------------===//

def Block_NormGradOp : Block_RowOp<"norm_grad", [
    Block_Step<"Row", "Step", "Norm">,
    AttrSizedOperandSegments, AllTypesMatch<["input", "result"]>]> {
  let summary = "gradient by the input of a norm";
  let description = [{
    Level 2. That of `block.normalize` of `input` with its own statistics, which move
    with it. For each row and group of `n` columns, with `g` the effective gain,
    `v = g * gradient`, `m` the mean (or 0), `s` what `#block.norm` adds epsilon to and `r`
    its factor:
    `result_i = r v_i + (2 / k) r'(s) (input_i - m) sum_j v_j (input_j - m)`
    with `k = 1` for `l2`, else `n`; a centred norm takes from that the mean of `r v`.
    `r'(s)` is `-r^3 / 2` for `inside_root`, `-r^2 / (2 sqrt s)` for `outside_root` (0 at
    `s = 0`), and for `clamp` `-r^3 / 2` where `sqrt s > eps`, else 0. In f32 or wider,
    rounded once.

    Constraints: [NORMGRAD-1] there is a mean if and only if the form is centred;
    [NORMGRAD-2] groups divide the width, and statistics have one element per row and
    group; [NORMGRAD-3] the gain has the size of a group or of the row; [NORMGRAD-4] the
    gradient has the shape of the input.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$gradient,
                       Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Statistic", Optional<Block_Statistic>>:$mean,
                       Block_In<"Statistic", Block_Statistic>:$moment,
                       Block_In<"NormGain", Optional<Block_Vector>>:$gamma, Block_NormAttr:$form,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = [{
    $gradient `of` $input (`mean` $mean^)? `moment` $moment (`gamma` $gamma^)?
  }] # Block_Signature<"ruleNormGrad", ["gradient", "input", "mean", "moment", "gamma"]>.format;
  let extraClassDeclaration = [{
    StepReach getReach();
    int64_t getGranule();
    void takeColumns(int64_t own, int64_t all);
  }];
}

def Block_RowDotsOp : Block_PureOp<"row_dots", [
    Block_Step<"Row", "Step", "Norm">,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "sums over the columns of each row";
  let description = [{
    Level 2. For each row and group of columns: `result = addend + sum_c input_c (factor_c +
    vector_c)`, where what is not there counts as 0. The vector has one element per column
    of the row. In f32, which statistics have.

    Constraints: [ROWDOTS-1] there is a factor or a vector; [ROWDOTS-2] the factor has the
    shape of the input, the vector its width; [ROWDOTS-3] groups divide the width;
    [ROWDOTS-4] addend and result have one element per row and group.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Columns", Optional<Block_Hidden>>:$factor,
                       Block_In<"Bias", Optional<Block_Vector>>:$vector,
                       Block_In<"Statistic", Optional<Block_Statistic>>:$addend,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
  let results = (outs Block_Statistic:$result);
  let assemblyFormat = [{
    $input (`times` $factor^)? (`vector` $vector^)? (`plus` $addend^)?
  }] # Block_Signature<"ruleRowDots", ["input", "factor", "vector", "addend"]>.format;
  let extraClassDeclaration = [{
    StepReach getReach();
    int64_t getGranule();
    void takeColumns(int64_t own, int64_t all);
    static bool movesRows() { return false; }
    static bool makesStatistics() { return true; }
  }];
}

def Block_DeferredNormGradOp : Block_RowOp<"deferred_norm_grad", [
    Block_Step<"Element", "Step", "Norm">,
    AttrSizedOperandSegments, AllTypesMatch<["input", "result"]>]> {
  let summary = "gradient by the input of a norm, of sums that are known before it";
  let description = [{
    Level 2. That of projections `y = r (u - m c) + b` of a normalised row, as
    `block.deferred_norm` has them: `u` is the product of the raw row, `c` what `sums` are
    there. The gradient by `y` times `r` is `v`; of it `gradient` is the product by the
    weights without the gain, `sums` is `sum v c` and `dots` is `sum v (y - b)`, each over
    all columns of all projections. With `g` the effective gain and `n` columns:
    `result_i = g_i gradient_i - sums / n + (2 / k) (r'(s) / r^2) dots (input_i - m)`
    with `r`, `r'(s)` and `k` of `block.norm_grad`. Without `gradient`, which comes in the
    gain's company, the first term is left out: what a row does by way of its statistics.
    In f32 or wider, rounded once.

    Constraints: [DEFGRAD-1] mean and sums are there if and only if the form is centred;
    [DEFGRAD-2] statistics have one element per row; [DEFGRAD-3] a gain comes with a
    gradient and has the width of the input; [DEFGRAD-4] the gradient has the shape of
    the input.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Columns", Optional<Block_Hidden>>:$gradient,
                       Block_In<"Statistic", Optional<Block_Statistic>>:$mean,
                       Block_In<"Statistic", Block_Statistic>:$moment,
                       Block_In<"Statistic", Optional<Block_Statistic>>:$sums,
                       Block_In<"Statistic", Block_Statistic>:$dots,
                       Block_In<"NormGain", Optional<Block_Vector>>:$gamma, Block_NormAttr:$form);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = [{
    ($gradient^)? `of` $input (`mean` $mean^)? `moment` $moment (`sums` $sums^)? `dots` $dots
    (`gamma` $gamma^)?
  }] # Block_Signature<"ruleDeferredNormGrad", [
      "input", "gradient", "mean", "moment", "sums", "dots", "gamma"]>.format;
}

def Block_ActivationGradOp : Block_ElementwiseOp<"activation_grad", [
    Block_Step<"Element", "Step", "Mlp">,
    AllTypesMatch<["gradient", "input", "result"]>]> {
  let summary = "gradient by the input of an activation";
  let description = [{
    Level 2. `result = kind'(input) * gradient`, with the derivative of what
    `block.activation` does; at the corner of `relu` and `leaky_relu` that of the right
    side is 1 for `leaky_relu` and 0 for `relu`, at those of `hardswish` that of the
    middle. Evaluated in f32 or wider, rounded once.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$gradient,
                       Block_In<"Columns", Block_Any>:$input, Block_ActivationAttr:$kind);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$gradient `of` $input" #
      Block_Signature<"ruleElementGrad", ["gradient", "input"]>.format;
}

def Block_GateGradOp : Block_Op<"gate_grad", [
    Pure, SameOperandsAndResultType,
    Block_Step<"Element", "Step", "Mlp">,
    AllTypesMatch<["gradient", "gate", "up", "gate_gradient", "up_gradient"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "gradients by the gate and the value that it opens";
  let description = [{
    Level 2. Of `block.gate`: `kind'(gate) * up * gradient` and `kind(gate) * gradient`,
    with the derivative of `block.activation_grad`. Evaluated in f32 or wider, each
    rounded once.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$gradient,
                       Block_In<"Columns", Block_Any>:$gate, Block_In<"Columns", Block_Any>:$up,
                       Block_ActivationAttr:$kind);
  let results = (outs Block_Any:$gate_gradient, Block_Any:$up_gradient);
  let assemblyFormat = [{
    $gradient `of` $gate `,` $up attr-dict `:` type($gradient)
  }];
}

def Block_ClampGradOp : Block_ElementwiseOp<"clamp_grad", [
    Block_Step<"Element">,
    AllTypesMatch<["gradient", "input", "result"]>]> {
  let summary = "gradient by the input of a clamp";
  let description = [{
    Level 2. The gradient where `-limit <= input <= limit`, else 0.

    Constraint: [CLAMPGRAD-1] the limit is positive.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$gradient,
                       Block_In<"Columns", Block_Any>:$input, F64Attr:$limit);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$gradient `of` $input" #
      Block_Signature<"ruleElementGrad", ["gradient", "input"]>.format;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

def Block_SdpaGradNamed : Block_NamedOperands<[
    Block_ValidLengths, Block_RelativeTable, Block_ShawKey, Block_ShawValue, Block_Alpha,
    Block_Beta, Block_Gamma, Block_PastKey, Block_PastValue, Block_Slopes,
    Block_AddedScores, Block_CuSeqlens, Block_DropoutSeed, Block_Sinks], /*positional=*/4>;

def Block_SdpaGradOp : Block_PureOp<"sdpa_grad", [
    Block_GradientStep<"Product", "Attention">, AttentionOpInterface]> {
  let summary = "gradients of scaled dot-product attention";
  let description = !strconcat([{
    Level 2. Of the `block.sdpa` that has the same operands and attributes, in the order
    of `wrt`. Reads these and `gradient`, that of the result, and forms scores and weights
    again. For query `i` and an allowed key `j` of a head, with the weight `w_ij`,
    `u_ij = beta (v_j + shaw_value[..]) . gradient_i` and `D_i = sum_j w_ij u_ij`, the
    gradient by the score is `p_ij = w_ij (u_ij - D_i)`, and `c_ij` is that by `q.k`: `p_ij`
    times `scale`, and where there is a soft cap times `1 - (t / cap)^2`, `t` what the cap
    gave. Then
    `query`: `sum_j c_ij (k_j + shaw_key[..])`; `key`: `sum_i c_ij q_i`; `value`: `sum_i
    (beta w_ij - gamma / n_i) gradient_i + alpha gradient_j`, `n_i` the number of allowed
    keys, `key` and `value` over all query heads that read one; `relative_table`: each
    bucket's sum of the gradient by the bias, which `order` says how far it goes through
    scale and cap; `shaw_key`: `sum c_ij q_i`, `shaw_value`: `sum beta w_ij gradient_i`;
    `alpha`: `sum v_i . gradient_i`; `beta`: `sum w_ij (v_j + shaw_value[..]) . gradient_i`;
    `gamma`: minus the sum of the means of `v_j . gradient_i`; past keys and values like
    new ones; `score_bias`: `p_ij`, summed over the dimensions that it has 1 of; `sinks`:
    minus the sum of `D_i` times the weight of the sink. Keys that
    are not allowed give and get nothing. With `dropout` and its factor `m_ij`, 0 or
    `1 / (1 - rate)`, `u_ij` is `m_ij` times that, and so is the `w_ij` that gradients by
    values and their table are summed with. In f32 or wider, each result rounded once.

    Constraints: those of `block.sdpa`; [SDPAGRAD-1] `wrt` names operands that are there,
    of `query`, `key`, `value`, `relative_table`, `shaw_key`, `shaw_value`, `alpha`, `beta`,
    `gamma`, `past_key`, `past_value`, `score_bias` and `sinks`, in this order and once each;
    [SDPAGRAD-2] there is a result for each, of its shape; [SDPAGRAD-3] the gradient has
    the shape of the attention's result.
  }], Block_SdpaGradNamed.table);
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$gradient,
                       Block_In<"Rows", Block_Hidden>:$query, Block_In<"Rows", Block_Hidden>:$key,
                       Block_In<"Rows", Block_Hidden>:$value, Variadic<AnyRankedTensor>:$named,
                       DenseI32ArrayAttr:$operandSegmentSizes, StrArrayAttr:$wrt, I64Attr:$heads,
                       I64Attr:$kv_heads, Block_ScoresAttr:$scores,
                       OptionalAttr<Block_BucketsAttr>:$buckets,
                       OptionalAttr<Block_DropoutAttr>:$dropout);
  let results = (outs Variadic<Block_Any>:$gradients);
  let assemblyFormat = "$gradient `of` $query `,` $key `,` $value" #
      Block_NamedSignature<"ruleSdpaGrad", ["gradient", "query", "key", "value"],
                           "gradients">.format;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$gradients, "::mlir::Value":$gradient,
                   "::parablock::block::AttentionOpInterface":$of, "::mlir::ArrayAttr":$wrt)>
  ];
  let useCustomPropertiesEncoding = 1;
  let extraClassDeclaration = Block_SdpaGradNamed.methods;
}

#endif // PARABLOCK_IR_BLOCKGRADIENTOPS_TD
