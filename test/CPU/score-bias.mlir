// A tensor that is added to the scores, with keys that it hides, and rotations by tables.
// RUN: block-run %s --engine=cpu --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=cpu --cpu=x86-64 --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --function=rotate --engine=cpu --dims=batch=2,tokens=37 --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --function=rotate --engine=cpu --dims=batch=2,tokens=37 --cpu=x86-64 --seed=3 --baseline=%s | FileCheck %s
// RUN: not block-run %s --function=unknown --dims=rows=2,tokens=3 --engine=cpu 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// CHECK: PASS out0
// CHECK: PASS out1
// UNKNOWN: no CPU code for tables of a rotation whose batch is open and may differ from that of its input

// Rows 0 to 2: one key of three, all keys hidden softly in unequal measure, no key at all.
func.func @main(%x: tensor<2x3x8xf32>, %y: tensor<2x40x8xf32>, %a: tensor<2x1x40x40xf32>) -> (tensor<2x3x8xf32>, tensor<2x40x8xf32>) {
  %b = arith.constant dense<[[[[0.0, 0xFF800000, -1.0e32], [-3.0e38, -2.0e38, -3.40282347E+38], [0xFF800000, 0xFF800000, 0xFF800000]]]]> : tensor<1x1x3x3xf32>
  %0 = block.sdpa %x, %x, %x score_bias %b {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<1x1x3x3xf32>) -> tensor<2x3x8xf32>
  %1 = block.sdpa %y, %y, %y score_bias %a {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<2x40x8xf32>, tensor<2x40x8xf32>, tensor<2x40x8xf32>, tensor<2x1x40x40xf32>) -> tensor<2x40x8xf32>
  return %0, %1 : tensor<2x3x8xf32>, tensor<2x40x8xf32>
}

func.func @rotate(
    %x: tensor<?x?x48xf32> {block.dims = ["batch", "tokens"]}, %w: tensor<48x48xf32> {block.param = "w"},
    %pairs: tensor<1x?x10xf32> {block.dims = ["tokens"]}, %elements: tensor<?x?x20xf32> {block.dims = ["batch", "tokens"]})
    -> (tensor<?x?x48xf32>, tensor<?x?x48xf32>) {
  %0 = block.linear %x, %w : (tensor<?x?x48xf32>, tensor<48x48xf32>) -> tensor<?x?x48xf32>
  %1 = block.rotate %0, %pairs, %elements {heads = 2 : i64, dim = 20 : i64, style = #block.rope_style<half>} : (tensor<?x?x48xf32>, tensor<1x?x10xf32>, tensor<?x?x20xf32>) -> tensor<?x?x48xf32>
  %2 = block.rotate %x, %elements, %pairs {heads = 2 : i64, dim = 20 : i64, style = #block.rope_style<interleaved>} : (tensor<?x?x48xf32>, tensor<?x?x20xf32>, tensor<1x?x10xf32>) -> tensor<?x?x48xf32>
  return %1, %2 : tensor<?x?x48xf32>, tensor<?x?x48xf32>
}

func.func @unknown(%x: tensor<2x?x48xf32> {block.dims = ["tokens"]}, %t: tensor<?x?x24xf32> {block.dims = ["rows", "tokens"]}) -> tensor<2x?x48xf32> {
  %0 = block.rotate %x, %t, %t {heads = 1 : i64, dim = 48 : i64, style = #block.rope_style<half>} : (tensor<2x?x48xf32>, tensor<?x?x24xf32>, tensor<?x?x24xf32>) -> tensor<2x?x48xf32>
  return %0 : tensor<2x?x48xf32>
}
