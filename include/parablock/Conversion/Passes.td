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
    with a schedule for the chip, and a `tile.launch` of it where it was.

    Example: test/Transforms/convert-block-kernels-to-tile/doc.mlir.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip to compile for: sm_80 or sm_90a">
  ];
  let dependentDialects = [
    "::parablock::tile::TileDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"
  ];
}

def ConvertBlockToLinalg : Pass<"convert-block-to-linalg", "::mlir::ModuleOp"> {
  let summary = "level 2 to level 0: linalg on tensors";
  let description = [{
    Class: exact. Every op of level 2 becomes `linalg`, `tensor`, `arith` and `math` ops
    as other tools print them: products over flattened rows, one generic for each
    elementwise function, attention with its scores in memory. Between an op's operands
    and its result all is f32. Layers give way to what they hold; arguments keep their
    names. What has no such form (past keys, Shaw tables) is an error.

    Example: test/Transforms/convert-block-to-linalg/doc.mlir.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ConvertBlockToTosa : Pass<"convert-block-to-tosa", "::mlir::ModuleOp"> {
  let summary = "level 2 to level 0: TOSA";
  let description = [{
    Class: exact. As convert-block-to-linalg, in `tosa` ops alone, those that read
    weights included. The sequence length has to be a number, the batch need not.

    Example: test/Transforms/convert-block-to-tosa/doc.mlir.
  }];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

def ConvertTileToNVVM : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "level 4 to device functions of the chip";
  let description = [{
    Class: exact. Every `tile.kernel` becomes an `llvm.func` of `llvm`, `nvvm`, `scf` and
    `arith` ops: warps get their roles, buffers their place in shared memory, rows go
    to warps and columns to lanes. Functions of `math` on f32 become short programs
    (docs/DeviceMath.md has their errors). A lane takes up to four neighbouring columns
    at a time where the bounds are multiples of that.

    What a launcher has to know stands on the function: `tile.arguments` (one
    `#tile.argument` for each parameter, in order), `tile.grid` (CTAs),
    `tile.shared_bytes` (dynamic shared memory), `nvvm.reqntid` (threads of a CTA) and
    `tile.schedule`. Tensors must start at multiples of 16 bytes.

    With `programmatic-launch`, on sm_90a, threads set up barriers, then wait for the
    end of the launch before, and let the next one begin its own setup; the function
    has `tile.programmatic`. Its inputs may change until then, so they are not said to
    be read-only.

    Example: test/Transforms/convert-tile-to-nvvm/doc.mlir.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip to compile for: sm_80 or sm_90a">,
    Option<"isProgrammatic", "programmatic-launch", "bool", "false",
           "on sm_90a, kernels may be launched before the one before has ended">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // PARABLOCK_CONVERSION_PASSES_TD
