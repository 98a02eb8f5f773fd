// Sums over the columns of rows, and what is made of them, on the CPU engine.
// RUN: block-run %s --engine=cpu --seed=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=cpu --threads=2 --seed=2 --baseline=%s | FileCheck %s

// CHECK: PASS columns
// CHECK: PASS row
// CHECK: PASS heads
// CHECK: PASS layer
// CHECK: PASS rms
// CHECK: PASS l2
// CHECK-NOT: FAIL
func.func @main(%z: tensor<2x9x8xf32> {block.input = "z"}, %x: tensor<2x9x8xf32> {block.input = "x"},
    %v: tensor<8xf32> {block.param = "v"}, %g: tensor<8xf32> {block.param = "g"})
    -> (tensor<8xf32> {block.output = "columns"}, tensor<2x9x1xf32> {block.output = "row"},
        tensor<2x9x2xf32> {block.output = "heads"}, tensor<2x9x8xf32> {block.output = "layer"},
        tensor<2x9x8xf32> {block.output = "rms"}, tensor<2x9x8xf32> {block.output = "l2"}) {
  %m, %s = block.norm_stats %x centered : tensor<2x9x8xf32>
  %q = block.norm_stats %x : tensor<2x9x8xf32>
  %columns = block.column_sums %z times %m : (tensor<2x9x8xf32>, tensor<2x9x1xf32>) -> tensor<8xf32>
  %sums = block.row_dots %z vector %v : tensor<2x9x8xf32>
  %row = block.row_dots %z times %x vector %v plus %sums : tensor<2x9x8xf32>
  %heads = block.row_dots %z times %x {groups = 2} : tensor<2x9x8xf32>
  %layer = block.deferred_norm_grad %z of %x mean %m moment %s sums %sums dots %row gamma %g {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x9x8xf32>
  %rms = block.deferred_norm_grad %z of %x moment %q dots %row gamma %g {form = #block.norm<kind = rms, eps = 0.1, eps_form = outside_root, gamma_form = one_plus>} : tensor<2x9x8xf32>
  %l2 = block.deferred_norm_grad of %x moment %q dots %row {form = #block.norm<kind = l2, eps = 0.1, eps_form = clamp>} : tensor<2x9x8xf32>
  return %columns, %row, %heads, %layer, %rms, %l2 : tensor<8xf32>, tensor<2x9x1xf32>, tensor<2x9x2xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32>
}
