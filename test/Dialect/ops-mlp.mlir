// The MLP and its steps: linear, activation, gate, clamp.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @mlp(
// CHECK-NEXT: %0 = block.mlp %arg0 up %arg1 down %arg2 {activation = #block.activation<relu>} : tensor<2x5x8xf32>, tensor<16x8xf32>{{$}}
// CHECK-NEXT: %1 = block.mlp %0 up %arg1 gate %arg1 down %arg2 up_bias %arg3 gate_bias %arg3 down_bias %arg4 {activation = #block.activation<silu>}
// CHECK-NEXT: : tensor<2x5x8xf32>, tensor<16x8xf32>
// CHECK-NEXT: return %1 : tensor<2x5x8xf32>
func.func @mlp(%arg0: tensor<2x5x8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.mlp %arg0 up %arg1 down %arg2 {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<2x5x8xf32>
  %1 = block.mlp %0 up %arg1 gate %arg1 down %arg2 up_bias %arg3 gate_bias %arg3 down_bias %arg4 {activation = #block.activation<silu>} : (tensor<2x5x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  return %1 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @linear(
// CHECK-NEXT: %0 = block.linear %arg0, %arg1 : tensor<?x?x8xbf16> -> tensor<?x?x16xbf16>
// CHECK-NEXT: %1 = block.linear %arg0, %arg1 bias %arg2 : tensor<?x?x8xbf16> -> tensor<?x?x16xf32>
// CHECK-NEXT: return %1 : tensor<?x?x16xf32>
func.func @linear(%arg0: tensor<?x?x8xbf16>, %arg1: tensor<16x8xbf16>, %arg2: tensor<16xbf16>) -> tensor<?x?x16xf32> {
  %0 = block.linear %arg0, %arg1 : (tensor<?x?x8xbf16>, tensor<16x8xbf16>) -> tensor<?x?x16xbf16>
  %1 = block.linear %arg0, %arg1 bias %arg2 : (tensor<?x?x8xbf16>, tensor<16x8xbf16>, tensor<16xbf16>) -> tensor<?x?x16xf32>
  return %1 : tensor<?x?x16xf32>
}

// CHECK-LABEL: func.func @activation(
// CHECK-NEXT: %0 = block.activation %arg0 {kind = #block.activation<identity>} : tensor<2x5x8xf32>
// CHECK-NEXT: %1 = block.activation %0 {kind = #block.activation<relu>} : tensor<2x5x8xf32>
// CHECK-NEXT: %2 = block.activation %1 {kind = #block.activation<relu_squared>} : tensor<2x5x8xf32>
// CHECK-NEXT: %3 = block.activation %2 {kind = #block.activation<gelu_erf>} : tensor<2x5x8xf32>
// CHECK-NEXT: %4 = block.activation %3 {kind = #block.activation<gelu_tanh>} : tensor<2x5x8xf32>
// CHECK-NEXT: %5 = block.activation %4 {kind = #block.activation<quick_gelu>} : tensor<2x5x8xf32>
// CHECK-NEXT: %6 = block.activation %5 {kind = #block.activation<silu>} : tensor<2x5x8xf32>
// CHECK-NEXT: %7 = block.activation %6 {kind = #block.activation<sigmoid>} : tensor<2x5x8xf32>
// CHECK-NEXT: %8 = block.activation %7 {kind = #block.activation<tanh>} : tensor<2x5x8xf32>
// CHECK-NEXT: %9 = block.activation %8 {kind = #block.activation<leaky_relu>} : tensor<2x5x8xf32>
// CHECK-NEXT: %10 = block.activation %9 {kind = #block.activation<hardswish>} : tensor<2x5x8xf32>
// CHECK-NEXT: %11 = block.activation %10 {kind = #block.activation<mish>} : tensor<2x5x8xf32>
// CHECK-NEXT: %12 = block.activation %11 {kind = #block.activation<softplus>} : tensor<2x5x8xf32>
// CHECK-NEXT: return %12 : tensor<2x5x8xf32>
func.func @activation(%arg0: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.activation %arg0 {kind = #block.activation<identity>} : tensor<2x5x8xf32>
  %1 = block.activation %0 {kind = #block.activation<relu>} : tensor<2x5x8xf32>
  %2 = block.activation %1 {kind = #block.activation<relu_squared>} : tensor<2x5x8xf32>
  %3 = block.activation %2 {kind = #block.activation<gelu_erf>} : tensor<2x5x8xf32>
  %4 = block.activation %3 {kind = #block.activation<gelu_tanh>} : tensor<2x5x8xf32>
  %5 = block.activation %4 {kind = #block.activation<quick_gelu>} : tensor<2x5x8xf32>
  %6 = block.activation %5 {kind = #block.activation<silu>} : tensor<2x5x8xf32>
  %7 = block.activation %6 {kind = #block.activation<sigmoid>} : tensor<2x5x8xf32>
  %8 = block.activation %7 {kind = #block.activation<tanh>} : tensor<2x5x8xf32>
  %9 = block.activation %8 {kind = #block.activation<leaky_relu>} : tensor<2x5x8xf32>
  %10 = block.activation %9 {kind = #block.activation<hardswish>} : tensor<2x5x8xf32>
  %11 = block.activation %10 {kind = #block.activation<mish>} : tensor<2x5x8xf32>
  %12 = block.activation %11 {kind = #block.activation<softplus>} : tensor<2x5x8xf32>
  return %12 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @gate_and_clamp(
// CHECK-NEXT: %0 = block.gate %arg0, %arg1 {kind = #block.activation<gelu_tanh>} : tensor<2x5x8xf16>
// CHECK-NEXT: %1 = block.clamp %0 {limit = 8.0} : tensor<2x5x8xf16>{{$}}
// CHECK-NEXT: return %1 : tensor<2x5x8xf16>
func.func @gate_and_clamp(%arg0: tensor<2x5x8xf16>, %arg1: tensor<2x5x8xf16>) -> tensor<2x5x8xf16> {
  %0 = block.gate %arg0, %arg1 {kind = #block.activation<gelu_tanh>} : tensor<2x5x8xf16>
  %1 = block.clamp %0 {limit = 8.000000e+00 : f64} : tensor<2x5x8xf16>
  return %1 : tensor<2x5x8xf16>
}
