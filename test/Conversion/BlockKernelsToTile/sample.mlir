// The choice of tokens: one CTA for each row, passes over its scores, and state that may stay in its memory.
// RUN: block-opt --unbroken-lines %s --convert-block-kernels-to-tile="chip=sm_80" | FileCheck %s

// Scores are memory of the kernel, a result that nothing reads.
// CHECK: tile.kernel @sample_0(%[[LOGITS:[^:]*]]: memref<?x1x97xf32>
// CHECK-SAME: %[[SCORES:[^:]*]]: memref<?x97xf32>) attributes {in_place, outputs = 6 : i64, schedule = #tile.schedule<warps = 1, grid = 108>
// The number of rows is that of their states.
// CHECK: tile.tiles (%[[ROW:.*]], %{{.*}}) below
// One pass for the best score.
// CHECK: tile.fold <max>
// CHECK: tile.load %[[LOGITS]]
// Divided as on processors, by the penalty where it is one, and by the temperature.
// CHECK: arith.divf %{{.*}} : f32
// CHECK: %[[DIVIDED:.*]] = arith.divf %{{.*}} : f32
// CHECK-NEXT: tile.store %[[DIVIDED]], %[[SCORES]]
// The filters and the draw are behind a condition: a row that takes the best token has no more passes.
// CHECK: %[[BEST:.*]] = arith.subi %c4294967295_i64
// CHECK: scf.if %{{.*}} -> (i64) {
// CHECK: tile.fold <add>
// CHECK: scf.yield %[[BEST]] : i64
// CHECK-NOT: tile.fold
// CHECK: tile.rows
// CHECK: func.func @main(
// CHECK: %[[NEXT:.*]]:6 = tile.launch @kernels::@sample_0(
// CHECK: return %[[NEXT]]#0, %[[NEXT]]#1, %[[NEXT]]#2, %[[NEXT]]#3, %[[NEXT]]#4
func.func @main(%l: tensor<?x1x97xf32> {block.input = "logits", block.dims = ["batch"]}, %ids: tensor<?x?xi64> {block.input = "ids", block.dims = ["batch", "seq"]}, %o: tensor<?x5xf64> {block.input = "sampling", block.dims = ["batch"]}, %r: tensor<?x2xi64> {block.input = "random", block.dims = ["batch"]}, %s: tensor<?xi64> {block.input = "stops", block.dims = ["stops"]}, %p: tensor<1xi64> {block.input = "padding"}, %seen: tensor<?x97xi8> {block.input = "past_seen", block.dims = ["batch"]}, %e: tensor<?xi64> {block.input = "past_ended", block.dims = ["batch"]}, %n: tensor<?xi64> {block.input = "past_lengths", block.dims = ["batch"]}, %t: tensor<?xi64> {block.input = "past_step", block.dims = ["batch"]}) -> (tensor<?x1xi64> {block.output = "tokens"}, tensor<?x97xi8> {block.output = "seen"}, tensor<?xi64> {block.output = "ended"}, tensor<?xi64> {block.output = "lengths"}, tensor<?xi64> {block.output = "step"}) {
  %next:5 = block.sample %l after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<?x1x97xf32>, tensor<?x?xi64>, tensor<?x5xf64>, tensor<?x2xi64>, tensor<?xi64>, tensor<1xi64>, tensor<?x97xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> (tensor<?x1xi64>, tensor<?x97xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  return %next#0, %next#1, %next#2, %next#3, %next#4 : tensor<?x1xi64>, tensor<?x97xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
}
