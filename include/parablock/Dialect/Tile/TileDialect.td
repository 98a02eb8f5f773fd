//===- TileDialect.td - the tile dialect -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TILE_TILEDIALECT_TD
#define PARABLOCK_TILE_TILEDIALECT_TD

include "mlir/IR/DialectBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::parablock::tile";
  let summary = "One CTA's program over tiles";
  let description = [{
    Level 4. A `tile.kernel` describes the work of one CTA (a thread block of CUDA),
    independently of the chip: a loop over output tiles, a pipeline that copies operand
    tiles into shared memory and multiplies them, and a program over the rows and columns of
    the product. The number of threads, which of them copy or compute, and the instructions
    are defined by the kernel's `#tile.schedule` and the lowering for a chip; the program
    does not depend on them.

    Three kinds of values:

    * `memref`: tensors in global memory, the kernel's arguments: row-major and
      contiguous. All dimensions but the last are rows: `[batch, sequence, width]`
      is addressed as `[row, column]`, a vector as `[column]`, and any tensor as
      `[element]`.
    * `!tile.buffer`: a tile in shared memory.
    * `!tile.accumulator`: an f32 tile spread over the registers of the warps that compute.
      The lowering decides which thread holds which element; `tile.stage` makes elements
      addressable.

    Work on rows: `tile.rows` assigns every row to one warp. Directly inside, code is
    uniform over the warp: scalars belong to the row. `tile.columns` and `tile.reduce`
    distribute columns over the lanes; inside, scalars belong to one element. All
    arithmetic of blocks is `arith` and `math` on f32; `tile.load` and `tile.store` convert
    from and to the element type, rounding to nearest even. So every step that can follow a
    product, such as a norm or an activation, is defined once, for epilogues and row-wise
    kernels.

    `index` has 32 bits in kernels; addresses have 64.
  }];
  let dependentDialects = [];
  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Suggests an op for a name that is near to it.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
    /// Register what TileTypes.td and TileAttrs.td define.
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // PARABLOCK_TILE_TILEDIALECT_TD
