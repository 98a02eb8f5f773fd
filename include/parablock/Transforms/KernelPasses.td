//===- KernelPasses.td - level 3 and back ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_KERNELPASSES_TD
#define PARABLOCK_TRANSFORMS_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

def BlockFormKernels : Pass<"block-form-kernels"> {
  let summary = "level 2 to level 3: groups steps into launches";
  let description = [{
    Class: exact. Every projection and attention becomes the root of a `block.kernel`
    and takes with it what can be computed on its tiles: deferred norms, biases, head
    norms, rotations, activations, gate products, scales, residuals. Row statistics are
    made in partial form by the kernel that writes the row and merged by those that
    read it. A `block.split` of what a product is put through, column by column, is
    moved to the product, and those steps are repeated on the segments. What is left
    runs row by row in kernels of its own.

    Every kernel is a remark with the bytes of activations and the launches that it
    saves and, where the chip has peaks, the microseconds that the cost model expects of
    its steps one by one and together; the layer's log has the sums. A step that works
    on whole heads (a rotation, a norm of heads) stays out of a projection where no tile
    holds a head, or where heads leave so much of the tiles empty that the model expects
    one launch to take more than 1.25 times as long as two; both are remarks with
    their reason.

    Example: test/Transforms/block-form-kernels/doc.mlir.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"cpu\"", "chip that is compiled for: cpu or a GPU such as sm_90a">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "::parablock::block::BlockDialect"];
}

def BlockDissolveKernels : Pass<"block-dissolve-kernels"> {
  let summary = "level 3 to level 2: undoes block-form-kernels";
  let description = [{
    Class: exact. The steps of every `block.kernel` stand where it stood, statistics that
    were made in partial form are made of whole rows again, and results of layers that
    carried those are gone. What kernels were formed for, such as merged projections and
    folded norms, stays. `convert-block-to-linalg` and `convert-block-to-tosa` do this
    first.

    Example: test/Transforms/block-dissolve-kernels/doc.mlir.
  }];
}

def BlockFormLeftovers : Pass<"block-form-leftovers", "::mlir::ModuleOp"> {
  let summary = "ops that are no blocks become launches";
  let description = [{
    Class: exact, but that sums of 16 bits are made in f32, and that an index beyond its
    tensor is its first or last. Ops of `tosa`, `linalg`, `tensor`, `arith`, `math` and
    `index` that stand in a model or in a layer, apart from kernels, become
    `block.kernel "elements"`. In these they are `linalg.generic`, ops of `tensor` and
    numbers, fused.

    A kernel stores what others read, each of its reductions where no single op goes on
    with it element for element, and what would be computed so often that storing it is
    less work; views and constants are made by whoever reads them. Stored values of the
    same indices share a kernel where one reads the other, or both the same. Another shape
    of the same elements stays an op of `tensor`, for it is no launch. Comes after
    block-prepack, which takes what weights decide. Every kernel is a remark. Ops without
    such a form stay where they are; a constant of more than 64 different numbers, a size
    that depends on data and an assertion that is not about an index are errors.

    Example: test/Transforms/block-form-leftovers/doc.mlir.
  }];
}

#endif // PARABLOCK_TRANSFORMS_KERNELPASSES_TD
