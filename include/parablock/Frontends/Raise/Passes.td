//===- Passes.td - passes that recognise blocks ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RAISE_PASSES_TD
#define PARABLOCK_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def BlockRaise : Pass<"block-raise", "::mlir::ModuleOp"> {
  let summary = "level 0 to level 1: transformer blocks in TOSA and linalg";
  let description = [{
    Class: exact. Finds projections, norms, activations, rotations, attention, residuals,
    embedding and head in ops of `tosa`, `linalg`, `tensor`, `arith` and `math`, whatever
    their order, names and shapes, and groups them into `block.layer`. The role of a piece
    follows from dataflow and from the movement of elements; constant masks, biases and
    rotations are compared number by number. docs/design/Raise.md lists the recognised
    forms.

    With `near-activations`, the function between two projections may differ from an
    activation by up to that number, as a gelu with rounded constants does. This is
    approximate: the layer is stamped with the difference, and such an MLP outside a layer
    is an error.

    Arguments are marked: an argument that only reaches places of weights is a parameter,
    any other is an input. `inputs` resolves ambiguous cases.

    A function with `?` is raised if its structure does not depend on sizes. A tool that
    traces models at known sizes writes two functions, for two choices of sizes, and names
    the sizes in which they differ by `dims`: the result is one function of any size. Any
    other difference is an error that names it.

    Ops that are not recognised are unchanged. For a candidate that fails, a remark and the
    report of block-explain name the first unmet precondition. `dump`, or the flag
    --block-raise-dump of block-opt, prints the function as expressions, what was recognised
    in it, and the precondition on which each matcher failed.

    Example: test/Transforms/block-raise/doc.mlir.
  }];
  let options = [
    Option<"weightsOut", "weights-out", "std::string", "\"\"",
           "safetensors file for constant weights, which become parameters; empty: they stay">,
    Option<"nearActivations", "near-activations", "::parablock::Number", "0.0",
           "largest difference between a function and the activation that it is recognised as; 0: none">,
    Option<"exactNumbers", "exact-numbers", "bool", "false",
           "keep epsilons and frequencies of constants to the last digit of f64; otherwise use the shortest numbers that are equal in f32">,
    Option<"dump", "dump", "bool", "false",
           "print the function as expressions, and the preconditions on which matchers failed">,
    ListOption<"inputs", "inputs", "std::string",
               "arguments that are inputs (arg0,arg3), all others being weights; empty: decided by their uses">,
    ListOption<"dims", "dims", "std::string",
               "names of the sizes in which two functions to be joined differ, in the order of arguments; empty: one function">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect", "::parablock::block::BlockDialect"
  ];
}

#endif // PARABLOCK_RAISE_PASSES_TD
