//===- Passes.td - passes from kernels to device code ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_PASSES_TD
#define PARABLOCK_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertBlockKernelsToTile : Pass<"convert-block-kernels-to-tile", "::mlir::ModuleOp"> {
  let summary = "level 3 to level 4: kernels become programs over tiles";
  let description = [{
    Class: exact. Every `block.kernel` becomes a `tile.kernel` in `gpu.module @kernels`,
    with a schedule for the chip, and is replaced by a `tile.launch`, which defines the
    dynamic sizes of its results; equal kernels share one. Ops that move rows, into a
    cache or by number, become kernels, too. Any other op between inputs and outputs is an
    error.

    Example: test/Transforms/convert-block-kernels-to-tile/doc.mlir.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip to compile for, such as sm_90a">,
    Option<"rowsAreLeft", "rows-left", "bool", "false",
           "multiply few rows as the left operand, in tiles of many, to measure what the other order gains">,
    Option<"joinsInMemory", "joins-in-memory", "bool", "false",
           "add the sums of CTAs that share a product's depth through memory, to measure what clusters gain">,
    Option<"rowsApart", "rows-apart", "bool", "false",
           "normalise rows of products in launches of their own, to measure what it gains that products do">,
    Option<"appendsApart", "appends-apart", "bool", "false",
           "add rows to caches in launches of their own, to measure what it gains that projections do">
  ];
  let dependentDialects = [
    "::parablock::tile::TileDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"
  ];
}

