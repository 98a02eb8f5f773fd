// Statistics that a launch makes in parts, and that something reads which is in no launch:
// what no kernel takes, and whoever calls. Beside them, norms that share them.
// RUN: block-opt %s --block-optimize | FileCheck %s
// RUN: block-run %s --engine=cpu --seed=2 --check-against=reference | FileCheck %s --check-prefix=PASSES

// CHECK: %[[LAYER:.*]]:2 = block.layer
// CHECK: %[[SIZE:.*]] = block.kernel "rows" ({{.*}} = %[[LAYER]]#1
// CHECK-NEXT: block.merge_stats
// CHECK: math.absf %[[SIZE]]
// PASSES: PASS first
// PASSES: PASS second
// PASSES: PASS variance
// PASSES: PASS size
// PASSES-NOT: FAIL
func.func @main(
    %x: tensor<1x3x200xf32> {block.input = "x"},
    %g: tensor<200xf32> {block.param = "g"}) -> (
      tensor<1x3x200xf32> {block.output = "first"}, tensor<1x3x200xf32> {block.output = "second"},
      tensor<1x3x1xf32> {block.output = "variance"}, tensor<1x3x1xf32> {block.output = "size"}) {
  // No step: the row is made outside of kernels.
  %l = math.absf %x : tensor<1x3x200xf32>
  %m:2 = block.norm_stats %l centered : (tensor<1x3x200xf32>) -> (tensor<1x3x1xf32>, tensor<1x3x1xf32>)
  %n = block.normalize %l mean %m#0 moment %m#1 gamma %g {form = #block.norm<kind = layer, eps = 1.0e-5>}
      : (tensor<1x3x200xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<200xf32>) -> tensor<1x3x200xf32>
  %y = block.layer "h.0" at 0 -> tensor<1x3x200xf32> {
    %o = block.normalize %l mean %m#0 moment %m#1 {form = #block.norm<kind = layer, eps = 1.0e-3>}
        : (tensor<1x3x200xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x200xf32>
    %r = block.residual %l, %o : (tensor<1x3x200xf32>, tensor<1x3x200xf32>) -> tensor<1x3x200xf32>
    block.yield %r : tensor<1x3x200xf32>
  }
  %s = block.norm_stats %y : (tensor<1x3x200xf32>) -> tensor<1x3x1xf32>
  %t = math.absf %s : tensor<1x3x1xf32>
  return %n, %y, %m#1, %t : tensor<1x3x200xf32>, tensor<1x3x200xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}
