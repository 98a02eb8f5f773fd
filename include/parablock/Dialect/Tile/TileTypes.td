//===- TileTypes.td - buffers and accumulators -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TILE_TILETYPES_TD
#define PARABLOCK_TILE_TILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "parablock/Dialect/Tile/TileAttrs.td"

def Tile_BufferType : TypeDef<Tile_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "a tile in shared memory";
  let description = [{
    `!tile.buffer<128x64xbf16, swizzled>`. Layouts: `rows`, row after row; `padded`, the
    same with 32 bytes after every row, so that neighbouring rows fall on different banks,
    and 16 bytes of a row, or 8 bytes of each of 4 rows, are one access; `swizzled`, panels
    of 128 bytes of columns, panel after panel. A panel has rows of 128 bytes whose 16-byte
    chunk `c` of row `r` is stored at chunk `c xor (r mod 8)`, the format of tensor cores
    and TMA.

    Constraints: [BUFFER-1] sizes are positive; [BUFFER-2] the element type is f32, bf16 or
    f16; [BUFFER-3] rows of a swizzled buffer consist of whole panels, and their number is a
    multiple of 8.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "::mlir::Type":$elementType,
                        DefaultValuedParameter<"BufferLayout", "BufferLayout::Rows">:$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getElementBytes() const { return getElementType().getIntOrFloatBitWidth() / 8; }
    /// Number of contiguous columns, and number of such panels.
    int64_t getPanelColumns() const {
      return getLayout() == BufferLayout::Swizzled ? 128 / getElementBytes()
                                                   : getColumns();
    }
    int64_t getPanels() const { return getColumns() / getPanelColumns(); }
    /// Distance between rows of a panel.
    int64_t getRowBytes() const {
      return getPanelColumns() * getElementBytes() +
             (getLayout() == BufferLayout::Padded ? 32 : 0);
    }
    int64_t getPanelBytes() const { return getRows() * getRowBytes(); }
    int64_t getBytes() const { return getPanels() * getPanelBytes(); }
  }];
}

def Tile_AccumulatorType : TypeDef<Tile_Dialect, "Accumulator"> {
  let mnemonic = "accumulator";
  let summary = "an f32 tile in the registers of the computing warps";
  let description = [{
    `!tile.accumulator<128x256>`.

    Constraint: [ACCUMULATOR-1] sizes are positive.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_RowValuesType : TypeDef<Tile_Dialect, "RowValues"> {
  let mnemonic = "row_values";
  let summary = "an f32 for every row of a tile, in registers";
  let description = [{
    `!tile.row_values<128>`. Every thread that holds a part of a row of an accumulator holds
    the value of that row. Threads may divide rows differently for accumulators of other
    widths: `!tile.row_values<128 of 64>` is for those of 64 columns.

    Constraint: [ROWVALUES-1] sizes are positive.
  }];
  let parameters = (ins "int64_t":$rows, DefaultValuedParameter<"int64_t", "16">:$columns);
  let builders = [TypeBuilder<(ins "int64_t":$rows), "return $_get($_ctxt, rows, 16);">];
  let assemblyFormat = "`<` $rows (`of` $columns^)? `>`";
  let genVerifyDecl = 1;
}

#endif // PARABLOCK_TILE_TILETYPES_TD
