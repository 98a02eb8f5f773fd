// A constant offset is where the table begins; the form's type and scale are the table's.
// RUN: block-opt %s --block-tabulate-rotations -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// CHECK-DAG: arith.constant dense<{{\[\[}}[-1.976560e+00], [-1.304690e+00]]]> : tensor<1x2x1xbf16>
// CHECK-DAG: arith.constant dense<{{\[\[}}[2.832030e-01], [-1.515630e+00]]]> : tensor<1x2x1xbf16>
// CHECK: block.rotate
// SAME: PASS a
func.func @main(%x: tensor<2x2x12xf32> {block.input = "x"}) -> (tensor<2x2x12xf32> {block.output = "a"}) {
  %c3 = arith.constant 3 : index
  %a = block.rope %x offset %c3 {form = #block.rope<style = half, dim = 2, table_scale = 2.0, table_type = bf16>, heads = 2 : i64} : (tensor<2x2x12xf32>, index) -> tensor<2x2x12xf32>
  return %a : tensor<2x2x12xf32>
}
