//===- BlockAttentionOps.td - attention and its core steps -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKATTENTIONOPS_TD
#define PARABLOCK_IR_BLOCKATTENTIONOPS_TD

include "parablock/Dialect/Block/AttentionInterface.td"

def Block_AttentionNamed : Block_NamedOperands<[
    Block_Memory, Block_QWeight, Block_KWeight, Block_VWeight, Block_OWeight, Block_QBias,
    Block_KBias, Block_VBias, Block_OBias, Block_QGamma, Block_QBeta, Block_KGamma,
    Block_KBeta, Block_ValidLengths, Block_RelativeTable, Block_ShawKey, Block_ShawValue,
    Block_Alpha, Block_Beta, Block_Gamma, Block_PastKey, Block_PastValue,
    Block_AddedScores, Block_RopeCos, Block_RopeSin, Block_CuSeqlens,
    Block_DropoutSeed, Block_Sinks], /*positional=*/1>;

def Block_AttentionOp : Block_PureOp<"attention", [
    Block_Composite<"Attention">, AttentionOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "multi-head attention with its projections";
  let description = !strconcat([{
    Level 1. Queries are projected from `input`, keys and values from `memory`
    (cross-attention) or else from `input`:

    1. `q = input q_weight^T + q_bias`, `k`, `v` likewise; without a `v_weight` the
       values are the source itself, cut into heads;
    2. `clip` bounds q, k and v to `[-clip, clip]`;
    3. q and k are normalised by `qk_norm` (gains `q_gamma`, `k_gamma`, biases
       `q_beta`, `k_beta`), before or after
    4. the rotation `rope`, at position `P + t` with `P` past tokens;
    5. `past_key`, `past_value` come before the new keys and values;
    6. `block.sdpa` on `heads` query and `kv_heads` key/value heads, query head `h`
       reading key head `h / (heads / kv_heads)`;
    7. `result = sdpa o_weight^T + o_bias`; without an `o_weight` it is the
       concatenation of the heads.

    `lengths` counts the valid new tokens of each batch row of the key side.
    `cu_seqlens` says where sequences that share one row begin (`block.sdpa`); the
    rotation counts on from one to the next, as only differences matter.
    Where the rotation is given as tables, `rope_cos` and `rope_sin`, step 4 is
    `block.rotate` with the width and style of `rope` instead.
    Rounding points: the results of steps 1 to 4, the output of `block.sdpa` and
    the result.

    Constraints: [ATTENTION-1] kv_heads divides heads; [ATTENTION-2] every
    projection reads the width of its source; [ATTENTION-3] q and k have the same
    head size, a multiple of heads; [ATTENTION-4] biases have the size of their
    projection; [ATTENTION-5] without v_weight (or o_weight) the widths fit;
    [ATTENTION-6] gains and biases of the qk norm come with `qk_norm`, sized by its
    extent; [ATTENTION-7] the rotation is even and no wider than a head;
    [ATTENTION-8] past keys and values come together and have the heads' widths;
    [ATTENTION-9] a cross-attention is neither causal nor windowed nor rotated, and
    has neither a past nor cu_seqlens; [ATTENTION-10] the result has the query's rows and the width of
    the output projection; [ATTENTION-11] the clip is positive; [ATTENTION-12]
    tables of the rotation come together, with `rope`, and fit as for
    `block.rotate`. Tables and gains of the scores: SDPA-4 to SDPA-7, SDPA-11.
    Packed sequences: SDPA-12. Dropped weights: SDPA-14.
  }], Block_AttentionNamed.table);
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input, Variadic<AnyRankedTensor>:$named,
                       DenseI32ArrayAttr:$operandSegmentSizes, I64Attr:$heads, I64Attr:$kv_heads,
                       Block_ScoresAttr:$scores, OptionalAttr<Block_RopeAttr>:$rope,
                       OptionalAttr<Block_QkNormAttr>:$qk_norm,
                       OptionalAttr<Block_BucketsAttr>:$buckets, OptionalAttr<F64Attr>:$clip,
                       OptionalAttr<Block_DropoutAttr>:$dropout);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input" # Block_NamedSignature<"ruleAttention", ["input"]>.format;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
                   "const ::parablock::block::NamedOperands &":$named,
                   "const ::parablock::block::AttentionForms &":$forms)>
  ];
  let useCustomPropertiesEncoding = 1;
  let extraClassDeclaration = !strconcat(Block_AttentionNamed.methods, [{
    bool isCross() { return static_cast<bool>(getMemory()); }
    /// Where keys and values come from.
    ::mlir::TypedValue<::mlir::RankedTensorType> getSource() {
      return isCross() ? getMemory() : getInput();
    }
    ::mlir::TypedValue<::mlir::RankedTensorType> getQuery() { return getInput(); }
    ::mlir::TypedValue<::mlir::RankedTensorType> getKey() { return getSource(); }
    ::mlir::TypedValue<::mlir::RankedTensorType> getValue() { return getSource(); }
    int64_t getHeadSize();
    int64_t getValueHeadSize();
  }]);
}

