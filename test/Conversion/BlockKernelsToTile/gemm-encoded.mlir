// Products of rows in codes of 8 bits: a step has 128 columns, the scales of the next one are loaded ahead, and scales of
// the weight multiply finished sums, or those of a step.
// RUN: split-file %s %t
// RUN: block-opt %t/rows.mlir --unbroken-lines --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: block-opt %t/groups.mlir --unbroken-lines --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefixes=CHECK,GROUPS

// CHECK: %[[FIRST:.*]] = tile.map : () -> !tile.row_values<64 of [[N:[0-9]+]]>
// CHECK: tile.pipeline %{{.*}} init %{{.*}}, %[[FIRST]] : !tile.accumulator<64x[[N]]>, !tile.row_values<64 of [[N]]>
// CHECK: ^bb0(%[[STEP:.*]]: index, %[[LEFT:.*]]: !tile.buffer<64x128xi8, swizzled>, %[[RIGHT:.*]]: !tile.buffer<[[N]]x128xi8, swizzled>, %[[SUM:.*]]: !tile.accumulator<64x[[N]]>, %[[SCALES:.*]]: !tile.row_values<64 of [[N]]>):
// ROWS: %[[NEW:.*]] = tile.mma_scaled %[[LEFT]], %[[RIGHT]], %[[SUM]] scales %[[SCALES]] : <64 of [[N]]> : <64x128xi8
// GROUPS: %[[NEW:.*]] = tile.mma_scaled %[[LEFT]], %[[RIGHT]], %[[SUM]] scales %[[SCALES]] : <64 of [[N]]> columns %{{.*}}[%{{.*}}] from %{{.*}} : memref<64x2xf32>
// CHECK: %[[NEXT:.*]] = tile.map : () -> !tile.row_values<64 of [[N]]>
// CHECK: tile.yield %[[NEW]], %[[NEXT]]
// ROWS: %[[SCALE:.*]] = tile.load %arg3[%{{.*}}, %{{.*}}] : memref<64x1xf32> to f32
// ROWS: arith.mulf %{{.*}}, %[[SCALE]] : f32
// GROUPS-NOT: memref<64x2xf32> to f32

//--- rows.mlir
func.func @main(%x: tensor<1x4x256xi8>, %t: tensor<1x4x2xf32>, %c: tensor<64x256xi8>, %s: tensor<64x1xf32>) -> tensor<1x4x64xbf16> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x4x256xi8>, %e = %t : tensor<1x4x2xf32>, %b = %c : tensor<64x256xi8>, %d = %s : tensor<64x1xf32>) -> tensor<1x4x64xbf16> {
    %r = block.decode_groups %a scales %e : tensor<1x4x256xi8>, tensor<1x4x2xf32> -> tensor<1x4x256xbf16>
    %w = block.unpack_weight %b, %d {form = #block.code_form<fp8>, group = 0 : i64} : tensor<64x256xi8>, tensor<64x1xf32> -> tensor<64x256xbf16>
    %y = block.linear %r, %w : tensor<1x4x256xbf16> -> tensor<1x4x64xbf16>
    block.yield %y : tensor<1x4x64xbf16>
  }
  return %0 : tensor<1x4x64xbf16>
}

//--- groups.mlir
func.func @main(%x: tensor<1x4x256xi8>, %t: tensor<1x4x2xf32>, %c: tensor<64x256xi8>, %s: tensor<64x2xf32>) -> tensor<1x4x64xbf16> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x4x256xi8>, %e = %t : tensor<1x4x2xf32>, %b = %c : tensor<64x256xi8>, %d = %s : tensor<64x2xf32>) -> tensor<1x4x64xbf16> {
    %r = block.decode_groups %a scales %e : tensor<1x4x256xi8>, tensor<1x4x2xf32> -> tensor<1x4x256xbf16>
    %w = block.unpack_weight %b, %d {form = #block.code_form<fp8>, group = 128 : i64} : tensor<64x256xi8>, tensor<64x2xf32> -> tensor<64x256xbf16>
    %y = block.linear %r, %w : tensor<1x4x256xbf16> -> tensor<1x4x64xbf16>
    block.yield %y : tensor<1x4x64xbf16>
  }
  return %0 : tensor<1x4x64xbf16>
}
