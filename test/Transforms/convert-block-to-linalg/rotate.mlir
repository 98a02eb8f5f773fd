// Rotations by given tables, back and forth: with a column for each element, the tables of both elements of a pair differ,
// and the inverse rotation has each sine in the other's row.
// RUN: block-opt %s --convert-block-to-linalg -o %t.linalg.mlir
// RUN: block-run %t.linalg.mlir --engine=reference --seed=7 --exact-arithmetic --baseline=%s | FileCheck %s
// RUN: block-opt %s --convert-block-to-tosa -o %t.tosa.mlir
// RUN: block-run %t.tosa.mlir --engine=reference --seed=7 --exact-arithmetic --baseline=%s | FileCheck %s
// CHECK: PASS half f32
// CHECK: PASS half_inverse f32
// CHECK: PASS pairs f32
// CHECK: PASS pairs_inverse f32
func.func @main(%x: tensor<2x5x16xf32> {block.input = "x"}, %c: tensor<1x5x6xf32> {block.input = "c"}, %s: tensor<1x5x6xf32> {block.input = "s"},
                %few: tensor<2x5x3xf32> {block.input = "few"})
    -> (tensor<2x5x16xf32> {block.output = "half"}, tensor<2x5x16xf32> {block.output = "half_inverse"},
        tensor<2x5x16xf32> {block.output = "pairs"}, tensor<2x5x16xf32> {block.output = "pairs_inverse"}) {
  %half = block.rotate %x, %c, %s {dim = 6 : i64, heads = 2 : i64, style = #block.rope_style<half>}
      : (tensor<2x5x16xf32>, tensor<1x5x6xf32>, tensor<1x5x6xf32>) -> tensor<2x5x16xf32>
  %half_inverse = block.rotate %x, %c, %s {dim = 6 : i64, heads = 2 : i64, inverse, style = #block.rope_style<half>}
      : (tensor<2x5x16xf32>, tensor<1x5x6xf32>, tensor<1x5x6xf32>) -> tensor<2x5x16xf32>
  %pairs = block.rotate %x, %c, %few {dim = 6 : i64, heads = 2 : i64, style = #block.rope_style<interleaved>}
      : (tensor<2x5x16xf32>, tensor<1x5x6xf32>, tensor<2x5x3xf32>) -> tensor<2x5x16xf32>
  %pairs_inverse = block.rotate %x, %few, %s {dim = 6 : i64, heads = 2 : i64, inverse, style = #block.rope_style<interleaved>}
      : (tensor<2x5x16xf32>, tensor<2x5x3xf32>, tensor<1x5x6xf32>) -> tensor<2x5x16xf32>
  return %half, %half_inverse, %pairs, %pairs_inverse : tensor<2x5x16xf32>, tensor<2x5x16xf32>, tensor<2x5x16xf32>, tensor<2x5x16xf32>
}
