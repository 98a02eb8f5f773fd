// Rotations by position and by tables go back through the transposed map.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x5x12xf32> {block.input = "x"})
    -> (tensor<2x5x12xf32> {block.output = "a"}, tensor<2x5x12xf32> {block.output = "b"}, tensor<2x5x12xf32> {block.output = "c"}, tensor<2x5x12xf32> {block.output = "d"}, tensor<2x5x12xf32> {block.output = "e"}) {
  %cos = arith.constant dense<[[[1.0, 0.9], [0.5, 0.8], [-0.4, 0.7], [-0.9, 0.2], [0.1, 0.3]]]> : tensor<1x5x2xf32>
  %sin = arith.constant dense<[[[0.0, 0.4], [0.8, 0.6], [0.9, 0.7], [0.1, 0.9], [0.2, -0.5]]]> : tensor<1x5x2xf32>
  %wide = arith.constant dense<[[[0.0, 0.4, 0.1, 0.2], [0.8, 0.6, 0.3, -0.1], [0.9, 0.7, 0.2, 0.5], [0.1, 0.9, -0.7, 0.6], [0.2, -0.5, 0.8, 0.3]]]> : tensor<1x5x4xf32>
  %a = block.rope %x {form = #block.rope<style = half, dim = 4, table_scale = 1.5>, heads = 2} : tensor<2x5x12xf32>
  %b = block.rope %x {form = #block.rope<style = interleaved, dim = 6>, heads = 2} : tensor<2x5x12xf32>
  %c = block.rotate %x, %cos, %sin {dim = 4, heads = 2, style = #block.rope_style<half>} : tensor<2x5x12xf32>, tensor<1x5x2xf32>
  %d = block.rotate %x, %wide, %wide {dim = 4, heads = 3, style = #block.rope_style<interleaved>} : tensor<2x5x12xf32>, tensor<1x5x4xf32>
  %e = block.rope inverse %x {form = #block.rope<style = half, dim = 4>, heads = 2} : tensor<2x5x12xf32>
  return %a, %b, %c, %d, %e : tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>
}
