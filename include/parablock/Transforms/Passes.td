//===- Passes.td - rewrites of block IR --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PASSES_TD
#define PARABLOCK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "parablock/Dialect/Block/FunctionOption.td"
include "parablock/Transforms/KernelPasses.td"
include "parablock/Transforms/ParallelPasses.td"

// A rewrite by patterns (Patterns.h). It runs on any op, such as a module or a
// function.
class ExactRewrite<string flag> : Pass<flag> {
  let statistics = [
    Statistic<"numDone", "done", "rewrites done">,
    Statistic<"numRefused", "refused", "rewrites refused, each with a remark">
  ];
}

// A norm moved behind a product sums rows before their mean is removed.
class FoldsNorms<string flag> : ExactRewrite<flag> {
  let options = [
    Option<"assumeMaxMeanOverStd", "assume-max-mean-over-std", "::parablock::Number", "-1.0",
           "largest |mean| / standard deviation of any row; negative: unknown">,
    Option<"statistics", "statistics", "std::string", "\"\"",
           "file of block-drift --statistics, which overrides assume-max-mean-over-std">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BlockExpand : ExactRewrite<"block-expand"> {
  let summary = "level 1 to level 2: attention, MLP and norm become their steps";
  let description = [{
    Class: exact. Rewrites `block.attention`, `block.mlp` and `block.norm` into the
    steps that define them (`block.linear`, `block.clamp`, `block.norm_stats`,
    `block.normalize`, `block.rope`, `block.sdpa`, `block.activation`,
    `block.gate`), with the same rounding points. Layers, residuals, embedding and
    head stay.

    Example: test/Transforms/block-expand/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockExpandExperts : ExactRewrite<"block-expand-experts"> {
  let summary = "routers and experts become loops of upstream ops";
  let description = [{
    Class: exact-up-to-eps. Rewrites `block.route` and `block.experts` into
    `linalg.generic` on tensors, in f32 with the same rounding points: an expert's place is
    the number of experts that are chosen before it, and each slot reads the matrices of its
    expert alone.

    With `keep`, as pipelines for GPUs run it, routers and experts stay that have kernels
    there: of one element type, and at most 1024 experts. Others are missed, and become loops.

    Loops report nothing: a row with a NaN among its logits, or with an index without an
    expert, becomes NaN.

    Example: test/Transforms/block-expand-experts/doc.mlir.
  }];
  let options = [
    Option<"keep", "keep", "bool", "false", "leaves routers and experts that GPUs have kernels for">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def ReportFormatOption
    : Option<"format", "format", "::parablock::ReportFormat",
             "::parablock::ReportFormat::Text", "text or json">;

def BlockReport : Pass<"block-report"> {
  let summary = "counts parameters, operations, bytes and launches";
  let description = [{
    Class: analysis; changes nothing. Writes the counts of the function and of each
    layer, as text or JSON (docs/internals/Report.md describes the fields).

    Example: test/Transforms/block-report/doc.mlir.
  }];
  let options = [
    ReportFormatOption,
    Option<"file", "file", "std::string", "\"\"", "where to write; standard error if empty">,
    Option<"chip", "chip", "std::string", "\"cpu\"", "chip of the launch and byte counts: cpu or a GPU such as sm_90a">,
    Option<"machineCode", "machine-code", "std::string", "\"\"",
           "the kernels' cubin, or the output of nvdisasm for it: adds the bounds of its instructions">, FunctionOption
  ];
}

def BlockExpandWeights : Pass<"block-expand-weights"> {
  let summary = "folded gains, biases and scales become upstream ops";
  let description = [{
    Class: exact. Every op that rewrites create on weights (`block.fold_gain`,
    `block.fold_bias`, `block.fold_scale`, `block.weight_sums`, `block.bias_sum`,
    `block.reparam`) becomes a `linalg.generic` that computes in f64 and rounds once,
    preceded by another for a sum. The results equal those of the ops, bit for bit.

    Example: test/Transforms/block-expand-weights/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BlockShareNormStats : ExactRewrite<"block-share-norm-stats"> {
  let summary = "norms of one value share their statistics";
  let description = [{
    Class: exact. Where several norms read the same value (GPT-NeoX, Falcon-40B), they share
    one `block.norm_stats`; each keeps its epsilon and gain.

    Example: test/Transforms/block-share-norm-stats/doc.mlir.
  }];
}

def BlockFoldNorm : FoldsNorms<"block-fold-norm"> {
  let summary = "moves a norm behind the projections that read it";
  let description = [{
    Class: exact. `N(x) W^T + b` becomes `r (x W'^T - mean c) + b'`: the gain goes into
    `W'`, the norm's bias into `b'`, and the row's scale and mean are applied to the f32
    accumulator by `block.deferred_norm`. The sums `c` use the rounded `W'`; otherwise a
    mean in x would not cancel.

    A product in f32 is `(x - mean) W'^T`, computed by kernels that subtract the mean while
    reading the row: its error equals that of the norm followed by the projection, for any
    ratio of mean to deviation. Products of 16-bit elements multiply them unchanged and lose
    about 5e-7 of the result for each standard deviation between the mean and 0: less than
    rounding does up to a ratio of 8000 in bf16, and 1000 in f16.

    Refuses norms that an op other than a projection reads (post-norms, query and key norms
    over all heads), and a LayerNorm over an f32 stream that feeds 16-bit projections (x
    would be rounded before its mean is removed) or has an epsilon so small that nearly
    constant rows blow up (below 1e-6: a row of elements around c is off by up to 3e-7 c /
    sqrt(eps); rows of equal elements are exact). `assume-max-mean-over-std`, or
    `statistics`, a file that block-drift measured on this model, lifts the second
    restriction for rows that are centred well enough. In a step, a norm whose gradient is
    still unfolded is left to block-fold-norm-grad, whether or not it is recomputed, so that
    results do not depend on the memory budget. Experts read normalised rows: a norm that
    they read stays, and folds only into projections, such as their router's, that merge
    with the attention's.

    Example: test/Transforms/block-fold-norm/doc.mlir.
  }];
}

def BlockFoldNormGrad : FoldsNorms<"block-fold-norm-grad"> {
  let summary = "moves gradients of a norm behind the products that they read";
  let description = [{
    Class: exact. The counterpart of block-fold-norm for the gradients of a step. Gradients
    `dy` of projections `y` of a norm are scaled by the row's factor. From them, and without
    the normalised value, the pass computes the gradient by the row
    (`block.deferred_norm_grad`, of the product by the weights and of two sums over the
    columns of `dy`, which are known before it); the gradients by the weights (products by
    the row itself, or by the recomputed centred and scaled row, times the gain); and the
    gradients by gain and bias, whose only sums over rows are those of gradients by weights
    and biases. It reads a rotated projection after its rotation, unless another op keeps
    the original. A layer's gradient then ends in one product with a few steps behind it,
    and block-fold-norm, which runs later, finds only projections that read the norm.

    Refuses what block-fold-norm refuses, for the same reasons; a gradient by the norm with
    contributions other than its projections, or with another reader; and the gradient by a
    gain if the projections have no gradients by their weights.

    Example: test/Transforms/block-fold-norm-grad/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockFoldScales : ExactRewrite<"block-fold-scales"> {
  let summary = "moves scales of branches into the weights that produce them";
  let description = [{
    Class: exact. A `block.scale` between a projection and its residual goes into the
    projection's rows and bias (LayerScale, trained branch gains), and so do branch scales
    that differ between the branches of one residual, which then can be merged. A branch
    that is a sum with a projection, such as that of routed and shared experts, becomes
    several branches, if another branch is a projection. A scale that all branches share
    stays in the residual: it is free there, and folding it would round a weight.
    `score-scale` also moves the scale of the attention scores into the query projection.

    Example: test/Transforms/block-fold-scales/doc.mlir.
  }];
  let options = [
    Option<"scoreScale", "score-scale", "bool", "false",
           "also fold the scale of attention scores into the query projection">
  ];
}

def BlockFuseInputProjections : ExactRewrite<"block-fuse-input-projections"> {
  let summary = "projections of one value become one";
  let description = [{
    Class: exact. Q, K, V and the MLP's up and gate, where they read the same value, become
    one `block.linear` over the concatenated weights, followed by a `block.split`. Widths
    may differ, biases may be missing, and after block-fold-norm projections of two norms of
    one value are merged, too.

    Example: test/Transforms/block-fuse-input-projections/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockFuseOutputProjections : ExactRewrite<"block-fuse-output-projections"> {
  let summary = "projections added by one residual become one";
  let description = [{
    Class: exact. The attention's output projection and the MLP's down projection of a
    parallel block become one `block.linear_sum` over both sources: without a concatenated
    copy, with one accumulator and summed biases. Routed experts stay a branch beside it.

    Example: test/Transforms/block-fuse-output-projections/doc.mlir.
  }];
}

def BlockFuseWeightGrads : ExactRewrite<"block-fuse-weight-grads"> {
  let summary = "gradients by weights of one input, or of one output, become one";
  let description = [{
    Class: exact. Gradients by the weights of projections that read one value (Q, K, V, up
    and gate) share that value; those of projections that one residual adds share the
    gradient of the residual. Each group becomes one `block.weight_grad`, whose rows, or
    columns, are concatenated. No sum changes.

    Example: test/Transforms/block-fuse-weight-grads/doc.mlir.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def BlockTabulateRotations : ExactRewrite<"block-tabulate-rotations"> {
  let summary = "rotations by position become rotations by tables";
  let description = [{
    Class: exact, up to the rounding of cosines and sines to f32. A `block.rope` whose
    positions are known becomes a `block.rotate` by constants, computed in f64 and shared by
    all layers, which `block-prepack` moves to @prepack: kernels read two numbers for a pair
    instead of computing them. If the number of tokens or the offset is dynamic, or a table
    would have more than 2^22 elements, angles are still computed from positions.
    `block-optimize` runs the pass for GPUs.

    Example: test/Transforms/block-tabulate-rotations/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BlockPrepack : Pass<"block-prepack", "::mlir::ModuleOp"> {
  let summary = "moves work on weights alone to a function that runs once";
  let description = [{
    Class: exact. Moves all weight-only work of the model (folded gains and biases, sums of
    weights, concatenations, slices, transpositions, casts, elementwise arithmetic),
    anywhere in the model, to a function @prepack, which maps the parameters of the model to
    packed ones. The model then has its inputs and, as parameters named `packed.`..., the
    results of @prepack as arguments; equal values are packed once. New work is added to an
    existing @prepack.

    @prepack also returns constants that block ops read, and constants of more than 64
    elements that other ops read. Upstream ops on constants alone are folded. A
    `block.unpack_weight` and its users stay in the model, so that codes are packed, unless
    `unpack` is given.

    `recipe` names a file for the same work as a module of upstream ops (docs/internals/Recipe.md), by which
    block-weights turns a checkpoint into packed weights and back.

    Example: test/Transforms/block-prepack/doc.mlir.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string", "\"\"", "path of the recipe; empty: none is written">,
    Option<"unpack", "unpack", "bool", "false",
           "also pack weights of few bits, as the numbers that their codes represent">, FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BlockShard : Pass<"block-shard", "::mlir::ModuleOp"> {
  let summary = "splits a model into one function that several devices run in parts";
  let description = [{
    Class: exact. Splits the model over `ranks` devices (tensor parallel): the heads of
    every attention, the hidden values of every MLP, and the vocabulary of embedding and
    head. The result is one function for all ranks, on `shard.grid @ranks`; it reads its
    rank from `shard.process_linear_index`. Parameters keep the shapes of the checkpoint;
    each rank slices its part: of a merged projection, a part of every segment; with fewer
    key heads than ranks, the head that it shares. Norms are replicated on every rank. A
    split projection is followed by a sum over ranks: a parallel layer has one
    `shard.all_reduce`, a serial one two, in f32; biases and the residual are added once,
    after it. Norms of whole queries or keys gather partial statistics.

    With `sequence-parallel`, ranks keep a share of the rows between sums, each sum becomes
    a `shard.reduce_scatter`, and rows are gathered before projections. With
    `expert-parallel` beside it, each rank routes its rows, sends them to the ranks of their
    experts (`block.rows_to_experts`), and adds up what these return
    (`block.rows_from_experts`); ranks must divide the experts.

    Works on level 1, which it expands, and on levels 2 and 3, whose kernels it forms
    again for `chip`. Widths, vocabularies and heads that ranks do not divide are padded
    with zeros; where zeros would be wrong, the pass fails with an error. See
    docs/use/Scale.md.

    Example: test/Transforms/block-shard/doc.mlir.
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "1", "number of devices">,
    Option<"sequenceParallel", "sequence-parallel", "bool", "false",
           "keep a share of the rows of each sequence between the sums">,
    Option<"expertParallel", "expert-parallel", "bool", "false",
           "send rows to the ranks of their experts, with sequence-parallel">,
    Option<"chip", "chip", "std::string", "\"cpu\"",
           "chip to form kernels for: cpu or a GPU such as sm_90a">, FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::shard::ShardDialect", "::mlir::tensor::TensorDialect"];
}

def BlockSimplify : Pass<"block-simplify"> {
  let summary = "blocks without skips, values or norms: another architecture, to be trained";
  let description = [{
    Class: approximate, an architecture change for models to be trained; a trained model
    does not survive it. Layers `h = x + A(N1 x); y = h + F(N2 h)` become, with a trained
    scalar gain g of the MLP that starts as 0.1:

    * `sas`: `h = A(N1 x); y = h + g F(N2 h)`, without value and output matrices (the
      first layer keeps a value matrix, the identity plus a trained change);
    * `sas-p`: `y = A(N1 x) + g F(N1 x)`, the same attention;
    * `no-norm`: as `sas-p`, with a norm in the first layer only;
    * `v-skipinit`: as `sas`, with value and output matrices, the identity plus a change;
    * `shaped`: as `sas`, with value and output matrices, what they were plus a change.

    Attention becomes `alpha v + beta softmax(..) v - gamma mean(v)` over the allowed keys,
    gains per head that start as 1; `v-skipinit` has no gamma, and its beta starts as 0.
    Query matrices, query biases and changes start as 0, norms without a gain; the rest
    starts as it did. A parameter that held more than one matrix is replaced by one per
    matrix, and parameters without readers are removed. `block.init` defines the initial
    value of each. Every converted layer is stamped with `#block.approx`.

    Works on level 1, for pre-norm layers without branch scales; values that are or start as
    the stream require as many value heads as heads.

    Example: test/Transforms/block-simplify/doc.mlir.
  }];
  let options = [
    Option<"form", "form", "::parablock::SimplifiedForm",
           "::parablock::SimplifiedForm::Sas",
           "sas, sas-p, v-skipinit, shaped or no-norm">, FunctionOption
  ];
}

def BlockAddCaches : Pass<"block-add-caches"> {
  let summary = "a causal model of whole sequences becomes one of new tokens and caches";
  let description = [{
    Class: exact. One function serves prompts, parts of them, and single tokens: its rows
    are the next tokens. Every self-attention gets the inputs `past_key.N` and
    `past_value.N`, caches of rotated keys and of values, and the function returns them
    with the new rows added, as `key.N` and `value.N`. For each batch row, `past_lengths`
    is the number of rows in its caches, and `starts` how many of them are padding in
    front; token `t` of batch row `b` has position `past_lengths[b] + t - starts[b]`. With
    `wanted-rows`, logits are computed for the rows in the input `logits_to_keep`. With
    `rings`, the size of a cache read through a window `W` is named `past_W`, that of
    others `past`.

    With `page-rows`, caches are pools of pages of `R` rows, assigned to batch rows by the
    input `pages`: row `s` of the caches of batch row `b` is row `s mod R` of page `pages[b,
    s div R]` of each cache. The number of pages is named `pool`, that of a batch row
    `row_pages`.

    With `sampling`, the function also chooses the next tokens (`block.sample`) of the result
    `logits`, with the inputs `sampling`, `random`, `stops`, `padding`, `past_seen`,
    `past_ended` and `past_step`. It returns `tokens` and the moved state, `seen`, `ended`,
    `lengths` and `step`: a call's results are the next call's inputs.

    Accepts causal models of blocks and row-wise ops, before kernels are formed, whose
    positions begin at 0; attention is expanded. Cross-attention is unchanged, or with
    `memory` reads keys and values from the inputs `memory_key.N` and `memory_value.N`, the
    results of `block-compute-memory`. Refuses everything else by name.

    Example: test/Transforms/block-add-caches/doc.mlir.
  }];
  let options = [
    Option<"capacity", "capacity", "uint64_t", "0",
           "rows of a cache; 0: dynamic">,
    Option<"wantedRows", "wanted-rows", "bool", "true",
           "compute logits only for the rows in the input logits_to_keep">,
    Option<"rings", "rings", "bool", "false",
           "give caches read through a window their own size">,
    Option<"pageRows", "page-rows", "uint64_t", "0",
           "rows of a page of paged caches; 0: contiguous caches">,
    Option<"memory", "memory", "bool", "false",
           "keys and values of cross-attention are inputs">,
    Option<"countPadding", "count-padding", "bool", "false",
           "positions in tables count padding in front as well">,
    Option<"sampling", "sampling", "bool", "false",
           "choose the next tokens in the function">, FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockAddDropout : Pass<"block-add-dropout"> {
  let summary = "adds dropout to a model for training";
  let description = [{
    Class: interchange, from a model for inference to one for training, with the input
    `dropout_seed`. Embeddings, the weights of attentions and the branches' updates get
    `#block.dropout` with the given rates, each with its own site, numbered in the
    order of the function. A seed drops the same elements in every engine, in the
    gradients of `block-differentiate` and in values recomputed for them. A rate of 0
    adds nothing.

    Accepts models of blocks, before kernels are formed. The pass rejects existing dropout,
    and functions that have gradients, by name.

    Example: test/Transforms/block-add-dropout/doc.mlir.
  }];
  let options = [
    Option<"attention", "attention", "::parablock::Number", "0.1", "rate for weights of attentions">,
    Option<"branches", "branches", "::parablock::Number", "0.1", "rate for updates added to a stream">,
    Option<"embeddings", "embeddings", "::parablock::Number", "0.1", "rate for embedded tokens">, FunctionOption
  ];
}

def BlockRemoveDropout : Pass<"block-remove-dropout", "::mlir::func::FuncOp"> {
  let summary = "removes dropout from a trained model for inference";
  let description = [{
    Class: interchange, from a model for training to one for inference, where dropout is the
    identity, as in a framework's evaluation mode. The input `dropout_seed` is removed if it
    has no other reader.

    Example: test/Transforms/block-remove-dropout/doc.mlir.
  }];
}

def BlockComputeMemory : Pass<"block-compute-memory"> {
  let summary = "a model with cross-attention becomes one that computes its keys and values";
  let description = [{
    Class: exact. The result is the part that is computed once for all tokens that attend to
    the same memory: the function's results become `memory_key.N` and `memory_value.N`, keys
    and values of its cross-attentions in order, and unused ops and arguments are removed.
    `block-add-caches` with `memory` makes the function that reads them. A function without
    cross-attention on level 1 is refused.

    Example: test/Transforms/block-compute-memory/doc.mlir.
  }];
  let options = [FunctionOption];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockQuantize : Pass<"block-quantize", "::mlir::ModuleOp"> {
  let summary = "weights of 8 or 4 bits: an approximation, on request";
  let description = [{
    Class: approximate. The weights of attentions and MLPs on level 1 become
    `block.unpack_weight` of codes and scales, which are parameters. @prepack computes them
    from the model's own parameters (docs/use/Quantise.md): numbers are rounded to the
    nearest code, ties to the even one.

    | form | codes | a scale applies to |
    |---|---|---|
    | `int8` | -127 to 127 | a row |
    | `int4-g128`, `int4-g32` | 1 to 15, with 8 for 0 | 128 or 32 columns |
    | `mxfp4` | E2M1 | 32 columns; a power of 2 |
    | `fp8` | E4M3 | a row |

    A scale maps the largest magnitude of a row or group to the largest code; for
    `mxfp4` it is the smallest power of 2 for which no magnitude exceeds 6. Other scales
    are f32.

    `layers` names the layers, as in `0,2-5`. Embeddings, head, norms and biases are
    unchanged. Every layer with codes is stamped with `#block.approx`: the form,
    `rounding=compensated` for weights written by `block-drift --quantize`, which round to
    better codes than the nearest, and its measured error.

    `activations=fp8`, with `form=fp8`, also rounds the rows that products multiply with FP8
    codes, to E4M3 with a scale for each row and 128 columns (`block.encode_groups`): those of
    weights that become codes here, and of weights that a checkpoint has as FP8 codes, with
    one scale for a row or for multiples of 128 columns. Layers are expanded to level 2 for
    that. Products of experts, of other weights, and of rows that are no whole groups of 128
    columns keep their rows, with a remark.

    Example: test/Transforms/block-quantize/doc.mlir.
  }];
  let options = [
    Option<"form", "form", "::parablock::QuantizedForm",
           "::parablock::QuantizedForm::Int8",
           "int8, int4-g128, int4-g32, mxfp4 or fp8">,
    Option<"layers", "layers", "std::string", "\"all\"", "the layers: all, or a list such as 0,2-5">,
    Option<"rounding", "rounding", "::parablock::Rounding", "::parablock::Rounding::Nearest",
           "how the weights were rounded, for the stamp: nearest or compensated">,
    Option<"activations", "activations", "::parablock::EncodedRows",
           "::parablock::EncodedRows::None",
           "what rows of products are rounded to: none or fp8">,
    Option<"measured", "measured", "::parablock::Number", "-1.0",
           "error measured by block-drift, for the stamp; negative: unmeasured">, FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def BlockExplain : Pass<"block-explain"> {
  let summary = "reports what was rewritten in each layer, what was not, and why";
  let description = [{
    Class: analysis; changes nothing. Reports what was recognised and, if block-raise ran,
    what it missed and why. Reads the logs that passes left on the layers and reports for
    each layer the launches and activation bytes before and after, whether the layer still
    computes the same function, and every rewrite done or missed with its reason, place and
    numbers. Launches and bytes before are those of the expanded layer, or of its steps
    without merging; predicted microseconds are included if kernels were formed for a chip
    with peaks. `function` selects a function other than the model, such as the step that
    block-checkpoint rewrote.

    Example: test/Transforms/block-explain/doc.mlir.
  }];
  let options = [
    ReportFormatOption,
    Option<"file", "file", "std::string", "\"\"", "where to write; standard error if empty">, FunctionOption
  ];
}

def BlockRequire : Pass<"block-require"> {
  let summary = "fails unless every layer has the required fusions";
  let description = [{
    Class: analysis; changes nothing. Reads the logs of the layers: each of the passes in
    `fusions` must have done its rewrite in each layer; otherwise an error at the layer
    names the pass and the reason, if known. A function without layers is an error, too.
    `function` restricts the check to one function. A layer and its gradient, of the same
    label and index in one function, are checked together.

    Example: test/Transforms/block-require/doc.mlir.
  }];
  let options = [
    ListOption<"fusions", "fusions", "std::string", "flags of the passes, separated by commas">,
    Option<"function", "function", "std::string", "\"\"", "function whose layers are checked; all functions if empty">
  ];
}

#endif // PARABLOCK_TRANSFORMS_PASSES_TD
