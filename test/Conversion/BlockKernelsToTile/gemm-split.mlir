// Few rows: several CTAs share the depth of two sources. Where they are no cluster, the last of them adds up, in order,
// and goes on to the epilogue.
// RUN: block-opt %s --convert-block-kernels-to-tile="chip=sm_90a joins-in-memory=true" --canonicalize --cse | FileCheck %s
// RUN: block-opt %s --convert-block-kernels-to-tile="chip=sm_90a joins-in-memory=true" --tile-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=DEVICE

// sm_80 has no clusters.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_80 | FileCheck %s --check-prefix=OLDER
// OLDER: tile.join %
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | not block-opt --tile-to-nvvm=chip=sm_80 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: no GPU code for chip sm_80: the schedule copies by tma, which it has not

// On sm_90a they are a cluster of 8, each of which adds rows in order: no workspace. 7 rows are those of 32 warps.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a --canonicalize --cse | FileCheck %s --check-prefix=CLUSTER
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a --canonicalize --cse --tile-to-nvvm=chip=sm_90a --canonicalize --cse | FileCheck %s --check-prefix=JOIN
// CLUSTER: tile.kernel @linear_sum_0(
// CLUSTER: warps = 4, producers = 1, stages = 7, grid = 32, cluster = 8, joins = true>,
// CLUSTER-NEXT: workspaces = 0 : i64}
// CLUSTER: %[[STAGED:.*]] = tile.stage %{{.*}}[0] transposed : <64x8> to <8x64xf32, padded>
// CLUSTER: tile.join_cluster %[[STAGED]] below %{{.*}} extent 7 : <8x64xf32, padded> {
// CLUSTER: tile.load %[[STAGED]][
// CLUSTER: } {cluster}

// All have their sums in place when each begins to read those of CTAs 0 to 7, in this order, and none goes on before
// all have read. Only the first arrival publishes what was stored. Rings are those of one CTA.
// JOIN: nvvm.cluster_dim = array<i32: 8, 1, 1>
// JOIN-DAG: nvvm.mbarrier.init %{{.*}}, %c4_i32
// JOIN-DAG: nvvm.mbarrier.init %{{.*}}, %c8_i32
// JOIN: nvvm.cluster.arrive.relaxed
// JOIN-NEXT: nvvm.cluster.wait
// JOIN-NOT: multicast_mask
// JOIN: nvvm.barrier id = %{{.*}} number_of_threads
// JOIN: %[[REMOTE:.*]] = nvvm.mapa %[[BARRIER:.*]], %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
// JOIN: nvvm.mbarrier.arrive %[[REMOTE]] {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
// JOIN: scf.while
// JOIN-NEXT: nvvm.mbarrier.try_wait %[[BARRIER]], %c0_i32, %{{.*}} {scope = #nvvm.mem_scope<cluster>}
// JOIN: scf.for
// JOIN: scf.for
// JOIN: nvvm.mapa %[[OWN:.*]], %c0_i32
// JOIN: nvvm.mapa %[[OWN]], %c1_i32
// JOIN: arith.addf
// JOIN: nvvm.mapa %[[OWN]], %c7_i32
// JOIN: arith.addf
// JOIN: llvm.store %{{.*}}, %[[OWN]] : vector<4xf32>, !llvm.ptr<3>
// JOIN: nvvm.barrier id = %{{.*}} number_of_threads
// JOIN: nvvm.mapa %[[BARRIER]],
// JOIN: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
// JOIN: llvm.store %{{.*}} : bf16, !llvm.ptr<1>
// JOIN: nvvm.mbarrier.try_wait %[[BARRIER]], %c1_i32, %{{.*}} : !llvm.ptr<3>
// JOIN-NOT: nvvm.cluster.arrive
// JOIN: llvm.return

