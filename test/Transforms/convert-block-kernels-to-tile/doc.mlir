// A residual: a warp takes a row, its lanes the columns.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s

// CHECK: gpu.module @kernels {
// CHECK-NEXT: tile.kernel @rows_0(%[[A:.*]]: memref<1x4x64xf32>, %[[B:.*]]: memref<1x4x64xf32>, %[[OUT:.*]]: memref<1x4x64xf32>)
// CHECK-NEXT: attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>
// CHECK: tile.rows %[[ROW:.*]] below %{{.*}} grid {
// CHECK: tile.columns %[[COLUMN:.*]] = %{{.*}} to %{{.*}} {
// CHECK-NEXT: %[[X:.*]] = tile.load %[[A]][%[[ROW]], %[[COLUMN]]] : memref<1x4x64xf32> to f32
// CHECK-NEXT: %[[Y:.*]] = tile.load %[[B]][%[[ROW]], %[[COLUMN]]] : memref<1x4x64xf32> to f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK-NEXT: tile.store %[[SUM]], %[[OUT]][%[[ROW]], %[[COLUMN]]] : f32 to memref<1x4x64xf32>
// CHECK: tile.return
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = tile.launch @kernels::@rows_0(%arg0, %arg1){{.*}} : (tensor<1x4x64xf32>, tensor<1x4x64xf32>) -> tensor<1x4x64xf32>
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<1x4x64xf32>, %y: tensor<1x4x64xf32>) -> tensor<1x4x64xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x4x64xf32>, %b = %y : tensor<1x4x64xf32>) -> tensor<1x4x64xf32> {
    %sum = block.residual %a, %b : (tensor<1x4x64xf32>, tensor<1x4x64xf32>) -> tensor<1x4x64xf32>
    block.yield %sum : tensor<1x4x64xf32>
  }
  return %0 : tensor<1x4x64xf32>
}
