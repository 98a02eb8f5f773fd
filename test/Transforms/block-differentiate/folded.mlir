// Norms behind their projections, of every form, with gains and biases folded into weights.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: FileCheck %s --check-prefix=OPS < %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// OPS-LABEL: func.func @main_step(
// OPS-DAG: block.row_dots
// OPS-DAG: block.deferred_norm_grad of
// OPS-DAG: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// OPS-DAG: %[[ROWS:.*]] = block.deferred_norm %arg0 mean %{{.*}} moment %{{.*}} sums %[[ONES]] {form =
// OPS-DAG: block.weight_grad(%{{.*}}) of(%[[ROWS]])
// OPS-DAG: block.matrix_dots
// OPS-DAG: block.matrix_dots rows
// OPS-DAG: block.outer_update of

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK: PASS w
// CHECK: PASS g
// CHECK: PASS e
// CHECK: PASS b
// CHECK: PASS s
// CHECK: PASS one
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"},
    %w: tensor<6x8xf32> {block.param = "w"},
    %g: tensor<8xf32> {block.param = "g"},
    %e: tensor<8xf32> {block.param = "e"},
    %b: tensor<6xf32> {block.param = "b"},
    %s: tensor<6xf32> {block.param = "s"},
    %one: tensor<1xf32> {block.param = "one"})
    -> (tensor<2x5x6xf32> {block.output = "y0"},
        tensor<2x5x6xf32> {block.output = "y1"},
        tensor<2x5x6xf32> {block.output = "y2"},
        tensor<2x5x6xf32> {block.output = "y3"},
        tensor<2x5x6xf32> {block.output = "y4"},
        tensor<2x5x6xf32> {block.output = "y5"},
        tensor<2x5x6xf32> {block.output = "y6"},
        tensor<2x5x6xf32> {block.output = "y7"},
        tensor<2x5x6xf32> {block.output = "z0"},
        tensor<2x5x6xf32> {block.output = "z1"},
        tensor<2x5x6xf32> {block.output = "z2"},
        tensor<2x5x6xf32> {block.output = "z3"}) {
  %m, %v = block.norm_stats %x centered : tensor<2x5x8xf32>
  %q = block.norm_stats %x : tensor<2x5x8xf32>
  %w0 = block.fold_gain %w, %g {form = #block.norm<kind = layer, eps = 1.0e-02>} : tensor<6x8xf32>
  %b0 = block.fold_bias %w beta %e bias %b : tensor<6x8xf32>
  %p0 = block.linear %x, %w0 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %c0 = block.weight_sums %w0 : tensor<6x8xf32>
  %y0 = block.deferred_norm %p0 mean %m moment %v sums %c0 bias %b0 {form = #block.norm<kind = layer, eps = 1.0e-02>, width = 8} : tensor<2x5x6xf32>
  %w1 = block.fold_gain %w, %g {form = #block.norm<kind = layer, eps = 0.1, eps_form = outside_root, gamma_form = one_plus>} : tensor<6x8xf32>
  %b1 = block.fold_bias %w beta %e bias %b : tensor<6x8xf32>
  %p1 = block.linear %x, %w1 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %c1 = block.weight_sums %w1 : tensor<6x8xf32>
  %y1 = block.deferred_norm %p1 mean %m moment %v sums %c1 bias %b1 {form = #block.norm<kind = layer, eps = 0.1, eps_form = outside_root, gamma_form = one_plus>, width = 8} : tensor<2x5x6xf32>
  %w2 = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 1.0e-02, gamma_form = one_plus>} : tensor<6x8xf32>
  %b2 = block.fold_bias %w beta %e bias %b : tensor<6x8xf32>
  %p2 = block.linear %x, %w2 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %y2 = block.deferred_norm %p2 moment %q bias %b2 {form = #block.norm<kind = rms, eps = 1.0e-02, gamma_form = one_plus>, width = 8} : tensor<2x5x6xf32>
  %w3 = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 0.1, eps_form = outside_root>} : tensor<6x8xf32>
  %b3 = block.fold_bias %w beta %e bias %b : tensor<6x8xf32>
  %p3 = block.linear %x, %w3 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %y3 = block.deferred_norm %p3 moment %q {form = #block.norm<kind = rms, eps = 0.1, eps_form = outside_root>, width = 8} : tensor<2x5x6xf32>
  %w4 = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 3.0, eps_form = clamp>} : tensor<6x8xf32>
  %b4 = block.fold_bias %w beta %e bias %b : tensor<6x8xf32>
  %p4 = block.linear %x, %w4 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %y4 = block.deferred_norm %p4 moment %q bias %b4 {form = #block.norm<kind = rms, eps = 3.0, eps_form = clamp>, width = 8} : tensor<2x5x6xf32>
  %w5 = block.fold_gain %w, %g {form = #block.norm<kind = l2, eps = 0.1, eps_form = clamp>} : tensor<6x8xf32>
  %b5 = block.fold_bias %w beta %e bias %b : tensor<6x8xf32>
  %p5 = block.linear %x, %w5 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %y5 = block.deferred_norm %p5 moment %q {form = #block.norm<kind = l2, eps = 0.1, eps_form = clamp>, width = 8} : tensor<2x5x6xf32>
  %w6 = block.fold_gain %w, %g {form = #block.norm<kind = l2, eps = 0.1>} : tensor<6x8xf32>
  %b6 = block.fold_bias %w beta %e bias %b : tensor<6x8xf32>
  %p6 = block.linear %x, %w6 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %y6 = block.deferred_norm %p6 moment %q bias %b6 {form = #block.norm<kind = l2, eps = 0.1>, width = 8} : tensor<2x5x6xf32>
  %p7 = block.linear %x, %w0 bias %b : (tensor<2x5x8xf32>, tensor<6x8xf32>, tensor<6xf32>) -> tensor<2x5x6xf32>
  %y7 = block.deferred_norm %p7 mean %m moment %v sums %c0 bias %b0 centrable {form = #block.norm<kind = layer, eps = 1.0e-02>, width = 8} : tensor<2x5x6xf32>
  %f0 = block.fold_scale %w by %s {factor = 0.5} : tensor<6x8xf32>
  %f1 = block.fold_scale %w by %one : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  %f2 = block.fold_scale %b by %s {factor = 0.5} : tensor<6xf32>
  %f3 = block.fold_scale %b by %one : (tensor<6xf32>, tensor<1xf32>) -> tensor<6xf32>
  %f4 = block.fold_scale %b {factor = -2.0} : tensor<6xf32>
  %sum = block.bias_sum %f3, %f4, %b : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %plain = block.fold_bias %w bias %b : tensor<6x8xf32>
  %z0 = block.linear %x, %f0 bias %f2 : (tensor<2x5x8xf32>, tensor<6x8xf32>, tensor<6xf32>) -> tensor<2x5x6xf32>
  %z1 = block.linear %x, %f1 bias %sum : (tensor<2x5x8xf32>, tensor<6x8xf32>, tensor<6xf32>) -> tensor<2x5x6xf32>
  %z2 = block.add_bias %z0, %plain : tensor<2x5x6xf32>
  %sums = block.weight_sums %w : tensor<6x8xf32>
  %z3 = block.add_bias %z1, %sums : tensor<2x5x6xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %z0, %z1, %z2, %z3 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
