// CTAs of a cluster that joins, and warps of all of them.
// RUN: block-opt --verify-roundtrip %s | FileCheck %s
// CHECK: schedule = #tile.schedule<warps = 4, grid = 4, cluster = 4, joins = true>
// CHECK: tile.join_cluster %[[STAGED:.*]] below %{{.*}} extent 3 : <64x64xf32, padded> {
// CHECK-NEXT: tile.rows %[[ROW:.*]] below %{{.*}} extent 3 {
// CHECK-NEXT: } {cluster}
// CHECK-NEXT: }
// CHECK: tile.join_cluster %[[STAGED]] below %{{.*}} extent 3 at 3088 : <64x64xf32, padded> {
gpu.module @kernels {
  tile.kernel @f() attributes {outputs = 0 : i64, schedule = #tile.schedule<warps = 4, grid = 4, cluster = 4, joins = true>} {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    tile.tiles (%i, %j) below (%c1, %c4) band 8 {
      %zero = tile.zero : !tile.accumulator<64x64>
      %staged = tile.stage %zero[0] : !tile.accumulator<64x64> to !tile.buffer<64x64xf32, padded>
      tile.join_cluster %staged below %c3 extent 3 : <64x64xf32, padded> {
        tile.rows %row below %c3 extent 3 {
        } {cluster}
      }
      tile.join_cluster %staged below %c3 extent 3 at 3088 : <64x64xf32, padded> {
      }
    }
    tile.return
  }
}
