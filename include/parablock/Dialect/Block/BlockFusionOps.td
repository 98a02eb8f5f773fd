//===- BlockFusionOps.td - what exact rewrites are written in *- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Steps that no model is drawn with, but that fused blocks consist of: projections
// merged along either dimension, norms applied after a projection, row statistics
// in partial form, and the weight-only work these need.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKFUSIONOPS_TD
#define PARABLOCK_IR_BLOCKFUSIONOPS_TD

include "parablock/Dialect/Block/BlockOpBase.td"

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def Block_LinearSumOp : Block_PureOp<"linear_sum", [
    Block_Step<"Product">,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "sum of projections: one matrix product over several sources";
  let description = [{
    Level 2. `result = sum_s inputs[s] weights[s]^T + bias`: what a product over the
    concatenation of the inputs would give, without that copy. Accumulated in f32 or
    wider over all sources and rounded once.

    Constraints: [LINSUM-1] there are as many weights as inputs, at least one;
    [LINSUM-2] each weight reads the width of its input; [LINSUM-3] weights, bias
    and result agree on the width; [LINSUM-4] inputs and result have the same rows.
  }];
  let arguments = (ins Block_In<"Rows", Variadic<Block_Hidden>>:$inputs,
                       Block_In<"Weight", Variadic<Block_Matrix>>:$weights,
                       Block_In<"Bias", Optional<Block_Vector>>:$bias);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "`(` $inputs `)` `weights` `(` $weights `)` (`bias` $bias^)?" #
      Block_Signature<"ruleLinearSum", ["inputs", "weights", "bias"]>.format;
  let extraClassDeclaration = [{
    static std::optional<KernelKind> getRootKind() { return KernelKind::LinearSum; }
  }];
}

