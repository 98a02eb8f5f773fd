// Every op, type and attribute of the tile dialect in text, in generic form and in
// bytecode.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK: gpu.module @kernels {
// CHECK-NEXT: tile.kernel @gemm(%arg0: memref<?x256xbf16>, %arg1: memref<512x256xbf16>, %arg2: memref<?x512xbf16>)
// CHECK-NEXT: attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 3, grid = 132>,
// CHECK-NEXT: workspaces = 0 : i64} {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %c64 = arith.constant 64 : index
// CHECK-NEXT: %c128 = arith.constant 128 : index
// CHECK-NEXT: %0 = tile.dim %arg0, 0 : memref<?x256xbf16>
// CHECK-NEXT: %1 = arith.ceildivui %0, %c128 : index
// CHECK-NEXT: tile.tiles (%arg3, %arg4) below (%1, %c4) band 8 {
// CHECK-NEXT: %2 = arith.muli %arg3, %c128 : index
// CHECK-NEXT: %3 = arith.muli %arg4, %c128 : index
// CHECK-NEXT: %4 = tile.zero : <128x128>
// CHECK-NEXT: %5 = tile.pipeline %c4 init %4 : !tile.accumulator<128x128> produce {
// CHECK-NEXT: ^bb0(%arg5: index, %arg6: !tile.buffer<128x64xbf16, swizzled>, %arg7: !tile.buffer<128x64xbf16, swizzled>):
// CHECK-NEXT: %7 = arith.muli %arg5, %c64 : index
// CHECK-NEXT: tile.copy %arg0[%2, %7] to %arg6[0, 128] : memref<?x256xbf16> to <128x64xbf16, swizzled>
// CHECK-NEXT: tile.copy %arg1[%3, %7] to %arg7[0, 128] : memref<512x256xbf16> to <128x64xbf16, swizzled>
// CHECK-NEXT: tile.yield
// CHECK-NEXT: } consume {
// CHECK-NEXT: ^bb0(%arg5: index, %arg6: !tile.buffer<128x64xbf16, swizzled>, %arg7: !tile.buffer<128x64xbf16, swizzled>, %arg8: !tile.accumulator<128x128>):
// CHECK-NEXT: %7 = tile.mma %arg6, %arg7, %arg8 : !tile.buffer<128x64xbf16, swizzled>, <128x64xbf16, swizzled>, <128x128>
// CHECK-NEXT: tile.yield %7 : !tile.accumulator<128x128>
// CHECK-NEXT: }
// CHECK-NEXT: %6 = tile.stage %5[0] : <128x128> to <128x128xf32, padded>
// CHECK-NEXT: tile.rows %arg5 below %c128 extent 128 {
// CHECK-NEXT: tile.columns %arg6 = %c0 to %c128 {
// CHECK-NEXT: %7 = tile.load %6[%arg5, %arg6] : !tile.buffer<128x128xf32, padded> to f32
// CHECK-NEXT: tile.store %7, %arg2[%arg5, %arg6] : f32 to memref<?x512xbf16>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
// CHECK-NEXT: }
// CHECK-NEXT: tile.kernel @rows(%arg0: memref<8x64xbf16>, %arg1: memref<8xi64>, %arg2: memref<8x64xf32>)
// CHECK-NEXT: attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>{{.*}}} {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %c64 = arith.constant 64 : index
// CHECK-NEXT: %0 = tile.table dense<1.000000e+00> : tensor<64xf32> : memref<64xf32>
// CHECK-NEXT: tile.rows %arg3 below %c8 grid {
// CHECK-NEXT: %1 = tile.load %arg1[%arg3] : memref<8xi64> to i64
// CHECK-NEXT: %2 = tile.scratch : <1x64xf32>
// CHECK-NEXT: %3 = tile.reduce add %arg4 = %c0 to %c64 {
// CHECK-NEXT: %5 = tile.load %arg0[%arg3, %arg4] : memref<8x64xbf16> to f32
// CHECK-NEXT: %6 = tile.round %5 to f16
// CHECK-NEXT: tile.yield %6 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %4 = tile.reduce max %arg4 = %c0 to %c64 {
// CHECK-NEXT: %5 = tile.load %0[%arg4] : memref<64xf32> to f32
// CHECK-NEXT: tile.yield %5 : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %4, %arg2[%arg3, %c0] : f32 to memref<8x64xf32>
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
// CHECK-NEXT: }
// CHECK-NEXT: tile.kernel @orders() attributes {outputs = 0 : i64, schedule = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 4, cluster = 2>,
// CHECK-NEXT: workspaces = 0 : i64} {
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %0 = tile.zero : <128x64>
// CHECK-NEXT: %1 = tile.pipeline %c4 init %0 : !tile.accumulator<128x64> produce {
// CHECK-NEXT: ^bb0(%arg0: index, %arg1: !tile.buffer<64x128xbf16, swizzled>, %arg2: !tile.buffer<64x64xbf16, swizzled>):
// CHECK-NEXT: tile.yield
// CHECK-NEXT: } consume {
// CHECK-NEXT: ^bb0(%arg0: index, %arg1: !tile.buffer<64x128xbf16, swizzled>, %arg2: !tile.buffer<64x64xbf16, swizzled>, %arg3: !tile.accumulator<128x64>):
// CHECK-NEXT: %2 = tile.mma %arg1 depth_first, %arg2 depth_first, %arg3 : !tile.buffer<64x128xbf16, swizzled>, <64x64xbf16, swizzled>, <128x64>
// CHECK-NEXT: %3 = tile.mma %arg1 depth_first, %arg2, %2 : !tile.buffer<64x128xbf16, swizzled>, <64x64xbf16, swizzled>, <128x64>
// CHECK-NEXT: tile.yield %3 : !tile.accumulator<128x64>
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
// CHECK-NEXT: }
// CHECK-LABEL: tile.kernel @less(
// CHECK: %[[LESS:.*]] = tile.map : () -> !tile.row_values<64 of 32> {
// CHECK: tile.mma %{{.*}} less %[[LESS]] : !tile.row_values<64 of 32>, %{{.*}}, %{{.*}} : !tile.buffer<64x32xf32, swizzled>, <32x32xf32, swizzled>, <64x32>
// CHECK-NEXT: tile.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: func.func @host(%arg0: tensor<8x64xbf16>, %arg1: tensor<8xi64>) -> tensor<8x64xf32> {
// CHECK-NEXT: %0 = tile.launch @kernels::@rows(%arg0, %arg1) : (tensor<8x64xbf16>, tensor<8xi64>) -> tensor<8x64xf32>
// CHECK-NEXT: return %0 : tensor<8x64xf32>
// CHECK-NEXT: }