// 20 steps of one source and 12 of the other: runs of 4 steps for 8 CTAs per tile. Each
// of 4 warps has some of 7 rows, which are columns of the product.
// CHECK: tile.kernel @linear_sum_0({{.*}},
// CHECK-NEXT: %[[Y:[a-z0-9]+]]: memref<1x7x256xbf16>, %[[SUMS:[a-z0-9]+]]: memref<256x64xf32>, %[[COUNTERS:[a-z0-9]+]]: memref<4xi32>)
// CHECK-NEXT: attributes {outputs = 1 : i64, {{.*}}warps = 4, producers = 1, stages = 7, grid = 32>,
// CHECK-NEXT: workspaces = 2 : i64}
// CHECK-DAG: %[[STEPS:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[TILES:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[CTAS:.*]] = arith.constant 8 : index
// CHECK: tile.tiles (%{{.*}}, %[[TURN:.*]]) below (%{{.*}}, %[[TILES]])
// CHECK: %[[SPLIT:.*]] = arith.remui %[[TURN]]
// CHECK: %[[TILE:.*]] = arith.divui %[[TURN]]
// CHECK: tile.pipeline %[[STEPS]]
// CHECK: scf.if
// CHECK: tile.copy %arg0
// CHECK: } else {
// CHECK: tile.copy %arg1
// CHECK: %[[STAGED:.*]] = tile.stage %{{.*}}[0] transposed : <64x8> to <8x64xf32, padded>
// CHECK: tile.rows %[[ROW:[a-z0-9]+]] below {{.*}} extent 7
// CHECK: tile.store %{{.*}}, %[[SUMS]][
// CHECK: tile.join %[[COUNTERS]][%[[TILE]]] of %[[CTAS]] : memref<4xi32> {
// CHECK-COUNT-8: tile.load %[[SUMS]][
// CHECK: tile.store %{{.*}}, %[[STAGED]][
// CHECK: tile.store %{{.*}}, %[[Y]][

// Stores are published after the barrier, counted, and acquired before they are read.
// DEVICE: llvm.func @linear_sum_0(
// DEVICE-NEXT: %arg1:
// DEVICE-NEXT: %arg2:
// DEVICE-NEXT: %arg3:
// DEVICE-NEXT: %arg4:
// DEVICE-NEXT: attributes
// DEVICE-NEXT: tile.launch
// DEVICE-NEXT: <kind = tensor_map, operand = 2, box = [64, 64]>
// DEVICE-NEXT: <kind = pointer, operand = 5>
// DEVICE-NEXT: schedule
// DEVICE-NEXT: workspaces = [memref<256x64xf32>, memref<4xi32>]
// DEVICE: nvvm.barrier id = %{{.*}} number_of_threads
// DEVICE: nvvm.memory.barrier <gpu>
// DEVICE: llvm.atomicrmw add {{.*}} monotonic
// DEVICE: nvvm.memory.barrier <gpu>
// DEVICE: llvm.store {{.*}} atomic monotonic
// DEVICE: nvvm.barrier id = %{{.*}} number_of_threads
func.func @main(%x: tensor<1x7x1280xbf16>, %z: tensor<1x7x768xbf16>, %w: tensor<256x1280xbf16>, %v: tensor<256x768xbf16>) -> tensor<1x7x256xbf16> {
  %0 = block.kernel "linear_sum" (%a = %x : tensor<1x7x1280xbf16>, %b = %z : tensor<1x7x768xbf16>, %c = %w : tensor<256x1280xbf16>, %d = %v : tensor<256x768xbf16>) -> tensor<1x7x256xbf16> {
    %1 = block.linear_sum(%a, %b) weights(%c, %d) : (tensor<1x7x1280xbf16>, tensor<1x7x768xbf16>, tensor<256x1280xbf16>, tensor<256x768xbf16>) -> tensor<1x7x256xbf16>
    block.yield %1 : tensor<1x7x256xbf16>
  }
  return %0 : tensor<1x7x256xbf16>
}
