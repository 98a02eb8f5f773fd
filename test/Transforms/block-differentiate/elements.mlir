// Clamps, residuals, scales, dropout, biases and weights as start plus change.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK: PASS z
// CHECK: PASS gain
// CHECK: PASS one
// CHECK: PASS bias
// CHECK: PASS start
// CHECK: PASS change
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"},
    %z: tensor<2x5x8xf32> {block.input = "z"},
    %gain: tensor<8xf32> {block.param = "gain"},
    %seed: tensor<1xi64> {block.input = "dropout_seed"},
    %one: tensor<1xf32> {block.param = "one"},
    %bias: tensor<8xf32> {block.param = "bias"},
    %start: tensor<8x8xf32> {block.param = "start"},
    %change: tensor<8x8xf32> {block.param = "change"})
    -> (tensor<2x5x8xf32> {block.output = "c"}, tensor<2x5x8xf32> {block.output = "r"}, tensor<2x5x8xf32> {block.output = "s"}, tensor<2x5x8xf32> {block.output = "t"}, tensor<2x5x8xf32> {block.output = "u"}, tensor<2x5x8xf32> {block.output = "b"}, tensor<2x5x8xf32> {block.output = "l"}, tensor<2x5x8xf32> {block.output = "i"}, tensor<2x5x8xf32> {block.output = "d"}) {
  %c = block.clamp %x {limit = 0.7} : tensor<2x5x8xf32>
  %r = block.residual %x, %z, %c {input_scale = 0.5, branch_scales = [2.0, -3.0]} : tensor<2x5x8xf32>
  %s = block.scale %r by %gain {factor = 1.5} : tensor<2x5x8xf32>
  %t = block.scale %x by %one {factor = -2.0} : (tensor<2x5x8xf32>, tensor<1xf32>) -> tensor<2x5x8xf32>
  %u = block.scale %z {factor = 3.0} : tensor<2x5x8xf32>
  %b = block.add_bias %u, %bias : tensor<2x5x8xf32>
  %w = block.reparam %change from %start {residual = 0.25, skip = 0.5} : tensor<8x8xf32>
  %l = block.linear %x, %w : tensor<2x5x8xf32>
  %v = block.reparam %change : tensor<8x8xf32>
  %i = block.linear %z, %v bias %bias : tensor<2x5x8xf32>
  %d = block.dropout %x seed %seed {form = #block.dropout<rate = 0.4, site = 2>} : tensor<2x5x8xf32>
  return %c, %r, %s, %t, %u, %b, %l, %i, %d : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
