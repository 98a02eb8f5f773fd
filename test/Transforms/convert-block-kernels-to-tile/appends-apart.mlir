// A projection writes new rows of a cache itself, and a launch of its own copies them with appends-apart.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s
// RUN: block-opt %s --convert-block-kernels-to-tile="chip=sm_90a appends-apart=true" | FileCheck %s --check-prefix=APART

// CHECK: tile.launch @kernels::@linear_0(%arg0, %arg1, %arg2, %arg3)
// CHECK-NOT: tile.launch
// APART: %[[NEW:.*]] = tile.launch @kernels::@linear_0(%arg0, %arg1)
// APART: %[[CACHE:.*]] = tile.launch @kernels::@cache_append_0(%arg2, %[[NEW]], %arg3)
// APART: return %[[CACHE]]
func.func @main(%x: tensor<1x1x64xbf16>, %w: tensor<64x64xbf16>, %c: tensor<1x32x64xbf16>, %n: tensor<1xi64>) -> tensor<1x32x64xbf16> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x1x64xbf16>, %b = %w : tensor<64x64xbf16>, %d = %c : tensor<1x32x64xbf16>, %l = %n : tensor<1xi64>) -> tensor<1x32x64xbf16> {
    %1 = block.linear %a, %b : tensor<1x1x64xbf16> -> tensor<1x1x64xbf16>
    %2 = block.cache_append %d, %1 at %l : tensor<1x32x64xbf16>, tensor<1x1x64xbf16>
    block.yield %2 : tensor<1x32x64xbf16>
  }
  return %0 : tensor<1x32x64xbf16>
}