def Block_SplitOp : Block_PureOp<"split", [
    Block_Step<"Element">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "cuts the last dimension into segments";
  let description = [{
    Level 2. The results are consecutive column ranges of the input, in order and
    without gaps. Moves nothing: a merged projection writes its segments apart.

    Constraints: [SPLIT-1] the widths of the results add up to the input's;
    [SPLIT-2] results have the rows and element type of the input.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input);
  let results = (outs Variadic<Block_Hidden>:$segments);
  let assemblyFormat = "$input" #
      Block_Signature<"ruleSplit", ["input"], "segments">.format;
  let extraClassDeclaration = [{
    static bool handsOn() { return true; }
    static bool movesRows() { return false; }
  }];
}

def Block_DeferredNormOp : Block_RowOp<"deferred_norm", [
    Block_Step<"Element">,
    AttrSizedOperandSegments]> {
  let summary = "a norm applied after the projection that it precedes";
  let description = [{
    Level 2. Turns the projection of a raw row into that of the normalised row:
    `result = r(moment) * (input - mean * sums) + bias`, where `sums` holds for each
    output column the sum of its weights **as stored**, gain folded in, and the
    bias, which must not be scaled, has the norm's own bias folded in. `form` gives
    epsilon and its place; its gain form and rounding no longer matter. Evaluated in
    f32 or wider and rounded once; the input is usually an f32 accumulator. A row whose
    moment is 0 has equal elements, and its result is the bias where epsilon is not 0.

    `input - mean * sums` loses the digits by which a row's mean exceeds its deviation.
    `centrable` states that `input` is the product of the row and a weight, and that
    `sums` are those of this weight. A kernel that computes both then multiplies the row
    without its mean, `result = r(moment) * ((row - mean) weight^T) + bias`: the same
    function without the cancellation. The result is undefined for other sums.

    Constraints: [DEFERRED-1] mean and sums are there if and only if the form is
    centred; [DEFERRED-2] sums and bias have the width of the input; [DEFERRED-3]
    statistics have one element per row; [DEFERRED-4] the result has the shape of
    the input; [DEFERRED-5] a centrable one has a mean.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Statistic", Optional<Block_Statistic>>:$mean,
                       Block_In<"Statistic", Block_Statistic>:$moment,
                       Block_In<"Bias", Optional<Block_Vector>>:$sums,
                       Block_In<"Bias", Optional<Block_Vector>>:$bias, Block_NormAttr:$form,
                       I64Attr:$width, UnitAttr:$centrable);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input (`mean` $mean^)? `moment` $moment (`sums` $sums^)? (`bias` $bias^)? (`centrable` $centrable^)?" #
      Block_Signature<"ruleDeferredNorm", ["input", "mean", "moment", "sums", "bias"]>.format;
  let extraClassDeclaration = [{
    static bool movesRows() { return false; }
  }];
}

def Block_AddBiasOp : Block_RowOp<"add_bias", [
    Block_Step<"Element">]> {
  let summary = "adds one value per column";
  let description = [{
    Level 2. `result[.., c] = input[.., c] + bias[c]`, in f32 or wider, rounded once.

    Constraints: [BIAS-1] the bias has the width of the input; [BIAS-2] the result
    has the shape of the input.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Bias", Block_Vector>:$bias);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input `,` $bias" #
      Block_Signature<"ruleAddBias", ["input", "bias"]>.format;
  let extraClassDeclaration = [{
    static bool movesRows() { return false; }
  }];
}

def Block_PartialStatsOp : Block_PureOp<"partial_stats", [
    Block_Step<"Tile">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "row statistics per column tile, to be merged later";
  let description = [{
    Level 3. Cuts the last dimension into tiles of `tile` columns, the last one
    possibly shorter. With `centered`, gives per row and tile the mean and `M2`, the
    sum of squared distances to it; else one result, the sum of squares. Results are
    f32, `[batch, sequence, tiles]`. Made by the kernel that writes the row, one
    element per tile and no atomics, so that the result never depends on the order.

    Constraints: [PARTIAL-1] two results if centered, else one; [PARTIAL-2] the tile
    is positive; [PARTIAL-3] results have one element per row and tile.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input, UnitAttr:$centered, I64Attr:$tile);
  let results = (outs Variadic<Block_Statistic>:$partials);
  let assemblyFormat = "$input (`centered` $centered^)?" #
      Block_Signature<"rulePartialStats", ["input"], "partials">.format;
  let extraClassDeclaration = [{
    static bool movesRows() { return false; }
    static bool makesStatistics() { return true; }
    int64_t getGranule() { return getTile(); }
  }];
}

def Block_MergeStatsOp : Block_PureOp<"merge_stats", [
    Block_Step<"Row", "Prologue">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "row statistics from partial ones";
  let description = [{
    Level 3. Merges the partials of a row of `width` elements, tile by tile in order
    (Chan's formula), into what `block.norm_stats` gives for one group: mean and mean
    of squared distances, or without `mean` the mean of squares.

    Constraints: [MERGE-1] partials have one element per tile; [MERGE-2] there is a
    mean result if and only if there are partial means; [MERGE-3] results have one
    element per row.
  }];
  let arguments = (ins Block_In<"Statistic", Optional<Block_Statistic>>:$mean,
                       Block_In<"Statistic", Block_Statistic>:$moment, I64Attr:$width,
                       I64Attr:$tile);
  let results = (outs Variadic<Block_Statistic>:$statistics);
  let assemblyFormat = "(`mean` $mean^)? `moment` $moment" #
      Block_Signature<"ruleMergeStats", ["mean", "moment"], "statistics">.format;
  let extraClassDeclaration = [{
    static bool movesRows() { return false; }
    static bool makesStatistics() { return true; }
  }];
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

def Block_FoldGainOp : Block_WeightOp<"fold_gain", [], [
    Block_WeightWork,
    AllTypesMatch<["weight", "result"]>]> {
  let summary = "multiplies a norm's gain into the weight that reads it";
  let description = [{
    Weight-only. `result[n, k] = g[k] * weight[n, k]` with the effective gain `g` of
    `gamma_form`, rounded once.

    Constraint: [FOLDGAIN-1] the gain has one element per column of the weight.
  }];
  let arguments = (ins Block_In<"Weight", Block_Matrix>:$weight,
                       Block_In<"NormGain", Block_Vector>:$gamma, Block_NormAttr:$form);
  let results = (outs Block_Matrix:$result);
  let assemblyFormat = "$weight `,` $gamma" #
      Block_Signature<"ruleFoldGain", ["weight", "gamma"]>.format;
}

def Block_FoldBiasOp : Block_WeightOp<"fold_bias", ["hasSum", "buildSummand"], [
    Block_WeightWork,
    AttrSizedOperandSegments]> {
  let summary = "carries a norm's bias through the weight that reads it";
  let description = [{
    Weight-only. `result[n] = bias[n] + sum_k beta[k] * weight[n, k]`, with the weight
    as it was before the gain was folded in. The result is f32.

    Constraints: [FOLDBIAS-1] beta has one element per column of the weight;
    [FOLDBIAS-2] bias and result have one per row.
  }];
  let arguments = (ins Block_In<"SummedWeight", Block_Matrix>:$weight,
                       Block_In<"NormGain", Optional<Block_Vector>>:$beta,
                       Block_In<"Bias", Optional<Block_Vector>>:$bias);
  let results = (outs Block_Vector:$result);
  let assemblyFormat = "$weight (`beta` $beta^)? (`bias` $bias^)?" #
      Block_Signature<"ruleFoldBias", ["weight", "beta", "bias"]>.format;
}

def Block_WeightSumsOp : Block_WeightOp<"weight_sums", ["hasSum", "buildSummand"], [
    Block_WeightWork]> {
  let summary = "sum of the stored weights of each output column";
  let description = [{
    Weight-only. `result[n] = sum_k weight[n, k]` of the weight **as rounded**, in f32:
    sums of unrounded weights would not cancel the mean that the product carries.

    Constraint: [SUMS-1] the result has one element per row of the weight.
  }];
  let arguments = (ins Block_In<"SummedWeight", Block_Matrix>:$weight);
  let results = (outs Block_Vector:$result);
  let assemblyFormat = "$weight" #
      Block_Signature<"ruleWeightSums", ["weight"]>.format;
}

def Block_BiasSumOp : Block_WeightOp<"bias_sum", [], [
    Block_WeightWork]> {
  let summary = "sum of biases that one merged projection adds";
  let description = [{
    Weight-only. The elementwise sum of all biases, in f32.

    Constraint: [BIASSUM-1] there is at least one bias, and all have the width of the
    result.
  }];
  let arguments = (ins Block_In<"Bias", Variadic<Block_Vector>>:$biases);
  let results = (outs Block_Vector:$result);
  let assemblyFormat = "$biases" #
      Block_Signature<"ruleBiasSum", ["biases"]>.format;
}

def Block_FoldScaleOp : Block_WeightOp<"fold_scale", [], [
    Block_WeightWork,
    AllTypesMatch<["weight", "result"]>]> {
  let summary = "multiplies a branch's gain into the weight that produces it";
  let description = [{
    Weight-only. `result[n, k] = factor * gain[n] * weight[n, k]`, for a bias
    `factor * gain[n] * weight[n]`, rounded once; a gain of one element counts for
    every row.

    Constraint: [FOLDSCALE-1] the gain has one element, or one per row.
  }];
  let arguments = (ins Block_In<"Weight", AnyTypeOf<[Block_Matrix, Block_Vector]>>:$weight,
                       Block_In<"Gain", Optional<Block_Vector>>:$gain,
                       DefaultValuedAttr<F64Attr, "1.0">:$factor);
  let results = (outs AnyTypeOf<[Block_Matrix, Block_Vector]>:$result);
  let assemblyFormat = "$weight (`by` $gain^)?" #
      Block_Signature<"ruleFoldScale", ["weight", "gain"]>.format;
}

def Block_MatrixDotsOp : Block_WeightOp<"matrix_dots", ["hasSum", "buildSummand"], [
    Block_WeightWork]> {
  let summary = "dot products of the columns, or rows, of two matrices";
  let description = [{
    Weight-only. `result[k] = sum_n left[n, k] right[n, k]`, with `rows` instead
    `result[n] = sum_k left[n, k] right[n, k]`: what a gain that was folded into `left` has
    for a gradient, of the gradient `right` by the folded weight. The result is f32.

    Constraints: [MATDOTS-1] both matrices have the same shape; [MATDOTS-2] the result has
    one element per column, or per row.
  }];
  let arguments = (ins Block_In<"SummedWeight", Block_Matrix>:$left,
                       Block_In<"SummedWeight", Block_Matrix>:$right, UnitAttr:$rows);
  let results = (outs Block_Vector:$result);
  let assemblyFormat = "(`rows` $rows^)? $left `,` $right" #
      Block_Signature<"ruleMatrixDots", ["left", "right"]>.format;
}

def Block_OuterUpdateOp : Block_WeightOp<"outer_update", [], [
    Block_WeightWork, AttrSizedOperandSegments]> {
  let summary = "a matrix of rank one added to another";
  let description = [{
    Weight-only. `result[n, k] = matrix[n, k] + factor * left[n] * right[k]`, rounded once;
    without a `matrix` the product alone, without `right` that is 1 everywhere.

    Constraints: [OUTER-1] the matrix has the shape of the result; [OUTER-2] the result has
    one row per element of `left`, and one column per element of `right`.
  }];
  let arguments = (ins Block_In<"Weight", Optional<Block_Matrix>>:$matrix,
                       Block_In<"Bias", Block_Vector>:$left,
                       Block_In<"Bias", Optional<Block_Vector>>:$right,
                       DefaultValuedAttr<F64Attr, "1.0">:$factor);
  let results = (outs Block_Matrix:$result);
  let assemblyFormat = "(`to` $matrix^)? `of` $left (`,` $right^)?" #
      Block_Signature<"ruleOuterUpdate", ["matrix", "left", "right"]>.format;
}

def Block_UnpackWeightOp : Block_WeightOp<"unpack_weight", [], [
    Block_WeightWork]> {
  let summary = "a weight from codes of 8 or 4 bits";
  let description = [{
    Weight-only. `result[n, k] = scale * (number(code) - zero)` with the scale and the
    zero point `[n, k / group]` and the code `[n, k]`, rounded once. A group of 0 is the
    whole row; the last group of a row may be shorter.

    | form | number of a code | zero without `zeros` |
    |---|---|---|
    | `int8` | itself, of `i8` or `ui8` | 0 |
    | `int4` | itself, 0 to 15; two in a byte | 8 |
    | `mxfp4` | E2M1: sign, two bits of exponent, one of mantissa; two in a byte | 0 |
    | `fp8` | E4M3: sign, four bits of exponent, three of mantissa; 127 and 255 are no numbers | 0 |

    Of a byte with two codes, the low four bits are of the even column and the high
    four of the odd one after it; the last high one of an odd width stands for
    nothing. Scales of `i8` or `ui8` are E8M0: code `c` is 2 to the power `c - 127`, and
    255 is no number. Other scales and zero points are themselves. Where codes are
    bits, `i8` and `ui8` are the same ones.

    Constraints: [UNPACK-1] codes have the rows and columns of the result, or half as
    many columns, rounded up, where a byte holds two; [UNPACK-2] the group is not
    negative, and even where a byte holds two codes; [UNPACK-3] there is a scale per
    row and group; [UNPACK-4] only `int8` and `int4` have zero points, as many as scales.
  }];
  let arguments = (ins Block_In<"Weight", Block_Codes>:$codes,
                       Block_In<"Gain", Block_Scales>:$scales,
                       Block_In<"Gain", Optional<Block_Codes>>:$zeros, Block_CodeFormAttr:$form,
                       DefaultValuedAttr<I64Attr, "0">:$group);
  let results = (outs Block_Matrix:$result);
  let assemblyFormat = "$codes `,` $scales (`zeros` $zeros^)?" #
      Block_Signature<"ruleUnpackWeight", ["codes", "scales", "zeros"]>.format;
  let extraClassDeclaration = [{
    /// Tells whether a byte holds two codes.
    static bool isPacked(CodeForm form) {
      return form == CodeForm::Int4 || form == CodeForm::MxFp4;
    }
    bool isPacked() { return isPacked(getForm()); }
    /// Columns of the weight that one scale counts for.
    int64_t getGroupSize();
  }];
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Block_KernelOp : Block_Op<"kernel", [
    RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, IsolatedFromAbove]> {
  let summary = "one launch";
  let description = [{
    Level 3. A region that becomes one kernel: a root (`block.linear`,
    `block.linear_sum`, `block.sdpa`, `block.head` or row-wise work) with the ops of
    its prologue and epilogue. Operands are all that it reads, results all that it
    writes; equal regions over equal types share one kernel. `kind` says what the
    root is: linear, linear_sum, sdpa, head, rows for row-wise work, or elements for
    ops that are no blocks.

    Constraints: [KERNEL-1] the region has one argument per operand, of its type;
    [KERNEL-2] results and yielded values have the same types.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Block_KernelKindAttr:$kind);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

#endif // PARABLOCK_IR_BLOCKFUSIONOPS_TD
