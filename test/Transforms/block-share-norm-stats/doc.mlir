// The two norms of a GPT-NeoX block, for the documentation of the pass.
// RUN: block-opt %s --block-share-norm-stats | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %arg2: tensor<8xf32> {block.param = "post_attention_layernorm.weight"}) -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>) {
// CHECK-NEXT: %[[STATS:.*]]:2 = block.norm_stats %arg0 centered : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[N0:.*]] = block.normalize %arg0 mean %[[STATS]]#0 moment %[[STATS]]#1 gamma %arg1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[N1:.*]] = block.normalize %arg0 mean %[[STATS]]#0 moment %[[STATS]]#1 gamma %arg2 {form = #block.norm<kind = layer, eps = 0.001>} : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: return %[[N0]], %[[N1]] : tensor<1x5x8xf32>, tensor<1x5x8xf32>
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %gain: tensor<8xf32> {block.param = "input_layernorm.weight"},
    %other_gain: tensor<8xf32> {block.param = "post_attention_layernorm.weight"}) -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>) {
  %s:2 = block.norm_stats %x centered : (tensor<1x5x8xf32>) -> (tensor<1x5x1xf32>, tensor<1x5x1xf32>)
  %n = block.normalize %x mean %s#0 moment %s#1 gamma %gain {form = #block.norm<kind = layer, eps = 1.0e-5>}
      : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %t:2 = block.norm_stats %x centered : (tensor<1x5x8xf32>) -> (tensor<1x5x1xf32>, tensor<1x5x1xf32>)
  %m = block.normalize %x mean %t#0 moment %t#1 gamma %other_gain {form = #block.norm<kind = layer, eps = 1.0e-3>}
      : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  return %n, %m : tensor<1x5x8xf32>, tensor<1x5x8xf32>
}
