//===- TileStageOps.td - what becomes of accumulators ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of TileOps.td, which says what an op is.
//
//===----------------------------------------------------------------------===//

def Tile_StageOp : Tile_Op<"stage", [MemoryEffects<[MemWrite]>]> {
  let summary = "puts columns of an accumulator where rows can be read";
  let description = [{
    Columns `first` and on, as many as the buffer has. The buffer holds until the next
    `tile.stage`, and is read in `tile.rows` only. With `part` of so many, it holds that
    part of each warp's rows, for a `tile.rows` of the same part, and takes as much less
    memory. Lowering adds where it lies (`at`), and whether all computing warps meet
    before and after (`synchronized`), or those of a row alone.

    Constraints: [STAGE-1] the buffer is f32, has the accumulator's rows, and its
    columns lie within; [STAGE-2] there are several parts, a divisor of the rows, where
    there is a part.
  }];
  let arguments = (ins Tile_AccumulatorType:$accumulator,
                       DefaultValuedAttr<I64Attr, "0">:$first,
                       Optional<Index>:$part, DefaultValuedAttr<I64Attr, "1">:$parts,
                       OptionalAttr<Tile_Offset>:$offset, UnitAttr:$synchronized);
  let results = (outs Tile_BufferType:$buffer);
  let builders = [OpBuilder<(ins "mlir::Type":$buffer, "mlir::Value":$accumulator,
                                 CArg<"uint64_t", "0">:$first,
                                 CArg<"mlir::Value", "{}">:$part,
                                 CArg<"uint64_t", "1">:$parts), [{
    build($_builder, $_state, buffer, accumulator, first, part, parts, mlir::IntegerAttr());
  }]>];
  let assemblyFormat = [{
    $accumulator `[` $first `]` (`part` $part^ `of` $parts)? (`at` $offset^)? (`synchronized` $synchronized^)? attr-dict `:` type($accumulator) `to` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The shared memory that it takes.
    int64_t getBytes() {
      return getBuffer().getType().getBytes() / static_cast<int64_t>(getParts());
    }
  }];
}

def Tile_CopyOutOp : Tile_Op<"copy_out", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "brings an accumulator to a box of a global tensor";
  let description = [{
    Rounded to the tensor's elements, from `row` and `column` of the tensor on; what lies
    outside of the tensor goes nowhere. By tensor maps, which read shared memory while
    the warps go on: until the next one, or the end of the kernel. Lowering adds where
    that memory lies (`at`).

    Constraint: [COPYOUT-1] the tensor is of bf16 or f16 and has a dimension.
  }];
  let arguments = (ins Tile_AccumulatorType:$accumulator,
                       Arg<MemRefOf<[BF16, F16]>>:$destination,
                       Index:$row, Index:$column, OptionalAttr<Tile_Offset>:$offset);
  let builders = [OpBuilder<(ins "mlir::Value":$accumulator, "mlir::Value":$destination,
                                 "mlir::Value":$row, "mlir::Value":$column), [{
    build($_builder, $_state, accumulator, destination, row, column, mlir::IntegerAttr());
  }]>];
  let assemblyFormat = [{
    $accumulator `to` $destination `[` $row `,` $column `]` (`at` $offset^)? attr-dict
    `:` type($accumulator) `to` type($destination)
  }];
  let extraClassDeclaration = [{
    /// Rows of a piece, all of a warp's, and its columns: 128 bytes.
    static constexpr int64_t pieceRows = 16, pieceColumns = 64;
    /// Pieces of a warp in shared memory: one is written while another is read.
    static constexpr int64_t numPieces = 2;
    static constexpr int64_t pieceBytes = pieceRows * pieceColumns * 2;
    /// The shared memory of all warps.
    static int64_t getSharedBytes(ScheduleAttr schedule) {
      return schedule.getWarps() * numPieces * pieceBytes;
    }
  }];
  let hasVerifier = 1;
}
