// Two sums that begin with the same zeros, and a result that another one is made from, have places of their own.
// RUN: block-run %s --engine=cpu --seed=3 --check-against=reference | FileCheck %s

// CHECK: PASS a
// CHECK: PASS b
// CHECK: PASS c
// CHECK: PASS d
func.func @main(%y: tensor<2x5x8xf32> {block.input = "y"}, %z: tensor<2x5x8xf32> {block.input = "z"},
    %part: tensor<1x2x8xf32> {block.input = "part"})
    -> (tensor<1x5x8xf32> {block.output = "a"}, tensor<1x5x8xf32> {block.output = "b"},
        tensor<2x5x8xf32> {block.output = "c"}, tensor<1x5x8xf32> {block.output = "d"}) {
  %a = tosa.reduce_sum %y {axis = 0 : i32} : (tensor<2x5x8xf32>) -> tensor<1x5x8xf32>
  %b = tosa.reduce_sum %z {axis = 0 : i32} : (tensor<2x5x8xf32>) -> tensor<1x5x8xf32>
  %c = tosa.tanh %y : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %d = tensor.insert_slice %part into %a[0, 1, 0] [1, 2, 8] [1, 1, 1] : tensor<1x2x8xf32> into tensor<1x5x8xf32>
  return %a, %b, %c, %d : tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<2x5x8xf32>, tensor<1x5x8xf32>
}
