// The end of a parallel block, for the documentation of the pass.
// RUN: block-opt %s --block-fuse-output-projections | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %arg6: tensor<8xbf16> {block.param = "down.bias"}) -> tensor<1x5x8xbf16> {
// CHECK-NEXT: %[[BIAS_SUM:.*]] = block.bias_sum %arg4, %arg6 : tensor<8xbf16>{{$}}
// CHECK-NEXT: %[[SUM:.*]] = block.linear_sum(%arg1, %arg2) weights(%arg3, %arg5) bias %[[BIAS_SUM]]
// CHECK-NEXT: : (tensor<1x5x8xbf16>, tensor<1x5x16xbf16>, tensor<8x8xbf16>, tensor<8x16xbf16>, tensor<8xf32>) -> tensor<1x5x8xf32>
// CHECK-NEXT: %[[RESIDUAL:.*]] = block.residual %arg0, %[[SUM]] : (tensor<1x5x8xbf16>, tensor<1x5x8xf32>) -> tensor<1x5x8xbf16>
// CHECK-NEXT: return %[[RESIDUAL]] : tensor<1x5x8xbf16>
func.func @main(
    %x: tensor<1x5x8xbf16> {block.input = "hidden_states"},
    %u: tensor<1x5x8xbf16> {block.input = "attended"},
    %h: tensor<1x5x16xbf16> {block.input = "hidden"},
    %o: tensor<8x8xbf16> {block.param = "o.weight"},
    %o_bias: tensor<8xbf16> {block.param = "o.bias"},
    %down: tensor<8x16xbf16> {block.param = "down.weight"},
    %down_bias: tensor<8xbf16> {block.param = "down.bias"}) -> tensor<1x5x8xbf16> {
  %a = block.linear %u, %o bias %o_bias : (tensor<1x5x8xbf16>, tensor<8x8xbf16>, tensor<8xbf16>) -> tensor<1x5x8xbf16>
  %f = block.linear %h, %down bias %down_bias : (tensor<1x5x16xbf16>, tensor<8x16xbf16>, tensor<8xbf16>) -> tensor<1x5x8xbf16>
  %y = block.residual %x, %a, %f : (tensor<1x5x8xbf16>, tensor<1x5x8xbf16>, tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16>
  return %y : tensor<1x5x8xbf16>
}
