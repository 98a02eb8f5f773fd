// A LayerScale on one branch and a factor on the other, for the documentation of the pass.
// RUN: block-opt %s --block-fold-scales | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %arg6: tensor<8xf32> {block.param = "layer_scale"}) -> tensor<1x5x8xf32> {
// CHECK-NEXT: %[[FOLD_SCALE0:.*]] = block.fold_scale %arg3 {factor = 0.5} : tensor<8x8xf32>{{$}}
// CHECK-NEXT: %[[Y0:.*]] = block.linear %arg1, %[[FOLD_SCALE0]] : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[FOLD_SCALE1:.*]] = block.fold_scale %arg4 by %arg6 : tensor<8x16xf32>{{$}}
// CHECK-NEXT: %[[FOLD_SCALE2:.*]] = block.fold_scale %arg5 by %arg6 : tensor<8xf32>{{$}}
// CHECK-NEXT: %[[Y1:.*]] = block.linear %arg2, %[[FOLD_SCALE1]] bias %[[FOLD_SCALE2]] : tensor<1x5x16xf32> -> tensor<1x5x8xf32>
// CHECK-NEXT: %[[RESIDUAL:.*]] = block.residual %arg0, %[[Y0]], %[[Y1]] : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: return %[[RESIDUAL]] : tensor<1x5x8xf32>
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %u: tensor<1x5x8xf32> {block.input = "attended"},
    %h: tensor<1x5x16xf32> {block.input = "hidden"},
    %o: tensor<8x8xf32> {block.param = "o.weight"},
    %down: tensor<8x16xf32> {block.param = "down.weight"},
    %down_bias: tensor<8xf32> {block.param = "down.bias"},
    %lambda: tensor<8xf32> {block.param = "layer_scale"}) -> tensor<1x5x8xf32> {
  %a = block.linear %u, %o : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %f = block.linear %h, %down bias %down_bias : (tensor<1x5x16xf32>, tensor<8x16xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %g = block.scale %f by %lambda : (tensor<1x5x8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %y = block.residual %x, %a, %g {branch_scales = [0.5, 1.0]}
      : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %y : tensor<1x5x8xf32>
}
