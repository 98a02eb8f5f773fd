// RUN: block-opt %s --block-form-kernels=chip=sm_90a | FileCheck %s
// A cache that something else reads, and rows that no projection computes, stay outside kernels.

// CHECK-LABEL: func.func @joins
// CHECK: block.kernel "linear"
// CHECK: block.cache_append
// CHECK: block.yield
func.func @joins(%x: tensor<2x3x8xf32>, %w: tensor<8x8xf32> {block.param = "w"}, %cache: tensor<2x16x8xf32>,
                 %lengths: tensor<2xi64>) -> tensor<2x16x8xf32> {
  %0 = block.linear %x, %w : tensor<2x3x8xf32>
  %1 = block.cache_append %cache, %0 at %lengths : tensor<2x16x8xf32>, tensor<2x3x8xf32>
  return %1 : tensor<2x16x8xf32>
}

// CHECK-LABEL: func.func @is_read
// CHECK: block.kernel "linear"
// CHECK-NOT: block.cache_append
// CHECK: block.yield
// CHECK: block.cache_append
func.func @is_read(%x: tensor<2x3x8xf32>, %w: tensor<8x8xf32> {block.param = "w"}, %cache: tensor<2x16x8xf32>,
                   %lengths: tensor<2xi64>) -> (tensor<2x16x8xf32>, tensor<2x16x8xf32>) {
  %0 = block.linear %x, %w : tensor<2x3x8xf32>
  %1 = block.cache_append %cache, %0 at %lengths : tensor<2x16x8xf32>, tensor<2x3x8xf32>
  return %1, %cache : tensor<2x16x8xf32>, tensor<2x16x8xf32>
}

// CHECK-LABEL: func.func @are_given
// CHECK-NOT: block.kernel
// CHECK: block.cache_append
func.func @are_given(%x: tensor<2x3x8xf32>, %cache: tensor<2x16x8xf32>, %lengths: tensor<2xi64>) -> tensor<2x16x8xf32> {
  %1 = block.cache_append %cache, %x at %lengths : tensor<2x16x8xf32>, tensor<2x3x8xf32>
  return %1 : tensor<2x16x8xf32>
}

// Rows of the stream, which a norm computes.
// CHECK-LABEL: func.func @are_rows
// CHECK: block.kernel "rows"
// CHECK-NOT: block.cache_append
// CHECK: block.yield
// CHECK: block.cache_append
func.func @are_rows(%x: tensor<2x3x8xf32>, %cache: tensor<2x16x8xf32>, %lengths: tensor<2xi64>) -> tensor<2x16x8xf32> {
  %0 = block.activation %x {kind = #block.activation<relu>} : tensor<2x3x8xf32>
  %1 = block.cache_append %cache, %0 at %lengths : tensor<2x16x8xf32>, tensor<2x3x8xf32>
  return %1 : tensor<2x16x8xf32>
}
