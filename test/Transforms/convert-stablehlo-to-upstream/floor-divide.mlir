// JAX's `x // 4` of integers: the quotient towards zero, less one where signs differ and something is left.
// -7, -4, -1, 0, 3 and 9 give -2, -1, -1, 0, 0 and 2, whose mean square is 10 / 6.
// RUN: block-opt %s --convert-stablehlo-to-upstream | FileCheck %s --check-prefix=OPS
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: block-run %t.mlir --engine=cpu --check-against=reference | FileCheck %s
// RUN: block-run %t.mlir --engine=emulate --chip=sm_90a --check-against=reference | FileCheck %s
// OPS: %[[LEAST:.*]] = arith.constant dense<-1> : tensor<6xi32>
// OPS: %[[BOUND:.*]] = arith.maxsi %{{.*}}, %[[LEAST]] : tensor<6xi32>
// OPS: arith.minsi %[[BOUND]], %{{.*}} : tensor<6xi32>
// CHECK: out0 i32 [6]  rms 1.29099  min -2  max 2
// CHECK: PASS out0
func.func @main(%zero: tensor<6xi32>) -> tensor<6xi32> {
  %numbers = stablehlo.constant dense<[-7, -4, -1, 0, 3, 9]> : tensor<6xi32>
  %none = stablehlo.constant dense<0> : tensor<6xi32>
  %nothing = stablehlo.multiply %zero, %none : tensor<6xi32>
  %x = stablehlo.add %numbers, %nothing : tensor<6xi32>
  %four = stablehlo.constant dense<4> : tensor<6xi32>
  %quotient = stablehlo.divide %x, %four : tensor<6xi32>
  %sign = stablehlo.sign %x : tensor<6xi32>
  %other = stablehlo.sign %four : tensor<6xi32>
  %differ = stablehlo.compare NE, %sign, %other, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %rest = stablehlo.remainder %x, %four : tensor<6xi32>
  %isLeft = stablehlo.compare NE, %rest, %none, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %isLess = stablehlo.and %differ, %isLeft : tensor<6xi1>
  %one = stablehlo.constant dense<1> : tensor<6xi32>
  %less = stablehlo.subtract %quotient, %one : tensor<6xi32>
  %r = stablehlo.select %isLess, %less, %quotient : tensor<6xi1>, tensor<6xi32>
  return %r : tensor<6xi32>
}
