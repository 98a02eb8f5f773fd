//===- Passes.td - passes that build gradients -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIFFERENTIATE_PASSES_TD
#define PARABLOCK_DIFFERENTIATE_PASSES_TD

include "mlir/Pass/PassBase.td"
include "parablock/Dialect/Block/FunctionOption.td"

def BlockDifferentiate : Pass<"block-differentiate", "::mlir::ModuleOp"> {
  let summary = "adds a function that computes the model's results and gradients";
  let description = [{
    Class: exact. Adds to a module with a model @main a function @main_step (NAME_step for a
    model NAME), with the arguments of @main in order, whose results are those of @main
    followed by the gradients, each with `block.grad`, the name of its argument. Gradients
    by parameters are f32, those by inputs of the input's type. Level 1 is expanded; a layer
    of @main is followed, in reverse order, by one that is `backward`.

    `loss` selects the differentiated value. `sum` is the sum over all float results, each
    times an argument of its shape, `grad.` and its name: these are the adjoints of the
    results. Otherwise it is the result of that name, a single f32; `cross-entropy`, the
    default, is the result `loss`.

    `wrt` selects the arguments to differentiate by: `params`, `inputs` (of floats), `all`
    (both), or names of arguments. Ids, lengths and integer masks have no gradient.
    docs/use/Training.md lists ops without gradients.

    In a module with @prepack, gradients are by packed parameters, and the pass adds its
    adjoint @unpack_grads. Its arguments are those of @prepack and an input, `grad.` and a
    name, for each gradient by a packed parameter; its results are the gradients by the
    parameters of @prepack.

    Example: test/Transforms/block-differentiate/doc.mlir.
  }];
  let options = [
    Option<"wrt", "wrt", "std::string", "\"params\"",
           "arguments to differentiate by: params, inputs, all, or names">,
    Option<"loss", "loss", "std::string", "\"cross-entropy\"",
           "value to differentiate: cross-entropy, sum, or the name of a result">,
    FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BlockSplitStep : Pass<"block-split-step", "::mlir::ModuleOp"> {
  let summary = "splits a step into a forward and a backward function";
  let description = [{
    Class: exact. Divides @main_step, which is kept, into @main_forward, which returns the
    results of @main and then the saved values, each with `block.saved`, its name, and
    @main_backward, which takes the arguments of @main_step that it reads and then, as
    inputs of these names, the saved values, and returns the gradients.

    Saved values are the forward values that backward reads. Values that depend on
    parameters and constants alone are recomputed instead. A saved value that is a result of
    @main is returned once. Forward has no arguments for adjoints of results (`loss=sum`).

    Example: test/Transforms/block-split-step/doc.mlir.
  }];
  let options = [FunctionOption];
}

def BlockCheckpoint : Pass<"block-checkpoint", "::mlir::ModuleOp"> {
  let summary = "computes values again in backward layers so that a step fits its memory";
  let description = [{
    Class: exact, and gradients are the same bit for bit. For each class of layers of
    @main_step with equal structure, the pass chooses which of the values that only the
    layer's gradient reads are kept, and which the gradient recomputes right before it first
    reads them. Statistics of rows and values that other layers read are always kept.

    `memory-budget` is a number of bytes (`65536`, `512MiB`, `2GiB`), a share of the range
    between the smallest peak and the peak with everything kept (`40%`), or `min`, the
    smallest peak. The peak is the arena's size, simulated on the rewritten function. Among
    plans that fit, the pass minimizes repeated output projections, then arithmetic, then
    traffic; a smaller budget never results in a larger peak. A budget below the smallest
    peak is an error. Layers of one class may differ: those whose gradients come first keep
    more.

    `layers` fixes the choice: `h.0:all,h.3:attn.c_q+sdpa,*:nothing` lists the values that a
    layer keeps, by their names in the log; `*` is every layer not named, and `@file.json`
    is an object of such entries. `every=4` keeps only the inputs of the first of four
    layers, and recomputes the four before their gradients, to which the budget then
    applies.

    `chunk-rows=256` computes feed-forwards for at most 256 rows at a time, an equal part of
    each sequence, forward and backward: values between their products are never whole in
    memory, and are computed again in backward. Gradients by weights are then sums of the
    chunks' sums, in f32 and in their order. A feed-forward with an op that requires all
    rows, or a number of its row (dropout), and experts stay whole, with a remark.

    `invert` computes the streams of layers of block-reversible from those behind them, in
    backward, with the values that gradients read; of the streams, only the last two are
    kept. The budget then applies to what a layer's inverse hands to its gradient.

    The log of each backward layer contains the decision about each value: kept values with
    their bytes, and recomputed values with the bytes saved, the work and, if `chip` has
    peaks, predicted microseconds (`recompute_us`). Work that two values share counts for
    the first of them. Layers without recomputation have no entry.

    Example: test/Transforms/block-checkpoint/doc.mlir.
  }];
  let options = [
    Option<"memoryBudget", "memory-budget", "std::string", "\"min\"",
           "bytes, a share such as 40%, or min">,
    Option<"layers", "layers", "std::string", "\"\"",
           "values that layers keep: LABEL:all, products (which are not recomputed), nothing or names joined by +, separated by commas, or @FILE; LABEL#INDEX for an ambiguous label">,
    Option<"every", "every", "unsigned", "1",
           "number of layers recomputed together, from the inputs of the first one">,
    Option<"invert", "invert", "bool", "false",
           "compute inputs of reversible layers from their results">,
    Option<"chunkRows", "chunk-rows", "uint64_t", "0",
           "rows that feed-forwards compute at a time; 0 is all of them">,
    Option<"chip", "chip", "std::string", "\"cpu\"",
           "chip of the predicted microseconds: cpu (no prediction) or a GPU such as sm_90a">,
    FunctionOption
  ];
}

#endif // PARABLOCK_DIFFERENTIATE_PASSES_TD
