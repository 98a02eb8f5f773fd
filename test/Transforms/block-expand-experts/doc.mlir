// RUN: block-opt %s --block-expand-experts | FileCheck %s
// A router and its experts become loops. Nothing is sorted: ranks are counted, and a slot reads the matrices of its expert.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: = block.
// CHECK: linalg.generic
// CHECK: return
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %l: tensor<1x5x4xf32> {block.input = "l"}, %u: tensor<4x12x8xf32> {block.param = "u"}, %d: tensor<4x8x6xf32> {block.param = "d"}) -> (tensor<1x5x8xf32> {block.output = "y"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<1x5x4xf32>) -> (tensor<1x5x2xi64>, tensor<1x5x2xf32>)
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<1x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  return %y : tensor<1x5x8xf32>
}
