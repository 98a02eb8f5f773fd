// A layer that looks at a memory, for the documentation of the pass.
// RUN: block-opt %s --block-compute-memory | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[M:.*]]: tensor<2x?x4xf32> {block.dims = ["source"], block.input = "encoder_hidden_states"}
// CHECK-NOT: "q.weight"
// CHECK: (tensor<2x?x4xf32> {block.output = "memory_key.0"}, tensor<2x?x4xf32> {block.output = "memory_value.0"})
// CHECK: %[[L:.*]]:2 = block.layer "h.0" at 0 -> tensor<2x?x4xf32>, tensor<2x?x4xf32> {
// CHECK-NEXT: %[[K:.*]] = block.linear %[[M]], %{{.*}}
// CHECK-NEXT: %[[V:.*]] = block.linear %[[M]], %{{.*}}
// CHECK-NEXT: block.yield %[[K]], %[[V]]
// CHECK: return %[[L]]#0, %[[L]]#1
func.func @main(
    %x: tensor<2x?x4xf32> {block.input = "hidden_states", block.dims = ["seq"]},
    %m: tensor<2x?x4xf32> {block.input = "encoder_hidden_states", block.dims = ["source"]},
    %q: tensor<4x4xf32> {block.param = "q.weight"},
    %k: tensor<4x4xf32> {block.param = "k.weight"},
    %v: tensor<4x4xf32> {block.param = "v.weight"},
    %h: tensor<9x4xf32> {block.param = "head.weight"}) -> (tensor<2x?x9xf32> {block.output = "logits"}) {
  %y = block.layer "h.0" at 0 -> tensor<2x?x4xf32> {
    %a = block.attention %x memory %m q %q k %k v %v {heads = 2, scores = #block.scores<scale = 0.7>}
        : tensor<2x?x4xf32>, tensor<2x?x4xf32>, tensor<4x4xf32>
    %r = block.residual %x, %a : tensor<2x?x4xf32>
    block.yield %r : tensor<2x?x4xf32>
  }
  %l = block.head %y, %h : (tensor<2x?x4xf32>, tensor<9x4xf32>) -> tensor<2x?x9xf32>
  return %l : tensor<2x?x9xf32>
}
