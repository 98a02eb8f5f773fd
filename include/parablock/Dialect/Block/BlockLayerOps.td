//===- BlockLayerOps.td - layer, residual, embedding, head -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKLAYEROPS_TD
#define PARABLOCK_IR_BLOCKLAYEROPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "parablock/Dialect/Block/BlockOpBase.td"

def Block_LayerOp : Block_Op<"layer", [
    RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]> {
  let summary = "one transformer block";
  let description = [{
    A region that belongs together: the sublayers of one transformer block. It
    reads values of the surrounding function directly and yields what the next
    layer reads. `index` counts the layers of the function; label and index
    survive every rewrite and appear in every report.

    `backward` marks the gradient of the layer of that label and index.

    `approx` is the stamp of approximate rewrites, `log` the list of decisions
    that passes made here.

    Constraints: [LAYER-1] the index is not negative; [LAYER-2] results and
    yielded values have the same types; [LAYER-3] the label is not empty.

    ```mlir
    %y = block.layer "h.0" at 0 -> tensor<1x8x64xf32> {
      ...
      block.yield %h : tensor<1x8x64xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$label, I64Attr:$index,
                       OptionalAttr<Block_ApproxAttr>:$approx,
                       OptionalAttr<ArrayAttr>:$log, UnitAttr:$backward);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $label `at` custom<PlainI64>($index) (`backward` $backward^)? (`->` type($results)^)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def Block_YieldOp : Block_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["LayerOp", "KernelOp"]>]> {
  let summary = "ends a region and names its results";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Block_ResidualOp : Block_PureOp<"residual", [
    Block_Step<"Element">,
    AllTypesMatch<["input", "result"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "skip connection with any number of branches";
  let description = [{
    `result = input_scale * input + sum_k branch_scales[k] * branches[k]`, summed
    in f32 or wider and rounded once. No `branch_scales` means all 1. The
    branches may be of another float type than the stream. Per-channel and
    trained gains are a `block.scale` on the branch.

    Constraints: [RESIDUAL-1] every branch has the shape of the input;
    [RESIDUAL-2] there are as many branch scales as branches, or none.
  }];
  let arguments = (ins Block_In<"Stream", Block_Hidden>:$input,
                       Block_In<"Stream", Variadic<Block_Hidden>>:$branches,
                       DefaultValuedAttr<F64Attr, "1.0">:$input_scale,
                       DefaultValuedAttr<F64ArrayAttr, "{}">:$branch_scales);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input (`,` $branches^)?" #
      Block_Signature<"ruleResidual", ["input", "branches"]>.format;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The factor of branch `k`, also where the list is not given.
    double getBranchScale(unsigned k);
    /// Replaces the factors; a list of ones is no list.
    void setBranchFactors(::llvm::ArrayRef<double> factors);
  }];
}

def Block_StreamAddOp : Block_Op<"stream_add", [
    Pure, SameOperandsAndResultShape, Block_Step<"Element", "Outside">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "adds a branch to a stream in fixed point, so that it can be taken off again";
  let description = [{
    A stream in fixed point is a tensor of i32, whose number `n` is `n / 65536`; -2^31 is
    NaN. `result = stream + round(65536 * branch)`, or `stream - round(..)` with
    `subtract`; without a `stream`, of 0. Ties are rounded to even. A result of more than
    2^31 - 1 in size, a NaN, and a sum with one are NaN.

    Sums of integers are exact: `subtract` returns the stream that `stream_add` was given
    for the same branch, bit for bit, unless the sum was NaN.
  }];
  let arguments = (ins Block_In<"Stream", Block_Hidden>:$branch,
                       Block_In<"Stream", Optional<Block_FixedStream>>:$stream,
                       UnitAttr:$subtract);
  let results = (outs Block_FixedStream:$result);
  let assemblyFormat = [{
    $branch (`to` $stream^)? attr-dict `:` type($branch) (`,` type($stream)^)? `->` type($result)
  }];
}

def Block_StreamValueOp : Block_Op<"stream_value", [
    Pure, SameOperandsAndResultShape, Block_Step<"Element", "Outside">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "numbers of a stream in fixed point";
  let description = [{
    `result = stream / 65536`, rounded to f32 and then to the type of the result; NaN for
    -2^31.
  }];
  let arguments = (ins Block_In<"Stream", Block_FixedStream>:$stream);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$stream attr-dict `:` type($stream) `->` type($result)";
}

def Block_ScaleOp : Block_RowOp<"scale", [
    Block_Step<"Element">,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "scalar or per-channel gain";
  let description = [{
    `result[.., c] = factor * gain[c] * input[.., c]`; a gain of one element
    multiplies every channel; no gain means 1. LayerScale, trained branch gains
    and embedding multipliers are this op.

    Constraint: [SCALE-1] the gain has one element or one per channel.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$input,
                       Block_In<"Gain", Optional<Block_Vector>>:$gain,
                       DefaultValuedAttr<F64Attr, "1.0">:$factor);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$input (`by` $gain^)?" #
      Block_Signature<"ruleScale", ["input", "gain"]>.format;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// Scales stand at the end of a branch: what reads them is not what they are for.
    static bool handsOn() { return false; }
  }];
}

def Block_DropoutOp : Block_RowOp<"dropout", [
    Block_Step<"Group">,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "elements dropped at random, as training does it";
  let description = [{
    Each element is 0 or the input's times `1 / (1 - rate)`, as `#block.dropout` says for
    the seed: the same op on a gradient is the gradient of this one. One rounding.

    The seed has one element, which its type says.
  }];
  let arguments = (ins Block_In<"Columns", Block_Any>:$input, Block_In<"Setting", Block_Seed>:$seed,
                       Block_DropoutAttr:$form);
  let results = (outs Block_Any:$result);
  let assemblyFormat = "$input `seed` $seed" #
      Block_Signature<"ruleDropout", ["input", "seed"]>.format;
  let hasVerifier = 0;
}

