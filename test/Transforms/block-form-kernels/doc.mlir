// A projection with its rotation, and one whose residual's statistics the next norm
// needs, for the documentation of the pass.
// RUN: block-opt %s --block-form-kernels | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %arg3: tensor<16x8xf32> {block.param = "up.weight"}) -> tensor<1x5x16xf32> {
// CHECK-NEXT: %[[Y0:.*]] = block.kernel "linear" (%arg4 = %arg0 : tensor<1x5x8xf32>, %arg5 = %arg1 : tensor<8x8xf32>) -> tensor<1x5x8xf32> {
// CHECK-NEXT: %[[Y1:.*]] = block.linear %arg4, %arg5 : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[ROPE:.*]] = block.rope %[[Y1]] {form = #block.rope<style = half, dim = 4>, heads = 2} : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: block.yield %[[ROPE]] : tensor<1x5x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SDPA0:.*]] = block.kernel "sdpa" (%arg4 = %[[Y0]] : tensor<1x5x8xf32>, %arg5 = %arg0 : tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
// CHECK-NEXT: %[[SDPA1:.*]] = block.sdpa %arg4, %arg4, %arg5 {heads = 2, scores = #block.scores<scale = 0.5>} : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: block.yield %[[SDPA1]] : tensor<1x5x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[Y2:.*]]:2 = block.kernel "linear" (%arg4 = %[[SDPA0]] : tensor<1x5x8xf32>, %arg5 = %arg2 : tensor<8x8xf32>, %arg6 = %arg0 : tensor<1x5x8xf32>)
// CHECK-NEXT: -> (tensor<1x5x8xf32>, tensor<1x5x1xf32>) {
// CHECK-NEXT: %[[Y3:.*]] = block.linear %arg4, %arg5 : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[RESIDUAL:.*]] = block.residual %arg6, %[[Y3]] : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[PARTIALS:.*]] = block.partial_stats %[[RESIDUAL]] {tile = 8} : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: block.yield %[[RESIDUAL]], %[[PARTIALS]] : tensor<1x5x8xf32>, tensor<1x5x1xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[Y4:.*]] = block.kernel "linear" (%arg4 = %[[Y2]]#0 : tensor<1x5x8xf32>, %arg5 = %arg3 : tensor<16x8xf32>, %arg6 = %[[Y2]]#1 : tensor<1x5x1xf32>) -> tensor<1x5x16xf32> {
// CHECK-NEXT: %[[MERGED:.*]] = block.merge_stats moment %arg6 {tile = 8, width = 8} : tensor<1x5x1xf32>{{$}}
// CHECK-NEXT: %[[Y5:.*]] = block.linear %arg4, %arg5 : tensor<1x5x8xf32> -> tensor<1x5x16xf32>
// CHECK-NEXT: %[[NORMED:.*]] = block.deferred_norm %[[Y5]] moment %[[MERGED]] {form = #block.norm<kind = rms, eps = 1.0e-06>, width = 8} : tensor<1x5x16xf32>{{$}}
// CHECK-NEXT: block.yield %[[NORMED]] : tensor<1x5x16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[Y4]] : tensor<1x5x16xf32>
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %q: tensor<8x8xf32> {block.param = "q.weight"},
    %o: tensor<8x8xf32> {block.param = "o.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight"}) -> tensor<1x5x16xf32> {
  %a = block.linear %x, %q : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %r = block.rope %a {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %u = block.sdpa %r, %r, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>}
      : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %b = block.linear %u, %o : (tensor<1x5x8xf32>, tensor<8x8xf32>) -> tensor<1x5x8xf32>
  %h = block.residual %x, %b : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %s = block.norm_stats %h : (tensor<1x5x8xf32>) -> tensor<1x5x1xf32>
  %c = block.linear %h, %up : (tensor<1x5x8xf32>, tensor<16x8xf32>) -> tensor<1x5x16xf32>
  %y = block.deferred_norm %c moment %s {form = #block.norm<kind = rms, eps = 1.0e-6>, width = 8 : i64}
      : (tensor<1x5x16xf32>, tensor<1x5x1xf32>) -> tensor<1x5x16xf32>
  return %y : tensor<1x5x16xf32>
}
