// Rotations of known positions read their cosines and sines from constants, which all
// rotations of one form share; angles of positions that are known later are computed.
// RUN: block-opt %s --block-tabulate-rotations | FileCheck %s
// RUN: block-opt %s --block-tabulate-rotations -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --dims=t=5 --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t.mlir --block-prepack | FileCheck %s --check-prefix=PACKED

// CHECK-DAG: %[[SINES:.*]] = arith.constant dense<{{\[\[}}[0.000000e+00, 0.000000e+00], [0.841470957, 0.00999983306], [0.909297406, 0.0199986659]]]> : tensor<1x3x2xf32>
// CHECK-DAG: %[[COSINES:.*]] = arith.constant dense<{{\[\[}}[1.000000e+00, 1.000000e+00], [0.540302277, 0.999949991], [-0.416146845, 9.998000e-01]]]> : tensor<1x3x2xf32>
// CHECK: %[[A:.*]] = block.rotate %arg0, %[[COSINES]], %[[SINES]] {dim = 4, heads = 2, style = #block.rope_style<half>} :
// CHECK: block.rotate %[[A]], %[[COSINES]], %[[SINES]] {dim = 4, heads = 1, style = #block.rope_style<interleaved>} :
// CHECK: block.rope %arg1
// CHECK-NOT: = block.rope

// SAME: PASS a
// SAME: PASS b

// @prepack makes them of nothing, each once.
// PACKED: %[[C:.*]]: tensor<1x3x2xf32> {block.param = "packed.constant"},
// PACKED-NEXT: %[[S:.*]]: tensor<1x3x2xf32> {block.param = "packed.constant.1"})
// PACKED-NOT: arith.constant
// PACKED: block.rotate %arg0, %[[C]], %[[S]]
// PACKED: block.rotate %{{.*}}, %[[C]], %[[S]]
// PACKED: func.func @prepack()
// PACKED-COUNT-2: arith.constant dense
// PACKED-NOT: arith.constant
func.func @main(%x: tensor<2x3x12xbf16> {block.input = "x"}, %y: tensor<2x?x12xbf16> {block.input = "y", block.dims = ["t"]})
    -> (tensor<2x3x12xbf16> {block.output = "a"}, tensor<2x?x12xbf16> {block.output = "b"}) {
  %a = block.rope %x {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : tensor<2x3x12xbf16> -> tensor<2x3x12xbf16>
  %b = block.rope %a {form = #block.rope<style = interleaved, dim = 4>, heads = 1 : i64} : tensor<2x3x12xbf16> -> tensor<2x3x12xbf16>
  %c = block.rope %y {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : tensor<2x?x12xbf16> -> tensor<2x?x12xbf16>
  return %b, %c : tensor<2x3x12xbf16>, tensor<2x?x12xbf16>
}
