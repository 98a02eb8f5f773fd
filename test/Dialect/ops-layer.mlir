// Layers, residual connections, gains and weights kept as a change of their start.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @layer(
// CHECK-NEXT: %0 = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
// CHECK-NEXT: %2 = block.residual %arg0, %arg1 : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: block.yield %2 : tensor<2x5x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %1:2 = block.layer "h.1" at 1 -> tensor<2x5x8xf32>, tensor<2x5x8xf32>
// CHECK-NEXT: attributes {approx = #block.approx<pass = "block-parallelize", parameters = "blocks=1", measured = 0.25>,
// CHECK-NEXT: log = [#block.decision<pass = "block-parallelize", outcome = passed>]} {
// CHECK-NEXT: block.yield %0, %arg1 : tensor<2x5x8xf32>, tensor<2x5x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: block.layer "empty" at 2 {
// CHECK-NEXT: block.yield
// CHECK-NEXT: }
// CHECK-NEXT: return %1#0 : tensor<2x5x8xf32>
func.func @layer(%arg0: tensor<2x5x8xf32>, %arg1: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %2 = block.residual %arg0, %arg1 : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    block.yield %2 : tensor<2x5x8xf32>
  }
  %1:2 = block.layer "h.1" at 1 -> tensor<2x5x8xf32>, tensor<2x5x8xf32> attributes {approx = #block.approx<pass = "block-parallelize", parameters = "blocks=1", measured = 2.500000e-01 : f64>, log = [#block.decision<pass = "block-parallelize", outcome = passed>]} {
    block.yield %0, %arg1 : tensor<2x5x8xf32>, tensor<2x5x8xf32>
  }
  block.layer "empty" at 2 {
    block.yield
  }
  return %1#0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @fixed_stream(
// CHECK-NEXT: %0 = block.stream_add %arg0 : tensor<?x?x8xbf16> -> tensor<?x?x8xi32>
// CHECK-NEXT: %1 = block.stream_add %arg0 to %0 : tensor<?x?x8xbf16>, tensor<?x?x8xi32> -> tensor<?x?x8xi32>
// CHECK-NEXT: %2 = block.stream_add %arg0 to %1 {subtract} : tensor<?x?x8xbf16>, tensor<?x?x8xi32> -> tensor<?x?x8xi32>
// CHECK-NEXT: %3 = block.stream_value %2 : tensor<?x?x8xi32> -> tensor<?x?x8xf32>
// CHECK-NEXT: return %3 : tensor<?x?x8xf32>
func.func @fixed_stream(%arg0: tensor<?x?x8xbf16>) -> tensor<?x?x8xf32> {
  %0 = block.stream_add %arg0 : tensor<?x?x8xbf16> -> tensor<?x?x8xi32>
  %1 = block.stream_add %arg0 to %0 : tensor<?x?x8xbf16>, tensor<?x?x8xi32> -> tensor<?x?x8xi32>
  %2 = block.stream_add %arg0 to %1 {subtract} : tensor<?x?x8xbf16>, tensor<?x?x8xi32> -> tensor<?x?x8xi32>
  %3 = block.stream_value %2 : tensor<?x?x8xi32> -> tensor<?x?x8xf32>
  return %3 : tensor<?x?x8xf32>
}

// CHECK-LABEL: func.func @residual(
// CHECK-NEXT: %0 = block.residual %arg0 {input_scale = 0.5} : tensor<?x?x8xf32>{{$}}
// CHECK-NEXT: %1 = block.residual %0, %arg1, %0 {branch_scales = [0.5, 2.0]} : (tensor<?x?x8xf32>, tensor<?x?x8xbf16>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
// CHECK-NEXT: return %1 : tensor<?x?x8xf32>
func.func @residual(%arg0: tensor<?x?x8xf32>, %arg1: tensor<?x?x8xbf16>) -> tensor<?x?x8xf32> {
  %0 = block.residual %arg0 {input_scale = 5.000000e-01 : f64} : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %1 = block.residual %0, %arg1, %0 {branch_scales = [5.000000e-01, 2.000000e+00]} : (tensor<?x?x8xf32>, tensor<?x?x8xbf16>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  return %1 : tensor<?x?x8xf32>
}

// CHECK-LABEL: func.func @scale(
// CHECK-NEXT: %0 = block.scale %arg0 {factor = 2.5} : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %1 = block.scale %0 by %arg1 : tensor<2x5x8xf32>{{$}}
// CHECK-NEXT: %2 = block.scale %1 by %arg2 {factor = -1.0} : (tensor<2x5x8xf32>, tensor<1xf32>) -> tensor<2x5x8xf32>
// CHECK-NEXT: return %2 : tensor<2x5x8xf32>
func.func @scale(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<1xf32>) -> tensor<2x5x8xf32> {
  %0 = block.scale %arg0 {factor = 2.500000e+00 : f64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %1 = block.scale %0 by %arg1 : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %2 = block.scale %1 by %arg2 {factor = -1.000000e+00 : f64} : (tensor<2x5x8xf32>, tensor<1xf32>) -> tensor<2x5x8xf32>
  return %2 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @reparam(
// CHECK-NEXT: %0 = block.reparam %arg0 : tensor<8x8xf32>{{$}}
// CHECK-NEXT: %1 = block.reparam %0 from %arg1 {residual = 0.1, skip = 0.9} : tensor<8x8xf32>{{$}}
// CHECK-NEXT: return %1 : tensor<8x8xf32>
func.func @reparam(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = block.reparam %arg0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = block.reparam %0 from %arg1 {residual = 1.000000e-01 : f64, skip = 9.000000e-01 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @dropout(
// CHECK-NEXT: %0 = block.dropout %arg0 seed %arg1 {form = #block.dropout<rate = 0.1>} : tensor<2x?x8xbf16>{{$}}
// CHECK-NEXT: %1 = block.dropout %0 seed %arg1 {form = #block.dropout<rate = 0.5, site = 3>} : tensor<2x?x8xbf16>{{$}}
// CHECK-NEXT: return %1 : tensor<2x?x8xbf16>
func.func @dropout(%arg0: tensor<2x?x8xbf16>, %arg1: tensor<1xi64>) -> tensor<2x?x8xbf16> {
  %0 = block.dropout %arg0 seed %arg1 {form = #block.dropout<rate = 0.1, site = 0>} : (tensor<2x?x8xbf16>, tensor<1xi64>) -> tensor<2x?x8xbf16>
  %1 = block.dropout %0 seed %arg1 {form = #block.dropout<rate = 0.5, site = 3>} : (tensor<2x?x8xbf16>, tensor<1xi64>) -> tensor<2x?x8xbf16>
  return %1 : tensor<2x?x8xbf16>
}
