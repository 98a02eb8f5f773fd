//===- TileStageOps.td - ops that store accumulators -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of TileOps.td, which defines the base classes.
//
//===----------------------------------------------------------------------===//

def Tile_StageOp : Tile_Op<"stage", [MemoryEffects<[MemWrite]>]> {
  let summary = "stores columns of an accumulator where rows can be read";
  let description = [{
    Stores as many columns as the buffer has, starting at `first`. The buffer is valid until
    the next `tile.stage`, and is read in `tile.rows` only. With one `part` of `parts`, it
    holds that part of each warp's rows, for a `tile.rows` of the same part, and needs
    correspondingly less memory. `transposed`, the buffer's rows are the accumulator's
    columns. Lowering adds its offset (`at`), and whether all computing warps synchronize
    before and after (`synchronized`), or only those of a row.

    Constraints: [STAGE-1] the buffer is f32, has the accumulator's rows, and its columns
    are in range; [STAGE-2] with a part, the number of parts is above 1 and divides the
    rows; [STAGE-3] a transposed buffer has all columns and all rows, in one part.
  }];
  let arguments = (ins Tile_AccumulatorType:$accumulator,
                       DefaultValuedAttr<I64Attr, "0">:$first,
                       Optional<Index>:$part, DefaultValuedAttr<I64Attr, "1">:$parts,
                       UnitAttr:$transposed, OptionalAttr<Tile_Offset>:$offset,
                       UnitAttr:$synchronized);
  let results = (outs Tile_BufferType:$buffer);
  let builders = [OpBuilder<(ins "mlir::Type":$buffer, "mlir::Value":$accumulator,
                                 CArg<"uint64_t", "0">:$first,
                                 CArg<"mlir::Value", "{}">:$part,
                                 CArg<"uint64_t", "1">:$parts,
                                 CArg<"bool", "false">:$transposed), [{
    build($_builder, $_state, buffer, accumulator, first, part, parts, transposed, mlir::IntegerAttr());
  }]>];
  let assemblyFormat = [{
    $accumulator `[` $first `]` (`part` $part^ `of` $parts)? (`transposed` $transposed^)? (`at` $offset^)? (`synchronized` $synchronized^)? attr-dict `:` type($accumulator) `to` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the bytes of shared memory that it requires.
    int64_t getBytes() {
      return getBuffer().getType().getBytes() / static_cast<int64_t>(getParts());
    }
  }];
}

def Tile_CopyOutOp : Tile_Op<"copy_out", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "writes an accumulator to a box of a global tensor";
  let description = [{
    Rounds to the tensor's elements and writes them starting at `row` and `column` of the
    tensor; elements outside the tensor are dropped. Tensor maps read shared memory
    asynchronously, until the next `tile.copy_out` or the end of the kernel. Lowering adds
    the offset of that memory (`at`).

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
    /// Rows of a piece (all rows of a warp), and its columns: 128 bytes.
    static constexpr int64_t pieceRows = 16, pieceColumns = 64;
    /// Pieces of a warp in shared memory: one is written while another is read.
    static constexpr int64_t numPieces = 2;
    static constexpr int64_t pieceBytes = pieceRows * pieceColumns * 2;
    /// Returns the bytes of shared memory of all warps.
    static int64_t getSharedBytes(ScheduleAttr schedule) {
      return schedule.getWarps() * numPieces * pieceBytes;
    }
  }];
  let hasVerifier = 1;
}
