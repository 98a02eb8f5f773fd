// What cannot be split says so, with the numbers.
// RUN: not block-opt %s --block-shard="ranks=0" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not block-opt %s --block-shard="ranks=4097" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not block-opt %s --block-shard="ranks=4096" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: not block-opt %s --block-shard="ranks=8" -o /dev/null 2>&1 | FileCheck %s --check-prefix=HEADS
// RUN: not block-opt %s --block-shard="ranks=3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=HEADS3
// RUN: not block-opt %s --block-shard="ranks=2 sequence-parallel=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: block-opt %s --block-shard="ranks=2" -o %t.mlir
// RUN: not block-opt %t.mlir --block-shard="ranks=2" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not block-opt %t.mlir --block-prepack="recipe=%t.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=RECIPE

// A projection that is no part of attention or an MLP stays, on every rank, and that is said.
// RUN: echo 'func.func @main(%%x: tensor<1x2x8xf32>, %%w: tensor<6x8xf32> {block.param = "w"}) -> tensor<1x2x6xf32> { %%0 = block.linear %%x, %%w : (tensor<1x2x8xf32>, tensor<6x8xf32>) -> tensor<1x2x6xf32> return %%0 : tensor<1x2x6xf32> }' | block-opt --block-shard="ranks=2" -o /dev/null --remarks-filter='block-shard' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: remark: [Missed] block.linear | Category:block-shard | Function=main | Reason="whole-on-every-rank: every rank computes all columns of the projection", columns=6

// Heads of inputs cannot be padded with heads of zeros.
// RUN: echo 'func.func @main(%%x: tensor<1x5x12xf32>) -> tensor<1x5x12xf32> { %%y = block.layer "h.0" at 0 -> tensor<1x5x12xf32> { %%a = block.sdpa %%x, %%x, %%x {heads = 3 : i64, scores = #block.scores<scale = 0.5>} : tensor<1x5x12xf32> block.yield %%a : tensor<1x5x12xf32> } return %%y : tensor<1x5x12xf32> }' | not block-opt --block-shard=ranks=2 -o /dev/null 2>&1 | FileCheck %s --check-prefix=INPUTS
// INPUTS: error: 'block.sdpa' op cannot be split over 2 ranks: expected them to divide its 3 key heads, as only projections can be padded with heads of zeros

// NONE: error: expected ranks to be in [1, 4096], got 0
// MANY: error: expected ranks to be in [1, 4096], got 4097
// MOST: error: 'block.sdpa' op cannot be split over 4096 ranks: expected them to divide its 4 heads
// HEADS: error: 'block.sdpa' op cannot be split over 8 ranks: expected them to divide its 4 heads and to be a multiple of its 2 key heads, or to be no more than those
// HEADS3: error: 'block.sdpa' op cannot be split over 3 ranks: expected them to divide its 4 heads and to be a multiple of its 2 key heads
// ROWS: error: 'block.layer' op has sequences that cannot be split: expected a multiple of 2 rows, got 5
// TWICE: error: expected a module of one rank, got one of 2
// RECIPE: error: {{.*}}has no place in a recipe
module {
  func.func @main(
      %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
      %q: tensor<8x8xf32> {block.param = "q.weight"},
      %k: tensor<4x8xf32> {block.param = "k.weight"},
      %v: tensor<4x8xf32> {block.param = "v.weight"},
      %o: tensor<8x8xf32> {block.param = "o.weight"}) -> (tensor<1x5x8xf32> {block.output = "hidden_states"}) {
    %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
      %a = block.attention %x q %q k %k v %v o %o
          {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
          : (tensor<1x5x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
      %r = block.residual %x, %a : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
      block.yield %r : tensor<1x5x8xf32>
    }
    return %y : tensor<1x5x8xf32>
  }
}
