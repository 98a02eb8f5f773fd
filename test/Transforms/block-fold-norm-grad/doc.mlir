// A LayerNorm, two projections that read it, and gradients by all of it: two sums over the
// columns of what comes back are known before the product, gain and bias get their gradients
// from those by the weights. The numbers stay, and the norm itself may fold afterwards.
// RUN: block-opt %s --block-fold-norm-grad | FileCheck %s
// RUN: block-opt %s --block-fold-norm-grad -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// RUN: block-run %t.mlir --engine=cpu --seed=4 --baseline=%s | FileCheck %s --check-prefix=SAME
// RUN: block-opt %t.mlir --block-fold-norm -o %t.folded.mlir
// RUN: FileCheck %s --check-prefix=FOLDED --input-file=%t.folded.mlir
// RUN: block-run %t.folded.mlir --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME

// CHECK: %[[STATS:.*]]:2 = block.norm_stats %arg0 centered
// CHECK-DAG: %[[V:.*]] = block.deferred_norm %arg1 moment %[[STATS]]#1 {form = #block.norm<kind = rms, eps = 1.0e-05>, width = 8}
// CHECK-DAG: %[[MINUS:.*]] = block.fold_scale %{{.*}} {factor = -1.0}
// CHECK-DAG: %[[T0:.*]] = block.row_dots %[[V]] times %{{.*}} vector %[[MINUS]] :
// CHECK-DAG: %[[W0:.*]] = block.fold_gain %arg5, %arg3
// CHECK-DAG: %[[C0:.*]] = block.weight_sums %[[W0]]
// CHECK-DAG: %[[S0:.*]] = block.row_dots %[[V]] vector %[[C0]] :
// CHECK-DAG: %[[U:.*]] = block.deferred_norm %arg2 moment %[[STATS]]#1
// CHECK-DAG: %[[T:.*]] = block.row_dots %[[U]] times %{{.*}} vector %{{.*}} plus %[[T0]]
// CHECK-DAG: %[[S:.*]] = block.row_dots %[[U]] vector %{{.*}} plus %[[S0]]
// CHECK-DAG: %[[Z:.*]] = block.linear_sum(%[[V]], %[[U]]) weights(
// CHECK-DAG: %[[DX:.*]] = block.deferred_norm_grad %[[Z]] of %arg0 mean %[[STATS]]#0 moment %[[STATS]]#1 sums %[[S]] dots %[[T]] gamma %arg3
// CHECK-DAG: %[[ONES:.*]] = arith.constant dense<1.000000e+00>
// CHECK-DAG: %[[N:.*]] = block.deferred_norm %arg0 mean %[[STATS]]#0 moment %[[STATS]]#1 sums %[[ONES]]
// CHECK-DAG: %[[D:.*]] = block.weight_grad(%arg1) of(%[[N]])
// CHECK-DAG: block.matrix_dots %arg5, %[[D]]
// CHECK-DAG: block.weight_grad(%[[N]]) of(%arg2)
// CHECK-DAG: block.matrix_dots rows %arg6, %
// CHECK: return %{{[^,]*}}, %{{[^,]*}}, %[[DX]],

// SAME-COUNT-7: PASS
// SAME-NOT: FAIL

// FOLDED-NOT: block.normalize
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %dy: tensor<2x3x4xf32> {block.input = "dy"},
    %dup: tensor<2x3x6xf32> {block.input = "dup"}, %g: tensor<8xf32> {block.param = "g"}, %e: tensor<8xf32> {block.param = "e"},
    %q: tensor<4x8xf32> {block.param = "q"}, %u: tensor<8x6xf32> {block.param = "u"}, %b: tensor<4xf32> {block.param = "b"})
    -> (tensor<2x3x4xf32> {block.output = "y"}, tensor<2x3x6xf32> {block.output = "up"}, tensor<2x3x8xf32> {block.output = "dx"},
        tensor<4x8xf32> {block.output = "dq"}, tensor<8x6xf32> {block.output = "du"}, tensor<8xf32> {block.output = "dg"},
        tensor<8xf32> {block.output = "de"}) {
  %s:2 = block.norm_stats %x centered : tensor<2x3x8xf32>
  %n = block.normalize %x mean %s#0 moment %s#1 gamma %g beta %e {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x3x8xf32>
  %y = block.linear %n, %q bias %b : tensor<2x3x8xf32> -> tensor<2x3x4xf32>
  %0 = tensor.empty() : tensor<6x8xf32>
  %ut = linalg.transpose ins(%u : tensor<8x6xf32>) outs(%0 : tensor<6x8xf32>) permutation = [1, 0]
  %up = block.linear %n, %ut : tensor<2x3x8xf32> -> tensor<2x3x6xf32>

  %1 = tensor.empty() : tensor<8x4xf32>
  %qt = linalg.transpose ins(%q : tensor<4x8xf32>) outs(%1 : tensor<8x4xf32>) permutation = [1, 0]
  %dn = block.linear_sum(%dy, %dup) weights(%qt, %u) : tensor<2x3x4xf32>, tensor<2x3x6xf32> -> tensor<2x3x8xf32>
  %dx = block.norm_grad %dn of %x mean %s#0 moment %s#1 gamma %g {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x3x8xf32>
  %dq = block.weight_grad(%dy) of(%n) : tensor<2x3x4xf32>, tensor<2x3x8xf32>
  %du = block.weight_grad(%n) of(%dup) : tensor<2x3x8xf32>, tensor<2x3x6xf32>
  %bare = block.normalize %x mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x3x8xf32>
  %dg = block.column_sums %dn times %bare : tensor<2x3x8xf32>
  %de = block.column_sums %dn : tensor<2x3x8xf32>
  return %y, %up, %dx, %dq, %du, %dg, %de : tensor<2x3x4xf32>, tensor<2x3x6xf32>, tensor<2x3x8xf32>, tensor<4x8xf32>, tensor<8x6xf32>, tensor<8xf32>, tensor<8xf32>
}
