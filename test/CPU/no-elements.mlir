// What has no rows or no columns is computed by a launch of nothing.
// RUN: rm -rf %t && split-file %s %t
// RUN: block-run %t/width.mlir --engine=cpu --seed=2 --check-against=reference | FileCheck %s --check-prefix=WIDTH
// RUN: block-run %t/rows.mlir --engine=cpu --seed=2 --check-against=reference | FileCheck %s --check-prefix=ROWS
// WIDTH: PASS out0 f32 [1, 2, 0]
// ROWS: PASS out0 f32 [1, 0, 8]

//--- width.mlir
func.func @main(%x: tensor<1x2x0xf32>) -> tensor<1x2x0xf32> {
  %0 = block.activation %x {kind = #block.activation<relu>} : tensor<1x2x0xf32>
  return %0 : tensor<1x2x0xf32>
}

//--- rows.mlir
func.func @main(%x: tensor<1x0x8xf32>, %w: tensor<8x8xf32> {block.param = "w"}) -> tensor<1x0x8xf32> {
  %0 = block.linear %x, %w : (tensor<1x0x8xf32>, tensor<8x8xf32>) -> tensor<1x0x8xf32>
  return %0 : tensor<1x0x8xf32>
}
