// A LayerNorm and the two projections that read it, for the documentation of the pass.
// RUN: block-opt %s --block-fold-norm | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %arg5: tensor<16xbf16> {block.param = "up.bias"}) -> (tensor<1x5x8xbf16>, tensor<1x5x16xbf16>) {
// CHECK-NEXT: %[[STATS:.*]]:2 = block.norm_stats %arg0 centered : tensor<1x5x8xbf16>{{$}}
// CHECK-NEXT: %[[GAIN0:.*]] = block.fold_gain %arg3, %arg1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<8x8xbf16>{{$}}
// CHECK-NEXT: %[[SUMS0:.*]] = block.weight_sums %[[GAIN0]] : tensor<8x8xbf16>{{$}}
// CHECK-NEXT: %[[BIAS0:.*]] = block.fold_bias %arg3 beta %arg2 : tensor<8x8xbf16>{{$}}
// CHECK-NEXT: %[[Y0:.*]] = block.linear %arg0, %[[GAIN0]] : tensor<1x5x8xbf16> -> tensor<1x5x8xf32>
// CHECK-NEXT: %[[NORMED0:.*]] = block.deferred_norm %[[Y0]] mean %[[STATS]]#0 moment %[[STATS]]#1 sums %[[SUMS0]] bias %[[BIAS0]] centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 8} : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: -> tensor<1x5x8xbf16>
// CHECK-NEXT: %[[GAIN1:.*]] = block.fold_gain %arg4, %arg1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<16x8xbf16>{{$}}
// CHECK-NEXT: %[[SUMS1:.*]] = block.weight_sums %[[GAIN1]] : tensor<16x8xbf16>{{$}}
// CHECK-NEXT: %[[BIAS1:.*]] = block.fold_bias %arg4 beta %arg2 bias %arg5 : tensor<16x8xbf16>{{$}}
// CHECK-NEXT: %[[Y1:.*]] = block.linear %arg0, %[[GAIN1]] : tensor<1x5x8xbf16> -> tensor<1x5x16xf32>
// CHECK-NEXT: %[[NORMED1:.*]] = block.deferred_norm %[[Y1]] mean %[[STATS]]#0 moment %[[STATS]]#1 sums %[[SUMS1]] bias %[[BIAS1]] centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 8}{{$}}
// CHECK-NEXT: : tensor<1x5x16xf32> -> tensor<1x5x16xbf16>
// CHECK-NEXT: return %[[NORMED0]], %[[NORMED1]] : tensor<1x5x8xbf16>, tensor<1x5x16xbf16>
func.func @main(
    %x: tensor<1x5x8xbf16> {block.input = "hidden_states"},
    %gain: tensor<8xbf16> {block.param = "norm.weight"},
    %shift: tensor<8xbf16> {block.param = "norm.bias"},
    %q: tensor<8x8xbf16> {block.param = "q.weight"},
    %up: tensor<16x8xbf16> {block.param = "up.weight"},
    %up_bias: tensor<16xbf16> {block.param = "up.bias"}) -> (tensor<1x5x8xbf16>, tensor<1x5x16xbf16>) {
  %s:2 = block.norm_stats %x centered : (tensor<1x5x8xbf16>) -> (tensor<1x5x1xf32>, tensor<1x5x1xf32>)
  %n = block.normalize %x mean %s#0 moment %s#1 gamma %gain beta %shift {form = #block.norm<kind = layer, eps = 1.0e-5>}
      : (tensor<1x5x8xbf16>, tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<1x5x8xbf16>
  %y = block.linear %n, %q : (tensor<1x5x8xbf16>, tensor<8x8xbf16>) -> tensor<1x5x8xbf16>
  %z = block.linear %n, %up bias %up_bias : (tensor<1x5x8xbf16>, tensor<16x8xbf16>, tensor<16xbf16>) -> tensor<1x5x16xbf16>
  return %y, %z : tensor<1x5x8xbf16>, tensor<1x5x16xbf16>
}