def Block_SdpaNamed : Block_NamedOperands<[
    Block_ValidLengths, Block_RelativeTable, Block_ShawKey, Block_ShawValue, Block_Alpha,
    Block_Beta, Block_Gamma, Block_PastKey, Block_PastValue, Block_Slopes,
    Block_AddedScores, Block_CuSeqlens, Block_PastLengths, Block_Starts, Block_PageTable,
    Block_DropoutSeed, Block_Sinks], /*positional=*/3>;

def Block_SdpaOp : Block_PureOp<"sdpa", [
    Block_Step<"Product", "Step", "Attention">, AttentionOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "scaled dot-product attention";
  let description = !strconcat([{
    Level 2. `query [B, T, heads*D]`, `key [B, S, kv_heads*D]`, `value [B, S,
    kv_heads*E]`; keys and values of the past come first. With `w_ij` the softmax
    over the allowed keys of the scores that `#block.scores` defines (plus the Shaw
    term `q_i . shaw_key[clamp(j - i, -c, c) + c]`, table of `2c + 1` rows, added to
    `q.k` before anything else):

    `result_i = alpha_h v_i + beta_h sum_j w_ij (v_j + shaw_value[..]) - gamma_h mean_{allowed j} v_j`

    `sinks` are logits beside those of the keys: with the sink `z_h` the softmax is over
    the scores and `z_h`, whose weight has no value, so that the sum of the `w_ij` of a
    row is below 1.

    Without `alpha` and `gamma` those terms are absent, without `beta` it is 1; each, like
    `sinks`, has one element per head, or one. The mean is over the same allowed keys as the
    softmax, so no T x T matrix is needed. `relative_table [buckets, heads]` adds
    `#block.buckets` bias. A row with no allowed key gives 0 for the softmax and
    mean terms.

    `slopes`, one per head, stand for those that ALiBi's maximum gives: where a device
    has some of the heads only, their number does not say which ones.

    `score_bias` is added last, after all that `#block.scores` says, and the sum is
    rounded to f32, so that a large negative number takes the score's place. A key
    whose bias is -inf has weight 0.

    `cu_seqlens` packs sequences of several lengths into one batch row: sequence `s`
    is rows `cu_seqlens[s]` to `cu_seqlens[s + 1] - 1`, and a key is allowed only for
    queries of its own sequence. The first number is 0, none is less than the one
    before it; rows from the last number on belong to no sequence and have no allowed
    key. An ALiBi bias that is rounded by `alibi_type` counts keys from the beginning
    of their sequence.

    With `past_lengths` keys and values are caches (`block.cache_append`): query `t` of
    batch row `b` has position `past_lengths[b] + t`, the keys up to the last query's are
    there, and that of position `p` is row `p mod S`. Keys before `starts[b]`, padding in
    front, are allowed for no query; an ALiBi bias that is rounded counts from there on.
    A key that a query is allowed to see and that the cache does not hold any more is an
    error of the caller that engines report.

    With `pages` they are pools of pages, `key [N, R, kv_heads*D]`, `value [N, R,
    kv_heads*E]`, and the cache of batch row `b` has `S = R P` rows, of which row `s` is
    row `s mod R` of page `pages[b, s div R]`, for `pages [B, P]`. A row that is needed
    and whose page is none of the pool's is an error of the caller that engines report;
    other entries may be anything.

    With `dropout` the weights `w_ij` that values are summed with, behind the softmax, are
    those that `#block.dropout` leaves for `seed`: of query head `h` the element is `j`, past
    keys first, of row `(b heads + h) T + t`.

    Scores, softmax and sums in f32 or wider; weights are not rounded; one rounding,
    at the result.

    Constraints: [SDPA-1] kv_heads divides heads; [SDPA-2] query, key and value
    agree on batch, head size and the number of keys; [SDPA-3] lengths has one
    element per batch row; [SDPA-4] a relative table has one column per head and
    comes with `buckets`; [SDPA-5] Shaw tables have an odd number of rows and the
    head's width; [SDPA-6] alpha, beta, gamma and sinks have one element or one per
    head;
    [SDPA-7] alpha needs as many keys as queries, or a cache; [SDPA-8] past keys and values come
    together and have the widths of the new ones; [SDPA-9] the result has one row
    per query and the width of all value heads; [SDPA-10] slopes have one element per
    head and come with `alibi_max`; [SDPA-11] each dimension of the score bias is 1
    or the batch, the heads, the queries, the keys; [SDPA-12] cu_seqlens has at least
    2 elements and comes with a batch of 1, as many keys as queries, and neither
    lengths nor a past; [SDPA-13] past_lengths and starts have one element per batch
    row, starts come with past_lengths, and these with neither lengths, a past,
    cu_seqlens nor a score bias; [SDPA-14] dropout comes with a seed, and without a
    cache; [SDPA-15] pages have one row per batch row and come with past_lengths and a
    known number of rows of a page.
  }], Block_SdpaNamed.table);
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$query, Block_In<"Rows", Block_Hidden>:$key,
                       Block_In<"Rows", Block_Hidden>:$value, Variadic<AnyRankedTensor>:$named,
                       DenseI32ArrayAttr:$operandSegmentSizes, I64Attr:$heads, I64Attr:$kv_heads,
                       Block_ScoresAttr:$scores, OptionalAttr<Block_BucketsAttr>:$buckets,
                       OptionalAttr<Block_DropoutAttr>:$dropout);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$query `,` $key `,` $value" #
      Block_NamedSignature<"ruleSdpa", ["query", "key", "value"]>.format;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$query, "::mlir::Value":$key,
                   "::mlir::Value":$value,
                   "const ::parablock::block::NamedOperands &":$named,
                   "int64_t":$heads, "int64_t":$kv_heads, "ScoresAttr":$scores,
                   "BucketsAttr":$buckets, "DropoutAttr":$dropout)>
  ];
  let useCustomPropertiesEncoding = 1;
  let extraClassDeclaration = !strconcat(Block_SdpaNamed.methods, [{
    static std::optional<KernelKind> getRootKind() { return KernelKind::Sdpa; }
  }]);
}

