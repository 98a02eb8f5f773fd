//===- Passes.td - ops of many dialects as few -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_PASSES_TD
#define PARABLOCK_LEFTOVERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LeftoversDropAssertions : Pass<"leftovers-drop-assertions", "::mlir::ModuleOp"> {
  let summary = "assertions about indices go";
  let description = [{
    Class: exact. That an index is one of the tensor that it reads need not be asserted:
    leftovers-bound-indices sees to it. Any other assertion is an error.

    Example: test/Transforms/leftovers-drop-assertions/doc.mlir.
  }];
}

def LeftoversDecomposeAggregates
    : Pass<"leftovers-decompose-aggregates", "::mlir::func::FuncOp"> {
  let summary = "ops of linalg that are several steps become these";
  let description = [{
    Class: exact. `linalg.softmax` and others of its interface.

    Example: test/Transforms/leftovers-decompose-aggregates/doc.mlir.
  }];
}

def LeftoversWidenSums : Pass<"leftovers-widen-sums", "::mlir::func::FuncOp"> {
  let summary = "sums of 16-bit floats are made in f32";
  let description = [{
    Class: exact-up-to-eps. They are rounded once: in 16 bits they would not get far. With
    `long-sums`, sums of more than 32 f32, which do nothing else, are made in f64: the
    gradient of what was repeated along a sequence is one.

    Example: test/Transforms/leftovers-widen-sums/doc.mlir.
  }];
  let options = [
    Option<"longSums", "long-sums", "bool", /*default=*/"false",
           "whether sums of more than 32 f32 are made in f64">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LeftoversGuardAngles : Pass<"leftovers-guard-angles"> {
  let summary = "the angle of two zeros is the same as a constant";
  let description = [{
    Class: exact. Upstream's folder makes NaN of `math.atan2` of two zeros; running it gives
    0 or pi, with the sign of the first. The choice among these is written behind the op, so
    that folding constants gives what running it gives.

    Example: test/Transforms/leftovers-guard-angles/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def LeftoversBoundIndices : Pass<"leftovers-bound-indices", "::mlir::func::FuncOp"> {
  let summary = "no index is outside of its tensor";
  let description = [{
    Class: exact. An index that comes from data becomes the first or the last one where it
    is beyond them.

    Example: test/Transforms/leftovers-bound-indices/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def LeftoversSimplifyBroadcasts
    : Pass<"leftovers-simplify-broadcasts", "::mlir::func::FuncOp"> {
  let summary = "broadcasts of open sizes are no choice at run time";
  let description = [{
    Class: exact. Lowering TOSA makes an `scf.if` for an open size that may be 1. Whoever
    reads the result reads the first element instead.

    Example: test/Transforms/leftovers-simplify-broadcasts/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LeftoversFuse : Pass<"leftovers-fuse", "::mlir::ModuleOp"> {
  let summary = "fuses elementwise ops where that repeats no costly work";
  let description = [{
    Class: exact. As upstream's linalg-fuse-elementwise-ops, with another rule of what is
    worth it.

    Example: test/Transforms/leftovers-fuse/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // PARABLOCK_LEFTOVERS_PASSES_TD
