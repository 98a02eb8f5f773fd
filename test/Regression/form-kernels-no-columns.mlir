// A projection without columns, for the cost model of a chip.
// RUN: block-opt %s --block-form-kernels="chip=sm_90a" | FileCheck %s

// CHECK-LABEL: func.func @no_columns(
// CHECK: block.kernel "linear"
func.func @no_columns(%x: tensor<2x5x16xf32>, %w: tensor<0x16xf32>) -> tensor<2x5x0xf32> {
  %0 = block.linear %x, %w : (tensor<2x5x16xf32>, tensor<0x16xf32>) -> tensor<2x5x0xf32>
  %1 = block.activation %0 {kind = #block.activation<silu>} : tensor<2x5x0xf32>
  return %1 : tensor<2x5x0xf32>
}
