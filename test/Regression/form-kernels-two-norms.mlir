// Two norms of what a layer gives read the same partial statistics: the layer gives
// them once, whatever it was before it gave them.
// RUN: block-opt %s --block-form-kernels | FileCheck %s

// CHECK: %[[FIRST:.*]]:3 = block.layer "a" at 0 -> tensor<1x2x8xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
// CHECK-NEXT: attributes
// CHECK: %[[SECOND:.*]] = block.layer "b" at 1 -> tensor<1x2x8xf32>
// CHECK: block.kernel "rows" ({{.*}} = %[[FIRST]]#0 : {{.*}} = %[[FIRST]]#1 : {{.*}} = %[[FIRST]]#2 :
// CHECK: block.kernel "rows" ({{.*}} = %[[FIRST]]#0 : {{.*}} = %[[FIRST]]#1 : {{.*}} = %[[FIRST]]#2 :
// CHECK: return %[[SECOND]]
func.func @main(%x: tensor<1x2x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x2x8xf32> {
  %a = block.layer "a" at 0 -> tensor<1x2x8xf32> {
    %y = block.linear %x, %w : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
    block.yield %y : tensor<1x2x8xf32>
  }
  %b = block.layer "b" at 1 -> tensor<1x2x8xf32> {
    %s:2 = block.norm_stats %a centered : (tensor<1x2x8xf32>) -> (tensor<1x2x1xf32>, tensor<1x2x1xf32>)
    %n = block.normalize %a mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : (tensor<1x2x8xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8xf32>
    %t:2 = block.norm_stats %a centered : (tensor<1x2x8xf32>) -> (tensor<1x2x1xf32>, tensor<1x2x1xf32>)
    %m = block.normalize %a mean %t#0 moment %t#1 {form = #block.norm<kind = layer, eps = 1.0e-02>} : (tensor<1x2x8xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8xf32>
    %p = block.linear %n, %w : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
    %q = block.linear %m, %w : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
    %r = block.residual %p, %q : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %r : tensor<1x2x8xf32>
  }
  return %b : tensor<1x2x8xf32>
}
