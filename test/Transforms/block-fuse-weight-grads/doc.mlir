// Gradients by the weights of projections that read one value become one, and so do those
// of projections that are added: rows and columns of one product. The numbers stay.
// RUN: block-opt %s --block-fuse-weight-grads | FileCheck %s
// RUN: block-opt %s --block-fuse-weight-grads -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t.mlir --block-fuse-weight-grads --verify-rewrites | FileCheck %s

// CHECK: %[[IN:.*]] = block.weight_grad(%arg1, %arg2) of(%arg0) :
// CHECK-SAME: tensor<2x3x4xf32>, tensor<2x3x6xf32>, tensor<2x3x8xf32>
// CHECK-DAG: %[[UP:.*]] = tensor.extract_slice %[[IN]][0, 0] [4, 8] [1, 1]
// CHECK-DAG: %[[GATE:.*]] = tensor.extract_slice %[[IN]][4, 0] [6, 8] [1, 1]
// CHECK-DAG: %[[TWICE:.*]] = block.scale %arg1 {factor = 2.0}
// CHECK-DAG: %[[OUT:.*]] = block.weight_grad(%arg3) of(%arg2, %[[TWICE]])
// CHECK-DAG: %[[O:.*]] = tensor.extract_slice %[[OUT]][0, 0] [8, 6] [1, 1]
// CHECK-DAG: %[[DOWN:.*]] = tensor.extract_slice %[[OUT]][0, 6] [8, 4] [1, 1]
// CHECK: return %[[UP]], %[[GATE]], %[[O]], %[[DOWN]] :

// SAME-COUNT-4: PASS
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %dup: tensor<2x3x4xf32> {block.input = "dup"},
    %dgate: tensor<2x3x6xf32> {block.input = "dgate"}, %dy: tensor<2x3x8xf32> {block.input = "dy"})
    -> (tensor<4x8xf32> {block.output = "up"}, tensor<6x8xf32> {block.output = "gate"},
        tensor<8x6xf32> {block.output = "o"}, tensor<8x4xf32> {block.output = "down"}) {
  %up = block.weight_grad(%dup) of(%x) : tensor<2x3x4xf32>, tensor<2x3x8xf32>
  %o = block.weight_grad(%dy) of(%dgate) : tensor<2x3x8xf32>, tensor<2x3x6xf32>
  %twice = block.scale %dup {factor = 2.0} : tensor<2x3x4xf32>
  %gate = block.weight_grad(%dgate) of(%x) : tensor<2x3x6xf32>, tensor<2x3x8xf32>
  %down = block.weight_grad(%dy) of(%twice) : tensor<2x3x8xf32>, tensor<2x3x4xf32>
  return %up, %gate, %o, %down : tensor<4x8xf32>, tensor<6x8xf32>, tensor<8x6xf32>, tensor<8x4xf32>
}
