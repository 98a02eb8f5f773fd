// A parallel block on two ranks, for the documentation of the pass.
// RUN: block-opt %s --block-shard="ranks=2" | FileCheck %s
// RUN: block-opt %s --block-shard="ranks=2 sequence-parallel=true" | FileCheck %s --check-prefix=ROWS
// RUN: block-opt %s --block-optimize="chip=sm_90a" --block-shard="ranks=2 chip=sm_90a" | FileCheck %s --check-prefix=KERNELS
// RUN: block-opt %s --block-shard="ranks=1" | FileCheck %s --check-prefix=ALONE

// CHECK: shard.grid @ranks(shape = 2)
// CHECK: func.func @main(
// Parameters keep their shapes.
// CHECK-NEXT: %arg1: tensor<8x8xf32> {block.param = "q.weight"},
// CHECK-NEXT: %arg2: tensor<8x8xf32> {block.param = "k.weight"},
// CHECK-NEXT: %arg3: tensor<8x8xf32> {block.param = "v.weight"},
// CHECK-NEXT: %arg4: tensor<8x8xf32> {block.param = "o.weight"},
// CHECK: %[[RANK:.*]] = shard.process_linear_index on @ranks : index
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: %[[AT:.*]] = arith.muli %[[RANK]], %[[FOUR]] : index
// CHECK: block.layer "h.0" at 0
// Rows of q, columns of o.
// CHECK: tensor.extract_slice %arg{{.*}}[%[[AT]], 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
// CHECK: block.sdpa {{.*}}heads = 1, scores
// CHECK: tensor.extract_slice %arg{{.*}}[0, %[[AT]]] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
// CHECK: %[[SUM:.*]] = shard.all_reduce {{.*}} on @ranks grid_axes = [0]
// CHECK-NOT: shard.all_reduce
// CHECK: %[[BIASED:.*]] = block.add_bias %[[SUM]], %arg
// CHECK: block.residual %arg0, %[[BIASED]]
// CHECK-NOT: shard.all_reduce

// ROWS: block.layer "h.0" at 0 -> tensor<1x3x8xf32>
// ROWS: shard.all_slice %arg0 on @ranks grid_axes = [0] slice_axis = 1
// ROWS: %[[SUM:.*]] = shard.reduce_scatter {{.*}} scatter_axis = 1 : tensor<1x6x8xf32> -> tensor<1x3x8xf32>
// ROWS: block.residual {{.*}} : tensor<1x3x8xf32>{{$}}
// ROWS: shard.all_gather {{.*}} gather_axis = 1 : tensor<1x3x8xf32> -> tensor<1x6x8xf32>
// ROWS-NEXT: return

// KERNELS: block.kernel "linear"
// KERNELS: block.kernel "sdpa"
// KERNELS: %[[PART:.*]] = block.kernel "linear_sum"
// KERNELS: %[[SUM:.*]] = shard.all_reduce %[[PART]]
// KERNELS: block.kernel "rows" ({{.*}} = %[[SUM]]

// ALONE-NOT: shard
module {
  func.func @main(
      %x: tensor<1x6x8xf32> {block.input = "hidden_states"},
      %q: tensor<8x8xf32> {block.param = "q.weight"},
      %k: tensor<8x8xf32> {block.param = "k.weight"},
      %v: tensor<8x8xf32> {block.param = "v.weight"},
      %o: tensor<8x8xf32> {block.param = "o.weight"},
      %up: tensor<32x8xf32> {block.param = "up.weight"},
      %down: tensor<8x32xf32> {block.param = "down.weight"},
      %bias: tensor<8xf32> {block.param = "down.bias"}) -> (tensor<1x6x8xf32> {block.output = "hidden_states"}) {
    %y = block.layer "h.0" at 0 -> tensor<1x6x8xf32> {
      %a = block.attention %x q %q k %k v %v o %o
          {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>}
          : (tensor<1x6x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
      %f = block.mlp %x up %up down %down down_bias %bias {activation = #block.activation<relu>}
          : (tensor<1x6x8xf32>, tensor<32x8xf32>, tensor<8x32xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
      %r = block.residual %x, %a, %f : (tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
      block.yield %r : tensor<1x6x8xf32>
    }
    return %y : tensor<1x6x8xf32>
  }
}
