// A projection of some rows of a weight, for the documentation of the pass.
// RUN: block-opt %s --convert-block-to-tosa | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[PART:.*]] = tosa.slice %arg1, %{{.*}}, %{{.*}} : (tensor<96x16xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<32x16xf32>
// CHECK: %[[ROWS:.*]] = tosa.reshape %arg0
// CHECK: %[[T:.*]] = tosa.transpose %[[PART]] {perms = array<i32: 1, 0>} : (tensor<32x16xf32>) -> tensor<16x32xf32>
// CHECK-DAG: %[[W:.*]] = tosa.reshape %[[T]], %{{.*}} -> tensor<1x16x32xf32>
// CHECK-DAG: %[[A:.*]] = tosa.reshape %[[ROWS]], %{{.*}} -> tensor<1x16x16xf32>
// CHECK: %[[P:.*]] = tosa.matmul %[[A]], %[[W]]
// CHECK: %[[F:.*]] = tosa.reshape %[[P]], %{{.*}} -> tensor<16x32xf32>
// CHECK: %[[Y:.*]] = tosa.reshape %[[F]], %{{.*}} -> tensor<2x8x32xf32>
// CHECK: return %[[Y]]
func.func @main(
    %x: tensor<2x8x16xf32> {block.input = "hidden_states"},
    %w: tensor<96x16xf32> {block.param = "qkv.weight"}) -> tensor<2x8x32xf32> {
  %k = tensor.extract_slice %w[32, 0] [32, 16] [1, 1] : tensor<96x16xf32> to tensor<32x16xf32>
  %0 = block.linear %x, %k : (tensor<2x8x16xf32>, tensor<32x16xf32>) -> tensor<2x8x32xf32>
  return %0 : tensor<2x8x32xf32>
}
