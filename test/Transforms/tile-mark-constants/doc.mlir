// What every launch of a kernel takes from the program's parameters is constant, in whatever shape; what one of them
// takes from the caller, or from a launch, is not.
// RUN: block-opt %s --tile-mark-constants | FileCheck %s
// RUN: block-opt %s --tile-mark-constants -o %t && block-opt %t --tile-mark-constants | diff %t -

gpu.module @kernels {
  // CHECK: tile.kernel @product(%[[X0:.*]]: memref<2x8xf32>, %[[W0:.*]]: memref<8x8xf32> {tile.constant}, %[[Y0:.*]]: memref<2x8xf32>)
  tile.kernel @product(%x: memref<2x8xf32>, %w: memref<8x8xf32>, %y: memref<2x8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
  // Launched with a parameter first, and then with what the launch before writes.
  // CHECK: tile.kernel @shared(%[[X1:.*]]: memref<2x8xf32>, %[[Y1:.*]]: memref<2x8xf32>)
  tile.kernel @shared(%x: memref<2x8xf32>, %y: memref<2x8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
  // Its workspace is no input.
  // CHECK: tile.kernel @counted(%[[X2:.*]]: memref<2x8xf32> {tile.constant}, %[[Y2:.*]]: memref<2x8xf32>, %[[Z2:.*]]: memref<4xi32>)
  tile.kernel @counted(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %z: memref<4xi32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>, workspaces = 1 : i64} {
    tile.return
  }
  // CHECK: tile.kernel @unused(%[[W3:.*]]: memref<8x8xf32>, %[[Y3:.*]]: memref<2x8xf32>)
  tile.kernel @unused(%w: memref<8x8xf32>, %y: memref<2x8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 1, grid = 1>} {
    tile.return
  }
}

func.func @main(%x: tensor<2x8xf32> {block.input = "x"}, %w: tensor<64xf32> {block.param = "w"},
                %table: tensor<2x8xf32> {block.param = "table"}) -> tensor<2x8xf32> {
  %wide = tensor.expand_shape %w [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %0 = tile.launch @kernels::@product(%x, %wide) : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %1 = tile.launch @kernels::@product(%0, %wide) : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %2 = tile.launch @kernels::@shared(%table) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = tile.launch @kernels::@shared(%1) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %4 = tile.launch @kernels::@counted(%table) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %4 : tensor<2x8xf32>
}
