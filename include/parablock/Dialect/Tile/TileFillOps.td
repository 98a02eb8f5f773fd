//===- TileFillOps.td - elements that threads compute ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of TileOps.td, which defines the base classes.
//
//===----------------------------------------------------------------------===//

def Tile_SharedOp : Tile_Op<"shared", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer of a CTA";
  let description = [{
    Memory for the whole kernel, which `tile.fill` fills. Lowering adds its offset (`at`).

    Constraint: [SHARED-1] the buffer is f32, in layout `rows`.
  }];
  let arguments = (ins OptionalAttr<Tile_Offset>:$offset);
  let results = (outs Tile_BufferType:$buffer);
  let builders = [OpBuilder<(ins "mlir::Type":$buffer), [{
    build($_builder, $_state, buffer, mlir::IntegerAttr());
  }]>];
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Tile_FillOp : Tile_Op<"fill", [MemoryEffects<[MemRead, MemWrite]>, SingleBlock]> {
  let summary = "computes the elements of a buffer";
  let description = [{
    The computing warps divide the elements; the body gets row and column of one and yields
    its f32, which is rounded to the buffer's elements. Rows from `rows` on, which is at
    least 1 and is the same in all threads, may hold 0 instead. All warps wait for each other
    behind it, and with `again` in front of it, too, as they may read the buffer until then.

    In `consume`, the buffer is one that no copy of the step fills, and products behind the
    op read it.

    Constraints: [FILL-1] the body has two arguments of type index and yields one f32;
    [FILL-2] the buffer is a `tile.shared`, or one of the enclosing pipeline; [FILL-3]
    elements are of floats, and rows a multiple of 4 bytes long.
  }];
  let arguments = (ins Tile_BufferType:$buffer, Optional<Index>:$rows, UnitAttr:$again);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$buffer (`rows` $rows^)? (`again` $again^)? attr-dict `:` type($buffer) $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