def ConvertBlockToLinalg : Pass<"convert-block-to-linalg", "::mlir::ModuleOp"> {
  let summary = "levels 2 and 3 to level 0: linalg on tensors";
  let description = [{
    Class: exact. Kernels are dissolved (`block-dissolve-kernels`), and every op of level 2
    becomes `linalg`, `tensor`, `arith` and `math` ops in the form of other tools: products
    over flattened rows, one generic for each elementwise function, attention with its
    scores in memory. Intermediate values of an op are f32. Layers are replaced by their
    contents; arguments keep their names. An op without such a form (past keys, Shaw tables)
    is an error.

    Stamps of approximate layers become `approximations` of their function, with a remark:
    an attribute of builtin attributes, from which `block-raise` restores the stamps.
    `plain` drops attributes that only the dialect can read, such as `block.init`, so that
    tools without it parse the result.

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
    Class: exact. As convert-block-to-linalg, in `tosa` ops alone, including ops on weights.
    The sequence length must be static, the batch may be dynamic.

    Example: test/Transforms/convert-block-to-tosa/doc.mlir.
  }];
  let options = [
    Option<"plain", "plain", "bool", "false", "drop attributes that only the dialect can read">
  ];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

def ConvertTileToNVVM : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "lowers prepared tile kernels to device functions";
  let description = [{
    Class: exact. Every `tile.kernel` becomes an `llvm.func` of `llvm`, `nvvm`, `scf` and
    `arith` ops: rows go to warps and columns to lanes. Functions of `math` on f32 become
    short programs (docs/internals/DeviceMath.md has their errors). The preceding passes
    (`tile-check-tiles` to `tile-declare-globals`, all of them in `tile-to-nvvm`) record
    their decisions on the ops; a kernel that lacks one of them is an error that names the
    pass.

    The function's attribute `tile.launch` describes the launch; `nvvm.reqntid` is the
    number of threads of a CTA. Tensors must be aligned to 16 bytes. Inputs of a
    `programmatic` kernel may change until the previous launch has ended, so only inputs
    that are `tile.constant` are marked read-only.

    Example: test/Transforms/convert-tile-to-nvvm/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Its preceding passes, in this order. They run on a tile.kernel, or on any op that has
// kernels in it, and are idempotent.
//===----------------------------------------------------------------------===//

def TileDeferBuffers : Pass<"tile-defer-buffers"> {
  let summary = "marks buffers that are released late";
  let description = [{
    Class: exact. A `deferred` product by wgmma may overlap with the beginning of the next
    step: pipelines list the buffers that only such products read. If a deferred product
    shares a buffer with others, or a step may leave a buffer unfilled, none of the
    pipeline's products is deferred.

    Example: test/Transforms/tile-defer-buffers/doc.mlir.
  }];
}

def TileCheckTiles : Pass<"tile-check-tiles"> {
  let summary = "refuses tiles that are not implemented on a chip";
  let description = [{
    Class: exact. Schedules that the chip does not support, accumulators that its warps
    cannot share, buffers in layouts that its units do not read, and copies without a tensor
    map, are errors. Other kernels are marked with the chip.

    Example: test/Transforms/tile-check-tiles/doc.mlir.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip to compile for, such as sm_90a">
  ];
}

def TileShareCopies : Pass<"tile-share-copies"> {
  let summary = "marks copies that the CTAs of a cluster share";
  let description = [{
    Class: exact. If the schedule has clusters, copies that do not depend on the row of the
    tile are `shared`. If the number of rows of tiles is odd, `tile.rows` is empty in the
    CTA without a tile. Steps that CTAs cannot run in lockstep are errors.

    Example: test/Transforms/tile-share-copies/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileSpecializeWarps : Pass<"tile-specialize-warps"> {
  let summary = "splits a kernel between warps that copy and warps that compute";
  let description = [{
    Class: exact. If the schedule has producers, both roles run the same loops: the copying
    role keeps the ops that its pipelines need, in one thread, and pipelines record their
    role (`as`). Registers that the copying warps do not need are given to the others.

    Example: test/Transforms/tile-specialize-warps/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def TileMarkConstants : Pass<"tile-mark-constants", "::mlir::ModuleOp"> {
  let summary = "marks inputs that no launch writes";
  let description = [{
    Class: exact. An input of a kernel is `tile.constant` if every launch passes a
    parameter of the program (`block.param`), possibly reshaped: launches write their
    own tensors, never parameters. Inputs of the program are not constant, since callers
    may write them between two launches; neither are inputs of a kernel without
    launches.

    Example: test/Transforms/tile-mark-constants/doc.mlir.
  }];
}

def TileWaitForLaunch : Pass<"tile-wait-for-launch"> {
  let summary = "lets a kernel begin before the previous launch has ended";
  let description = [{
    Class: exact. On chips with programmatic launches, a kernel itself waits for the end of
    the previous launch, before its first access to memory that is not `tile.constant`, and
    lets the next launch begin: it is then `programmatic`. It does so before the wait if
    `shared_bytes` leaves room for a second CTA on the multiprocessor, and after it
    otherwise. Warps that copy load constants before the wait, if their pipeline comes
    first: that pipeline `waits`. Kernels for other chips are unchanged.

    Example: test/Transforms/tile-wait-for-launch/doc.mlir.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def TileAllocateShared : Pass<"tile-allocate-shared"> {
  let summary = "assigns buffers their places in shared memory";
  let description = [{
    Class: exact. Buffers of pipelines come first, and pipelines with the same buffers share
    a ring; then staged tiles, `tile.join` and `tile.scratch`: each records its offset
    (`at`), and the kernel the total (`shared_bytes`). Exceeding the chip's shared memory is
    an error.

    Example: test/Transforms/tile-allocate-shared/doc.mlir.
  }];
}

def TileWidenColumns : Pass<"tile-widen-columns"> {
  let summary = "assigns a lane several neighbouring columns at a time";
  let description = [{
    Class: exact. If the bounds of `tile.columns` and `tile.reduce` are multiples of four,
    or of two, the body is unrolled over that many columns (`width`): the backend merges
    adjacent accesses. Rows of a grid are processed 16 bytes at a time, several such runs
    together (`rounds`), whose reads precede the writes; the remainder gets a separate
    loop.

    Example: test/Transforms/tile-widen-columns/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileMarkAccesses : Pass<"tile-mark-accesses"> {
  let summary = "determines which lanes store and where they synchronize";
  let description = [{
    Class: exact. A store is done `by` each lane, or by the first if all have the value;
    lanes synchronize around accesses to buffers that other lanes read (`synchronized`). A
    store outside `tile.rows`, and a tensor that is neither an argument nor a table, is an
    error.

    Example: test/Transforms/tile-mark-accesses/doc.mlir.
  }];
}

def TileDeclareGlobals : Pass<"tile-declare-globals", "::mlir::gpu::GPUModuleOp"> {
  let summary = "declares the memory that kernels refer to";
  let description = [{
    Class: exact. A `tile.table` becomes an `unrealized_conversion_cast` of the address of a
    constant in the `gpu.module`; equal tables share one. Kernels that use shared memory get
    its symbol.

    Example: test/Transforms/tile-declare-globals/doc.mlir.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // PARABLOCK_CONVERSION_PASSES_TD
