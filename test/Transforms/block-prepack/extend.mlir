// Work that comes up after the first time joins the @prepack that is there. Names keep
// their meaning: packed.w was the weight without its gain.
// RUN: block-opt %s --verify-rewrites --block-prepack --block-fold-norm --block-prepack -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run --engine=reference %t.mlir --seed=3 --baseline=%s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %arg1: tensor<4x8xf32> {block.param = "packed.w.1"}
// CHECK-NEXT: %arg2: tensor<4xf32> {block.param = "packed.w.sums"}
// CHECK-NEXT: %arg3: tensor<4xf32> {block.param = "packed.w.bias"}
// CHECK-NEXT: %arg4: tensor<4xf32> {block.param = "packed.shift"}
// CHECK-NOT: arg5
// CHECK-NOT: block.fold
// CHECK: func.func @prepack(
// CHECK-SAME: %arg0: tensor<8xf32> {block.param = "gamma"}
// CHECK-NEXT: %arg1: tensor<8xf32> {block.param = "beta"}
// CHECK-NEXT: %arg2: tensor<8x4xf32> {block.param = "w"}
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg2
// CHECK-NEXT: %[[G:.*]] = block.fold_gain %[[T]], %arg0
// CHECK-NEXT: %[[S:.*]] = block.weight_sums %[[G]]
// CHECK-NEXT: %[[B:.*]] = block.fold_bias %[[T]] beta %arg1
// CHECK-NEXT: return %[[G]], %[[S]], %[[B]], %arg3
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %gamma: tensor<8xf32> {block.param = "gamma"},
    %beta: tensor<8xf32> {block.param = "beta"},
    %w: tensor<8x4xf32> {block.param = "w"},
    %shift: tensor<4xf32> {block.param = "shift"}) -> tensor<1x5x4xf32> {
  %empty = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%empty : tensor<4x8xf32>) permutation = [1, 0]
  %m:2 = block.norm_stats %x centered : (tensor<1x5x8xf32>) -> (tensor<1x5x1xf32>, tensor<1x5x1xf32>)
  %n = block.normalize %x mean %m#0 moment %m#1 gamma %gamma beta %beta {form = #block.norm<kind = layer, eps = 1.0e-5>}
      : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %y = block.linear %n, %t : (tensor<1x5x8xf32>, tensor<4x8xf32>) -> tensor<1x5x4xf32>
  %z = block.add_bias %y, %shift : (tensor<1x5x4xf32>, tensor<4xf32>) -> tensor<1x5x4xf32>
  return %z : tensor<1x5x4xf32>
}
