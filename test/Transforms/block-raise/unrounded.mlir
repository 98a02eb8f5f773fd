// The sum of a bf16 stream and an f32 branch is not rounded before it is read: the stream is widened first.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --exact-arithmetic --baseline=%s | FileCheck %s --check-prefix=SAME
// CHECK: %[[WIDE:.*]] = arith.extf %arg0 : tensor<2x3x4xbf16> to tensor<2x3x4xf32>
// CHECK: block.residual %[[WIDE]], %{{.*}} : tensor<2x3x4xf32>{{$}}
// CHECK: block.norm %{{.*}} : tensor<2x3x4xf32>{{$}}
// SAME: PASS out0
func.func @main(%x: tensor<2x3x4xbf16>, %w: tensor<4x4xf32>, %g: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.convert %x : (tensor<2x3x4xbf16>) -> tensor<2x3x4xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x4xf32>) -> tensor<2x3x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x3x4xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<2x3x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3xf32>
  %four = stablehlo.constant dense<4.0> : tensor<2x3xf32>
  %5 = stablehlo.divide %4, %four : tensor<2x3xf32>
  %eps = stablehlo.constant dense<1.0e-5> : tensor<2x3xf32>
  %6 = stablehlo.add %5, %eps : tensor<2x3xf32>
  %7 = stablehlo.rsqrt %6 : tensor<2x3xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x4xf32>
  %9 = stablehlo.multiply %2, %8 : tensor<2x3x4xf32>
  %10 = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<4xf32>) -> tensor<2x3x4xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<2x3x4xf32>
  return %11 : tensor<2x3x4xf32>
}