gpu.module @kernels {
  tile.kernel @gemm(%a: memref<?x256xbf16>, %w: memref<512x256xbf16>, %c: memref<?x512xbf16>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 3, grid = 132>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %m = tile.dim %a, 0 : memref<?x256xbf16>
    %tiles = arith.ceildivui %m, %c128 : index
    tile.tiles (%i, %j) below (%tiles, %c4) band 8 {
      %row = arith.muli %i, %c128 : index
      %column = arith.muli %j, %c128 : index
      %zero = tile.zero : !tile.accumulator<128x128>
      %sum = tile.pipeline %c4 init %zero : !tile.accumulator<128x128> produce {
      ^bb0(%step: index, %left: !tile.buffer<128x64xbf16, swizzled>, %right: !tile.buffer<128x64xbf16, swizzled>):
        %k = arith.muli %step, %c64 : index
        tile.copy %a[%row, %k] to %left[0, 128] : memref<?x256xbf16> to !tile.buffer<128x64xbf16, swizzled>
        tile.copy %w[%column, %k] to %right[0, 128] : memref<512x256xbf16> to !tile.buffer<128x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%step: index, %left: !tile.buffer<128x64xbf16, swizzled>, %right: !tile.buffer<128x64xbf16, swizzled>, %old: !tile.accumulator<128x128>):
        %new = tile.mma %left, %right, %old : !tile.buffer<128x64xbf16, swizzled>, !tile.buffer<128x64xbf16, swizzled>, !tile.accumulator<128x128>
        tile.yield %new : !tile.accumulator<128x128>
      }
      %staged = tile.stage %sum[0] : !tile.accumulator<128x128> to !tile.buffer<128x128xf32, padded>
      tile.rows %r below %c128 extent 128 {
        tile.columns %x = %c0 to %c128 {
          %value = tile.load %staged[%r, %x] : !tile.buffer<128x128xf32, padded> to f32
          tile.store %value, %c[%r, %x] : f32 to memref<?x512xbf16>
        }
      }
    }
    tile.return
  }

  tile.kernel @rows(%x: memref<8x64xbf16>, %ids: memref<8xi64>, %y: memref<8x64xf32>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %table = tile.table dense<1.0> : tensor<64xf32> : memref<64xf32>
    tile.rows %row below %c8 grid {
      %id = tile.load %ids[%row] : memref<8xi64> to i64
      %scratch = tile.scratch : !tile.buffer<1x64xf32>
      %sum = tile.reduce add %column = %c0 to %c64 {
        %value = tile.load %x[%row, %column] : memref<8x64xbf16> to f32
        %rounded = tile.round %value to f16
        tile.yield %rounded : f32
      }
      %max = tile.reduce max %column = %c0 to %c64 {
        %value = tile.load %table[%column] : memref<64xf32> to f32
        tile.yield %value : f32
      }
      tile.store %max, %y[%row, %c0] : f32 to memref<8x64xf32>
    }
    tile.return
  }

  tile.kernel @orders() attributes {outputs = 0 : i64, schedule = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 4, cluster = 2>} {
    %c4 = arith.constant 4 : index
    %zero = tile.zero : !tile.accumulator<128x64>
    %sum = tile.pipeline %c4 init %zero : !tile.accumulator<128x64> produce {
    ^bb0(%step: index, %left: !tile.buffer<64x128xbf16, swizzled>, %right: !tile.buffer<64x64xbf16, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<64x128xbf16, swizzled>, %right: !tile.buffer<64x64xbf16, swizzled>, %old: !tile.accumulator<128x64>):
      %both = tile.mma %left depth_first, %right depth_first, %old : !tile.buffer<64x128xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
      %one = tile.mma %left depth_first, %right, %both : !tile.buffer<64x128xbf16, swizzled>, !tile.buffer<64x64xbf16, swizzled>, !tile.accumulator<128x64>
      tile.yield %one : !tile.accumulator<128x64>
    }
    tile.return
  }

  tile.kernel @less(%means: memref<64xf32>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = fma, warps = 4, grid = 4>} {
    %c4 = arith.constant 4 : index
    %less = tile.map : () -> !tile.row_values<64 of 32> {
    ^bb0(%row: index):
      %mean = tile.load %means[%row] : memref<64xf32> to f32
      tile.yield %mean : f32
    }
    %zero = tile.zero : !tile.accumulator<64x32>
    %sum = tile.pipeline %c4 init %zero : !tile.accumulator<64x32> produce {
    ^bb0(%step: index, %left: !tile.buffer<64x32xf32, swizzled>, %right: !tile.buffer<32x32xf32, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<64x32xf32, swizzled>, %right: !tile.buffer<32x32xf32, swizzled>, %old: !tile.accumulator<64x32>):
      %new = tile.mma %left less %less : !tile.row_values<64 of 32>, %right, %old : !tile.buffer<64x32xf32, swizzled>, !tile.buffer<32x32xf32, swizzled>, !tile.accumulator<64x32>
      tile.yield %new : !tile.accumulator<64x32>
    }
    tile.return
  }
}

