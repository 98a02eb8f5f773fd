//===- Passes.td - passes on leftover ops ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_PASSES_TD
#define PARABLOCK_LEFTOVERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LeftoversDropAssertions : Pass<"leftovers-drop-assertions", "::mlir::ModuleOp"> {
  let summary = "removes assertions about indices";
  let description = [{
    Class: exact. An assertion that an index is in bounds is redundant:
    leftovers-bound-indices clamps indices. Any other assertion is an error.

    Example: test/Transforms/leftovers-drop-assertions/doc.mlir.
  }];
}

def LeftoversDecomposeAggregates
    : Pass<"leftovers-decompose-aggregates", "::mlir::func::FuncOp"> {
  let summary = "decomposes aggregate ops of linalg";
  let description = [{
    Class: exact. Applies to `linalg.softmax` and other ops with its interface. A
    `tosa.argmax` of bits becomes one of `i8`.

    Example: test/Transforms/leftovers-decompose-aggregates/doc.mlir.
  }];
}

def LeftoversWidenSums : Pass<"leftovers-widen-sums", "::mlir::func::FuncOp"> {
  let summary = "computes sums of 16-bit floats in f32";
  let description = [{
    Class: exact-up-to-eps. Each sum is rounded once: sums in 16 bits stop growing early.
    With `long-sums`, pure sums of more than 32 f32 are computed in f64, such as the
    gradient of a value that was repeated along a sequence.

    Example: test/Transforms/leftovers-widen-sums/doc.mlir.
  }];
  let options = [
    Option<"longSums", "long-sums", "bool", /*default=*/"false",
           "compute sums of more than 32 f32 in f64">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LeftoversGuardAngles : Pass<"leftovers-guard-angles"> {
  let summary = "makes folding of math.atan2 of zeros agree with running it";
  let description = [{
    Class: exact. Upstream's folder returns NaN for `math.atan2` of two zeros; at run time
    it returns 0 or pi, with the sign of the first. The pass adds a selection of these
    values after the op, so that constant folding returns the same.

    Example: test/Transforms/leftovers-guard-angles/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def LeftoversBoundIndices : Pass<"leftovers-bound-indices", "::mlir::func::FuncOp"> {
  let summary = "clamps indices to their tensors";
  let description = [{
    Class: exact. An index from data that is out of bounds becomes the first or the last
    one.

    Example: test/Transforms/leftovers-bound-indices/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def LeftoversSimplifyBroadcasts
    : Pass<"leftovers-simplify-broadcasts", "::mlir::func::FuncOp"> {
  let summary = "simplifies broadcasts of dynamic sizes";
  let description = [{
    Class: exact. Lowering TOSA creates an `scf.if` for a dynamic size that may be 1.
    Readers of the result read the first element instead.

    Example: test/Transforms/leftovers-simplify-broadcasts/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LeftoversFuse : Pass<"leftovers-fuse", "::mlir::ModuleOp"> {
  let summary = "fuses elementwise ops where that repeats no costly work";
  let description = [{
    Class: exact. As upstream's linalg-fuse-elementwise-ops, with a different profitability
    rule.

    Example: test/Transforms/leftovers-fuse/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // PARABLOCK_LEFTOVERS_PASSES_TD
