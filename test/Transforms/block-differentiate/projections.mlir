// Projections alone and merged, of one value and of several, and heads with scale and cap.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK: PASS z
// CHECK: PASS a
// CHECK: PASS b
// CHECK: PASS c
// CHECK: PASS v
// CHECK: PASS e
// CHECK: PASS f
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"},
    %z: tensor<2x5x6xf32> {block.input = "z"},
    %a: tensor<8x8xf32> {block.param = "a"},
    %b: tensor<8x8xf32> {block.param = "b"},
    %c: tensor<8x6xf32> {block.param = "c"},
    %v: tensor<8xf32> {block.param = "v"},
    %e: tensor<11x8xf32> {block.param = "e"},
    %f: tensor<11xf32> {block.param = "f"})
    -> (tensor<2x5x8xf32> {block.output = "l"}, tensor<2x5x8xf32> {block.output = "s"}, tensor<2x5x3xf32> {block.output = "m"}, tensor<2x5x11xf32> {block.output = "h"}, tensor<2x5x11xf32> {block.output = "k"}, tensor<2x5x11xf32> {block.output = "o"}) {
  %l = block.linear %x, %a bias %v : tensor<2x5x8xf32>
  %q = block.linear %x, %b : tensor<2x5x8xf32>
  %s = block.linear_sum(%x, %q, %z) weights(%a, %b, %c) bias %v : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>
  %m, %n, %rest = block.split %s : tensor<2x5x8xf32> -> (tensor<2x5x3xf32>, tensor<2x5x1xf32>, tensor<2x5x4xf32>)
  %h = block.head %s, %e bias %f {scale = 0.5, softcap = 2.0} : tensor<2x5x8xf32> -> tensor<2x5x11xf32>
  %k = block.head %l, %e {scale = 0.5} : tensor<2x5x8xf32> -> tensor<2x5x11xf32>
  %o = block.head %l, %e {softcap = 3.0} : tensor<2x5x8xf32> -> tensor<2x5x11xf32>
  return %l, %s, %m, %h, %k, %o : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x3xf32>, tensor<2x5x11xf32>, tensor<2x5x11xf32>, tensor<2x5x11xf32>
}
