// One tile product of sm_90a: a tile comes by a tensor map, a warpgroup
// multiplies 64 x 16 by 8 x 16 values straight from shared memory.
!acc = !llvm.struct<(f32, f32, f32, f32)>
gpu.module @kernels {
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @tile_product(
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant},
      %d: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 4096 : i32
    %ticks = arith.constant 10000000 : i32
    %layout = arith.constant 4611686293305360384 : i64
    %four = arith.constant 4 : i64
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %tile = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %full = llvm.getelementptr %tile[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %first = arith.cmpi eq, %thread, %zero : i32
    scf.if %first {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.barrier0
    nvvm.setmaxregister increase 232
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
      %cluster = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %full, box [%zero, %zero] : !llvm.ptr<7>, !llvm.ptr
    }
    nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %address = llvm.ptrtoint %tile : !llvm.ptr<3> to i64
    %units = arith.shrui %address, %four : i64
    %descriptor = arith.ori %units, %layout : i64
    %u = llvm.mlir.undef : !acc
    nvvm.wgmma.fence.aligned
    %p = nvvm.wgmma.mma_async %descriptor, %descriptor, %u, <m = 64, n = 8, k = 16>,
      D [<f32>, <zero>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %p0 = llvm.extractvalue %p[0] : !acc
    %p1 = llvm.extractvalue %p[1] : !acc
    %pair = vector.from_elements %p0, %p1 : vector<2xf32>
    %out = llvm.getelementptr %d[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf32>
    llvm.store %pair, %out : vector<2xf32>, !llvm.ptr<1>
    llvm.return
  }
}
