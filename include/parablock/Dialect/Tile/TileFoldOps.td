//===- TileFoldOps.td - integers of all warps of a CTA -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of TileOps.td, which defines the base classes.
//
//===----------------------------------------------------------------------===//

def Tile_FoldOp : Tile_Op<"fold", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "combines integers over columns by all warps of a CTA";
  let description = [{
    In `tile.tiles`, outside `tile.rows`; all threads of the CTA execute it. The body's
    argument is a column from `from` to below `to`, and it yields an i64 for each result. A
    result, the same in all threads, combines them with `kind`: their sum modulo 2^64, or the
    largest of them as unsigned numbers, and 0 without columns. Neither depends on the order.

    Columns are distributed in turn over the threads. All threads wait for each other in it:
    what one has stored before it, all read behind it. A thread reads what it has stored
    itself in an earlier `tile.fold` with the same `from`. Lowering adds where in shared
    memory warps exchange their parts (`at`).

    Constraints: [FOLD-1] the body has one argument of type index and yields an i64 for
    each result, of which there is at least one; [FOLD-2] it is in `tile.tiles` and not in
    `tile.rows`.
  }];
  let arguments = (ins Index:$from, Index:$to, Tile_ReductionAttr:$kind,
                       OptionalAttr<Tile_Offset>:$offset);
  let results = (outs Variadic<I64>:$results);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "mlir::TypeRange":$types, "mlir::Value":$from, "mlir::Value":$to,
                                 "Reduction":$kind)>];
  let assemblyFormat = [{
    $kind $from `to` $to (`at` $offset^)? attr-dict `:` `(` type($results) `)` $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Bytes of shared memory that `warps` warps exchange their parts in.
    int64_t getSharedBytes(int64_t warps) { return 8 * warps * getNumResults(); }
  }];
}
