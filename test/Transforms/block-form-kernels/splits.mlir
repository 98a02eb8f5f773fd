// Kernels finish a product segment by segment: a split comes first, and what stood
// before it is repeated on the segments. Other splits stay out of products.
// RUN: block-opt %s --block-form-kernels | FileCheck %s
// RUN: block-opt %s --block-form-kernels -o %t.mlir
// RUN: block-run %t.mlir --function=sunk --engine=cpu --seed=3 --baseline=%s | FileCheck %s --check-prefix=NUMBERS
// RUN: block-run %t.mlir --function=kept --engine=cpu --seed=3 --baseline=%s | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: PASS

// CHECK-LABEL: func.func @sunk(
// CHECK: %[[SUMS0:.*]] = tensor.extract_slice %arg2[0] [8] [1] : tensor<24xf32> to tensor<8xf32>
// CHECK: %[[SUMS1:.*]] = tensor.extract_slice %arg2[8] [16] [1] : tensor<24xf32> to tensor<16xf32>
// CHECK: block.kernel "linear" ({{.*,$}}
// CHECK-NEXT: {{.*}}%[[SUMS0]] : {{.*}}%[[SUMS1]] : 
// CHECK: %[[PRODUCT:.*]] = block.linear
// CHECK-NEXT: %[[PARTS:.*]]:2 = block.split %[[PRODUCT]] : tensor<2x5x24xf32> -> (tensor<2x5x8xf32>, tensor<2x5x16xf32>)
// CHECK-NEXT: %[[A:.*]] = block.deferred_norm %[[PARTS]]#0
// CHECK-NEXT: %[[B:.*]] = block.deferred_norm %[[PARTS]]#1
// CHECK-NEXT: %[[C:.*]] = block.scale %[[A]] {factor = 0.5}
// CHECK-NEXT: %[[D:.*]] = block.scale %[[B]] {factor = 0.5}
// CHECK-NEXT: block.yield %[[C]], %[[D]]
func.func @sunk(%x: tensor<2x5x8xf32>, %w: tensor<24x8xf32> {block.param = "w"}, %sums: tensor<24xf32> {block.param = "sums"}) -> (tensor<2x5x8xf32>, tensor<2x5x16xf32>) {
  %s:2 = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<24x8xf32>) -> tensor<2x5x24xf32>
  %n = block.deferred_norm %a mean %s#0 moment %s#1 sums %sums {form = #block.norm<kind = layer, eps = 1.0e-5>, width = 8 : i64} : (tensor<2x5x24xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<24xf32>) -> tensor<2x5x24xf32>
  %c = block.scale %n {factor = 0.5 : f64} : (tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
  %p:2 = block.split %c : (tensor<2x5x24xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x16xf32>)
  return %p#0, %p#1 : tensor<2x5x8xf32>, tensor<2x5x16xf32>
}

// CHECK-LABEL: func.func @kept(
// CHECK: block.kernel "linear"
// CHECK-NEXT: block.linear
// CHECK-NEXT: %[[WHOLE:.*]] = block.activation
// CHECK-NEXT: block.yield %[[WHOLE]]
// CHECK: block.kernel "rows"
// CHECK-NEXT: block.split
func.func @kept(%x: tensor<2x5x8xf32>, %w: tensor<24x8xf32> {block.param = "w"}) -> (tensor<2x5x24xf32>, tensor<2x5x12xf32>) {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<24x8xf32>) -> tensor<2x5x24xf32>
  %r = block.activation %a {kind = #block.activation<relu>} : tensor<2x5x24xf32>
  %p:2 = block.split %r : (tensor<2x5x24xf32>) -> (tensor<2x5x12xf32>, tensor<2x5x12xf32>)
  %y = block.residual %p#0, %p#1 : (tensor<2x5x12xf32>, tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  return %r, %y : tensor<2x5x24xf32>, tensor<2x5x12xf32>
}
