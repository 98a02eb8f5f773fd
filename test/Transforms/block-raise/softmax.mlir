// The softmax of linalg is exponentials divided by their sum, along any dimension: attention is recognised, and has a reason where it is not.
// RUN: rm -rf %t && split-file %s %t
// RUN: block-opt %t/attention.mlir --block-raise -o %t/raised.mlir
// RUN: FileCheck %s --check-prefix=RAISED < %t/raised.mlir
// RUN: block-run %t/raised.mlir --engine=reference --seed=1 --baseline=%t/attention.mlir | FileCheck %s --check-prefix=SAME
// RAISED-NOT: linalg.softmax
// RAISED: block.attention %arg0 q {{.*}} {heads = 2, scores = #block.scores<scale = 0.5, causal = true>}
// RUN: block-opt %t/turned.mlir --block-raise | FileCheck %s --check-prefix=TURNED
// TURNED-NOT: linalg.softmax
// TURNED: block.sdpa

// The evaluator runs it, and so do the engines, which decompose it.
// RUN: block-run %t/alone.mlir --engine=reference --seed=1 | FileCheck %s --check-prefix=ALONE
// RUN: block-run %t/alone.mlir --engine=cpu --seed=1 --baseline=%t/alone.mlir | FileCheck %s --check-prefix=SAME
// RUN: block-run %t/alone.mlir --engine=emulate --chip=sm_80 --seed=1 --baseline=%t/alone.mlir | FileCheck %s --check-prefix=SAME
// ALONE: out0 f32 [2, 3, 4]
// SAME: PASS

// What is made of the scores before it, no attention has.
// RUN: block-opt %t/unknown.mlir --block-raise --block-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: missed attention: unknown-scores: {{.*}} (

//--- attention.mlir
#q = affine_map<(b, h, q, k, d) -> (b, q, h, d)>
#k = affine_map<(b, h, q, k, d) -> (b, k, h, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#mask = affine_map<(b, h, q, k) -> (q, k)>
#all = affine_map<(b, h, q, k) -> (b, h, q, k)>
#p = affine_map<(b, q, h, d, k) -> (b, h, q, k)>
#v = affine_map<(b, q, h, d, k) -> (b, k, h, d)>
#y = affine_map<(b, q, h, d, k) -> (b, q, h, d)>
#x3 = affine_map<(b, t, c, d) -> (b, t, d)>
#w3 = affine_map<(b, t, c, d) -> (d, c)>
#y3 = affine_map<(b, t, c, d) -> (b, t, c)>
func.func private @project(%x: tensor<2x4x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#x3, #w3, #y3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<2x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}
func.func @main(%x: tensor<2x4x8xf32>, %wq: tensor<8x8xf32>, %wk: tensor<8x8xf32>, %wv: tensor<8x8xf32>, %wo: tensor<8x8xf32>) -> tensor<2x4x8xf32> {
  %q = call @project(%x, %wq) : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %k = call @project(%x, %wk) : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %v = call @project(%x, %wv) : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %qh = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [2, 4, 2, 4] : tensor<2x4x8xf32> into tensor<2x4x2x4xf32>
  %kh = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [2, 4, 2, 4] : tensor<2x4x8xf32> into tensor<2x4x2x4xf32>
  %vh = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [2, 4, 2, 4] : tensor<2x4x8xf32> into tensor<2x4x2x4xf32>
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x2x4x4xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%qh, %kh : tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) outs(%is : tensor<2x2x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x2x4x4xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x2x4x4xf32>) outs(%es : tensor<2x2x4x4xf32>) {
  ^bb0(%a: f32, %c: f32):
    %half = arith.constant 0.5 : f32
    %low = arith.constant 0xFF800000 : f32
    %row = linalg.index 2 : index
    %column = linalg.index 3 : index
    %seen = arith.cmpi sge, %row, %column : index
    %m = arith.mulf %a, %half : f32
    %n = arith.select %seen, %m, %low : f32
    linalg.yield %n : f32
  } -> tensor<2x2x4x4xf32>
  %p = linalg.softmax dimension(3) ins(%masked : tensor<2x2x4x4xf32>) outs(%es : tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %ey = tensor.empty() : tensor<2x4x2x4xf32>
  %iy = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x4x2x4xf32>) -> tensor<2x4x2x4xf32>
  %y = linalg.generic {indexing_maps = [#p, #v, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %vh : tensor<2x2x4x4xf32>, tensor<2x4x2x4xf32>) outs(%iy : tensor<2x4x2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x4x2x4xf32>
  %h = tensor.collapse_shape %y [[0], [1], [2, 3]] : tensor<2x4x2x4xf32> into tensor<2x4x8xf32>
  %o = call @project(%h, %wo) : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  return %o : tensor<2x4x8xf32>
}
//--- turned.mlir
// Scores with their queries last: the sum is over the second of three dimensions.
func.func @main(%q: tensor<2x4x8xf32> {block.input = "q"}, %k: tensor<2x4x8xf32> {block.input = "k"}, %v: tensor<2x4x8xf32> {block.input = "v"}) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x4x4xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, k, q, d) -> (b, k, d)>, affine_map<(b, k, q, d) -> (b, q, d)>, affine_map<(b, k, q, d) -> (b, k, q)>]
      ins(%k, %q : tensor<2x4x8xf32>, tensor<2x4x8xf32>) outs(%is : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<2x4x4xf32>) outs(%es : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %ey = tensor.empty() : tensor<2x4x8xf32>
  %iy = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %y = linalg.batch_matmul indexing_maps = [affine_map<(b, q, d, k) -> (b, k, q)>, affine_map<(b, q, d, k) -> (b, k, d)>, affine_map<(b, q, d, k) -> (b, q, d)>]
      ins(%p, %v : tensor<2x4x4xf32>, tensor<2x4x8xf32>) outs(%iy : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}
//--- unknown.mlir
func.func @main(%q: tensor<2x4x8xf32> {block.input = "q"}, %k: tensor<2x4x8xf32> {block.input = "k"}, %v: tensor<2x4x8xf32> {block.input = "v"}) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x4x4xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, q, k, d) -> (b, q, d)>, affine_map<(b, q, k, d) -> (b, k, d)>, affine_map<(b, q, k, d) -> (b, q, k)>]
      ins(%q, %k : tensor<2x4x8xf32>, tensor<2x4x8xf32>) outs(%is : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %t = math.sin %s : tensor<2x4x4xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<2x4x4xf32>) outs(%es : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %ey = tensor.empty() : tensor<2x4x8xf32>
  %iy = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<2x4x4xf32>, tensor<2x4x8xf32>) outs(%iy : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}
//--- alone.mlir
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %e = tensor.empty() : tensor<2x3x4xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
