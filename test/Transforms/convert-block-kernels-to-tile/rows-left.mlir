// Few rows are the right operand of a product in bf16, and the left one with rows-left, in a tile for many.
// RUN: block-opt %s --convert-block-kernels-to-tile | FileCheck %s
// RUN: block-opt %s --convert-block-kernels-to-tile=rows-left=true | FileCheck %s --check-prefix=LEFT

// CHECK: tile.copy %arg0{{.*}} to %[[X:.*]][0, 8] : memref<1x3x64xbf16>
// CHECK: tile.mma %[[LEFTHAND:.*]], %[[RIGHTHAND:.*]], %[[SUM:.*]] : !tile.buffer<64x64xbf16, swizzled>, <8x64xbf16, swizzled>, <64x8>
// LEFT: tile.copy %arg0{{.*}} to %[[X:.*]][0, 64] : memref<1x3x64xbf16>
// LEFT: tile.mma %[[LEFTHAND:.*]], %[[RIGHTHAND:.*]], %[[SUM:.*]] : !tile.buffer<64x64xbf16, swizzled>, <128x64xbf16, swizzled>, <64x128>
func.func @main(%x: tensor<1x3x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<1x3x64xbf16> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x3x64xbf16>, %b = %w : tensor<64x64xbf16>) -> tensor<1x3x64xbf16> {
    %y = block.linear %a, %b : (tensor<1x3x64xbf16>, tensor<64x64xbf16>) -> tensor<1x3x64xbf16>
    block.yield %y : tensor<1x3x64xbf16>
  }
  return %0 : tensor<1x3x64xbf16>
}