def Block_ReparamOp : Block_WeightOp<"reparam", ["readsPositions"], [
    Block_WeightWork,
    AllTypesMatch<["delta", "result"]>]> {
  let summary = "a weight as scaled start plus scaled change";
  let description = [{
    `result = skip * initial + residual * delta`, on weights, not activations; no
    `initial` means the identity matrix. This is how a value or output matrix is
    kept that was trained as a change of its start.

    Constraints: [REPARAM-1] initial and delta have one shape; [REPARAM-2] without
    initial, delta is square.
  }];
  let arguments = (ins Block_In<"Weight", Block_Matrix>:$delta,
                       Block_In<"Weight", Optional<Block_Matrix>>:$initial,
                       DefaultValuedAttr<F64Attr, "1.0">:$skip,
                       DefaultValuedAttr<F64Attr, "1.0">:$residual);
  let results = (outs Block_Matrix:$result);
  let assemblyFormat = "$delta (`from` $initial^)?" #
      Block_Signature<"ruleReparam", ["delta", "initial"]>.format;
}

def Block_EmbeddingOp : Block_PureOp<"embedding", [
    Block_Step<"Row", "Step", "Embedding">,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "token, position and type embedding";
  let description = [{
    `result[b, t] = scale * table[ids[b, t]] + position(b, t) + type_table[type(b, t)]`.

    The position of token `t` is `p = offset + t + position_offset`, with `offset`
    the number of past tokens, of all batch rows or of each; one below 0, of padding in
    front of a batch row, counts as 0 before `position_offset` is added; with `pad_id`, checkpoints that count real tokens
    only: `p = pad_id + (id == pad_id ? 0 : number of ids != pad_id up to and
    including t)`. The position term is row `p` of `position_table`, or with
    `sinusoid` the values `sin(p f_i)`, `cos(p f_i)`, `f_i = 10000^(-2i/width)`,
    in pairs or all sines first. The type is `type_ids[b, t]`, or 0.

    With `first_id` the table holds the rows of the ids from there on, one part of a
    vocabulary that several devices share: other ids add nothing from it.

    An id or position outside its table is an error of the caller that engines
    report. One rounding, at the end.

    Constraints: [EMBEDDING-1] every table has the width of the result;
    [EMBEDDING-2] not both a position table and a sinusoid; [EMBEDDING-3] type ids
    need a type table; [EMBEDDING-4] ids, type ids and result agree on batch and
    sequence; [EMBEDDING-5] a pad id needs a position table and no offset;
    [EMBEDDING-6] an offset of each batch row has one element for each.
  }];
  let arguments = (ins Block_In<"Setting", Block_Ids>:$ids, Block_In<"Table", Block_Matrix>:$table,
                       Block_In<"Position", Optional<Block_Matrix>>:$position_table,
                       Block_In<"Setting", Optional<Block_Ids>>:$type_ids,
                       Block_In<"Table", Optional<Block_Matrix>>:$type_table,
                       Block_In<"Setting", Optional<Block_Offset>>:$offset,
                       Block_In<"Setting", Optional<Index>>:$first_id,
                       DefaultValuedAttr<F64Attr, "1.0">:$scale,
                       DefaultValuedAttr<I64Attr, "0">:$position_offset,
                       OptionalAttr<I64Attr>:$pad_id, OptionalAttr<Block_SinusoidAttr>:$sinusoid);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = [{
    $ids `in` $table (`positions` $position_table^)? (`types` $type_ids^)?
    (`type_table` $type_table^)? (`offset` $offset^)? (`first_id` $first_id^)?
  }] # Block_Signature<"ruleEmbedding", [
      "ids", "table", "position_table", "type_ids", "type_table", "offset",
      "first_id"]>.format;
}

