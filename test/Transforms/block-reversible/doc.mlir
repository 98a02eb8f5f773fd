// A layer of two streams: attention reads the second and is added to the first, the MLP reads the first and is added to
// the second. Both begin as the stream, and the function returns their mean.
// RUN: block-opt %s --block-reversible | FileCheck %s
// RUN: block-opt %s --block-reversible -o %t.mlir
// RUN: block-run %t.mlir --engine=cpu --seed=1 --check-against=reference

// CHECK-LABEL: func.func @main(
// CHECK: %[[IN:.*]] = block.stream_add %arg0 : tensor<1x8x8xf32> -> tensor<1x8x8xi32>
// CHECK: %[[LANES:.*]]:2 = block.layer "h.0" at 0 -> tensor<1x8x8xi32>, tensor<1x8x8xi32>
// CHECK: approx = #block.approx<pass = "block-reversible", parameters = "stream=fixed", measured = "unmeasured">
// CHECK: %[[SECOND:.*]] = block.stream_value %[[IN]]
// CHECK: %[[A:.*]] = block.attention %[[SECOND]]
// CHECK: %[[FIRST:.*]] = block.stream_add %[[A]] to %[[IN]]
// CHECK: %[[H:.*]] = block.stream_value %[[FIRST]]
// CHECK: %[[F:.*]] = block.mlp %[[H]]
// CHECK: %[[SCALED:.*]] = block.scale %[[F]] {factor = 0.5}
// CHECK: %[[LAST:.*]] = block.stream_add %[[SCALED]] to %[[IN]]
// CHECK: block.yield %[[FIRST]], %[[LAST]]
// CHECK: %[[ONE:.*]] = block.stream_value %[[LANES]]#0
// CHECK: %[[TWO:.*]] = block.stream_value %[[LANES]]#1
// CHECK: %[[MEAN:.*]] = block.residual %[[ONE]], %[[TWO]] {branch_scales = [0.5], input_scale = 0.5}
// CHECK: return %[[MEAN]]
func.func @main(%x: tensor<1x8x8xf32> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "w"},
                %u: tensor<16x8xf32> {block.param = "u"}, %d: tensor<8x16xf32> {block.param = "d"})
    -> (tensor<1x8x8xf32> {block.output = "y"}) {
  %y = block.layer "h.0" at 0 -> tensor<1x8x8xf32> {
    %a = block.attention %x q %w k %w v %w o %w {heads = 2, scores = #block.scores<scale = 0.5, causal = true>}
        : tensor<1x8x8xf32>, tensor<8x8xf32>
    %h = block.residual %x, %a : tensor<1x8x8xf32>
    %f = block.mlp %h up %u down %d {activation = #block.activation<silu>} : tensor<1x8x8xf32>, tensor<16x8xf32>
    %y = block.residual %h, %f {branch_scales = [0.5]} : tensor<1x8x8xf32>
    block.yield %y : tensor<1x8x8xf32>
  }
  return %y : tensor<1x8x8xf32>
}
