// Three projections of one value by parts of one stored matrix, [in, out]: its gradient is one
// product in that layout, and the gradient of the value one linear_sum; nothing is transposed.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s --check-prefix=PASS

// CHECK-LABEL: func.func @main_step(
// CHECK: %arg2: tensor<2x3x8xf32> {block.input = "grad.q"}
// CHECK: %[[W:.*]] = block.weight_grad(%arg0) of(%arg2, %arg3, %arg4) :
// CHECK-DAG: %[[Q:.*]] = tensor.extract_slice %arg1[0, 0] [8, 8] [1, 1]
// CHECK-DAG: %[[K:.*]] = tensor.extract_slice %arg1[0, 8] [8, 8] [1, 1]
// CHECK-DAG: %[[V:.*]] = tensor.extract_slice %arg1[0, 16] [8, 8] [1, 1]
// CHECK-NOT: linalg.transpose
// CHECK: %[[X:.*]] = block.linear_sum(%arg4, %arg3, %arg2) weights(%[[V]], %[[K]], %[[Q]])
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[X]], %[[W]] :

// PASS: PASS x
// PASS-NEXT: PASS w
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<8x24xf32> {block.param = "w"})
    -> (tensor<2x3x8xf32> {block.output = "q"}, tensor<2x3x8xf32> {block.output = "k"}, tensor<2x3x8xf32> {block.output = "v"}) {
  %empty = tensor.empty() : tensor<24x8xf32>
  %turned = linalg.transpose ins(%w : tensor<8x24xf32>) outs(%empty : tensor<24x8xf32>) permutation = [1, 0]
  %wq = tensor.extract_slice %turned[0, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
  %wk = tensor.extract_slice %turned[8, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
  %wv = tensor.extract_slice %turned[16, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
  %q = block.linear %x, %wq : tensor<2x3x8xf32>
  %k = block.linear %x, %wk : tensor<2x3x8xf32>
  %v = block.linear %x, %wv : tensor<2x3x8xf32>
  return %q, %k, %v : tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>
}
