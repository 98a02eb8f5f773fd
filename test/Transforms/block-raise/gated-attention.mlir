// Attention whose result is multiplied before it is projected is no MLP, whatever the factor is a function of.
// RUN: rm -rf %t && split-file %s %t
// RUN: cat %t/head.mlir %t/softplus.mlir %t/tail.mlir > %t/gated.mlir
// RUN: cat %t/head.mlir %t/sigmoid.mlir %t/tail.mlir > %t/sigmoid-gated.mlir
// RUN: block-opt %t/gated.mlir --block-raise --block-explain -o %t/gated.raised.mlir 2>&1 | FileCheck %s --check-prefix=GATED
// RUN: block-opt %t/sigmoid-gated.mlir --block-raise --block-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=GATED
// GATED-NOT: missed mlp
// GATED: missed projections: not-projected: the heads are multiplied before they are projected (
// GATED-NOT: missed
// RUN: block-run %t/gated.raised.mlir --engine=reference --seed=1 --baseline=%t/gated.mlir | FileCheck %s --check-prefix=SAME
// SAME: PASS

// The share of the scores beside a sink is an operand of the attention.
// RUN: cat %t/head.mlir %t/shared.mlir %t/sigmoid-of-sink.mlir %t/sink.mlir %t/tail.mlir > %t/shared-sink.mlir
// RUN: block-opt %t/shared-sink.mlir --block-raise --unbroken-lines -o %t/shared-sink.raised.mlir
// RUN: FileCheck %s --check-prefix=SHARE < %t/shared-sink.raised.mlir
// SHARE: block.attention {{.*}} sinks %
// SHARE-NOT: tosa.matmul
// RUN: block-run %t/shared-sink.raised.mlir --engine=reference --seed=1 --baseline=%t/shared-sink.mlir | FileCheck %s --check-prefix=SAME

// Another function of them leaves all of the attention as it is: with both there would be two.
// RUN: cat %t/head.mlir %t/shared.mlir %t/tanh-of-sink.mlir %t/sink.mlir %t/tail.mlir > %t/sunk.mlir
// RUN: block-opt %t/sunk.mlir --block-raise --block-explain -o %t/sunk.raised.mlir 2>&1 | FileCheck %s --check-prefix=SINK
// SINK: recognised 0 attention
// SINK: missed attention: second-user: its scores are read by a factor of its result, too, as by a sink (
// RUN: not grep "block.attention\|block.sdpa" %t/sunk.raised.mlir
// RUN: grep -c "tosa.matmul" %t/sunk.raised.mlir | FileCheck %s --check-prefix=PRODUCTS
// PRODUCTS: {{^}}2{{$}}
// RUN: block-run %t/sunk.raised.mlir --engine=reference --seed=1 --baseline=%t/sunk.mlir | FileCheck %s --check-prefix=SAME

