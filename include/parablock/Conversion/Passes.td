//===- Passes.td - from kernels to device code -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_PASSES_TD
#define PARABLOCK_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertBlockKernelsToTile : Pass<"convert-block-kernels-to-tile", "::mlir::ModuleOp"> {
  let summary = "level 3 to level 4: kernels become programs over tiles";
  let description = [{
    Class: exact. Every `block.kernel` becomes a `tile.kernel` in `gpu.module @kernels`,
    with a schedule for the chip, and a `tile.launch` of it where it was, which says what
    open sizes of its results are; those that do the same share one. So do ops that move
    rows by themselves, into a cache or by number. What then is left between inputs and
    outputs would run nowhere, and is an error.

    Example: test/Transforms/convert-block-kernels-to-tile/doc.mlir.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip to compile for, such as sm_90a">
  ];
  let dependentDialects = [
    "::parablock::tile::TileDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"
  ];
}

def ConvertBlockToLinalg : Pass<"convert-block-to-linalg", "::mlir::ModuleOp"> {
  let summary = "levels 2 and 3 to level 0: linalg on tensors";
  let description = [{
    Class: exact. Kernels are dissolved (`block-dissolve-kernels`), and every op of level 2 becomes `linalg`, `tensor`, `arith` and `math` ops
    as other tools print them: products over flattened rows, one generic for each
    elementwise function, attention with its scores in memory. Between an op's operands
    and its result all is f32. Layers give way to what they hold; arguments keep their
    names. What has no such form (past keys, Shaw tables) is an error.

    Stamps of approximate layers become `approximations` of their function, with a remark:
    an attribute of builtin attributes, from which `block-raise` gives layers their stamps
    back. `plain` drops attributes that only the dialect can read, such as `block.init`, so
    that tools without it parse the result.

    Example: test/Transforms/convert-block-to-linalg/doc.mlir.
  }];
  let options = [
    Option<"plain", "plain", "bool", "false", "drop attributes that only the dialect can read">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ConvertBlockToTosa : Pass<"convert-block-to-tosa", "::mlir::ModuleOp"> {
  let summary = "levels 2 and 3 to level 0: TOSA";
  let description = [{
    Class: exact. As convert-block-to-linalg, in `tosa` ops alone, those that read
    weights included. The sequence length has to be a number, the batch need not.

    Example: test/Transforms/convert-block-to-tosa/doc.mlir.
  }];
  let options = [
    Option<"plain", "plain", "bool", "false", "drop attributes that only the dialect can read">
  ];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

def ConvertTileToNVVM : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "kernels with all in place to device functions";
  let description = [{
    Class: exact. Every `tile.kernel` becomes an `llvm.func` of `llvm`, `nvvm`, `scf` and
    `arith` ops: rows go to warps and columns to lanes. Functions of `math` on f32 become
    short programs (docs/internals/DeviceMath.md has their errors). What the steps before it have
    to say (`tile-check-tiles` to `tile-declare-globals`, all of them in `tile-to-nvvm`)
    stands on the ops; a kernel that lacks what one of them says is an error that names
    it.

    What a launcher has to know stands on the function as `tile.launch`; `nvvm.reqntid`
    are the threads of a CTA. Tensors must start at multiples of 16 bytes. Inputs of a
    `programmatic` kernel may change until the launch before has ended, so only those that
    are `tile.constant` are said to be read-only.

    Example: test/Transforms/convert-tile-to-nvvm/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Steps on the way there, in this order. They run on a tile.kernel, or on whatever has
// kernels in it; done again, they change nothing.
//===----------------------------------------------------------------------===//

def TileDeferBuffers : Pass<"tile-defer-buffers"> {
  let summary = "marks buffers that are given back late";
  let description = [{
    Class: exact. Where a product by wgmma is `deferred`, it may run beside what the next
    step begins with: pipelines say which of their buffers such products alone read.
    Where a deferred product shares a buffer with others, or a step may leave one
    unfilled, none of the pipeline's products waits.

    Example: test/Transforms/tile-defer-buffers/doc.mlir.
  }];
}

def TileCheckTiles : Pass<"tile-check-tiles"> {
  let summary = "refuses what there is no code for on a chip";
  let description = [{
    Class: exact. Schedules that the chip cannot follow, accumulators that its warps
    cannot share, buffers in layouts that its units do not read, and copies that no
    tensor map can make, are errors. What is left is said to be for the chip.

    Example: test/Transforms/tile-check-tiles/doc.mlir.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip to compile for, such as sm_90a">
  ];
}

def TileShareCopies : Pass<"tile-share-copies"> {
  let summary = "finds what the CTAs of a cluster copy alike";
  let description = [{
    Class: exact. Where the schedule has clusters, copies that do not depend on the row
    of the tile are `shared`, and `tile.rows` are empty in the CTA that has no tile, where
    the rows of tiles are odd in number. What CTAs could not do in step is an error.

    Example: test/Transforms/tile-share-copies/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileSpecializeWarps : Pass<"tile-specialize-warps"> {
  let summary = "splits a kernel between warps that copy and warps that compute";
  let description = [{
    Class: exact. Where the schedule has producers, both roles run the same loops: the
    copying one keeps what its pipelines need, in one thread, and pipelines say whose
    they are (`as`). Registers that the copying warps do not need go to the others.

    Example: test/Transforms/tile-specialize-warps/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def TileMarkConstants : Pass<"tile-mark-constants", "::mlir::ModuleOp"> {
  let summary = "finds what no launch writes";
  let description = [{
    Class: exact. An input of a kernel is `tile.constant` where every launch gives it a
    parameter of the program (`block.param`), as it is or in another shape: launches
    write tensors of their own, so none writes that one. Inputs of the program are not
    constant, since their callers may write them between two launches; nor is what a
    kernel without a launch takes.

    Example: test/Transforms/tile-mark-constants/doc.mlir.
  }];
}

def TileWaitForLaunch : Pass<"tile-wait-for-launch"> {
  let summary = "lets a kernel begin before the launch before it has ended";
  let description = [{
    Class: exact. On chips that can, a kernel waits for the end of the launch before by
    itself, ahead of its first access to memory that is not `tile.constant`, and lets the
    next one begin in turn: it is `programmatic` then. Warps that copy bring constants
    ahead of that, where nothing else stands in front of their pipeline: that one `waits`.
    On other chips nothing happens.

    Example: test/Transforms/tile-wait-for-launch/doc.mlir.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def TileAllocateShared : Pass<"tile-allocate-shared"> {
  let summary = "gives buffers their places in shared memory";
  let description = [{
    Class: exact. Buffers of pipelines come first, those with the same buffers sharing a
    ring; then staged tiles, `tile.join` and `tile.scratch`: each says where it lies
    (`at`), and the kernel how much it takes (`shared_bytes`). More than the chip has is
    an error.

    Example: test/Transforms/tile-allocate-shared/doc.mlir.
  }];
}

def TileWidenColumns : Pass<"tile-widen-columns"> {
  let summary = "gives a lane several neighbouring columns at a time";
  let description = [{
    Class: exact. Where the bounds of `tile.columns` and `tile.reduce` are multiples of
    four, or of two, the body is written out for so many columns (`width`): the backend
    merges accesses that lie side by side. Rows of a grid take 16 bytes at a time, and
    several such runs together (`rounds`), whose reads come before what is written; what
    is left behind them gets a loop of its own.

    Example: test/Transforms/tile-widen-columns/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileMarkAccesses : Pass<"tile-mark-accesses"> {
  let summary = "says who stores, and where lanes must meet";
  let description = [{
    Class: exact. A store is done `by` each lane, or by the first where all have the
    value; around what others read from a buffer, the lanes meet (`synchronized`). A
    store outside `tile.rows`, and a tensor that is neither an argument nor a table, is
    an error.

    Example: test/Transforms/tile-mark-accesses/doc.mlir.
  }];
}

def TileDeclareGlobals : Pass<"tile-declare-globals", "::mlir::gpu::GPUModuleOp"> {
  let summary = "declares the memory that kernels refer to";
  let description = [{
    Class: exact. A `tile.table` becomes an `unrealized_conversion_cast` of the address of
    a constant in the `gpu.module`; equal ones are one. Kernels that take shared memory
    get its symbol.

    Example: test/Transforms/tile-declare-globals/doc.mlir.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // PARABLOCK_CONVERSION_PASSES_TD
