// Norms of every form, of rows and of groups, with gains of a group or of the row.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK: PASS g
// CHECK: PASS b
// CHECK: PASS hg
// CHECK: PASS hb
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"},
    %g: tensor<8xf32> {block.param = "g"},
    %b: tensor<8xf32> {block.param = "b"},
    %hg: tensor<4xf32> {block.param = "hg"},
    %hb: tensor<4xf32> {block.param = "hb"})
    -> (tensor<2x5x8xf32> {block.output = "n0"}, tensor<2x5x8xf32> {block.output = "h0"}, tensor<2x5x8xf32> {block.output = "w0"}, tensor<2x5x8xf32> {block.output = "p0"}, tensor<2x5x8xf32> {block.output = "n1"}, tensor<2x5x8xf32> {block.output = "h1"}, tensor<2x5x8xf32> {block.output = "w1"}, tensor<2x5x8xf32> {block.output = "p1"}, tensor<2x5x8xf32> {block.output = "n2"}, tensor<2x5x8xf32> {block.output = "h2"}, tensor<2x5x8xf32> {block.output = "w2"}, tensor<2x5x8xf32> {block.output = "p2"}, tensor<2x5x8xf32> {block.output = "n3"}, tensor<2x5x8xf32> {block.output = "h3"}, tensor<2x5x8xf32> {block.output = "w3"}, tensor<2x5x8xf32> {block.output = "p3"}, tensor<2x5x8xf32> {block.output = "n4"}, tensor<2x5x8xf32> {block.output = "h4"}, tensor<2x5x8xf32> {block.output = "w4"}, tensor<2x5x8xf32> {block.output = "p4"}, tensor<2x5x8xf32> {block.output = "n5"}, tensor<2x5x8xf32> {block.output = "h5"}, tensor<2x5x8xf32> {block.output = "w5"}, tensor<2x5x8xf32> {block.output = "p5"}, tensor<2x5x8xf32> {block.output = "n6"}, tensor<2x5x8xf32> {block.output = "h6"}, tensor<2x5x8xf32> {block.output = "w6"}, tensor<2x5x8xf32> {block.output = "p6"}) {
  %n0 = block.norm %x gamma %g beta %b {form = #block.norm<kind = layer, eps = 1.0e-02>} : tensor<2x5x8xf32>
  %h0 = block.norm %x gamma %hg beta %hb {form = #block.norm<kind = layer, eps = 1.0e-02>, groups = 2} : tensor<2x5x8xf32>
  %w0 = block.norm %x gamma %g {form = #block.norm<kind = layer, eps = 1.0e-02>, groups = 2} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %p0 = block.norm %x {form = #block.norm<kind = layer, eps = 1.0e-02>} : tensor<2x5x8xf32>
  %n1 = block.norm %x gamma %g beta %b {form = #block.norm<kind = rms, eps = 1.0e-02, gamma_form = one_plus>} : tensor<2x5x8xf32>
  %h1 = block.norm %x gamma %hg beta %hb {form = #block.norm<kind = rms, eps = 1.0e-02, gamma_form = one_plus>, groups = 2} : tensor<2x5x8xf32>
  %w1 = block.norm %x gamma %g {form = #block.norm<kind = rms, eps = 1.0e-02, gamma_form = one_plus>, groups = 2} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %p1 = block.norm %x {form = #block.norm<kind = rms, eps = 1.0e-02, gamma_form = one_plus>} : tensor<2x5x8xf32>
  %n2 = block.norm %x gamma %g beta %b {form = #block.norm<kind = rms, eps = 0.1, eps_form = outside_root, rounding = before_gain>} : tensor<2x5x8xf32>
  %h2 = block.norm %x gamma %hg beta %hb {form = #block.norm<kind = rms, eps = 0.1, eps_form = outside_root, rounding = before_gain>, groups = 2} : tensor<2x5x8xf32>
  %w2 = block.norm %x gamma %g {form = #block.norm<kind = rms, eps = 0.1, eps_form = outside_root, rounding = before_gain>, groups = 2} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %p2 = block.norm %x {form = #block.norm<kind = rms, eps = 0.1, eps_form = outside_root, rounding = before_gain>} : tensor<2x5x8xf32>
  %n3 = block.norm %x gamma %g beta %b {form = #block.norm<kind = l2, eps = 0.1, eps_form = clamp>} : tensor<2x5x8xf32>
  %h3 = block.norm %x gamma %hg beta %hb {form = #block.norm<kind = l2, eps = 0.1, eps_form = clamp>, groups = 2} : tensor<2x5x8xf32>
  %w3 = block.norm %x gamma %g {form = #block.norm<kind = l2, eps = 0.1, eps_form = clamp>, groups = 2} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %p3 = block.norm %x {form = #block.norm<kind = l2, eps = 0.1, eps_form = clamp>} : tensor<2x5x8xf32>
  %n4 = block.norm %x gamma %g beta %b {form = #block.norm<kind = rms, eps = 3.0, eps_form = clamp>} : tensor<2x5x8xf32>
  %h4 = block.norm %x gamma %hg beta %hb {form = #block.norm<kind = rms, eps = 3.0, eps_form = clamp>, groups = 2} : tensor<2x5x8xf32>
  %w4 = block.norm %x gamma %g {form = #block.norm<kind = rms, eps = 3.0, eps_form = clamp>, groups = 2} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %p4 = block.norm %x {form = #block.norm<kind = rms, eps = 3.0, eps_form = clamp>} : tensor<2x5x8xf32>
  %n5 = block.norm %x gamma %g beta %b {form = #block.norm<kind = layer, eps = 0.1, eps_form = outside_root>} : tensor<2x5x8xf32>
  %h5 = block.norm %x gamma %hg beta %hb {form = #block.norm<kind = layer, eps = 0.1, eps_form = outside_root>, groups = 2} : tensor<2x5x8xf32>
  %w5 = block.norm %x gamma %g {form = #block.norm<kind = layer, eps = 0.1, eps_form = outside_root>, groups = 2} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %p5 = block.norm %x {form = #block.norm<kind = layer, eps = 0.1, eps_form = outside_root>} : tensor<2x5x8xf32>
  %n6 = block.norm %x gamma %g beta %b {form = #block.norm<kind = l2, eps = 0.1>} : tensor<2x5x8xf32>
  %h6 = block.norm %x gamma %hg beta %hb {form = #block.norm<kind = l2, eps = 0.1>, groups = 2} : tensor<2x5x8xf32>
  %w6 = block.norm %x gamma %g {form = #block.norm<kind = l2, eps = 0.1>, groups = 2} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %p6 = block.norm %x {form = #block.norm<kind = l2, eps = 0.1>} : tensor<2x5x8xf32>
  return %n0, %h0, %w0, %p0, %n1, %h1, %w1, %p1, %n2, %h2, %w2, %p2, %n3, %h3, %w3, %p3, %n4, %h4, %w4, %p4, %n5, %h5, %w5, %p5, %n6, %h6, %w6, %p6 : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
