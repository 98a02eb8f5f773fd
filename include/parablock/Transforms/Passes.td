//===- Passes.td - rewrites of block IR --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PASSES_TD
#define PARABLOCK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "parablock/Dialect/Block/FunctionOption.td"
include "parablock/Transforms/KernelPasses.td"

// A rewrite that is patterns (Patterns.h); it runs on any op, so on a module or a
// function alike.
class ExactRewrite<string flag> : Pass<flag> {
  let statistics = [
    Statistic<"numDone", "done", "rewrites done">,
    Statistic<"numRefused", "refused", "rewrites refused, each with a remark">
  ];
}

// Norms behind products are summed of rows whose mean is still there.
class FoldsNorms<string flag> : ExactRewrite<flag> {
  let options = [
    Option<"assumeMaxMeanOverStd", "assume-max-mean-over-std", "double", "-1.0",
           "largest |mean| / standard deviation of any row; negative: unknown">,
    Option<"statistics", "statistics", "std::string", "\"\"",
           "file of block-drift --statistics, which goes before that promise">
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
           "the kernels' cubin, or what nvdisasm prints of it: adds what its instructions allow">, FunctionOption
  ];
}

def BlockExpandWeights : Pass<"block-expand-weights"> {
  let summary = "folded gains, biases and scales become upstream ops";
  let description = [{
    Class: exact. Every op that rewrites leave on weights (`block.fold_gain`,
    `block.fold_bias`, `block.fold_scale`, `block.weight_sums`, `block.bias_sum`,
    `block.reparam`) becomes a `linalg.generic` that computes in f64 and rounds once,
    with one before it for a sum: the numbers are those of the ops, bit for bit.

    Example: test/Transforms/block-expand-weights/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BlockShareNormStats : ExactRewrite<"block-share-norm-stats"> {
  let summary = "norms of one value share their statistics";
  let description = [{
    Class: exact. Where several norms read the same value (GPT-NeoX, Falcon-40B), one
    `block.norm_stats` serves all of them; epsilon and gain stay their own.

    Example: test/Transforms/block-share-norm-stats/doc.mlir.
  }];
}

def BlockFoldNorm : FoldsNorms<"block-fold-norm"> {
  let summary = "moves a norm behind the projections that read it";
  let description = [{
    Class: exact. `N(x) W^T + b` becomes `r (x W'^T - mean c) + b'`: the gain goes into
    `W'`, the norm's bias into `b'`, and the row's scale and mean are applied to the
    f32 accumulator by `block.deferred_norm`. The sums `c` are taken of `W'` as
    rounded, else a mean in x would not cancel.

    A product in f32 is `(x - mean) W'^T`, computed by kernels that take the mean from the
    row as they read it: its error is that of the norm and then the projection, however far
    the mean is above the deviation. Where 16 bits are multiplied as they lie in memory,
    sums lose about 5e-7 of the result for each deviation that the mean is away from 0:
    less than rounding does up to 8000 of them in bf16, and 1000 in f16.

    Refuses where another op than a projection reads the norm (post-norms, query and key
    norms over all heads), and where a LayerNorm over an f32 stream feeds 16-bit
    projections (x would be rounded before its mean is removed) or has an epsilon so
    small that nearly constant rows blow up (below 1e-6: a row of elements around c is off
    by up to 3e-7 c / sqrt(eps); rows of equal elements are exact), unless
    `assume-max-mean-over-std` promises that rows are centred well enough, or `statistics`,
    a file that block-drift measured on this model, shows it layer by layer. In a step, a norm that a gradient is of as it
    stands waits for block-fold-norm-grad, be that gradient's norm computed again or not, so
    that numbers are the same at every budget of memory.

    Example: test/Transforms/block-fold-norm/doc.mlir.
  }];
}

def BlockFoldNormGrad : FoldsNorms<"block-fold-norm-grad"> {
  let summary = "gradients of a norm behind the products that it is made of";
  let description = [{
    Class: exact. What block-fold-norm is for a model, for its step: gradients `dy` of
    projections `y` of a norm are scaled by the row's factor, and of them are made, without
    the normalised value, the gradient by the row (`block.deferred_norm_grad`, of the
    product by the weights and of two sums over the columns of `dy`, which are known
    before it), those by the weights (products by the row itself, or by the row without its
    mean and scaled, which is computed again, times the gain), and those by gain and bias, which need no sum over rows any more but
    those of gradients by weights and biases. Of a rotated projection the rotated one is
    read, where nothing else keeps what it was. So a layer's gradient ends in one
    product with a few steps behind it, and block-fold-norm, which comes after, finds only
    projections that read the norm.

    Refuses what block-fold-norm refuses, for the same reasons; a gradient by the norm that
    is not of projections alone, or of none that the norm has; one that something else
    reads; and the gradient by a gain of projections that have none by their weights.

    Example: test/Transforms/block-fold-norm-grad/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockFoldScales : ExactRewrite<"block-fold-scales"> {
  let summary = "moves scales of branches into the weights that produce them";
  let description = [{
    Class: exact. A `block.scale` between a projection and its residual goes into the
    projection's rows and bias (LayerScale, trained branch gains), and so do branch
    scales that differ between the branches of one residual, which then can be merged.
    A scale that all branches share stays in the residual: it costs nothing there and
    rounding a weight would. `score-scale` also moves the scale of the attention scores
    into the query projection.

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
    Class: exact. Q, K, V and the MLP's up and gate, where they read the same value,
    become one `block.linear` over the concatenated weights, followed by a
    `block.split`. Widths may differ, biases may be missing, and after block-fold-norm
    two norms of one value count as reading that value.

    Example: test/Transforms/block-fuse-input-projections/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockFuseOutputProjections : ExactRewrite<"block-fuse-output-projections"> {
  let summary = "projections added by one residual become one";
  let description = [{
    Class: exact. The attention's output projection and the MLP's down projection of a
    parallel block become one `block.linear_sum` over both sources: no concatenated
    copy, one accumulator, biases summed ahead.

    Example: test/Transforms/block-fuse-output-projections/doc.mlir.
  }];
}

def BlockFuseWeightGrads : ExactRewrite<"block-fuse-weight-grads"> {
  let summary = "gradients by weights of one input, or of one output, become one";
  let description = [{
    Class: exact. Gradients by the weights of projections that read one value (Q, K, V, up
    and gate) have that value in common, those of projections that one residual adds the
    gradient of the residual: each group becomes one `block.weight_grad`, whose rows, or
    columns, are theirs. Each sum is what it was.

    Example: test/Transforms/block-fuse-weight-grads/doc.mlir.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def BlockTabulateRotations : ExactRewrite<"block-tabulate-rotations"> {
  let summary = "rotations by position become rotations by tables";
  let description = [{
    Class: exact, up to the rounding of cosines and sines to f32. A `block.rope` whose
    positions are known becomes a `block.rotate` by constants, computed in f64 and shared
    by all layers, which `block-prepack` moves to @prepack: kernels read two numbers
    for a pair instead of computing them. Where the number of tokens or the
    offset is known later, or a table would have more than 2^22 elements, positions stay
    what angles are computed of. `block-optimize` has the pass for GPUs.

    Example: test/Transforms/block-tabulate-rotations/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BlockPrepack : Pass<"block-prepack", "::mlir::ModuleOp"> {
  let summary = "splits off what weights alone decide, to be done once";
  let description = [{
    Class: exact. Moves all weight-only work of the model (folded gains and biases, sums of
    weights, concatenations, slices, transpositions, casts, elementwise arithmetic),
    wherever it stands, to a function @prepack, which takes the parameters of the model and returns packed ones. The
    model then takes its inputs and, as parameters named `packed.`..., what @prepack returns;
    equal values are packed once. Where there is a @prepack, new work joins it.

    Constants that block ops read, and those of more than 64 elements that other ops read,
    are made by @prepack too. What upstream ops make of constants alone is computed before.
    A `block.unpack_weight` and what is made of it stay where they are, so that the codes are
    what is packed, unless `unpack` is given.

    `recipe` names a file for the same work as a module of upstream ops (docs/internals/Recipe.md), by which
    block-weights turns a checkpoint into packed weights and back.

    Example: test/Transforms/block-prepack/doc.mlir.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string", "\"\"", "where to write the recipe; nowhere if empty">,
    Option<"unpack", "unpack", "bool", "false",
           "weights of few bits too are packed as the numbers that they stand for">, FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BlockParallelize : Pass<"block-parallelize"> {
  let summary = "serial blocks become parallel ones: an approximation, on request";
  let description = [{
    Class: approximate. `h = x + A(N1 x); y = h + F(N2 h)` becomes
    `y = x + A(N1 x) + F(N2 x)`: the MLP no longer sees the attention's update. Works on
    level 1, for serial pre-norm blocks, norms after a branch (Peri-LN, OLMo 2) and
    residual scales; refuses post-LN blocks, whose stream is normalised between the
    branches, and blocks of three sublayers. Every converted layer is stamped with
    `#block.approx`; the measured error is that of the choice file, else "unmeasured".

    A model is a chain A0 F0 A1 F1 ... of attentions and MLPs, and any two neighbours
    may be a pair: the block pair `l` is (A_l, F_l), the shifted pair `l+` is (F_l,
    A_l+1), for which layer boundaries move as in `block-shift`. Chosen pairs share no
    member. `pairing` says what `blocks=all` means: `block` every layer as it stands,
    `shifted` every MLP with the next attention, `best` what was measured to be best,
    which a choice file says; without one it is a rule, said in a remark: shifted pairs
    wherever two layers allow it, block pairs elsewhere. In a list the names decide; under
    `pairing=shifted` a plain number is a shifted pair too.

    `blocks=@choice.json` takes pairs, norm, scales and correction from a file. Its
    `model_hash` must be that of the model before any rewrite (batch, sequence length and
    element types do not count), and where corrected weights have a bias that the model
    has not, the parameter is added. An option given beside the file must agree with it.

    `norm` says what the second branch's norm becomes: `separate` keeps it, now of x;
    `shared` gives it the first norm's statistics and epsilon, with its own gain and bias;
    `shared-lossy` drops it for the first norm.

    Example: test/Transforms/block-parallelize/doc.mlir.
  }];
  let options = [
    Option<"blocks", "blocks", "std::string", "\"all\"",
           "pairs to convert: all, none, @choice.json, or names and ranges such as 0,2-5 or 2+-5+">,
    Option<"pairing", "pairing", "::parablock::Pairing", "::parablock::Pairing::Block",
           "what all means: block, shifted or best">,
    Option<"norm", "norm", "::parablock::SecondNorm", "::parablock::SecondNorm::Separate",
           "norm of the second branch: separate, shared or shared-lossy">,
    Option<"scale", "scale", "double", "1.0", "factor of both branches">,
    Option<"attnScale", "attn-scale", "double", "1.0", "further factor of the attention branch">,
    Option<"mlpScale", "mlp-scale", "double", "1.0", "further factor of the MLP branch">, FunctionOption
  ];
}

def BlockShift : Pass<"block-shift"> {
  let summary = "moves layer boundaries so that an MLP and the next attention share a layer";
  let description = [{
    Class: exact; no step changes. A layer `h = x + A(N1 x); y = h + F(N2 h)` is cut
    behind its first branch, and its MLP joined with the attention of the next layer in
    a layer of its own, the pair `l+`: index `l`, label that of layer `l` with a `+`. What
    is left alone, such as the first attention and the last MLP, stays a layer under its
    label. Works on level 1, for every serial form that `block-parallelize` converts.

    Refused, with a remark: layers of another form; a next layer that does not read the
    result of this one; a result that anything else reads.

    Example: test/Transforms/block-shift/doc.mlir.
  }];
  let options = [
    Option<"blocks", "blocks", "std::string", "\"all\"",
           "pairs to form: all, none, or names and ranges such as 2+-5+">
  ];
}

def BlockSerialize : Pass<"block-serialize"> {
  let summary = "parallel blocks become serial ones: an approximation, on request";
  let description = [{
    Class: approximate; the inverse of `block-parallelize`, to compare a model that was
    trained parallel with its serial twin. `y = x + A(N x) + F(N x)` becomes
    `h = x + A(N x); y = h + F(N h)`: the branch that stands second in the residual sees
    the first one's update, through a norm of its own if the branches shared one.
    Factors stay with their branches. Works on level 1, for layers of two branches.
    Every converted layer is stamped with `#block.approx`.

    Example: test/Transforms/block-serialize/doc.mlir.
  }];
  let options = [
    Option<"blocks", "blocks", "std::string", "\"all\"",
           "layers to convert: all, none, or names and ranges such as 0,2-5">
  ];
}

def BlockShard : Pass<"block-shard", "::mlir::ModuleOp"> {
  let summary = "one function that each of several devices runs its part of";
  let description = [{
    Class: exact. Splits the model over `ranks` devices (tensor parallel): the heads of every
    attention, the hidden values of every MLP, and the vocabulary of embedding and head.
    The result is one function for all ranks, on `shard.grid @ranks`; it asks
    `shard.process_linear_index` who it is. Parameters keep the shapes of the checkpoint;
    a rank slices what it needs of them. Of a merged projection it takes its part of
    every segment, of key heads that are fewer than ranks the one that it shares. Norms are
    on every rank. What follows a split projection is a sum over ranks: a parallel layer
    has one `shard.all_reduce`, a serial one two, in f32; biases and the residual are added
    once, behind it. Norms of whole queries or keys gather partial statistics.

    With `sequence-parallel`, ranks keep a share of the rows between the sums, which
    then are a `shard.reduce_scatter`, and gather the rows before projections.

    Works on level 1, which it expands, 2 and 3, whose kernels it forms again for
    `chip`. Widths, vocabularies and heads that ranks do not divide are padded with
    zeros; where zeros would be wrong, it is an error with the numbers. docs/use/Scale.md
    says more.

    Example: test/Transforms/block-shard/doc.mlir.
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "1", "how many devices">,
    Option<"sequenceParallel", "sequence-parallel", "bool", "false",
           "keep a share of the rows of each sequence between the sums">,
    Option<"chip", "chip", "std::string", "\"cpu\"",
           "chip that kernels are formed for again: cpu or a GPU such as sm_90a">, FunctionOption
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
    matrix, and parameters that nothing reads any more go. `block.init` says how each
    starts. Every converted layer is stamped with `#block.approx`.

    Works on level 1, for pre-norm layers without branch scales; values that are or start
    as the stream need as many value heads as heads.

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
    are those that come next. Every attention over its own tokens gets the inputs
    `past_key.N` and `past_value.N`, caches of keys as they were rotated and of values,
    and the function returns them with the new rows in them, as `key.N` and `value.N`.
    `past_lengths` says for each batch row how many rows its caches hold, `starts` how
    many of the first ones are padding in front; token `t` of batch row `b` has position
    `past_lengths[b] + t - starts[b]`. With `wanted-rows` logits are of the rows whose
    numbers are in the input `logits_to_keep`. With `rings` the size of a cache that is
    seen through a window `W` is named `past_W`, that of others `past`.

    With `page-rows` caches are pools of pages of so many rows, which the input `pages`
    gives to batch rows: row `s` of the caches of batch row `b` is row `s mod R` of page
    `pages[b, s div R]` of each of them. The numbers of pages are named `pool`, and
    `row_pages` those of a batch row.

    Takes causal models of blocks, and ops that make a row of the same row, before kernels
    are formed, whose positions begin at 0; attention is expanded. Cross-attention stays
    as it is, or with `memory` gets its keys and values as the inputs `memory_key.N` and
    `memory_value.N`, which `block-compute-memory` gives. Refuses everything else by name.

    Example: test/Transforms/block-add-caches/doc.mlir.
  }];
  let options = [
    Option<"capacity", "capacity", "uint64_t", "0",
           "rows of a cache; 0 leaves them to the caller">,
    Option<"wantedRows", "wanted-rows", "bool", "true",
           "logits of the rows in the input logits_to_keep, not of all">,
    Option<"rings", "rings", "bool", "false",
           "caches that are seen through a window have a size of their own">,
    Option<"pageRows", "page-rows", "uint64_t", "0",
           "rows of a page, of caches in pages; 0 for caches that lie in one piece">,
    Option<"memory", "memory", "bool", "false",
           "keys and values of cross-attention are inputs">,
    Option<"countPadding", "count-padding", "bool", "false",
           "positions in tables count padding in front as well">, FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockAddDropout : Pass<"block-add-dropout"> {
  let summary = "a model becomes what is trained of it, with elements dropped at random";
  let description = [{
    Class: interchange, from what is served to what is trained, which has the input
    `dropout_seed`. Embeddings, the weights of attentions and what branches add to their
    stream get `#block.dropout` of the rates asked for, each a site of its own, counted in
    the order of the function. What a seed drops is the same in every engine, in the
    gradients of `block-differentiate` and in what is computed again for them. A rate of 0
    adds nothing.

    Takes models of blocks, before kernels are formed. What is dropped already stays as
    it is, and the pass refuses it by name.

    Example: test/Transforms/block-add-dropout/doc.mlir.
  }];
  let options = [
    Option<"attention", "attention", "double", "0.1", "rate of weights of attentions">,
    Option<"branches", "branches", "double", "0.1", "rate of what is added to a stream">,
    Option<"embeddings", "embeddings", "double", "0.1", "rate of embedded tokens">, FunctionOption
  ];
}

def BlockRemoveDropout : Pass<"block-remove-dropout", "::mlir::func::FuncOp"> {
  let summary = "a trained model as it is served: nothing is dropped";
  let description = [{
    Class: interchange, from what is trained to what is served, where dropout is the
    identity, as in a framework's evaluation mode. The input `dropout_seed` goes where
    nothing else reads it.

    Example: test/Transforms/block-remove-dropout/doc.mlir.
  }];
}

def BlockComputeMemory : Pass<"block-compute-memory"> {
  let summary = "a model with cross-attention becomes one of its keys and values";
  let description = [{
    Class: exact. What is computed once for all tokens that look back at the same
    memory: the function's results become `memory_key.N` and `memory_value.N`, keys and
    values of its cross-attentions in their order, and what these do not need is gone,
    arguments among it. `block-add-caches` with `memory` makes the function that takes
    them. A function without cross-attention on level 1 is refused.

    Example: test/Transforms/block-compute-memory/doc.mlir.
  }];
  let options = [FunctionOption];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockQuantize : Pass<"block-quantize", "::mlir::ModuleOp"> {
  let summary = "weights of 8 or 4 bits: an approximation, on request";
  let description = [{
    Class: approximate. The weights of attentions and MLPs on level 1 become
    `block.unpack_weight` of codes and scales, which are parameters. How they are made of
    the model's own parameters is the work of @prepack (docs/use/Quantise.md): numbers are
    rounded to the nearest code, ties to the even one.

    | form | codes | a scale counts for |
    |---|---|---|
    | `int8` | -127 to 127 | a row |
    | `int4-g128`, `int4-g32` | 1 to 15, of which 8 stands for 0 | 128 or 32 columns |
    | `mxfp4` | E2M1 | 32 columns; a power of 2 |
    | `fp8` | E4M3 | a row |

    Scales are such that the largest magnitude of a row or group is the largest code's;
    those of `mxfp4` the smallest powers of 2 under which no magnitude is beyond 6. Others
    have the type of the weight where that is f32, and are f32 otherwise.

    `layers` names the layers, as in `0,2-5`. Embeddings, head, norms and biases stay as
    they are. Every layer with codes is stamped with `#block.approx`: with the form, with
    `rounding=compensated` where the weights will be those that `block-drift --quantize`
    wrote, which are numbers of better codes than the nearest, and with what that measured.

    Example: test/Transforms/block-quantize/doc.mlir.
  }];
  let options = [
    Option<"form", "form", "::parablock::QuantizedForm",
           "::parablock::QuantizedForm::Int8",
           "int8, int4-g128, int4-g32, mxfp4 or fp8">,
    Option<"layers", "layers", "std::string", "\"all\"", "the layers: all, or a list such as 0,2-5">,
    Option<"rounding", "rounding", "::parablock::Rounding", "::parablock::Rounding::Nearest",
           "how the weights were rounded, for the stamp: nearest or compensated">,
    Option<"measured", "measured", "double", "-1.0",
           "what block-drift measured, for the stamp; unmeasured if negative">, FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def BlockExplain : Pass<"block-explain"> {
  let summary = "says what was rewritten in each layer, what was not, and why";
  let description = [{
    Class: analysis; changes nothing. Says what was recognised and, where block-raise ran,
    what it missed and why. Reads the logs that passes left on the layers: per layer the
    launches and activation bytes before and after, whether the layer still
    computes the same function, and every rewrite done or missed with its reason, place
    and numbers. Launches and bytes before are those of the layer as it was expanded, or
    of its steps as if none had been merged; predicted microseconds are there where
    kernels were formed for a chip with peaks. `function` names another
    function than the model, such as the step that block-checkpoint decided about.

    Example: test/Transforms/block-explain/doc.mlir.
  }];
  let options = [
    ReportFormatOption,
    Option<"file", "file", "std::string", "\"\"", "where to write; standard error if empty">, FunctionOption
  ];
}

def BlockRequire : Pass<"block-require"> {
  let summary = "fails unless every layer has the fusions that are asked for";
  let description = [{
    Class: analysis; changes nothing. Reads the logs of the layers: each of the passes
    in `fusions` must have done its rewrite in each layer, else the layer is an error
    that names the pass and, where it is known, the reason why not. No layer at all is
    an error too. `function` leaves out the layers of other functions. A layer and its
    gradient, of the same label and index in one function, are asked together.

    Example: test/Transforms/block-require/doc.mlir.
  }];
  let options = [
    ListOption<"fusions", "fusions", "std::string", "flags of the passes, separated by commas">,
    Option<"function", "function", "std::string", "\"\"", "whose layers to ask; those of all functions if empty">
  ];
}

#endif // PARABLOCK_TRANSFORMS_PASSES_TD