func.func @host(%x: tensor<8x64xbf16>, %ids: tensor<8xi64>) -> tensor<8x64xf32> {
  %y = tile.launch @kernels::@rows(%x, %ids) : (tensor<8x64xbf16>, tensor<8xi64>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// What the steps of the lowering add.
// CHECK-LABEL: tile.kernel @lowered(
// CHECK-NEXT: attributes {chip = "sm_90a", outputs = 1 : i64, programmatic, schedule = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 4, cluster = 2>,
// CHECK-NEXT: shared_bytes = 4096 : i64
// CHECK: tile.tiles
// CHECK: tile.pipeline %{{.*}} stages 2 as producer at 0 deferred [0] init
// CHECK: tile.copy %arg0[%{{.*}}] to %{{.*}}[0, 64] shared :
// CHECK: tile.pipeline %{{.*}} as consumer at 1024 init
// CHECK: tile.stage %{{.*}}[0] at 2048 synchronized :
// CHECK: tile.scratch at 3072 :
// CHECK: tile.columns
// CHECK-NEXT: tile.store %{{.*}} by each :
// CHECK-NEXT: } {synchronized, width = 2 : i64}
// CHECK: tile.reduce
// CHECK: } {width = 4 : i64}
// CHECK: tile.store %{{.*}} by first synchronized :
// CHECK: tile.join %arg2[%{{.*}}] of %{{.*}} at 3088 :
// CHECK: tile.fold <max> %[[FROM:.*]] to %[[TO:.*]] at 3104 : (i64, i64) {
// CHECK-NEXT: ^bb0(%[[COLUMN:.*]]: index):
// CHECK-NEXT: %[[WORD:.*]] = arith.index_cast %[[COLUMN]] : index to i64
// CHECK-NEXT: tile.yield %[[WORD]], %[[WORD]] : i64, i64
// CHECK: %[[OWN:.*]] = tile.shared at 3200 : <8x2xf32>
// CHECK-NEXT: tile.fill %[[OWN]] rows %{{.*}} again : <8x2xf32> {
// CHECK-NEXT: ^bb0(%[[OWNROW:.*]]: index, %[[OWNCOLUMN:.*]]: index):
// CHECK-NEXT: %[[ELEMENT:.*]] = tile.load %[[OWN]][%[[OWNROW]], %[[OWNCOLUMN]]]
// CHECK-NEXT: tile.yield %[[ELEMENT]] : f32
// CHECK: } {in_step}
// CHECK-LABEL: func.func private @device(
// CHECK-NEXT: attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = tensor_map, operand = 1, box = [8, 64]>],
// CHECK-NEXT: schedule = <warps = 4, grid = 2>, shared_bytes = 16, workspaces = [memref<4xf32>, memref<2xi32>], programmatic = true>}
// CHECK: tile.launch @lowered_kernels::@none(%{{.*}}) {size_symbols = array<i64: 0, 0>, sizes = {{\[\[}}#map]]} :
gpu.module @lowered_kernels {
  tile.kernel @lowered(%a: memref<128x64xbf16>, %y: memref<64x64xf32>, %counters: memref<4xi32>) attributes {chip = "sm_90a", outputs = 1 : i64, programmatic, schedule = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 4, cluster = 2>, shared_bytes = 4096 : i64, workspaces = 1 : i64} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    tile.tiles (%i, %j) below (%c4, %c4) band 8 {
      %zero = tile.zero : !tile.accumulator<64x64>
      %copied = tile.pipeline %c4 stages 2 as producer at 0 deferred [0] init %zero : !tile.accumulator<64x64> produce {
      ^bb0(%step: index, %tile: !tile.buffer<64x64xbf16, swizzled>):
        tile.copy %a[%c0, %c0] to %tile[0, 64] shared : memref<128x64xbf16> to !tile.buffer<64x64xbf16, swizzled>
        tile.yield
      } consume {
      ^bb0(%step: index, %tile: !tile.buffer<64x64xbf16, swizzled>, %old: !tile.accumulator<64x64>):
        tile.yield %old : !tile.accumulator<64x64>
      }
      %sum = tile.pipeline %c4 as consumer at 1024 init %zero : !tile.accumulator<64x64> produce {
      ^bb0(%step: index, %tile: !tile.buffer<64x64xbf16, swizzled>):
        tile.yield
      } consume {
      ^bb0(%step: index, %tile: !tile.buffer<64x64xbf16, swizzled>, %old: !tile.accumulator<64x64>):
        tile.yield %old : !tile.accumulator<64x64>
      }
      %staged = tile.stage %sum[0] at 2048 synchronized : !tile.accumulator<64x64> to !tile.buffer<64x64xf32, padded>
      tile.rows %row below %c4 extent 64 {
        %scratch = tile.scratch at 3072 : !tile.buffer<1x4xf32>
        %value = tile.load %staged[%row, %c0] : !tile.buffer<64x64xf32, padded> to f32
        tile.columns %column = %c0 to %c4 {
          tile.store %value, %scratch[%c0, %column] by each : f32 to !tile.buffer<1x4xf32>
        } {synchronized, width = 2 : i64}
        %most = tile.reduce max %column = %c0 to %c4 {
          tile.yield %value : f32
        } {width = 4 : i64}
        tile.store %most, %scratch[%c0, %c0] by first synchronized : f32 to !tile.buffer<1x4xf32>
      }
      tile.join %counters[%i] of %c4 at 3088 : memref<4xi32> {
      }
      %largest:2 = tile.fold <max> %c0 to %c4 at 3104 : (i64, i64) {
      ^bb0(%column: index):
        %word = arith.index_cast %column : index to i64
        tile.yield %word, %word : i64, i64
      }
      %own = tile.shared at 3200 : !tile.buffer<8x2xf32>
      tile.fill %own rows %c4 again : !tile.buffer<8x2xf32> {
      ^bb0(%row: index, %column: index):
        %element = tile.load %own[%row, %column] : !tile.buffer<8x2xf32> to f32
        tile.yield %element : f32
      }
    } {in_step}
    tile.return
  }

  llvm.func @none(%x: !llvm.ptr<1>)
}

func.func private @device(i64, i64) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = tensor_map, operand = 1, box = [8, 64]>], schedule = <warps = 4, grid = 2>, shared_bytes = 16, workspaces = [memref<4xf32>, memref<2xi32>], programmatic = true>}

