// What is within a kernel stays there, also where constants alone decide it.
// RUN: block-opt %s --block-prepack | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK: block.kernel "elements"
// CHECK-NEXT: arith.constant dense<[2.71828175, 7.3890562]>
// CHECK-NEXT: block.yield
func.func @main(%x: tensor<2xf32> {block.input = "x"}, %w: tensor<2xf32> {block.param = "w"}) -> (tensor<2xf32> {block.output = "y"}, tensor<2xf32> {block.output = "z"}) {
  %y = block.kernel "elements" (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %d = math.exp %c : tensor<2xf32>
    block.yield %d : tensor<2xf32>
  }
  %e = math.exp %w : tensor<2xf32>
  %z = block.kernel "elements" (%a = %x : tensor<2xf32>, %b = %e : tensor<2xf32>) -> tensor<2xf32> {
    %d = arith.addf %a, %b : tensor<2xf32>
    block.yield %d : tensor<2xf32>
  }
  return %y, %z : tensor<2xf32>, tensor<2xf32>
}
// CHECK-LABEL: func.func @prepack(
// CHECK-NOT: arith.constant
// CHECK: math.exp
