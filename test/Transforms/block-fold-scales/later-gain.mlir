// A gain that is made behind the projection, as other tools place it.
// RUN: block-opt %s --block-fold-scales | FileCheck %s
// RUN: block-opt %s --block-fold-scales -o %t.mlir && block-run %t.mlir --engine=reference --seed=3 --baseline=%s

// CHECK: %[[GAIN:.*]] = tensor.collapse_shape %arg2
// CHECK: %[[WEIGHT:.*]] = block.fold_scale %arg1 by %[[GAIN]]
// CHECK: block.linear %arg0, %[[WEIGHT]]
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "w"},
    %g: tensor<1x8xf32> {block.param = "g"}) -> (tensor<1x5x8xf32> {block.output = "y"}) {
  %p = block.linear %x, %w : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %gain = tensor.collapse_shape %g [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %s = block.scale %p by %gain : (tensor<1x5x8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  %y = block.residual %x, %s : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %y : tensor<1x5x8xf32>
}
