// Dynamic dimensions of results are read off an operand: the op itself goes.
// RUN: block-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @attention(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.attention %x q %w k %w {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<?x?x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @sdpa(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @sdpa(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.sdpa %x, %x, %x {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @rope(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @rope(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.rope %x {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @mlp(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @mlp(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.mlp %x up %w down %w {activation = #block.activation<relu>} : (tensor<?x?x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @linear(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.linear %x, %w : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @head(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @head(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.head %x, %w : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @norm(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @norm(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.norm %x {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @norm_stats(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @norm_stats(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.norm_stats %x : (tensor<?x?x8xf32>) -> tensor<?x?x1xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x1xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x1xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @normalize(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @normalize(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 0.0>} : (tensor<?x?x8xf32>, tensor<?x?x1xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @residual(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @residual(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.residual %x, %x : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @scale(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @scale(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.scale %x {factor = 2.0 : f64} : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @activation(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @activation(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.activation %x {kind = #block.activation<relu>} : tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @gate(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @gate(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.gate %x, %x {kind = #block.activation<relu>} : tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @clamp(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.clamp %x {limit = 1.0 : f64} : tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @linear_sum(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @linear_sum(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.linear_sum(%x) weights(%w) : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @split(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.split %x : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @deferred_norm(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @deferred_norm(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.deferred_norm %x moment %s {form = #block.norm<kind = rms, eps = 0.0>, width = 8 : i64} : (tensor<?x?x8xf32>, tensor<?x?x1xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @add_bias(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @add_bias(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.add_bias %x, %v : (tensor<?x?x8xf32>, tensor<8xf32>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @partial_stats(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @partial_stats(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.partial_stats %x {tile = 8 : i64} : (tensor<?x?x8xf32>) -> tensor<?x?x1xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x1xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x1xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @merge_stats(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<?x?x1xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[S]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[S]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @merge_stats(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>, %s: tensor<?x?x1xf32>, %v: tensor<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.merge_stats moment %s {tile = 8 : i64, width = 8 : i64} : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x1xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x1xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @embedding(
// CHECK-SAME: %[[IDS:.*]]: tensor<?x?xi64>
// CHECK-NOT: block.
// CHECK: %[[T:.*]] = tensor.dim %[[IDS]], %c1
// CHECK: return %[[T]]
func.func @embedding(%ids: tensor<?x?xi64>, %w: tensor<11x8xf32>) -> index {
  %c1 = arith.constant 1 : index
  %y = block.embedding %ids in %w : (tensor<?x?xi64>, tensor<11x8xf32>) -> tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %t : index
}

// CHECK-LABEL: func.func @rows_and_caches(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[C:.*]]: tensor<?x?x8xf32>, %[[N:.*]]: tensor<?xi64>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[R:.*]] = tensor.dim %[[N]], %c0
// CHECK-DAG: %[[S:.*]] = tensor.dim %[[C]], %c1
// CHECK: return %[[B]], %[[R]], %[[S]]
func.func @rows_and_caches(%x: tensor<?x?x8xf32>, %c: tensor<?x?x8xf32>, %n: tensor<?xi64>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = block.take_rows %x at %n : (tensor<?x?x8xf32>, tensor<?xi64>) -> tensor<?x?x8xf32>
  %z = block.cache_append %c, %x at %n : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?xi64>) -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %r = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  %s = tensor.dim %z, %c1 : tensor<?x?x8xf32>
  return %b, %r, %s : index, index, index
}

// CHECK-LABEL: func.func @experts(
// CHECK-NOT: block.
// CHECK-COUNT-6: tensor.dim %arg0
// CHECK-NOT: block.
// CHECK: return
func.func @experts(%x: tensor<?x?x4xf32>, %i: tensor<?x?x2xi64>, %w: tensor<?x?x2xf32>, %r: tensor<3x4xf32>, %u: tensor<3x4x4xf32>, %d: tensor<3x4x2xf32>) -> (index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a, %b = block.route %x {form = #block.routing<chosen = 2, score = softmax>} : (tensor<?x?x4xf32>) -> (tensor<?x?x2xi64>, tensor<?x?x2xf32>)
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<?x?x4xf32>, tensor<?x?x2xi64>, tensor<?x?x2xf32>, tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<?x?x4xf32>
  %z = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<?x?x4xf32>, tensor<3x4xf32>, tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<?x?x4xf32>
  %0 = tensor.dim %a, %c0 : tensor<?x?x2xi64>
  %1 = tensor.dim %b, %c1 : tensor<?x?x2xf32>
  %2 = tensor.dim %y, %c0 : tensor<?x?x4xf32>
  %3 = tensor.dim %y, %c1 : tensor<?x?x4xf32>
  %4 = tensor.dim %z, %c0 : tensor<?x?x4xf32>
  %5 = tensor.dim %z, %c1 : tensor<?x?x4xf32>
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, index
}

// CHECK-LABEL: func.func @sampled(
// CHECK: tensor<?x9xi8>
// CHECK-NEXT: %[[E:.*]]: tensor<?xi64>
// CHECK-NEXT: %[[N:.*]]: tensor<?xi64>
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[E]], %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[N]], %c0
// CHECK: return %[[B]], %[[M]]
func.func @sampled(%l: tensor<?x1x9xf32>, %i: tensor<?x?xi64>, %o: tensor<?x5xf64>, %r: tensor<?x2xi64>, %s: tensor<?xi64>, %p: tensor<1xi64>, %m: tensor<?x9xi8>, %e: tensor<?xi64>, %n: tensor<?xi64>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %y:5 = block.sample %l after %i options %o random %r stops %s padding %p state(%m, %e, %n, %e) : (tensor<?x1x9xf32>, tensor<?x?xi64>, tensor<?x5xf64>, tensor<?x2xi64>, tensor<?xi64>, tensor<1xi64>, tensor<?x9xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> (tensor<?x1xi64>, tensor<?x9xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  %b = tensor.dim %y#0, %c0 : tensor<?x1xi64>
  %k = tensor.dim %y#3, %c0 : tensor<?xi64>
  return %b, %k : index, index
}

// CHECK-LABEL: func.func @fixed_stream(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>
// CHECK-NOT: block.
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]]
func.func @fixed_stream(%x: tensor<?x?x8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = block.stream_add %x : tensor<?x?x8xf32> -> tensor<?x?x8xi32>
  %y = block.stream_value %s : tensor<?x?x8xi32> -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %b, %t : index, index
}

// CHECK-LABEL: func.func @codes(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>
// CHECK-NOT: block.
// CHECK: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[T:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[SB:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[ST:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[B]], %[[T]], %[[SB]], %[[ST]]
func.func @codes(%x: tensor<?x?x8xf32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = block.group_scales %x {group = 4 : i64} : tensor<?x?x8xf32>
  %c = block.encode_groups %x scales %s : tensor<?x?x8xf32>, tensor<?x?x2xf32>
  %y = block.decode_groups %c scales %s : tensor<?x?x8xi8>, tensor<?x?x2xf32> -> tensor<?x?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %t = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  %sb = tensor.dim %s, %c0 : tensor<?x?x2xf32>
  %st = tensor.dim %s, %c1 : tensor<?x?x2xf32>
  return %b, %t, %sb, %st : index, index, index, index
}