def Block_PatchEmbeddingOp : Block_PureOp<"patch_embedding", [
    Block_Step<"Product", "Step", "Embedding">,
    AttrSizedOperandSegments]> {
  let summary = "image patches as tokens, with class token and positions";
  let description = [{
    Cuts `[B, C, H, W]` into patches of the weight's size `[width, C, p, q]`, row
    by row, and projects each: `sum_{c,i,j} pixels * weight + bias`. A class
    token, where given, comes first. Row `n` of `position_table` is added to token
    `n`. One rounding, at the end.

    Constraints: [PATCH-1] image and patch agree on channels; [PATCH-2] the image
    is a whole number of patches; [PATCH-3] bias, class token and positions have
    the width of the weight; [PATCH-4] the result has one row per token, and so
    has the position table.
  }];
  let arguments = (ins Block_In<"Rows", Block_Image>:$pixels,
                       Block_In<"Weight", Block_Image>:$weight,
                       Block_In<"Bias", Optional<Block_Vector>>:$bias,
                       Block_In<"Table", Optional<Block_Vector>>:$class_token,
                       Block_In<"Position", Optional<Block_Matrix>>:$position_table);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = [{
    $pixels `,` $weight (`bias` $bias^)? (`class` $class_token^)?
    (`positions` $position_table^)?
  }] # Block_Signature<"rulePatchEmbedding", [
      "pixels", "weight", "bias", "class_token", "position_table"]>.format;
  let extraClassDeclaration = [{
    double getFlopsPerRow();
  }];
}

def Block_HeadOp : Block_PureOp<"head", [
    Block_Step<"Product", "Step", "Head">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "logits over the vocabulary";
  let description = [{
    `l = scale * (input weight^T + bias)`, and with `softcap`
    `softcap * tanh(l / softcap)`. A tied head reads the embedding's table. One
    rounding, at the end.

    Constraints: [HEAD-1] input and weight agree on the width; [HEAD-2] bias and
    result have the vocabulary's size; [HEAD-3] the soft cap is positive.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Weight", Block_Matrix>:$weight,
                       Block_In<"Bias", Optional<Block_Vector>>:$bias,
                       DefaultValuedAttr<F64Attr, "1.0">:$scale, OptionalAttr<F64Attr>:$softcap);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input `,` $weight (`bias` $bias^)?" #
      Block_Signature<"ruleHead", ["input", "weight", "bias"]>.format;
  let extraClassDeclaration = [{
    static std::optional<KernelKind> getRootKind() { return KernelKind::Head; }
  }];
}

def Block_TakeRowsOp : Block_PureOp<"take_rows", [
    Block_Step<"Product", "Outside", "Head">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "some rows of each batch row";
  let description = [{
    Level 2. `result[b, i] = input[b, rows[i]]`: the tokens whose logits are wanted, say.
    A number that no row has is an error of the caller that engines report. Nothing is
    rounded.

    Constraints: [TAKEROWS-1] the result has a row for each number, of the input's width.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input,
                       Block_In<"Setting", Block_Lengths>:$rows);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input `at` $rows" #
      Block_Signature<"ruleTakeRows", ["input", "rows"]>.format;
}

#endif // PARABLOCK_IR_BLOCKLAYEROPS_TD
