// Loops report no faults: rows with one are NaN, on the reference engine and as device code, and others are not.
// Kernels do (test/CPU/expert-refusals.mlir).
// RUN: block-opt %s --block-expand-experts -o %t.mlir
// RUN: block-run %t.mlir --engine=reference | FileCheck %s
// RUN: block-run %t.mlir --engine=emulate --chip=sm_90a | FileCheck %s
// CHECK: y f32 [1, 4, 8]{{.*}}NaN or infinite 16
// CHECK: w f32 [1, 2, 2]{{.*}}NaN or infinite 2
func.func @main() -> (tensor<1x4x8xf32> {block.output = "y"}, tensor<1x2x2xf32> {block.output = "w"}) {
  %x = arith.constant dense<1.0> : tensor<1x4x8xf32>
  %i = arith.constant dense<[[[3, 4], [3, 4], [-1, 1], [0, 1]]]> : tensor<1x4x2xi64>
  %v = arith.constant dense<[[[1.0, 0.0], [1.0, 0.5], [0.0, 1.0], [1.0, 1.0]]]> : tensor<1x4x2xf32>
  %u = arith.constant dense<0.25> : tensor<4x12x8xf32>
  %d = arith.constant dense<0.25> : tensor<4x8x6xf32>
  %y = block.experts %x of %i by %v up %u down %d {form = #block.experts<activation = silu>} : tensor<1x4x8xf32>, tensor<1x4x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  %l = arith.constant dense<[[[1.0, 2.0, 0x7FC00000, 0.5], [1.0, 2.0, 3.0, 0.5]]]> : tensor<1x2x4xf32>
  %j, %w = block.route %l {form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<1x2x4xf32>) -> (tensor<1x2x2xi64>, tensor<1x2x2xf32>)
  return %y, %w : tensor<1x4x8xf32>, tensor<1x2x2xf32>
}
