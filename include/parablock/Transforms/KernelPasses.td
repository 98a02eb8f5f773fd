//===- KernelPasses.td - passes between levels 2 and 3 -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_KERNELPASSES_TD
#define PARABLOCK_TRANSFORMS_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

def BlockFormKernels : Pass<"block-form-kernels"> {
  let summary = "level 2 to level 3: groups steps into launches";
  let description = [{
    Class: exact. Every projection and attention becomes the root of a `block.kernel` and
    includes the steps that can be computed on its tiles: deferred norms, biases, head
    norms, rotations, activations, gate products, scales, residuals. Row statistics are
    computed in partial form by the kernel that writes the row and merged by the kernels
    that read it. A `block.split` after columnwise steps on a product is moved to the
    product, and those steps are repeated on the segments. On a GPU a projection writes
    its new keys and values into their caches, if nothing else reads these, and the kernel of
    a head of up to 64 rows, or of an open number, takes and normalises them itself. The
    remaining steps run row by row in separate kernels.

    A remark for every kernel contains the bytes of activations and the launches
    that it saves and, if the chip has peaks, the predicted microseconds of its
    steps apart and together; the layer's log contains the sums. A step on whole
    heads (a rotation, a norm of heads) stays out of a projection if no tile holds
    a head, or if heads leave so much of the tiles empty that one launch is
    predicted to take more than 1.25 times as long as two; both are remarks with
    their reason.

    Example: test/Transforms/block-form-kernels/doc.mlir.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"cpu\"", "chip to compile for: cpu or a GPU such as sm_90a">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "::parablock::block::BlockDialect"];
}

def BlockDissolveKernels : Pass<"block-dissolve-kernels"> {
  let summary = "level 3 to level 2: undoes block-form-kernels";
  let description = [{
    Class: exact. Every `block.kernel` is replaced by its steps, partial
    statistics become statistics of whole rows, and results of layers with partial
    statistics are removed. Earlier rewrites, such as merged projections and
    folded norms, are kept. `convert-block-to-linalg` and `convert-block-to-tosa`
    do this first.

    Example: test/Transforms/block-dissolve-kernels/doc.mlir.
  }];
}

def BlockFormLeftovers : Pass<"block-form-leftovers", "::mlir::ModuleOp"> {
  let summary = "ops outside the block dialect become launches";
  let description = [{
    Class: exact, except that 16-bit sums are computed in f32, and that an index out
    of bounds is clamped. Ops of `tosa`, `linalg`, `tensor`, `arith`, `math` and
    `index` in a model or a layer, outside kernels, become `block.kernel
    "elements"`, in which they are fused `linalg.generic` ops, ops of `tensor` and
    numbers.

    A kernel stores values that other kernels read, reductions without a single elementwise
    reader, and values that cost more to recompute than to store; every reader recomputes
    views and constants. Stored values of the same indices share a kernel if one reads the
    other, or both read the same value. A reshape stays an op of `tensor`, since it needs no
    launch. Runs after block-prepack, which moves work on weights alone. A remark is emitted
    for every kernel. Ops without such a form are unchanged; a constant of more than 64
    different numbers, a size that depends on data and an assertion that is not about an
    index are errors.

    Example: test/Transforms/block-form-leftovers/doc.mlir.
  }];
  let options = [Option<"functionName", "function", "std::string", "\"\"",
      "a function besides the models to work on, such as a step">];
}

#endif // PARABLOCK_TRANSFORMS_KERNELPASSES_TD
