//===- Passes.td - from upstream ops to blocks -------------*- tablegen -*-===//
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
    their order, names and shapes, and groups them into `block.layer`. What a piece is
    follows from dataflow and from where elements go; masks, biases and rotations that
    are constants are compared number by number. docs/design/Raise.md lists what is recognised.

    With `near-activations`, and never otherwise, the function between two projections
    may differ from an activation by so much anywhere, as a gelu with rounded constants
    does. That is approximate: the layer is stamped with the difference, and such an MLP
    outside of a layer is an error.

    Arguments get marks: a parameter is what reaches places of weights alone, all else is
    an input. `inputs` says so where that is ambiguous.

    A function with `?` is raised where what it is depends on no size. A tool that traces
    models at known sizes writes two functions, of two choices of sizes, and names those in
    which they differ by `dims`: what both give is one function of any size. Anything else
    in which they differ is an error that says what it is.

    What is not recognised stays as it is. For a candidate that fails, a remark and the
    report of block-explain name the first precondition that it does not meet. `dump`,
    or the flag --block-raise-dump of block-opt, prints the function as expressions, what
    was recognised in it, and what each matcher wanted where it gave up.

    Example: test/Transforms/block-raise/doc.mlir.
  }];
  let options = [
    Option<"weightsOut", "weights-out", "std::string", "\"\"",
           "safetensors file for constant weights, which become parameters; empty: they stay">,
    Option<"nearActivations", "near-activations", "double", "0.0",
           "how far from an activation a function is taken for it; 0: only where it is the same">,
    Option<"exactNumbers", "exact-numbers", "bool", "false",
           "epsilons and frequencies are the numbers of the constants, to the last digit of f64; otherwise the shortest ones that f32 cannot tell from them">,
    Option<"dump", "dump", "bool", "false",
           "print the function as expressions, and what matchers wanted where they gave up">,
    ListOption<"inputs", "inputs", "std::string",
               "arguments that are inputs (arg0,arg3), all others being weights; empty: what they reach decides">,
    ListOption<"dims", "dims", "std::string",
               "names of sizes in which two functions differ that become one, in the order of arguments; empty: one function">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect", "::parablock::block::BlockDialect"
  ];
}

#endif // PARABLOCK_RAISE_PASSES_TD
