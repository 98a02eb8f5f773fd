// Work keeps its location on its way.
// RUN: block-opt %s --block-prepack -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// CHECK: func.func @prepack(%arg0: tensor<4x4xf32> {block.param = "w"} loc("weight"),
// CHECK-NEXT: %arg1: tensor<4xf32> {block.param = "g"} loc("gain"))
// CHECK-NEXT: block.fold_scale {{.*}} loc("folding")
func.func @main(%x: tensor<1x2x4xf32> {block.input = "x"}, %w: tensor<4x4xf32> {block.param = "w"} loc("weight"),
                %g: tensor<4xf32> {block.param = "g"} loc("gain")) -> tensor<1x2x4xf32> {
  %s = block.fold_scale %w by %g : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32> loc("folding")
  %y = block.linear %x, %s : (tensor<1x2x4xf32>, tensor<4x4xf32>) -> tensor<1x2x4xf32>
  return %y : tensor<1x2x4xf32>
}
