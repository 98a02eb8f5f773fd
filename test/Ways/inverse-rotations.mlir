// Rotations back, by positions and by tables, are the transposed maps in every engine and
// form, also by tables with a column for each element.
// RUN: split-file --leading-lines %s %t
// RUN: block-run %t/main.mlir --engine=cpu --seed=3 --baseline=%t/main.mlir | FileCheck %s
// RUN: block-opt %t/main.mlir --block-optimize -o %t.k.mlir
// RUN: block-run %t.k.mlir --engine=cpu --seed=3 --baseline=%t/main.mlir | FileCheck %s
// RUN: block-opt %t/main.mlir --block-optimize=chip=sm_90a -o %t.g.mlir
// RUN: block-run %t.g.mlir --engine=emulate --seed=3 --baseline=%t/main.mlir | FileCheck %s
// RUN: block-opt %t/main.mlir --convert-block-to-tosa -o %t.tosa.mlir
// RUN: block-run %t.tosa.mlir --engine=reference --seed=3 --baseline=%t/main.mlir | FileCheck %s
// RUN: block-opt %t/main.mlir --convert-block-to-linalg -o %t.linalg.mlir
// RUN: block-run %t.linalg.mlir --engine=reference --seed=3 --baseline=%t/main.mlir | FileCheck %s
// RUN: block-run %t/wide.mlir --engine=cpu --seed=3 --baseline=%t/wide.mlir | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t/wide.mlir --block-optimize=chip=sm_90a -o %t.w.mlir
// RUN: block-run %t.w.mlir --engine=emulate --seed=3 --baseline=%t/wide.mlir | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t/wide.mlir --convert-block-to-linalg -o %t.wide.mlir
// RUN: block-run %t.wide.mlir --engine=reference --seed=3 --baseline=%t/wide.mlir | FileCheck %s --check-prefix=SAME

// CHECK: PASS a
// CHECK-NEXT: PASS b
// CHECK-NEXT: PASS c
// SAME: PASS a
// SAME-NEXT: PASS b

//--- main.mlir
func.func @main(%x: tensor<2x5x12xf32> {block.input = "x"}, %cos: tensor<1x5x2xf32> {block.param = "cos"}, %sin: tensor<1x5x2xf32> {block.param = "sin"})
    -> (tensor<2x5x12xf32> {block.output = "a"}, tensor<2x5x12xf32> {block.output = "b"}, tensor<2x5x12xf32> {block.output = "c"}) {
  %a = block.rope inverse %x {form = #block.rope<style = half, dim = 4>, heads = 2} : tensor<2x5x12xf32>
  %b = block.rope inverse %x {form = #block.rope<style = interleaved, dim = 6, table_scale = 1.5>, heads = 2} : tensor<2x5x12xf32>
  %c = block.rotate inverse %x, %cos, %sin {dim = 4, heads = 3, style = #block.rope_style<interleaved>} : tensor<2x5x12xf32>, tensor<1x5x2xf32>
  return %a, %b, %c : tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>
}

//--- wide.mlir
func.func @main(%x: tensor<2x5x12xf32> {block.input = "x"}, %cos: tensor<1x5x4xf32> {block.param = "cos"}, %sin: tensor<1x5x4xf32> {block.param = "sin"})
    -> (tensor<2x5x12xf32> {block.output = "a"}, tensor<2x5x12xf32> {block.output = "b"}) {
  %a = block.rotate inverse %x, %cos, %sin {dim = 4, heads = 3, style = #block.rope_style<half>} : tensor<2x5x12xf32>, tensor<1x5x4xf32>
  %b = block.rotate inverse %x, %cos, %sin {dim = 4, heads = 2, style = #block.rope_style<interleaved>} : tensor<2x5x12xf32>, tensor<1x5x4xf32>
  return %a, %b : tensor<2x5x12xf32>, tensor<2x5x12xf32>
}
