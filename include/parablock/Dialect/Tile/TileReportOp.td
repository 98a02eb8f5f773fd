//===- TileReportOp.td - what kernels report to the host ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of TileOps.td, which defines the base classes.
//
//===----------------------------------------------------------------------===//

def Tile_ReportOp : Tile_Op<"report", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "reports wrong data to the host";
  let description = [{
    Directly in `tile.rows`: one lane sets the word to the greatest of itself and
    `2^32 (2^32 - 1 - place)` plus the 32 bits of `detail`, which is the nearest number
    that has so many. So the word of a launch is 0 without a report, and otherwise that of
    the first place, whatever the order of warps.

    Constraint: [REPORT-1] `tile.rows` is around it, without `tile.columns` or `tile.reduce`
    in between.
  }];
  let arguments = (ins Index:$place, I64:$detail, MemRefRankOf<[I64], [1]>:$word);
  let assemblyFormat = "$detail `at` $place `to` $word attr-dict `:` type($word)";
  let hasVerifier = 1;
}
