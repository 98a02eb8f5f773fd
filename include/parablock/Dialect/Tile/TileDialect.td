//===- TileDialect.td - the tile dialect itself ------------*- tablegen -*-===//
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
    Level 4. A `tile.kernel` says what one CTA (a thread block of CUDA) does, in
    terms that no chip owns: a loop over output tiles, a pipeline that brings
    operand tiles into shared memory and multiplies them, and a program over the
    rows and columns of what came out. How many threads that takes, who copies and
    who computes, and with which instructions, is in the kernel's `#tile.schedule`
    and in the lowering for a chip; the program does not change with it.

    Three kinds of values:

    * `memref`: tensors in global memory, the kernel's arguments: row-major and
      contiguous. All dimensions but the last are rows: `[batch, sequence, width]`
      is addressed as `[row, column]`, a vector as `[column]`, and any tensor as
      `[element]`.
    * `!tile.buffer`: a tile in shared memory.
    * `!tile.accumulator`: an f32 tile spread over the registers of the warps that
      compute. Which thread holds what is the lowering's business; `tile.stage`
      makes it addressable.

    Work on rows: `tile.rows` hands every row to one warp. Directly inside, code is
    uniform over the warp: scalars are facts about the row. `tile.columns` and
    `tile.reduce` spread columns over the lanes; inside, scalars belong to one
    element. All arithmetic of blocks is `arith` and `math` on f32; `tile.load` and
    `tile.store` convert from and to the element type, rounding to nearest even.
    So every step that can follow a product, a norm or an activation, is said once,
    for epilogues and for row-wise kernels alike.

    `index` has 32 bits in kernels; addresses have 64.
  }];
  let dependentDialects = [];
  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Register what TileTypes.td and TileAttrs.td define.
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // PARABLOCK_TILE_TILEDIALECT_TD