//--- head.mlir
func.func @main(%x: tensor<2x4x8xf32>, %wq: tensor<1x8x8xf32>, %wk: tensor<1x8x8xf32>, %wv: tensor<1x8x8xf32>, %wo: tensor<1x8x8xf32>, %wg: tensor<1x8x8xf32>, %sinks: tensor<1x2x1x1xf32>) -> tensor<2x4x8xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %no = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rows = tosa.const_shape {values = dense<[1, 8, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %heads = tosa.const_shape {values = dense<[2, 4, 2, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %both = tosa.const_shape {values = dense<[4, 4, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %apart = tosa.const_shape {values = dense<[2, 2, 4, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %whole = tosa.const_shape {values = dense<[2, 4, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %xr = tosa.reshape %x, %rows : (tensor<2x4x8xf32>, !tosa.shape<3>) -> tensor<1x8x8xf32>
  %q0 = tosa.matmul %xr, %wq, %zp, %zp : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8xf32>
  %k0 = tosa.matmul %xr, %wk, %zp, %zp : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8xf32>
  %v0 = tosa.matmul %xr, %wv, %zp, %zp : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8xf32>
  %q1 = tosa.reshape %q0, %heads : (tensor<1x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x2x4xf32>
  %k1 = tosa.reshape %k0, %heads : (tensor<1x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x2x4xf32>
  %v1 = tosa.reshape %v0, %heads : (tensor<1x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x2x4xf32>
  %q2 = tosa.transpose %q1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %k2 = tosa.transpose %k1 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %v2 = tosa.transpose %v1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %q = tosa.reshape %q2, %both : (tensor<2x2x4x4xf32>, !tosa.shape<3>) -> tensor<4x4x4xf32>
  %k = tosa.reshape %k2, %both : (tensor<2x2x4x4xf32>, !tosa.shape<3>) -> tensor<4x4x4xf32>
  %v = tosa.reshape %v2, %both : (tensor<2x2x4x4xf32>, !tosa.shape<3>) -> tensor<4x4x4xf32>
  %s0 = tosa.matmul %q, %k, %zp, %zp : (tensor<4x4x4xf32>, tensor<4x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x4x4xf32>
  %s = tosa.reshape %s0, %apart : (tensor<4x4x4xf32>, !tosa.shape<4>) -> tensor<2x2x4x4xf32>
  %top = tosa.reduce_max %s {axis = 3 : i32} : (tensor<2x2x4x4xf32>) -> tensor<2x2x4x1xf32>
  %d = tosa.sub %s, %top : (tensor<2x2x4x4xf32>, tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
  %e = tosa.exp %d : (tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %sum = tosa.reduce_sum %e {axis = 3 : i32} : (tensor<2x2x4x4xf32>) -> tensor<2x2x4x1xf32>
  %r = tosa.reciprocal %sum : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
  %p0 = tosa.mul %e, %r, %no : (tensor<2x2x4x4xf32>, tensor<2x2x4x1xf32>, tensor<1xi8>) -> tensor<2x2x4x4xf32>
  %p = tosa.reshape %p0, %both : (tensor<2x2x4x4xf32>, !tosa.shape<3>) -> tensor<4x4x4xf32>
  %y0 = tosa.matmul %p, %v, %zp, %zp : (tensor<4x4x4xf32>, tensor<4x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x4x4xf32>
  %y1 = tosa.reshape %y0, %apart : (tensor<4x4x4xf32>, !tosa.shape<4>) -> tensor<2x2x4x4xf32>
  %one = "tosa.const"() <{values = dense<1.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
//--- softplus.mlir
  %g0 = tosa.matmul %xr, %wg, %zp, %zp : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8xf32>
  %g1 = tosa.exp %g0 : (tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %g2 = tosa.add %g1, %one : (tensor<1x8x8xf32>, tensor<1x1x1xf32>) -> tensor<1x8x8xf32>
  %g = tosa.log %g2 : (tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %y2 = tosa.transpose %y1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %y3 = tosa.reshape %y2, %rows : (tensor<2x4x2x4xf32>, !tosa.shape<3>) -> tensor<1x8x8xf32>
  %y = tosa.mul %y3, %g, %no : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xi8>) -> tensor<1x8x8xf32>
//--- sigmoid.mlir
  %g0 = tosa.matmul %xr, %wg, %zp, %zp : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8xf32>
  %g = tosa.sigmoid %g0 : (tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %y2 = tosa.transpose %y1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %y3 = tosa.reshape %y2, %rows : (tensor<2x4x2x4xf32>, !tosa.shape<3>) -> tensor<1x8x8xf32>
  %y = tosa.mul %y3, %g, %no : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xi8>) -> tensor<1x8x8xf32>
//--- shared.mlir
  %l0 = tosa.log %sum : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
  %l1 = tosa.add %l0, %top : (tensor<2x2x4x1xf32>, tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
  %l2 = tosa.sub %l1, %sinks : (tensor<2x2x4x1xf32>, tensor<1x2x1x1xf32>) -> tensor<2x2x4x1xf32>
//--- sigmoid-of-sink.mlir
  %l = tosa.sigmoid %l2 : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
//--- tanh-of-sink.mlir
  %l = tosa.tanh %l2 : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
//--- sink.mlir
  %y2 = tosa.mul %y1, %l, %no : (tensor<2x2x4x4xf32>, tensor<2x2x4x1xf32>, tensor<1xi8>) -> tensor<2x2x4x4xf32>
  %y3 = tosa.transpose %y2 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  %y = tosa.reshape %y3, %rows : (tensor<2x4x2x4xf32>, !tosa.shape<3>) -> tensor<1x8x8xf32>
//--- tail.mlir
  %o = tosa.matmul %y, %wo, %zp, %zp : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8xf32>
  %z = tosa.reshape %o, %whole : (tensor<1x8x8xf32>, !tosa.shape<3>) -> tensor<2x4x8xf32>
  return %z : tensor<2x4x8xf32>
}
