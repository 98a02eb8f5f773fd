// Keys of one head that are repeated for two, and rotated behind that: the rotation is of the head itself.
// RUN: block-opt --unbroken-lines %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=5 --baseline=%s | FileCheck %s --check-prefix=SAME
// CHECK: block.attention %arg0 q %{{.*}} {heads = 2, kv_heads = 1, rope = #block.rope<style = half, dim = 4>
// SAME: PASS out0
func.func @main(%x: tensor<2x3x8xf32>, %wq: tensor<8x8xf32>, %wk: tensor<8x4xf32>, %wv: tensor<8x4xf32>, %wo: tensor<8x8xf32>) -> tensor<2x3x8xf32> {
  %cos = stablehlo.constant dense<[[1.0, 1.0, 1.0, 1.0], [0.540302306, 0.99995, 0.540302306, 0.99995], [-0.416146837, 0.99980001, -0.416146837, 0.99980001]]> : tensor<3x4xf32>
  %sin = stablehlo.constant dense<[[0.0, 0.0, 0.0, 0.0], [0.841470985, 0.00999983, 0.841470985, 0.00999983], [0.909297427, 0.01999867, 0.909297427, 0.01999867]]> : tensor<3x4xf32>
  %c = stablehlo.broadcast_in_dim %cos, dims = [1, 3] : (tensor<3x4xf32>) -> tensor<2x3x2x4xf32>
  %s = stablehlo.broadcast_in_dim %sin, dims = [1, 3] : (tensor<3x4xf32>) -> tensor<2x3x2x4xf32>
  %q = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<2x3x8xf32>, tensor<8x8xf32>) -> tensor<2x3x8xf32>
  %k = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
  %v = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
  %qh = stablehlo.reshape %q : (tensor<2x3x8xf32>) -> tensor<2x3x2x4xf32>
  %kh = stablehlo.broadcast_in_dim %k, dims = [0, 1, 3] : (tensor<2x3x4xf32>) -> tensor<2x3x2x4xf32>
  %vh = stablehlo.broadcast_in_dim %v, dims = [0, 1, 3] : (tensor<2x3x4xf32>) -> tensor<2x3x2x4xf32>
  %q0 = stablehlo.slice %qh [0:2, 0:3, 0:2, 0:2] : (tensor<2x3x2x4xf32>) -> tensor<2x3x2x2xf32>
  %q1 = stablehlo.slice %qh [0:2, 0:3, 0:2, 2:4] : (tensor<2x3x2x4xf32>) -> tensor<2x3x2x2xf32>
  %qn = stablehlo.negate %q1 : tensor<2x3x2x2xf32>
  %qt = stablehlo.concatenate %qn, %q0, dim = 3 : (tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> tensor<2x3x2x4xf32>
  %qc = stablehlo.multiply %qh, %c : tensor<2x3x2x4xf32>
  %qs = stablehlo.multiply %qt, %s : tensor<2x3x2x4xf32>
  %qr = stablehlo.add %qc, %qs : tensor<2x3x2x4xf32>
  %k0 = stablehlo.slice %kh [0:2, 0:3, 0:2, 0:2] : (tensor<2x3x2x4xf32>) -> tensor<2x3x2x2xf32>
  %k1 = stablehlo.slice %kh [0:2, 0:3, 0:2, 2:4] : (tensor<2x3x2x4xf32>) -> tensor<2x3x2x2xf32>
  %kn = stablehlo.negate %k1 : tensor<2x3x2x2xf32>
  %kt = stablehlo.concatenate %kn, %k0, dim = 3 : (tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> tensor<2x3x2x4xf32>
  %kc = stablehlo.multiply %kh, %c : tensor<2x3x2x4xf32>
  %ks = stablehlo.multiply %kt, %s : tensor<2x3x2x4xf32>
  %kr = stablehlo.add %kc, %ks : tensor<2x3x2x4xf32>
  %dots = stablehlo.dot_general %qr, %kr, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>) -> tensor<2x2x3x3xf32>
  %half = stablehlo.constant dense<5.0e-01> : tensor<2x2x3x3xf32>
  %scores = stablehlo.multiply %dots, %half : tensor<2x2x3x3xf32>
  %e = stablehlo.exponential %scores : tensor<2x2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x3x3xf32>, tensor<f32>) -> tensor<2x2x3xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x2x3xf32>) -> tensor<2x2x3x3xf32>
  %p = stablehlo.divide %e, %all : tensor<2x2x3x3xf32>
  %y = stablehlo.dot_general %p, %vh, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x2x3x3xf32>, tensor<2x3x2x4xf32>) -> tensor<2x2x3x4xf32>
  %t = stablehlo.transpose %y, dims = [0, 2, 1, 3] : (tensor<2x2x3x4xf32>) -> tensor<2x3x2x4xf32>
  %h = stablehlo.reshape %t : (tensor<2x3x2x4xf32>) -> tensor<2x3x8xf32>
  %o = stablehlo.dot_general %h, %wo, contracting_dims = [2] x [0] : (tensor<2x3x8xf32>, tensor<8x8xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}
