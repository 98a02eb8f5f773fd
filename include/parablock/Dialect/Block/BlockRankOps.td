//===- BlockRankOps.td - rows that ranks exchange ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In a header of their own, BlockRankOps.h: few files include these ops.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKRANKOPS_TD
#define PARABLOCK_IR_BLOCKRANKOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "parablock/Dialect/Block/BlockExpertOps.td"

/// An exchange of the rows that experts of other ranks read or computed.
class Block_RankRowsOp<string mnemonic> : Op<Block_Dialect, mnemonic, [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins Block_Hidden:$input, Block_Choices:$choices,
                       FlatSymbolRefAttr:$grid, I64Attr:$experts);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = [{
    $input `by` $choices `of` $experts `on` $grid attr-dict
    `:` type($input) `,` type($choices) `->` type($result)
  }];
}

def Block_RowsToExpertsOp : Block_RankRowsOp<"rows_to_experts"> {
  let summary = "sends rows to the ranks of their experts";
  let description = [{
    Level 2, on the ranks of `grid`. Rank `r` of `R` has rows `[r T / R, (r + 1) T / R)` of
    each sequence of `T` rows, as `input`, and experts `[r E / R, (r + 1) E / R)` of
    `experts = E`. `choices` are the experts of all `T` rows, and the same on all ranks. Row
    `t` of the result is that row of the rank that has it, if one of its choices is an expert
    of this rank, else 0. So a row is sent once to each other rank that has an expert of it,
    and as the choices are known, no counts are sent. Choices without an expert are of no
    rank. A move of bits.

    Constraints: [TOEXPERTS-1] `grid` is a `shard.grid` of a known number of ranks, which
    divides the experts, at least one; [TOEXPERTS-2] choices have the sequences of the input,
    and for each rank its rows; [TOEXPERTS-3] the result has the rows of the choices, and the
    width and type of element of the input.
  }];
}

def Block_RowsFromExpertsOp : Block_RankRowsOp<"rows_from_experts"> {
  let summary = "returns what ranks computed of rows to the ranks that have them";
  let description = [{
    Level 2. The way back from `block.rows_to_experts`, with the same `grid`, `choices` and
    `experts`: `input` is what this rank computed of all `T` rows. The result has the `T / R`
    rows that this rank has, and a part for each rank in its columns: part `q` is that row of
    the input of rank `q`, if one of its choices is an expert of that rank, else 0. A move of
    bits.

    Constraints: [FROMEXPERTS-1] `grid` is a `shard.grid` of a known number of ranks, which
    divides the experts, at least one; [FROMEXPERTS-2] choices have the rows of the input;
    [FROMEXPERTS-3] the result has a rank's share of these rows, the width of the input for
    each rank, and its type of element.
  }];
}

#endif // PARABLOCK_IR_BLOCKRANKOPS_TD
