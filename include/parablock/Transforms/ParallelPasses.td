//===- ParallelPasses.td - serial and parallel forms -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PARALLELPASSES_TD
#define PARABLOCK_TRANSFORMS_PARALLELPASSES_TD

include "mlir/Pass/PassBase.td"
include "parablock/Dialect/Block/FunctionOption.td"

def BlockParallelize : Pass<"block-parallelize"> {
  let summary = "serial blocks become parallel ones: an approximation, on request";
  let description = [{
    Class: approximate. `h = x + A(N1 x); y = h + F(N2 h)` becomes `y = x + A(N1 x) + F(N2
    x)`: the MLP no longer reads the attention's update. Works on level 1, for serial
    pre-norm blocks, norms after a branch (Peri-LN, OLMo 2), residual scales and post-norm
    blocks; refuses blocks of three sublayers, and those with a norm behind one of both sums
    alone. Every converted layer is stamped with `#block.approx`; the measured error is
    taken from the choice file, else "unmeasured".

    A model is a chain A0 F0 A1 F1 ... of attentions and MLPs, and any two neighbours may
    be a pair: the block pair `l` is (A_l, F_l), the shifted pair `l+` is (F_l, A_l+1),
    for which layer boundaries move as in `block-shift`. Chosen pairs share no member.
    `pairing` defines `blocks=all`: `block` selects every layer unchanged, `shifted`
    every MLP with the next attention, `best` the pairs of a choice file; without a file,
    and with a remark, shifted pairs where two layers allow it and block pairs elsewhere.
    In a list the names decide; under `pairing=shifted` a plain number is a shifted pair,
    too.

    `pairing=ladder` (Ladder Residual, arXiv 2501.06589) keeps both residuals of a layer and
    lets each branch read the stream one sum older: `h = x + A(N1 x'); y = h + F(N2 x)`,
    where x' is the stream before the last branch of the layer before, or x in the first
    layer. No branch reads the sum before it, so ranks can run it while they exchange that
    sum; launches stay as many. A layer yields its `h` if the next one reads it. Requires
    `norm=separate`.

    `pairing=shortcut` converts shifted pairs of experts as models with shortcut-connected
    experts (LongCat-Flash, arXiv 2509.01322) are trained: `z = x + S(N2 x); y = z + R(N2 x)
    + A(N1 z)`, with R the routed and S the shared experts of layer l and A the attention of
    layer l + 1. What the shared experts add is in the attention's stream, so routed ones
    can run, and ranks exchange their rows, beside the attention; without shared experts z
    is x. Pairs whose MLP has no routed experts stay, with the reason `no-experts`. Requires
    `norm=separate`.

    `from` leaves the pairs of lower layers in series, with the reason `below-from`:
    `from=8` converts from layer 8 on, `from=half` the upper half of each function's layers,
    of which an odd number has the larger half below. A file of choices names its pairs, so
    `from` is rejected beside one.

    `blocks=@choice.json` takes pairs, norm, scales and correction from a file. Its
    `model_hash` must be that of the model before any rewrite (batch, sequence length and
    element types do not count), and biases of corrected weights that the model lacks are
    added as parameters. Options given together with the file must agree with it.

    A post-norm block `h = N1(x + A(x)); y = N2(h + F(h))` (BERT, DeepNorm) becomes `h = N1(x
    + A(x)); y = N2(h + F(x))`: norms and sums stay. The projections of both branches read x,
    and ranks may exchange both updates together. Other pairings than `block`, `shifted` and
    `best`, another `norm` and `router=serial` leave such layers in series, with the reason
    `post-layer-norm`.

    `norm` selects the norm of the second branch: `separate` keeps it, applied to x;
    `shared` uses the first norm's statistics and epsilon with its own gain and bias;
    `shared-lossy` replaces it by the first norm.

    `router=serial` converts block pairs whose second branch is a mixture of experts: experts
    and shared experts read N2 x, and the router alone keeps reading N2 h, the norm of the
    stream behind the attention: `h = x + A(N1 x); y = h + sum_s w_s f_{e_s}(N2 x)` with `e,
    w = route(N2 h)`. Both residuals stay, so the layer has as many launches and, split over
    ranks, as many sums as in series, and its router is what a token's experts depend on in
    series. `norm` is that of the experts. Mixtures become their steps, as in `block-expand`.
    Layers whose second branch has no router are left, with the reason `no-router`; another
    pairing than `block` is rejected.

    Example: test/Transforms/block-parallelize/doc.mlir.
  }];
  let options = [
    Option<"blocks", "blocks", "std::string", "\"all\"",
           "pairs to convert: all, none, @choice.json, or names and ranges such as 0,2-5 or 2+-5+">,
    Option<"pairing", "pairing", "::parablock::Pairing", "::parablock::Pairing::Block",
           "pairs that all selects: block, shifted, best, ladder or shortcut">,
    Option<"from", "from", "std::string", "\"\"",
           "first layer of which pairs are converted: an index, or half; empty: the first">,
    Option<"norm", "norm", "::parablock::SecondNorm", "::parablock::SecondNorm::Separate",
           "norm of the second branch: separate, shared or shared-lossy">,
    Option<"router", "router", "::parablock::RouterInput", "::parablock::RouterInput::Parallel",
           "stream that routers of experts read: parallel or serial">,
    Option<"scale", "scale", "::parablock::Number", "1.0", "factor of both branches">,
    Option<"attnScale", "attn-scale", "::parablock::Number", "1.0", "further factor of the attention branch">,
    Option<"mlpScale", "mlp-scale", "::parablock::Number", "1.0", "further factor of the MLP branch">, FunctionOption
  ];
}

