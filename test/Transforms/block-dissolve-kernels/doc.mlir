// Two kernels of a norm, the partial statistics between them, and the steps that they
// held, for the documentation of the pass.
// RUN: block-opt %s --block-dissolve-kernels | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.kernel
// CHECK: %[[Y:.*]] = block.linear %arg0, %arg1 : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[S:.*]] = block.residual %arg0, %[[Y]] : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[STATS:.*]] = block.norm_stats %[[S]] : tensor<1x5x8xf32>{{$}}
// CHECK-NEXT: %[[P:.*]] = block.linear %[[S]], %arg2 : tensor<1x5x8xf32> -> tensor<1x5x16xf32>
// CHECK-NEXT: %[[N:.*]] = block.deferred_norm %[[P]] moment %[[STATS]] {form = #block.norm<kind = rms, eps = 1.0e-06>, width = 8} : tensor<1x5x16xf32>{{$}}
// CHECK-NEXT: return %[[N]]
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %o: tensor<8x8xf32> {block.param = "o.weight"},
    %up: tensor<16x8xf32> {block.param = "up.weight"}) -> tensor<1x5x16xf32> {
  %0:2 = block.kernel "linear" (%a = %x : tensor<1x5x8xf32>, %w = %o : tensor<8x8xf32>) -> (tensor<1x5x8xf32>, tensor<1x5x1xf32>) {
    %2 = block.linear %a, %w : tensor<1x5x8xf32>
    %3 = block.residual %a, %2 : tensor<1x5x8xf32>
    %4 = block.partial_stats %3 {tile = 8} : tensor<1x5x8xf32>
    block.yield %3, %4 : tensor<1x5x8xf32>, tensor<1x5x1xf32>
  }
  %1 = block.kernel "linear" (%a = %0#0 : tensor<1x5x8xf32>, %w = %up : tensor<16x8xf32>, %m = %0#1 : tensor<1x5x1xf32>) -> tensor<1x5x16xf32> {
    %2 = block.merge_stats moment %m {tile = 8, width = 8} : tensor<1x5x1xf32>
    %3 = block.linear %a, %w : tensor<1x5x8xf32> -> tensor<1x5x16xf32>
    %4 = block.deferred_norm %3 moment %2 {form = #block.norm<kind = rms, eps = 1.0e-06>, width = 8} : tensor<1x5x16xf32>
    block.yield %4 : tensor<1x5x16xf32>
  }
  return %1 : tensor<1x5x16xf32>
}
