//===- BlockSamplingOps.td - choice of the next tokens -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKSAMPLINGOPS_TD
#define PARABLOCK_IR_BLOCKSAMPLINGOPS_TD

include "parablock/Dialect/Block/BlockOpBase.td"

def Block_SamplingOptions : Block_RankedOf<[F64], [2]>;
def Block_Seen : ConfinedType<Block_RankedOf<[I8], [2]>, [Block_StaticWidth],
    "2D tensor of i8 with a static width of at least 1">;

def Block_SampleOp : Block_PureOp<"sample", [
    Block_Step<"Product", "Outside", "Head">,
    AllTypesMatch<["seen", "next_seen"]>, AllTypesMatch<["ended", "next_ended"]>,
    AllTypesMatch<["lengths", "next_lengths"]>, AllTypesMatch<["step", "next_step"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "the next token of each row, and the state of the step after it";
  let description = [{
    Level 2. Chooses a token for every batch row `b` by the logits `logits[b, last]`, and
    moves the state of a token loop by one step, so that the results are the next call's
    operands.

    `options[b]` are the temperature, `top_k` (0: all tokens), `top_p`, `min_p` and the
    repetition penalty. Scores are the logits in f32. With a penalty other than 1, scores of
    tokens that `seen[b]` marks are divided by it, negative ones multiplied. At temperature 0
    the token is the first of the best scores. Otherwise scores are divided by the
    temperature, and a token's share is `round(2^40 exp(score - best))` as
    `parablock/Support/TokenShares.h` computes it, an integer that does not depend on the
    machine. Then, in this order, tokens stay that are among the best `top_k` or equal to the
    last of these; that are among the fewest best, of equal ones the last, whose shares
    together are at least `top_p` of the sum; and whose share is at least `min_p 2^40`. Of
    these the first is chosen whose share, together with those before it, exceeds `u` times
    the sum. `u` is number `step[b]` of the stream of random numbers
    (`parablock/Support/SeededRandom.h`) with the state `random[b, 0] + 2^32 random[b, 1]`.

    A row has ended if `ended[b]` is not 0. It gives `padding`. A token in `stops` ends its
    row (1). Logits without a finite best one, or with NaN among them, choose nothing: the
    row gives `padding` and ends with `-1 - step[b]`, which callers must report. A call with
    `step[b]` below 0, a part of a prompt before the last one, gives `padding` too and
    changes neither `seen` nor `ended`. `next_seen` marks the chosen token. `next_lengths`
    are `lengths` and the number of columns of `ids`, the tokens of the call; those of rows
    that had ended stay. `next_step` is `step + 1`.

    Where the caller gives one memory for `seen`, `ended`, `lengths` or `step` and for the
    result, engines write there, so nothing else may read the old state behind the op.
    Options out of range (`docs/use/Generation.md`) are an error of the caller that the
    reference engine reports.

    Constraints: [SAMPLE-1] ids, options, random, seen, ended, lengths and step have one row
    or element per batch row; [SAMPLE-2] options have 5 columns, random has 2, padding has
    one element; [SAMPLE-3] seen has a column per logit, of which there are at most 2^20;
    [SAMPLE-4] tokens are one per batch row.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$logits,
                       Block_In<"Setting", Block_Ids>:$ids,
                       Block_In<"Setting", Block_SamplingOptions>:$options,
                       Block_In<"Setting", Block_Ids>:$random,
                       Block_In<"Setting", Block_Lengths>:$stops,
                       Block_In<"Setting", Block_Lengths>:$padding,
                       Block_In<"Setting", Block_Seen>:$seen,
                       Block_In<"Setting", Block_Lengths>:$ended,
                       Block_In<"Setting", Block_Lengths>:$lengths,
                       Block_In<"Setting", Block_Lengths>:$step);
  let results = (outs Block_Ids:$tokens, Block_Seen:$next_seen, Block_Lengths:$next_ended,
                      Block_Lengths:$next_lengths, Block_Lengths:$next_step);
  let assemblyFormat = [{
    $logits `after` $ids `options` $options `random` $random `stops` $stops
    `padding` $padding `state` `(` $seen `,` $ended `,` $lengths `,` $step `)` attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // PARABLOCK_IR_BLOCKSAMPLINGOPS_TD
