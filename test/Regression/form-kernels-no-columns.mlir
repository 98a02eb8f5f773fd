// A projection without columns, for the cost model of a chip.
// RUN: block-opt %s --block-form-kernels="chip=sm_90a" | FileCheck %s

// CHECK-LABEL: func.func @no_columns(
// CHECK: block.kernel "linear"
func.func @no_columns(%x: tensor<2x5x16xf32>, %w: tensor<0x16xf32>) -> tensor<2x5x0xf32> {
  %0 = block.linear %x, %w : (tensor<2x5x16xf32>, tensor<0x16xf32>) -> tensor<2x5x0xf32>
  %1 = block.activation %0 {kind = #block.activation<silu>} : tensor<2x5x0xf32>
  return %1 : tensor<2x5x0xf32>
}

// Rows without columns have no partial statistics.
// RUN: block-opt %s --block-expand --block-form-kernels="chip=cpu" | FileCheck %s --check-prefix=ROWS

// ROWS-LABEL: func.func @no_columns_normed(
// ROWS-NOT: partial_stats
// ROWS: block.norm_stats
func.func @no_columns_normed(%x: tensor<2x5x16xf32>, %w: tensor<0x16xf32>, %g: tensor<0xf32>) -> tensor<2x5x0xf32> {
  %0 = block.linear %x, %w : (tensor<2x5x16xf32>, tensor<0x16xf32>) -> tensor<2x5x0xf32>
  %1 = block.norm %0 gamma %g {form = #block.norm<kind = layer, eps = 1.000000e-05>} : (tensor<2x5x0xf32>, tensor<0xf32>) -> tensor<2x5x0xf32>
  return %1 : tensor<2x5x0xf32>
}
