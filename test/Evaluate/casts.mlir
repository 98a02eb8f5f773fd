// What a number becomes as a whole number or a truth value: TOSA rounds to the nearest, of two to the even one; arith and StableHLO
// cut towards 0; a truth value is what differs from 0.
// RUN: block-run %s --engine=reference | FileCheck %s
// RUN: block-run %s --engine=cpu | FileCheck %s
// RUN: block-opt %s --block-raise | block-run - --engine=reference | FileCheck %s
// CHECK: out0 i32 [7]{{.*}} min 0 max 0
// CHECK: out1 i32 [7]{{.*}} min 0 max 0
// CHECK: out2 i32 [7]{{.*}} min 0 max 0
// CHECK: out3 i32 [7]{{.*}} min 0 max 0
// CHECK: out4 i32 [7]{{.*}} min 0 max 0
// CHECK: out5 i32 [7]{{.*}} min -4 max 4
func.func @main() -> (tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>) {
  %x = arith.constant dense<[0.25, -0.25, 0.0, 2.5, 3.5, -2.5, -3.75]> : tensor<7xf32>
  %even = arith.constant dense<[0, 0, 0, 2, 4, -2, -4]> : tensor<7xi32>
  %cut = arith.constant dense<[0, 0, 0, 2, 3, -2, -3]> : tensor<7xi32>
  %truth = arith.constant dense<[1, 1, 0, 1, 1, 1, 1]> : tensor<7xi32>
  %nearest = tosa.cast %x : (tensor<7xf32>) -> tensor<7xi32>
  %0 = arith.subi %nearest, %even : tensor<7xi32>
  %whole = arith.fptosi %x : tensor<7xf32> to tensor<7xi32>
  %1 = arith.subi %whole, %cut : tensor<7xi32>
  %converted = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xi32>
  %2 = arith.subi %converted, %cut : tensor<7xi32>
  %bits = tosa.cast %x : (tensor<7xf32>) -> tensor<7xi1>
  %wide = tosa.cast %bits : (tensor<7xi1>) -> tensor<7xi32>
  %3 = arith.subi %wide, %truth : tensor<7xi32>
  %flags = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xi1>
  %known = arith.extui %flags : tensor<7xi1> to tensor<7xi32>
  %4 = arith.subi %known, %truth : tensor<7xi32>
  return %0, %1, %2, %3, %4, %nearest : tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>
}
