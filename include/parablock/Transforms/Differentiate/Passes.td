//===- Passes.td - gradients in IR -------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIFFERENTIATE_PASSES_TD
#define PARABLOCK_DIFFERENTIATE_PASSES_TD

include "mlir/Pass/PassBase.td"
include "parablock/Dialect/Block/FunctionOption.td"

def BlockDifferentiate : Pass<"block-differentiate", "::mlir::ModuleOp"> {
  let summary = "a function that computes gradients beside the model's results";
  let description = [{
    Class: exact. Adds to a module with a model @main a function @main_step (a model of
    another name gives its own to the step), which takes what @main takes, in order, and gives what it gives, then the gradients, each with
    `block.grad`, the name of the argument that it is by. Gradients by parameters are
    f32, those by inputs of the input's type. Level 1 is expanded; a layer of @main is
    followed, in reverse order, by one that is `backward`.

    `loss` says what is differentiated. `sum` is the sum over all float results, each
    times an argument of its shape, `grad.` and its name: these are the adjoints
    of the results. Otherwise it is a result of that name, of one f32 number;
    `cross-entropy` is the result `loss`, which is also taken where nothing is said.

    `wrt` says what it is differentiated by: `params`, `inputs` (those of floats), `all`
    of both, or names of arguments. Ids, lengths and masks of integers have no gradient.
    docs/use/Training.md says which ops have none.

    Of a module with @prepack gradients are by packed parameters; @unpack_grads, its
    adjoint, is added: it takes what @prepack takes, then an input, `grad.` and a name, for
    each gradient by a packed parameter, and gives those by the parameters that @prepack
    takes.

    Example: test/Transforms/block-differentiate/doc.mlir.
  }];
  let options = [
    Option<"wrt", "wrt", "std::string", "\"params\"",
           "what to differentiate by: params, inputs, all, or names of arguments">,
    Option<"loss", "loss", "std::string", "\"cross-entropy\"",
           "what to differentiate: cross-entropy, sum, or the name of a result">,
    FunctionOption
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BlockSplitStep : Pass<"block-split-step", "::mlir::ModuleOp"> {
  let summary = "the forward and the backward half of a step as two functions";
  let description = [{
    Class: exact. Cuts @main_step, which stays as it is, into @main_forward, which gives what
    @main gives and then the values that have to be saved, each with `block.saved`, its
    name, and @main_backward, which takes what it reads of the arguments of @main_step and
    then, as inputs of these names, the saved values, and gives the gradients.

    Saved is what backward reads of the values that the results of @main are made of. What
    is made of parameters and constants alone is not: it is done again. A saved value that
    is a result of @main is that result. Of adjoints of results (`loss=sum`) forward takes none.

    Example: test/Transforms/block-split-step/doc.mlir.
  }];
  let options = [FunctionOption];
}

def BlockCheckpoint : Pass<"block-checkpoint", "::mlir::ModuleOp"> {
  let summary = "computes values again in backward layers so that a step fits its memory";
  let description = [{
    Class: exact, and gradients are the same bit for bit. For each class of layers of
    @main_step, those of equal structure, decides which of the values that only the
    gradient of the layer reads are kept, and which that computes again, right before it
    first reads them. Statistics of rows are always kept, and so is what other layers read.

    `memory-budget` is bytes (`65536`, `512MiB`, `2GiB`), a share of what lies between the
    least peak and that with everything kept (`40%`), or `min`, the least peak. What fits is
    decided by the arena's size, simulated on the rewritten function. Of plans that fit the
    one that repeats the fewest output projections is taken, then that of the least
    arithmetic, then of the least traffic; a smaller budget never gives a larger peak. A
    budget below the least peak is an error. Layers of one class may differ: those whose
    gradients come first keep more.

    `layers` decides for layers itself: `h.0:all,h.3:attn.c_q+sdpa,*:nothing` says what a
    layer keeps, by the names that the log has; `*` is every layer not named, and
    `@file.json` is an object of such entries. `every=4` keeps of four layers
    only what the first of them reads, and computes the four again before their gradients,
    which the budget then decides about.

    The log of each backward layer says what was decided about each value: what is kept,
    with its bytes, and what is computed again, with the bytes saved, the work and, where
    `chip` has peaks, predicted microseconds (`recompute_us`). Work that two values share
    counts for the first of them. Where nothing is computed again nothing is said.

    Example: test/Transforms/block-checkpoint/doc.mlir.
  }];
  let options = [
    Option<"memoryBudget", "memory-budget", "std::string", "\"min\"",
           "bytes, a share such as 40%, or min">,
    Option<"layers", "layers", "std::string", "\"\"",
           "what layers keep: LABEL:all, products (which are not computed twice), nothing or names joined by +, separated by commas, or @FILE; LABEL#INDEX where one label is of several">,
    Option<"every", "every", "unsigned", "1",
           "layers that are computed again together, from what the first of them reads">,
    Option<"chip", "chip", "std::string", "\"cpu\"",
           "chip of the predicted microseconds: cpu, which has none, or a GPU such as sm_90a">,
    FunctionOption
  ];
}

#endif // PARABLOCK_DIFFERENTIATE_PASSES_TD