func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = tile.launch @lowered_kernels::@none(%x) {size_symbols = array<i64: 0, 0>, sizes = [[affine_map<()[s0] -> (s0 * 2)>]]} : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: tile.kernel @codes(
// CHECK: %[[V:[0-9]+]] = tile.map : () -> !tile.row_values<64 of 8> {
// CHECK: %[[BOTH:.*]] = tile.mma_codes int4 %[[L:.*]], %[[R:.*]], %{{.*}} scales %[[V]], %[[V]] : !tile.row_values<64 of 8>, !tile.row_values<64 of 8> zeros %[[V]], %[[V]]
// CHECK-NEXT: : !tile.row_values<64 of 8>, !tile.row_values<64 of 8> : <32x128xi8, swizzled>, <8x128xf16, swizzled>, <64x8>
// CHECK-NEXT: tile.mma_codes mxfp4 %[[L]], %[[R]], %[[BOTH]] : <32x128xi8, swizzled>, <8x128xf16, swizzled>, <64x8>
gpu.module @codes {
  tile.kernel @codes(%scale: memref<16xf32>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = mma, warps = 4, grid = 4>} {
    %c4 = arith.constant 4 : index
    %values = tile.map : () -> !tile.row_values<64 of 8> {
    ^bb0(%row: index):
      %one = tile.load %scale[%row] : memref<16xf32> to f32
      tile.yield %one : f32
    }
    %zero = tile.zero : !tile.accumulator<64x8>
    %sum = tile.pipeline %c4 init %zero : !tile.accumulator<64x8> produce {
    ^bb0(%step: index, %left: !tile.buffer<32x128xi8, swizzled>, %right: !tile.buffer<8x128xf16, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<32x128xi8, swizzled>, %right: !tile.buffer<8x128xf16, swizzled>, %old: !tile.accumulator<64x8>):
      %both = tile.mma_codes int4 %left, %right, %old scales %values, %values : !tile.row_values<64 of 8>, !tile.row_values<64 of 8> zeros %values, %values : !tile.row_values<64 of 8>, !tile.row_values<64 of 8> : !tile.buffer<32x128xi8, swizzled>, !tile.buffer<8x128xf16, swizzled>, !tile.accumulator<64x8>
      %new = tile.mma_codes mxfp4 %left, %right, %both : !tile.buffer<32x128xi8, swizzled>, !tile.buffer<8x128xf16, swizzled>, !tile.accumulator<64x8>
      tile.yield %new : !tile.accumulator<64x8>
    }
    tile.return
  }
}

// CHECK-LABEL: tile.kernel @scaled(
// CHECK: %[[SUM:.*]] = tile.mma_scaled %[[L:.*]], %[[R:.*]], %{{.*}} scales %[[V:.*]] : <64> : <64x128xi8, swizzled>, <16x128xi8, swizzled>, <64x16>
// CHECK-NEXT: tile.mma_scaled %[[L]], %[[R]], %[[SUM]] scales %[[V]] : <64> columns %{{.*}}[%[[STEP:.*]]] from %[[STEP]], %[[STEP]] : memref<32x4xf32>
// CHECK-NEXT: : <64x128xi8, swizzled>, <16x128xi8, swizzled>, <64x16>
gpu.module @scaled {
  tile.kernel @scaled(%scale: memref<64xf32>, %columns: memref<32x4xf32>) attributes {outputs = 0 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 4, producers = 1, grid = 4>} {
    %c4 = arith.constant 4 : index
    %values = tile.map : () -> !tile.row_values<64 of 16> {
    ^bb0(%row: index):
      %one = tile.load %scale[%row] : memref<64xf32> to f32
      tile.yield %one : f32
    }
    %zero = tile.zero : !tile.accumulator<64x16>
    %sum = tile.pipeline %c4 init %zero : !tile.accumulator<64x16> produce {
    ^bb0(%step: index, %left: !tile.buffer<64x128xi8, swizzled>, %right: !tile.buffer<16x128xi8, swizzled>):
      tile.yield
    } consume {
    ^bb0(%step: index, %left: !tile.buffer<64x128xi8, swizzled>, %right: !tile.buffer<16x128xi8, swizzled>, %old: !tile.accumulator<64x16>):
      %first = tile.mma_scaled %left, %right, %old scales %values : !tile.row_values<64 of 16> : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<16x128xi8, swizzled>, !tile.accumulator<64x16>
      %new = tile.mma_scaled %left, %right, %first scales %values : !tile.row_values<64 of 16> columns %columns[%step] from %step, %step : memref<32x4xf32> : !tile.buffer<64x128xi8, swizzled>, !tile.buffer<16x128xi8, swizzled>, !tile.accumulator<64x16>
      tile.yield %new : !tile.accumulator<64x16>
    }
    tile.return
  }
}
