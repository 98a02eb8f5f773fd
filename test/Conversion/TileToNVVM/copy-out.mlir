// An accumulator goes to a tensor by TMA: 16 rows and 64 columns of each warp at a time,
// in two buffers that take turns.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // 4 warps have 2 buffers of 2048 bytes; no address of the tensor is needed.
  // CHECK-LABEL: llvm.func @f(%arg0: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
  // CHECK: arguments = [<kind = tensor_map, operand = 0, box = [16, 64]>]
  // CHECK: shared_bytes = 16384>
  // CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %c4096_i32
  // CHECK: %[[BUFFER:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]]
  // What another tile left has been read, then all lanes write.
  // CHECK: scf.if %[[FIRST:.*]] {
  // CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0 {read}
  // CHECK: nvvm.bar.warp.sync
  // CHECK-COUNT-4: nvvm.stmatrix
  // CHECK-NOT: nvvm.stmatrix
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: scf.if %[[FIRST]] {
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %[[BUFFER]], box[
  // CHECK-NEXT: nvvm.cp.async.bulk.commit.group
  // The other buffer, while the first may still be read.
  // CHECK-NEXT: nvvm.cp.async.bulk.wait_group 1 {read}
  // CHECK: llvm.getelementptr %[[BUFFER]][2048]
  // CHECK-COUNT-4: nvvm.stmatrix
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
  // CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %[[BUFFER]], box[
  // All has been written before shared memory goes away.
  // CHECK: nvvm.cp.async.bulk.wait_group 0{{$}}
  // CHECK: llvm.return
  tile.kernel @f(%y: memref<100x200xbf16>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %zero = tile.zero : !tile.accumulator<64x192>
    tile.copy_out %zero to %y[%c64, %c0] : !tile.accumulator<64x192> to memref<100x200xbf16>
    tile.return
  }
}
