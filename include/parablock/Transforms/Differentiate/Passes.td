//===- Passes.td - gradients in IR -------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIFFERENTIATE_PASSES_TD
#define PARABLOCK_DIFFERENTIATE_PASSES_TD

include "mlir/Pass/PassBase.td"

def BlockDifferentiate : Pass<"block-differentiate", "::mlir::ModuleOp"> {
  let summary = "a function that computes gradients beside the model's results";
  let description = [{
    Class: exact. Adds to a module with @main a function @main_step, which takes what
    @main takes, in order, and gives what it gives, then the gradients, each with
    `block.grad`, the name of the argument that it is by. Gradients by parameters are
    f32, those by inputs of the input's type. Level 1 is expanded; a layer of @main is
    followed, in reverse order, by one that is `backward`.

    `loss` says what is differentiated. `sum` is the sum over all float results, each
    times an argument of its shape, `grad.` and its name: these are the adjoints
    of the results. Otherwise it is a result of that name, of one f32 number;
    `cross-entropy` is the result `loss`, which is also taken where nothing is said.

    `wrt` says what it is differentiated by: `params`, `inputs` (those of floats), `all`
    of both, or names of arguments. Ids, lengths and masks of integers have no gradient.
    docs/Training.md says which ops have none.

    Example: test/Transforms/block-differentiate/doc.mlir.
  }];
  let options = [
    Option<"wrt", "wrt", "std::string", "\"params\"",
           "what to differentiate by: params, inputs, all, or names of arguments">,
    Option<"loss", "loss", "std::string", "\"cross-entropy\"",
           "what to differentiate: cross-entropy, sum, or the name of a result">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // PARABLOCK_DIFFERENTIATE_PASSES_TD