def Block_CacheAppendOp : Block_PureOp<"cache_append", [
    Block_Step<"Product", "Outside", "Attention">,
    AllTypesMatch<["cache", "result"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "a cache of keys or values with new rows in it";
  let description = [{
    Level 2. `cache [B, C, w]` with row `(lengths[b] + t) mod C` of batch row `b` replaced
    by `added[b, t]`. More new rows than the cache has, or a negative length, is an error
    of the caller that engines report. Where the caller gives one memory for the cache
    and for what a function returns of it, engines write there and copy nothing, so
    nothing else may read the old cache. Nothing is rounded.

    With `pages` the cache is a pool of pages, as for `block.sdpa`, and `C` the rows that
    the pages of a batch row have together. A new row whose page is none of the pool's,
    and two new rows in one place, are errors of the caller that engines report.

    Constraints: [CACHE-1] cache and new rows agree on batch, width and element type;
    [CACHE-2] lengths has one element per batch row; [CACHE-3] pages have one row per
    batch row, instead of the cache, and come with a known number of rows of a page.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$cache, Block_In<"Rows", Block_Hidden>:$added,
                       Block_In<"Setting", Block_Lengths>:$lengths,
                       Block_In<"Setting", Optional<Block_Pages>>:$pages);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$cache `,` $added `at` $lengths (`pages` $pages^)?" #
      Block_Signature<"ruleCacheAppend", ["cache", "added", "lengths", "pages"]>.format;
}

def Block_RopeOp : Block_RowOp<"rope", [
    Block_Step<"Pair">,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "rotates the heads of queries or keys by their position";
  let description = [{
    Level 2. Applies `#block.rope` to each of the `heads` parts of the last
    dimension; row `t` has position `offset + t`, with one offset for all batch rows or
    one for each; a position below 0, of padding in front, counts as 0. `inverse` turns the other way, by
    minus each sine: the transposed rotation, whose cosines and sines have the same
    `table_scale`, which a gradient goes through. One rounding, at the result.

    Constraints: [ROPE-1] heads divides the last dimension; [ROPE-2] the rotated
    width is even and no wider than a head; [ROPE-3] there is one frequency per
    pair, where they are given; [ROPE-4] an offset of each batch row has one element for
    each.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Setting", Optional<Block_Offset>>:$offset, I64Attr:$heads,
                       Block_RopeAttr:$form, UnitAttr:$inverse);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "(`inverse` $inverse^)? $input (`offset` $offset^)?" #
      Block_Signature<"ruleRope", ["input", "offset"]>.format;
  let extraClassDeclaration = [{
    int64_t getGranule();
    void takeColumns(int64_t own, int64_t all);
  }];
}

def Block_RotateOp : Block_RowOp<"rotate", [
    Block_Step<"Pair">,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "rotates the heads of queries or keys by given cosines and sines";
  let description = [{
    Level 2. The rotation of `block.rope`, of the first `dim` elements of each of the
    `heads` parts of the last dimension, by tables: element `i` becomes
    `x_i cos_i - x_j sin_i` where it is the first of its pair, and
    `x_i cos_i + x_j sin_i` where it is the second, with `j` the other one of the pair.
    Tables of `dim / 2` columns have one for each pair, tables of `dim` columns one
    for each element. Row `t` of a table is for token `t`. `inverse` is the transposed
    map, which a gradient goes through: `x_i cos_i + x_j sin_j` where the element is the
    first of its pair, `x_i cos_i - x_j sin_j` where it is the second. One rounding, at
    the result.

    Constraints: [ROTATE-1] heads divides the last dimension; [ROTATE-2] the rotated
    width is positive, even and no wider than a head; [ROTATE-3] tables have the input's
    rows, for each batch row or for all, and one column for each pair or element.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Table", Block_Hidden>:$cosines,
                       Block_In<"Table", Block_Hidden>:$sines, I64Attr:$heads, I64Attr:$dim,
                       Block_RopeStyleAttr:$style, UnitAttr:$inverse);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "(`inverse` $inverse^)? $input `,` $cosines `,` $sines" #
      Block_Signature<"ruleRotate", ["input", "cosines", "sines"]>.format;
  let extraClassDeclaration = [{
    int64_t getGranule();
    void takeColumns(int64_t own, int64_t all);
  }];
}

#endif // PARABLOCK_IR_BLOCKATTENTIONOPS_TD
