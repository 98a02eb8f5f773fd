// Which columns of accumulators are staged by whom, and where.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_90a --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // Two warps with 16 columns each: a whole tile is written by all at once.
  // CHECK-LABEL: llvm.func @whole(
  // CHECK-NEXT: shared_bytes = 2560>
  // CHECK: nvvm.barrier
  // CHECK-NOT: scf.if
  // CHECK-COUNT-4: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
  // CHECK-NOT: llvm.store
  // CHECK: nvvm.barrier
  tile.kernel @whole() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 2, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<16x32>
    %staged = tile.stage %zero[0] : !tile.accumulator<16x32> to !tile.buffer<16x32xf32, padded>
    tile.return
  }

  // The second half is that of one warp: columns 16 and on of its own origin.
  // CHECK-LABEL: llvm.func @half(
  // CHECK-NEXT: shared_bytes = 1536>
  // CHECK: %[[COLUMN:.*]] = arith.addi %{{.*}}, %c-16_i32
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ule, %[[COLUMN]], %c14_i32
  // CHECK: scf.if %[[INSIDE]] {
  // CHECK-COUNT-2: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
  // CHECK: }
  // CHECK: %[[COLUMN2:.*]] = arith.addi %{{.*}}, %c-8_i32
  // CHECK: %[[INSIDE2:.*]] = arith.cmpi ule, %[[COLUMN2]], %c14_i32
  // CHECK: scf.if %[[INSIDE2]] {
  // CHECK-COUNT-2: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
  // CHECK: }
  // CHECK-NOT: llvm.store
  // CHECK: nvvm.barrier
  tile.kernel @half() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 2, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<16x32>
    %staged = tile.stage %zero[16] : !tile.accumulator<16x32> to !tile.buffer<16x16xf32, padded>
    tile.return
  }

  // From an odd column on, elements go one by one; each has its condition where
  // the edge of the buffer runs through its eight columns.
  // CHECK-LABEL: llvm.func @odd(
  // CHECK-NOT: vector<2xf32>
  // CHECK: scf.if
  // CHECK-COUNT-2: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: nvvm.barrier
  tile.kernel @odd() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 1, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<16x16>
    %staged = tile.stage %zero[3] : !tile.accumulator<16x16> to !tile.buffer<16x4xf32>
    tile.return
  }

  // A quarter of each warp's 16 rows: 4 warps have 4 rows of 96 bytes each. Warp w is
  // given an address at which its row 16 w + 4 part would be where it has the first.
  // CHECK-LABEL: llvm.func @parts(
  // CHECK: shared_bytes = 1536>
  // CHECK: scf.for %[[PART:.*]] = %c0_i32 to %c4_i32
  // CHECK: %[[WARPS:.*]] = arith.muli %[[WARP:.*]], %c12_i32
  // CHECK: %[[OWN:.*]] = arith.muli %[[PART]], %c4_i32
  // CHECK: %[[MISSING:.*]] = arith.addi %[[WARPS]], %[[OWN]]
  // CHECK: %[[BYTES:.*]] = arith.muli %[[MISSING]], %c96_i32
  // CHECK: %[[BACK:.*]] = arith.subi %c0_i32, %[[BYTES]]
  // CHECK: llvm.getelementptr %{{.*}}[%[[BACK]]]
  // CHECK: nvvm.bar.warp.sync
  // CHECK: arith.cmpi eq, %{{.*}}, %[[PART]]
  // CHECK: scf.if
  // CHECK-COUNT-2: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
  // CHECK: arith.cmpi eq, %{{.*}}, %[[PART]]
  // CHECK: scf.if
  // CHECK-COUNT-2: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
  // CHECK: nvvm.bar.warp.sync
  // CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[OWN]]
  // CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %c4_i32
  // CHECK: %[[LAST:.*]] = arith.minsi %[[END]], %c50_i32
  // CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step
  tile.kernel @parts(%y: memref<64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c50 = arith.constant 50 : index
    %zero = tile.zero : !tile.accumulator<64x16>
    scf.for %part = %c0 to %c4 step %c1 {
      %staged = tile.stage %zero[0] part %part of 4 : !tile.accumulator<64x16> to !tile.buffer<64x16xf32, padded>
      tile.rows %row below %c50 extent 64 part %part of 4 {
        %first = tile.load %staged[%row, %c0] : !tile.buffer<64x16xf32, padded> to f32
        tile.store %first, %y[%row] : f32 to memref<64xf32>
      }
    }
    tile.return
  }

  // Tiles of different widths lie differently: a warp of the second would write
  // over rows of the first that another still reads. All meet.
  // CHECK-LABEL: llvm.func @widths(
  // CHECK-COUNT-4: nvvm.barrier id = %c1_i32 number_of_threads = %c128_i32
  tile.kernel @widths() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 4, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<64x24>
    %first = tile.stage %zero[0] : !tile.accumulator<64x24> to !tile.buffer<64x16xf32, padded>
    %second = tile.stage %zero[16] : !tile.accumulator<64x24> to !tile.buffer<64x8xf32, padded>
    tile.return
  }

  // Columns of the accumulator are rows of the buffer, 64 columns and 32 bytes apart: 288. A thread has two of 8, and
  // of each two rows of 16, a float at a time; all warps meet.
  // CHECK-LABEL: llvm.func @transposed(
  // CHECK: shared_bytes = 2304>
  // CHECK: nvvm.barrier id = %c1_i32 number_of_threads = %c128_i32
  // CHECK: arith.muli %{{.*}}, %c288_i32
  // CHECK-NOT: vector<2xf32>
  // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: llvm.getelementptr %{{.*}}[32]
  // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: llvm.getelementptr %{{.*}}[288]
  // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: llvm.getelementptr %{{.*}}[320]
  // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: nvvm.barrier id = %c1_i32 number_of_threads = %c128_i32
  tile.kernel @transposed() attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 1, grid = 1>} {
    %zero = tile.zero : !tile.accumulator<64x8>
    %staged = tile.stage %zero[0] transposed : !tile.accumulator<64x8> to !tile.buffer<8x64xf32, padded>
    tile.return
  }
}
