// Types that follow from others are not written, all types where they don't, and either is read.
// RUN: block-opt %s --split-input-file | FileCheck %s
// RUN: block-opt %s --split-input-file | block-opt --split-input-file | FileCheck %s
// RUN: block-opt %s --split-input-file --mlir-print-op-generic | block-opt --split-input-file | FileCheck %s

// One type, if it is everywhere; behind an arrow that of the result.
// CHECK-LABEL: func.func @projections(
// CHECK-NEXT: %0 = block.linear %arg0, %arg1 : tensor<2x?x8xbf16>{{$}}
// CHECK-NEXT: %1 = block.linear %arg0, %arg1 : tensor<2x?x8xbf16> -> tensor<2x?x8xf32>
// CHECK-NEXT: %2 = block.linear %arg0, %arg1 bias %arg2 : (tensor<2x?x8xbf16>, tensor<8x8xbf16>, tensor<8xf32>) -> tensor<2x?x8xf32>
// CHECK-NEXT: %3 = block.residual %0, %1 : (tensor<2x?x8xbf16>, tensor<2x?x8xf32>) -> tensor<2x?x8xbf16>
// CHECK-NEXT: %4 = block.residual %3, %0, %3 : tensor<2x?x8xbf16>{{$}}
func.func @projections(%arg0: tensor<2x?x8xbf16>, %arg1: tensor<8x8xbf16>, %arg2: tensor<8xf32>) -> tensor<2x?x8xbf16> {
  %0 = block.linear %arg0, %arg1 : (tensor<2x?x8xbf16>, tensor<8x8xbf16>) -> tensor<2x?x8xbf16>
  %1 = block.linear %arg0, %arg1 : tensor<2x?x8xbf16> -> (tensor<2x?x8xf32>)
  %2 = block.linear %arg0, %arg1 bias %arg2 : (tensor<2x?x8xbf16>, tensor<8x8xbf16>, tensor<8xf32>) -> tensor<2x?x8xf32>
  %3 = block.residual %0, %1 : (tensor<2x?x8xbf16>, tensor<2x?x8xf32>) -> tensor<2x?x8xbf16>
  %4 = block.residual %3, %0, %3 : tensor<2x?x8xbf16>
  return %4 : tensor<2x?x8xbf16>
}

// -----

// Key heads that are fewer are written, and what has sizes of its own is given.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT: %0 = block.sdpa %arg0, %arg1, %arg1 {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x16xf32>{{$}}
// CHECK-NEXT: %1 = block.sdpa %0, %0, %0 relative %arg2 {buckets = #block.buckets<>, heads = 4, scores = #block.scores<scale = 0.1>}
// CHECK-NEXT: {{^ +}}: tensor<2x5x16xf32>, tensor<32x4xf32>
// CHECK-NEXT: %2 = block.sdpa %1, %arg3, %arg3 {heads = 4, scores = #block.scores<scale = 1.0e-12>} : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x16xf32>)
// CHECK-NEXT: {{^ +}}-> tensor<2x5x16xf32>
func.func @heads(%arg0: tensor<2x5x16xf32>, %arg1: tensor<2x5x8xf32>, %arg2: tensor<32x4xf32>, %arg3: tensor<2x7x16xf32>) -> tensor<2x5x16xf32> {
  %0 = block.sdpa %arg0, %arg1, %arg1 {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.5>} : tensor<2x5x16xf32>
  %1 = block.sdpa %0, %0, %0 relative %arg2 {heads = 4 : i64, kv_heads = 4 : i64, buckets = #block.buckets<>, scores = #block.scores<scale = 1.0e-1>} : tensor<2x5x16xf32>, tensor<32x4xf32>
  %2 = block.sdpa %1, %arg3, %arg3 {heads = 4, scores = #block.scores<scale = 9.9999999999999998E-13>} : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x16xf32>) -> tensor<2x5x16xf32>
  return %2 : tensor<2x5x16xf32>
}

// -----

// Attributes that are not of the op are as they were, but for the types of 64-bit numbers.
// CHECK-LABEL: func.func @foreign(
// CHECK-NEXT: block.activation %arg0 {kind = #block.activation<relu>, my.flag, my.half = 5.000000e-01 : f32, my.list = [1, 2.5, {a = 3 : i32, "b c" = -4}],
// CHECK-NEXT: my.not = 0x7FF0000000000000 : f64} : tensor<2x5x8xf32>
func.func @foreign(%arg0: tensor<2x5x8xf32>) {
  %0 = block.activation %arg0 {kind = #block.activation<relu>, my.flag, my.half = 0.5 : f32, my.list = [1 : i64, 2.5 : f64, {a = 3 : i32, "b c" = -4 : i64}], my.not = 0x7FF0000000000000 : f64} : tensor<2x5x8xf32>
  return
}
