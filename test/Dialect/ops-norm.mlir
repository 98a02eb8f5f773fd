// The norm, its statistics and what applies them.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @norm(
// CHECK-NEXT: %0 = block.norm %arg0 {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %1 = block.norm %0 gamma %arg1 beta %arg1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %2 = block.norm %1 gamma %arg2 {form = #block.norm<kind = l2, eps = 0.0>, groups = 2} : tensor<2x5x8xf32> -> tensor<2x5x8xbf16>
// CHECK-NEXT: return %2 : tensor<2x5x8xbf16>
func.func @norm(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<4xf32>) -> tensor<2x5x8xbf16> {
  %0 = block.norm %arg0 {form = #block.norm<kind = rms, eps = 1.000000e-05>} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %1 = block.norm %0 gamma %arg1 beta %arg1 {form = #block.norm<kind = layer, eps = 1.000000e-05>} : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %2 = block.norm %1 gamma %arg2 {form = #block.norm<kind = l2, eps = 0.000000e+00>, groups = 2 : i64} : (tensor<2x5x8xf32>, tensor<4xf32>) -> tensor<2x5x8xbf16>
  return %2 : tensor<2x5x8xbf16>
}

// CHECK-LABEL: func.func @norm_steps(
// CHECK-NEXT: %0:2 = block.norm_stats %arg0 centered : tensor<?x?x8xbf16>{{$}}
// CHECK-NEXT: %1 = block.normalize %arg0 mean %0#0 moment %0#1 gamma %arg1 beta %arg1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<?x?x8xbf16>{{$}}
// CHECK-NEXT: %2 = block.norm_stats %1 {groups = 4} : tensor<?x?x8xbf16>{{$}}
// CHECK-NEXT: %3 = block.normalize %1 moment %2 {form = #block.norm<kind = rms, eps = 1.0e-05>, groups = 4} : tensor<?x?x8xbf16>{{$}}
// CHECK-NEXT: return %3 : tensor<?x?x8xbf16>
func.func @norm_steps(%arg0: tensor<?x?x8xbf16>, %arg1: tensor<8xbf16>) -> tensor<?x?x8xbf16> {
  %0:2 = block.norm_stats %arg0 centered : (tensor<?x?x8xbf16>) -> (tensor<?x?x1xf32>, tensor<?x?x1xf32>)
  %1 = block.normalize %arg0 mean %0#0 moment %0#1 gamma %arg1 beta %arg1 {form = #block.norm<kind = layer, eps = 1.000000e-05>} : (tensor<?x?x8xbf16>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<?x?x8xbf16>
  %2 = block.norm_stats %1 {groups = 4 : i64} : (tensor<?x?x8xbf16>) -> tensor<?x?x4xf32>
  %3 = block.normalize %1 moment %2 {form = #block.norm<kind = rms, eps = 1.000000e-05>, groups = 4 : i64} : (tensor<?x?x8xbf16>, tensor<?x?x4xf32>) -> tensor<?x?x8xbf16>
  return %3 : tensor<?x?x8xbf16>
}
