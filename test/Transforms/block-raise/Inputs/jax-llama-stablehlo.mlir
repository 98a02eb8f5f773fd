// Weights first, kernels with heads as a dimension, five-dimensional products for grouped heads, rotation of halves by
// tables that are computed, the reducer as a region, and a gather in the generic form.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.embedding
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.attention
// CHECK-NEXT: kv_heads = 2{{.*}}#block.rope<style = half, dim = 8>{{.*}}causal = true
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.mlp{{.*}}#block.activation<silu>
// CHECK: block.residual
module @jit_model {
  func.func public @main(%emb: tensor<17x32xf32>, %wq: tensor<32x4x8xf32>, %wk: tensor<32x2x8xf32>, %wv: tensor<32x2x8xf32>, %wo: tensor<4x8x32xf32>, %g1: tensor<32xf32>, %g2: tensor<32xf32>, %wg: tensor<32x48xf32>, %wu: tensor<32x48xf32>, %wd: tensor<48x32xf32>, %ids: tensor<2x6xi32>) -> tensor<2x6x32xf32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %i0 = stablehlo.broadcast_in_dim %ids, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %x = "stablehlo.gather"(%emb, %i0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<17x32xf32>, tensor<2x6x1xi32>) -> tensor<2x6x32xf32>
    %n1 = call @rms(%x, %g1) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %q0 = stablehlo.dot_general %n1, %wq, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x4x8xf32>) -> tensor<2x6x4x8xf32>
    %k0 = stablehlo.dot_general %n1, %wk, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x2x8xf32>) -> tensor<2x6x2x8xf32>
    %v = stablehlo.dot_general %n1, %wv, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x2x8xf32>) -> tensor<2x6x2x8xf32>
    %t = stablehlo.iota dim = 0 : tensor<6x4xf32>
    %f0 = stablehlo.iota dim = 1 : tensor<6x4xf32>
    %two = stablehlo.constant dense<2.500000e-01> : tensor<6x4xf32>
    %f1 = stablehlo.multiply %f0, %two : tensor<6x4xf32>
    %base = stablehlo.constant dense<1.000000e+04> : tensor<6x4xf32>
    %f2 = stablehlo.power %base, %f1 : tensor<6x4xf32>
    %angle = stablehlo.divide %t, %f2 : tensor<6x4xf32>
    %c0 = stablehlo.cosine %angle : tensor<6x4xf32>
    %s0 = stablehlo.sine %angle : tensor<6x4xf32>
    %qc = stablehlo.broadcast_in_dim %c0, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<2x6x4x4xf32>
    %qs = stablehlo.broadcast_in_dim %s0, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<2x6x4x4xf32>
    %kc = stablehlo.broadcast_in_dim %c0, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<2x6x2x4xf32>
    %ks = stablehlo.broadcast_in_dim %s0, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<2x6x2x4xf32>
    %qa = stablehlo.slice %q0 [0:2, 0:6, 0:4, 0:4] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
    %qb = stablehlo.slice %q0 [0:2, 0:6, 0:4, 4:8] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
    %q1 = stablehlo.multiply %qa, %qc : tensor<2x6x4x4xf32>
    %q2 = stablehlo.multiply %qb, %qs : tensor<2x6x4x4xf32>
    %q3 = stablehlo.subtract %q1, %q2 : tensor<2x6x4x4xf32>
    %q4 = stablehlo.multiply %qb, %qc : tensor<2x6x4x4xf32>
    %q5 = stablehlo.multiply %qa, %qs : tensor<2x6x4x4xf32>
    %q6 = stablehlo.add %q4, %q5 : tensor<2x6x4x4xf32>
    %q = stablehlo.concatenate %q3, %q6, dim = 3 : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x6x4x8xf32>
    %ka = stablehlo.slice %k0 [0:2, 0:6, 0:2, 0:4] : (tensor<2x6x2x8xf32>) -> tensor<2x6x2x4xf32>
    %kb = stablehlo.slice %k0 [0:2, 0:6, 0:2, 4:8] : (tensor<2x6x2x8xf32>) -> tensor<2x6x2x4xf32>
    %k1 = stablehlo.multiply %ka, %kc : tensor<2x6x2x4xf32>
    %k2 = stablehlo.multiply %kb, %ks : tensor<2x6x2x4xf32>
    %k3 = stablehlo.subtract %k1, %k2 : tensor<2x6x2x4xf32>
    %k4 = stablehlo.multiply %kb, %kc : tensor<2x6x2x4xf32>
    %k5 = stablehlo.multiply %ka, %ks : tensor<2x6x2x4xf32>
    %k6 = stablehlo.add %k4, %k5 : tensor<2x6x2x4xf32>
    %k = stablehlo.concatenate %k3, %k6, dim = 3 : (tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) -> tensor<2x6x2x8xf32>
    %scale = stablehlo.constant dense<0.353553385> : tensor<f32>
    %scales = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<2x6x4x8xf32>
    %qh = stablehlo.multiply %q, %scales : tensor<2x6x4x8xf32>
    %q7 = stablehlo.reshape %qh : (tensor<2x6x4x8xf32>) -> tensor<2x6x2x2x8xf32>
    %a0 = stablehlo.dot_general %k, %q7, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4] : (tensor<2x6x2x8xf32>, tensor<2x6x2x2x8xf32>) -> tensor<2x2x6x6x2xf32>
    %a1 = stablehlo.transpose %a0, dims = [0, 1, 4, 3, 2] : (tensor<2x2x6x6x2xf32>) -> tensor<2x2x2x6x6xf32>
    %r = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %s = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %m0 = stablehlo.compare GE, %r, %s, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %m1 = stablehlo.broadcast_in_dim %m0, dims = [3, 4] : (tensor<6x6xi1>) -> tensor<2x2x2x6x6xi1>
    %low = stablehlo.constant dense<-3.40282347E+38> : tensor<2x2x2x6x6xf32>
    %a2 = stablehlo.select %m1, %a1, %low : tensor<2x2x2x6x6xi1>, tensor<2x2x2x6x6xf32>
    %top = stablehlo.reduce(%a2 init: %ninf) across dimensions = [4] : (tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6xf32>
     reducer(%left: tensor<f32>, %right: tensor<f32>)  {
      %larger = stablehlo.maximum %left, %right : tensor<f32>
      stablehlo.return %larger : tensor<f32>
    }
    %top1 = stablehlo.broadcast_in_dim %top, dims = [0, 1, 2, 3] : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6x6xf32>
    %a3 = stablehlo.subtract %a2, %top1 : tensor<2x2x2x6x6xf32>
    %a4 = stablehlo.exponential %a3 : tensor<2x2x2x6x6xf32>
    %sum = stablehlo.reduce(%a4 init: %zero) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6xf32>
    %sum1 = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2, 3] : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6x6xf32>
    %p = stablehlo.divide %a4, %sum1 : tensor<2x2x2x6x6xf32>
    %o0 = stablehlo.dot_general %v, %p, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4] : (tensor<2x6x2x8xf32>, tensor<2x2x2x6x6xf32>) -> tensor<2x2x8x2x6xf32>
    %o1 = stablehlo.transpose %o0, dims = [0, 4, 1, 3, 2] : (tensor<2x2x8x2x6xf32>) -> tensor<2x6x2x2x8xf32>
    %o2 = stablehlo.reshape %o1 : (tensor<2x6x2x2x8xf32>) -> tensor<2x6x4x8xf32>
    %o3 = stablehlo.dot_general %o2, %wo, contracting_dims = [2, 3] x [0, 1] : (tensor<2x6x4x8xf32>, tensor<4x8x32xf32>) -> tensor<2x6x32xf32>
    %y = stablehlo.add %x, %o3 : tensor<2x6x32xf32>
    %n2 = call @rms(%y, %g2) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %gate = stablehlo.dot_general %n2, %wg, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x48xf32>) -> tensor<2x6x48xf32>
    %act = stablehlo.logistic %gate : tensor<2x6x48xf32>
    %silu = stablehlo.multiply %gate, %act : tensor<2x6x48xf32>
    %up = stablehlo.dot_general %n2, %wu, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x48xf32>) -> tensor<2x6x48xf32>
    %h = stablehlo.multiply %silu, %up : tensor<2x6x48xf32>
    %d = stablehlo.dot_general %h, %wd, contracting_dims = [2] x [0] : (tensor<2x6x48xf32>, tensor<48x32xf32>) -> tensor<2x6x32xf32>
    %z = stablehlo.add %y, %d : tensor<2x6x32xf32>
    return %z : tensor<2x6x32xf32>
  }
  func.func private @rms(%x: tensor<2x6x32xf32>, %g: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = chlo.square %x : tensor<2x6x32xf32> -> tensor<2x6x32xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x6x32xf32>, tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.reshape %1 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %n = stablehlo.constant dense<3.200000e+01> : tensor<2x6x1xf32>
    %3 = stablehlo.divide %2, %n : tensor<2x6x1xf32>
    %eps = stablehlo.constant dense<9.99999997E-7> : tensor<2x6x1xf32>
    %4 = stablehlo.add %3, %eps : tensor<2x6x1xf32>
    %5 = stablehlo.rsqrt %4 : tensor<2x6x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x32xf32>
    %7 = stablehlo.multiply %x, %6 : tensor<2x6x32xf32>
    %8 = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<32xf32>) -> tensor<2x6x32xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x6x32xf32>
    return %9 : tensor<2x6x32xf32>
  }
}
