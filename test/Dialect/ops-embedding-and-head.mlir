// The two ends of a model: embeddings and the head.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @embedding(
// CHECK-NEXT: %0 = block.embedding %arg0 in %arg1 : tensor<2x5xi64>, tensor<11x8xf32>{{$}}
// CHECK-NEXT: %1 = block.embedding %arg0 in %arg1 positions %arg2 types %arg0 type_table %arg3 offset %arg4 {position_offset = 2, scale = 2.0}
// CHECK-NEXT: : tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x8xf32>, tensor<2x8xf32>
// CHECK-NEXT: %2 = block.embedding %arg0 in %arg1 positions %arg2 {pad_id = 1} : tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x8xf32>{{$}}
// CHECK-NEXT: %3 = block.embedding %arg0 in %arg1 type_table %arg3 {sinusoid = #block.sinusoid<sin_cos_pairs>} : tensor<2x5xi64>, tensor<11x8xf32>, tensor<2x8xf32>{{$}}
// CHECK-NEXT: %4 = block.embedding %arg0 in %arg1 {sinusoid = #block.sinusoid<sin_then_cos>} : tensor<2x5xi64>, tensor<11x8xf32>{{$}}
// CHECK-NEXT: return %4 : tensor<2x5x8xf32>
func.func @embedding(%arg0: tensor<2x5xi64>, %arg1: tensor<11x8xf32>, %arg2: tensor<16x8xf32>, %arg3: tensor<2x8xf32>, %arg4: index) -> tensor<2x5x8xf32> {
  %0 = block.embedding %arg0 in %arg1 : (tensor<2x5xi64>, tensor<11x8xf32>) -> tensor<2x5x8xf32>
  %1 = block.embedding %arg0 in %arg1 positions %arg2 types %arg0 type_table %arg3 offset %arg4 {position_offset = 2 : i64, scale = 2.000000e+00 : f64} : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x8xf32>, tensor<2x5xi64>, tensor<2x8xf32>, index) -> tensor<2x5x8xf32>
  %2 = block.embedding %arg0 in %arg1 positions %arg2 {pad_id = 1 : i64} : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
  %3 = block.embedding %arg0 in %arg1 type_table %arg3 {sinusoid = #block.sinusoid<sin_cos_pairs>} : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<2x8xf32>) -> tensor<2x5x8xf32>
  %4 = block.embedding %arg0 in %arg1 {sinusoid = #block.sinusoid<sin_then_cos>} : (tensor<2x5xi64>, tensor<11x8xf32>) -> tensor<2x5x8xf32>
  return %4 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @dynamic_embedding(
// CHECK-NEXT: %0 = block.embedding %arg0 in %arg1 : tensor<?x?xi64>, tensor<11x8xbf16>{{$}}
// CHECK-NEXT: return %0 : tensor<?x?x8xbf16>
func.func @dynamic_embedding(%arg0: tensor<?x?xi64>, %arg1: tensor<11x8xbf16>) -> tensor<?x?x8xbf16> {
  %0 = block.embedding %arg0 in %arg1 : (tensor<?x?xi64>, tensor<11x8xbf16>) -> tensor<?x?x8xbf16>
  return %0 : tensor<?x?x8xbf16>
}

// CHECK-LABEL: func.func @patch_embedding(
// CHECK-NEXT: %0 = block.patch_embedding %arg0, %arg1 : tensor<2x3x8x4xf32>, tensor<6x3x4x2xf32>{{$}}
// CHECK-NEXT: %1 = block.patch_embedding %arg0, %arg1 bias %arg2 class %arg2 positions %arg3 : tensor<2x3x8x4xf32>, tensor<6x3x4x2xf32>{{$}}
// CHECK-NEXT: return %1 : tensor<2x5x6xf32>
func.func @patch_embedding(%arg0: tensor<2x3x8x4xf32>, %arg1: tensor<6x3x4x2xf32>, %arg2: tensor<6xf32>, %arg3: tensor<5x6xf32>) -> tensor<2x5x6xf32> {
  %0 = block.patch_embedding %arg0, %arg1 : (tensor<2x3x8x4xf32>, tensor<6x3x4x2xf32>) -> tensor<2x4x6xf32>
  %1 = block.patch_embedding %arg0, %arg1 bias %arg2 class %arg2 positions %arg3 : (tensor<2x3x8x4xf32>, tensor<6x3x4x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<5x6xf32>) -> tensor<2x5x6xf32>
  return %1 : tensor<2x5x6xf32>
}

// CHECK-LABEL: func.func @head(
// CHECK-NEXT: %0 = block.head %arg0, %arg1 : tensor<2x5x8xf16> -> tensor<2x5x11xf16>
// CHECK-NEXT: %1 = block.head %arg0, %arg1 bias %arg2 {scale = 0.0625, softcap = 30.0} : tensor<2x5x8xf16> -> tensor<2x5x11xf16>
// CHECK-NEXT: return %1 : tensor<2x5x11xf16>
func.func @head(%arg0: tensor<2x5x8xf16>, %arg1: tensor<11x8xf16>, %arg2: tensor<11xf16>) -> tensor<2x5x11xf16> {
  %0 = block.head %arg0, %arg1 : (tensor<2x5x8xf16>, tensor<11x8xf16>) -> tensor<2x5x11xf16>
  %1 = block.head %arg0, %arg1 bias %arg2 {scale = 6.250000e-02 : f64, softcap = 3.000000e+01 : f64} : (tensor<2x5x8xf16>, tensor<11x8xf16>, tensor<11xf16>) -> tensor<2x5x11xf16>
  return %1 : tensor<2x5x11xf16>
}

// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: %0 = block.embedding %arg0 in %arg1 positions %arg2 offset %arg3
// CHECK-NEXT: %1 = block.take_rows %0 at %arg4 : tensor<2x5x8xf32>, tensor<?xi64>{{$}}
// CHECK-NEXT: return %1 : tensor<2x?x8xf32>
func.func @rows(%arg0: tensor<2x5xi64>, %arg1: tensor<11x8xf32>, %arg2: tensor<16x8xf32>, %arg3: tensor<2xi64>, %arg4: tensor<?xi64>) -> tensor<2x?x8xf32> {
  %0 = block.embedding %arg0 in %arg1 positions %arg2 offset %arg3 : (tensor<2x5xi64>, tensor<11x8xf32>, tensor<16x8xf32>, tensor<2xi64>) -> tensor<2x5x8xf32>
  %1 = block.take_rows %0 at %arg4 : (tensor<2x5x8xf32>, tensor<?xi64>) -> tensor<2x?x8xf32>
  return %1 : tensor<2x?x8xf32>
}