def BlockReversible : Pass<"block-reversible", "::mlir::ModuleOp"> {
  let summary = "two streams, so that layers have an inverse: another architecture, to be trained";
  let description = [{
    Class: approximate, an architecture change for models to be trained; each layer carries
    a stamp. Serial layers `h = x + A(N x)`, `y = h + F(N h)` become `h1 = x1 + A(N x2)`,
    `h2 = x2 + F(N h1)`. Both streams begin as the stream that the first layer reads, and
    their mean is what the last one returns. The streams are in fixed point
    (`block.stream_add`), whose sums are exact: `x2 = h2 - F(N h1)` and
    `x1 = h1 - A(N x2)` bit for bit, at any depth. Option `invert` of `block-checkpoint`
    uses that.

    All layers are converted, or none: a parallel layer, one of post-norms, one with caches,
    a scaled stream, and a stream that is read between two layers are errors. `stream` must
    be `fixed`: the error of another type has the drift of its inverse.

    Example: test/Transforms/block-reversible/doc.mlir.
  }];
  let options = [
    Option<"stream", "stream", "std::string", "\"fixed\"",
           "type of the streams: fixed, 32 bits with 16 behind the point">,
    FunctionOption
  ];
}

def BlockShift : Pass<"block-shift"> {
  let summary = "moves layer boundaries so that an MLP and the next attention share a layer";
  let description = [{
    Class: exact; no step changes. A layer `h = x + A(N1 x); y = h + F(N2 h)` is cut after
    its first branch, and its MLP is joined with the attention of the next layer in a new
    layer, the pair `l+`, with index `l` and the label of layer `l` plus a `+`. A remaining
    branch, such as the first attention and the last MLP, stays a layer under its label.
    Works on level 1, for every serial form that `block-parallelize` converts.

    Refused, with a remark: layers of another form; a next layer that does not read the
    result of this one; a result with other readers.

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
    trained parallel with its serial twin. `y = x + A(N x) + F(N x)` becomes `h = x + A(N
    x); y = h + F(N h)`: the second branch of the residual reads the first one's update,
    through its own norm if the branches shared one. Factors stay with their branches. Works
    on level 1, for layers of two branches. Every converted layer is stamped with
    `#block.approx`.

    Example: test/Transforms/block-serialize/doc.mlir.
  }];
  let options = [
    Option<"blocks", "blocks", "std::string", "\"all\"",
           "layers to convert: all, none, or names and ranges such as 0,2-5">
  ];
}

#endif // PARABLOCK_TRANSFORMS_PARALLELPASSES_TD
