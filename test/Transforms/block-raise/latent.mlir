// Heads that are put together from parts: a part of each key is one for all
// heads, queries are rotated in their last elements, values are columns of a
// projection that has keys as well.
// RUN: block-opt %s --block-raise | FileCheck %s
// RUN: block-opt %s --block-raise -o %t.mlir && block-run %t.mlir --engine=reference --seed=7 --baseline=%s | FileCheck %s --check-prefix=NUMBERS
// RUN: block-run %t.mlir --engine=cpu --cpu=x86-64 --seed=7 --baseline=%s | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: PASS out0

// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]] = block.linear %arg0, {{.*}} -> tensor<2x4x12xf32>
// CHECK: %[[TURNED:.*]] = block.rotate %[[Q]]{{.*}}dim = 2{{.*}}heads = 2
// CHECK: %[[SHARED:.*]] = block.linear %arg0, {{.*}} -> tensor<2x4x2xf32>
// CHECK: %[[OWN:.*]] = block.rotate %[[SHARED]]{{.*}}heads = 1
// CHECK: %[[FIRST:.*]] = block.linear %[[OWN]], {{.*}} -> tensor<2x4x12xf32>
// CHECK: %[[LATENT:.*]] = block.linear %arg0, {{.*}} -> tensor<2x4x3xf32>
// CHECK: %[[SECOND:.*]] = block.linear %[[LATENT]], {{.*}} -> tensor<2x4x12xf32>
// CHECK: %[[K:.*]] = block.residual %[[FIRST]], %[[SECOND]]
// CHECK: %[[V:.*]] = block.linear %[[LATENT]], {{.*}} -> tensor<2x4x10xf32>
// CHECK: block.sdpa %[[TURNED]], %[[K]], %[[V]]
func.func @main(%x: tensor<2x4x8xf32> {block.input = "hidden_states"}, %wq: tensor<12x8xf32> {block.param = "wq"}, %wa: tensor<5x8xf32> {block.param = "wa"}, %wb: tensor<18x3xf32> {block.param = "wb"}, %wo: tensor<8x10xf32> {block.param = "wo"}, %cos: tensor<4x1xf32> {block.param = "cos"}, %sin: tensor<4x1xf32> {block.param = "sin"}) -> tensor<2x4x8xf32> {
  // Two heads of 4 elements and 2 that are rotated.
  %q = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [1] : (tensor<2x4x8xf32>, tensor<12x8xf32>) -> tensor<2x4x12xf32>
  %qh = stablehlo.reshape %q : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
  %qn = stablehlo.slice %qh [0:2, 0:4, 0:2, 0:4] : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x4xf32>
  %q1 = stablehlo.slice %qh [0:2, 0:4, 0:2, 4:5] : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x1xf32>
  %q2 = stablehlo.slice %qh [0:2, 0:4, 0:2, 5:6] : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x1xf32>
  %qc = stablehlo.broadcast_in_dim %cos, dims = [1, 3] : (tensor<4x1xf32>) -> tensor<2x4x2x1xf32>
  %qs = stablehlo.broadcast_in_dim %sin, dims = [1, 3] : (tensor<4x1xf32>) -> tensor<2x4x2x1xf32>
  %q1c = stablehlo.multiply %q1, %qc : tensor<2x4x2x1xf32>
  %q2s = stablehlo.multiply %q2, %qs : tensor<2x4x2x1xf32>
  %q2c = stablehlo.multiply %q2, %qc : tensor<2x4x2x1xf32>
  %q1s = stablehlo.multiply %q1, %qs : tensor<2x4x2x1xf32>
  %qa = stablehlo.subtract %q1c, %q2s : tensor<2x4x2x1xf32>
  %qb = stablehlo.add %q2c, %q1s : tensor<2x4x2x1xf32>
  %queries = stablehlo.concatenate %qn, %qa, %qb, dim = 3 : (tensor<2x4x2x4xf32>, tensor<2x4x2x1xf32>, tensor<2x4x2x1xf32>) -> tensor<2x4x2x6xf32>
  // Three elements that keys and values are made of, and two that are rotated.
  %a = stablehlo.dot_general %x, %wa, contracting_dims = [2] x [1] : (tensor<2x4x8xf32>, tensor<5x8xf32>) -> tensor<2x4x5xf32>
  %latent = stablehlo.slice %a [0:2, 0:4, 0:3] : (tensor<2x4x5xf32>) -> tensor<2x4x3xf32>
  %k1 = stablehlo.slice %a [0:2, 0:4, 3:4] : (tensor<2x4x5xf32>) -> tensor<2x4x1xf32>
  %k2 = stablehlo.slice %a [0:2, 0:4, 4:5] : (tensor<2x4x5xf32>) -> tensor<2x4x1xf32>
  %kc = stablehlo.broadcast_in_dim %cos, dims = [1, 2] : (tensor<4x1xf32>) -> tensor<2x4x1xf32>
  %ks = stablehlo.broadcast_in_dim %sin, dims = [1, 2] : (tensor<4x1xf32>) -> tensor<2x4x1xf32>
  %k1c = stablehlo.multiply %k1, %kc : tensor<2x4x1xf32>
  %k2s = stablehlo.multiply %k2, %ks : tensor<2x4x1xf32>
  %k2c = stablehlo.multiply %k2, %kc : tensor<2x4x1xf32>
  %k1s = stablehlo.multiply %k1, %ks : tensor<2x4x1xf32>
  %ka = stablehlo.subtract %k1c, %k2s : tensor<2x4x1xf32>
  %kb = stablehlo.add %k2c, %k1s : tensor<2x4x1xf32>
  %kr = stablehlo.concatenate %ka, %kb, dim = 2 : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x2xf32>
  %shared = stablehlo.broadcast_in_dim %kr, dims = [0, 1, 3] : (tensor<2x4x2xf32>) -> tensor<2x4x2x2xf32>
  %b = stablehlo.dot_general %latent, %wb, contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<18x3xf32>) -> tensor<2x4x18xf32>
  %bh = stablehlo.reshape %b : (tensor<2x4x18xf32>) -> tensor<2x4x2x9xf32>
  %kn = stablehlo.slice %bh [0:2, 0:4, 0:2, 0:4] : (tensor<2x4x2x9xf32>) -> tensor<2x4x2x4xf32>
  %values = stablehlo.slice %bh [0:2, 0:4, 0:2, 4:9] : (tensor<2x4x2x9xf32>) -> tensor<2x4x2x5xf32>
  %keys = stablehlo.concatenate %kn, %shared, dim = 3 : (tensor<2x4x2x4xf32>, tensor<2x4x2x2xf32>) -> tensor<2x4x2x6xf32>
  %s = stablehlo.dot_general %queries, %keys, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x2x4x4xf32>
  %e = stablehlo.exponential %s : tensor<2x2x4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
  %p = stablehlo.divide %e, %all : tensor<2x2x4x4xf32>
  %y = stablehlo.dot_general %p, %values, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x2x4x4xf32>, tensor<2x4x2x5xf32>) -> tensor<2x2x4x5xf32>
  %t = stablehlo.transpose %y, dims = [0, 2, 1, 3] : (tensor<2x2x4x5xf32>) -> tensor<2x4x2x5xf32>
  %h = stablehlo.reshape %t : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
  %o = stablehlo.dot_general %h, %wo, contracting_dims = [2] x [1] : (tensor<2x4x10xf32>, tensor<8x10xf32>) -> tensor<2x4x8xf32>
  return %o : tensor<2x4x8xf32>
}
