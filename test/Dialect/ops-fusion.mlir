// What exact rewrites are written in: merged projections, deferred norms, partial
// statistics, weight-only work and kernels.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @linear_sum(
// CHECK: %arg4: tensor<4xbf16>) -> tensor<2x5x4xf32> {
// CHECK-NEXT: %0 = block.linear_sum(%arg0, %arg1) weights(%arg2, %arg3) : tensor<2x5x8xbf16>, tensor<2x5x6xbf16> -> tensor<2x5x4xbf16>
// CHECK-NEXT: %1 = block.linear_sum(%arg0) weights(%arg2) bias %arg4 : tensor<2x5x8xbf16> -> tensor<2x5x4xf32>
// CHECK-NEXT: return %1 : tensor<2x5x4xf32>
func.func @linear_sum(%arg0: tensor<2x5x8xbf16>, %arg1: tensor<2x5x6xbf16>, %arg2: tensor<4x8xbf16>, %arg3: tensor<4x6xbf16>, %arg4: tensor<4xbf16>) -> tensor<2x5x4xf32> {
  %0 = block.linear_sum(%arg0, %arg1) weights(%arg2, %arg3) : (tensor<2x5x8xbf16>, tensor<2x5x6xbf16>, tensor<4x8xbf16>, tensor<4x6xbf16>) -> tensor<2x5x4xbf16>
  %1 = block.linear_sum(%arg0) weights(%arg2) bias %arg4 : (tensor<2x5x8xbf16>, tensor<4x8xbf16>, tensor<4xbf16>) -> tensor<2x5x4xf32>
  return %1 : tensor<2x5x4xf32>
}

// CHECK-LABEL: func.func @split(
// CHECK-NEXT: %0:2 = block.split %arg0 : tensor<?x?x8xf16> -> (tensor<?x?x3xf16>, tensor<?x?x5xf16>)
// CHECK-NEXT: return %0#1 : tensor<?x?x5xf16>
func.func @split(%arg0: tensor<?x?x8xf16>) -> tensor<?x?x5xf16> {
  %0:2 = block.split %arg0 : (tensor<?x?x8xf16>) -> (tensor<?x?x3xf16>, tensor<?x?x5xf16>)
  return %0#1 : tensor<?x?x5xf16>
}

// CHECK-LABEL: func.func @deferred_norm(
// CHECK-NEXT: %0 = block.deferred_norm %arg0 mean %arg1 moment %arg1 sums %arg2 bias %arg3 {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 8}
// CHECK-NEXT: : (tensor<2x5x4xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<4xf32>, tensor<4xbf16>) -> tensor<2x5x4xbf16>
// CHECK-NEXT: %1 = block.deferred_norm %arg0 moment %arg1 {form = #block.norm<kind = rms, eps = 1.0e-05>, width = 8} : tensor<2x5x4xf32> -> tensor<2x5x4xbf16>
// CHECK-NEXT: %2 = block.deferred_norm %arg0 mean %arg1 moment %arg1 sums %arg2 centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 8} : tensor<2x5x4xf32>
// CHECK-NEXT: return %1 : tensor<2x5x4xbf16>
func.func @deferred_norm(%arg0: tensor<2x5x4xf32>, %arg1: tensor<2x5x1xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xbf16>) -> tensor<2x5x4xbf16> {
  %0 = block.deferred_norm %arg0 mean %arg1 moment %arg1 sums %arg2 bias %arg3 {form = #block.norm<kind = layer, eps = 1.000000e-05>, width = 8 : i64} : (tensor<2x5x4xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<4xf32>, tensor<4xbf16>) -> tensor<2x5x4xbf16>
  %1 = block.deferred_norm %arg0 moment %arg1 {form = #block.norm<kind = rms, eps = 1.000000e-05>, width = 8 : i64} : (tensor<2x5x4xf32>, tensor<2x5x1xf32>) -> tensor<2x5x4xbf16>
  %2 = block.deferred_norm %arg0 mean %arg1 moment %arg1 sums %arg2 centrable {form = #block.norm<kind = layer, eps = 1.000000e-05>, width = 8 : i64} : (tensor<2x5x4xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<4xf32>) -> tensor<2x5x4xf32>
  return %1 : tensor<2x5x4xbf16>
}

// CHECK-LABEL: func.func @add_bias(
// CHECK-NEXT: %0 = block.add_bias %arg0, %arg1 : (tensor<2x5x4xf32>, tensor<4xbf16>) -> tensor<2x5x4xbf16>
// CHECK-NEXT: return %0 : tensor<2x5x4xbf16>
func.func @add_bias(%arg0: tensor<2x5x4xf32>, %arg1: tensor<4xbf16>) -> tensor<2x5x4xbf16> {
  %0 = block.add_bias %arg0, %arg1 : (tensor<2x5x4xf32>, tensor<4xbf16>) -> tensor<2x5x4xbf16>
  return %0 : tensor<2x5x4xbf16>
}

// CHECK-LABEL: func.func @partial_statistics(
// CHECK-NEXT: %0:2 = block.partial_stats %arg0 centered {tile = 4} : tensor<2x5x10xbf16>{{$}}
// CHECK-NEXT: %1:2 = block.merge_stats mean %0#0 moment %0#1 {tile = 4, width = 10} : tensor<2x5x3xf32>{{$}}
// CHECK-NEXT: %2 = block.partial_stats %arg0 {tile = 5} : tensor<2x5x10xbf16>{{$}}
// CHECK-NEXT: %3 = block.merge_stats moment %2 {tile = 5, width = 10} : tensor<2x5x2xf32>{{$}}
// CHECK-NEXT: return %3 : tensor<2x5x1xf32>
func.func @partial_statistics(%arg0: tensor<2x5x10xbf16>) -> tensor<2x5x1xf32> {
  %0:2 = block.partial_stats %arg0 centered {tile = 4 : i64} : (tensor<2x5x10xbf16>) -> (tensor<2x5x3xf32>, tensor<2x5x3xf32>)
  %1:2 = block.merge_stats mean %0#0 moment %0#1 {tile = 4 : i64, width = 10 : i64} : (tensor<2x5x3xf32>, tensor<2x5x3xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %2 = block.partial_stats %arg0 {tile = 5 : i64} : (tensor<2x5x10xbf16>) -> tensor<2x5x2xf32>
  %3 = block.merge_stats moment %2 {tile = 5 : i64, width = 10 : i64} : (tensor<2x5x2xf32>) -> tensor<2x5x1xf32>
  return %3 : tensor<2x5x1xf32>
}

// CHECK-LABEL: func.func @weights(
// CHECK-NEXT: %0 = block.fold_gain %arg0, %arg1 {form = #block.norm<kind = rms, eps = 1.0e-05, gamma_form = one_plus>} : tensor<4x8xbf16>{{$}}
// CHECK-NEXT: %1 = block.fold_bias %arg0 beta %arg1 bias %arg2 : tensor<4x8xbf16>{{$}}
// CHECK-NEXT: %2 = block.fold_bias %arg0 : tensor<4x8xbf16>{{$}}
// CHECK-NEXT: %3 = block.weight_sums %0 : tensor<4x8xbf16>{{$}}
// CHECK-NEXT: %4 = block.fold_scale %0 by %arg2 {factor = 0.5} : tensor<4x8xbf16>{{$}}
// CHECK-NEXT: %5 = block.fold_scale %arg2 by %arg3 : (tensor<4xbf16>, tensor<1xbf16>) -> tensor<4xbf16>
// CHECK-NEXT: %6 = block.bias_sum %arg2, %arg2 : tensor<4xbf16>{{$}}
// CHECK-NEXT: return %3 : tensor<4xf32>
func.func @weights(%arg0: tensor<4x8xbf16>, %arg1: tensor<8xbf16>, %arg2: tensor<4xbf16>, %arg3: tensor<1xbf16>) -> tensor<4xf32> {
  %0 = block.fold_gain %arg0, %arg1 {form = #block.norm<kind = rms, eps = 1.000000e-05, gamma_form = one_plus>} : (tensor<4x8xbf16>, tensor<8xbf16>) -> tensor<4x8xbf16>
  %1 = block.fold_bias %arg0 beta %arg1 bias %arg2 : (tensor<4x8xbf16>, tensor<8xbf16>, tensor<4xbf16>) -> tensor<4xf32>
  %2 = block.fold_bias %arg0 : (tensor<4x8xbf16>) -> tensor<4xf32>
  %3 = block.weight_sums %0 : (tensor<4x8xbf16>) -> tensor<4xf32>
  %4 = block.fold_scale %0 by %arg2 {factor = 5.000000e-01 : f64} : (tensor<4x8xbf16>, tensor<4xbf16>) -> tensor<4x8xbf16>
  %5 = block.fold_scale %arg2 by %arg3 : (tensor<4xbf16>, tensor<1xbf16>) -> tensor<4xbf16>
  %6 = block.bias_sum %arg2, %arg2 : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func.func @codes(
// CHECK-NEXT: %0 = block.unpack_weight %arg0, %arg1 {form = #block.code_form<int8>} : tensor<4x8xi8>, tensor<4x1xf32> -> tensor<4x8xbf16>
// CHECK-NEXT: %1 = block.unpack_weight %arg0, %arg2 zeros %arg3 {form = #block.code_form<int4>, group = 8} : tensor<4x8xi8>, tensor<4x2xf16>, tensor<4x2xui8>
// CHECK-NEXT: -> tensor<4x15xf32>
// CHECK-NEXT: %2 = block.unpack_weight %arg0, %arg3 {form = #block.code_form<mxfp4>, group = 8} : tensor<4x8xi8>, tensor<4x2xui8> -> tensor<4x16xf32>
// CHECK-NEXT: return %0 : tensor<4x8xbf16>
func.func @codes(%arg0: tensor<4x8xi8>, %arg1: tensor<4x1xf32>, %arg2: tensor<4x2xf16>, %arg3: tensor<4x2xui8>) -> tensor<4x8xbf16> {
  %0 = block.unpack_weight %arg0, %arg1 {form = #block.code_form<int8>, group = 0 : i64} : (tensor<4x8xi8>, tensor<4x1xf32>) -> tensor<4x8xbf16>
  %1 = block.unpack_weight %arg0, %arg2 zeros %arg3 {form = #block.code_form<int4>, group = 8 : i64} : (tensor<4x8xi8>, tensor<4x2xf16>, tensor<4x2xui8>) -> tensor<4x15xf32>
  %2 = block.unpack_weight %arg0, %arg3 {form = #block.code_form<mxfp4>, group = 8 : i64} : (tensor<4x8xi8>, tensor<4x2xui8>) -> tensor<4x16xf32>
  return %0 : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @kernel(
// CHECK-NEXT: %0 = block.kernel "linear" (%arg2 = %arg0 : tensor<2x5x8xf32>, %arg3 = %arg1 : tensor<4x8xf32>) -> tensor<2x5x4xf32> attributes {segments = 2} {
// CHECK-NEXT: %1 = block.linear %arg2, %arg3 : tensor<2x5x8xf32> -> tensor<2x5x4xf32>
// CHECK-NEXT: block.yield %1 : tensor<2x5x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<2x5x4xf32>
func.func @kernel(%arg0: tensor<2x5x8xf32>, %arg1: tensor<4x8xf32>) -> tensor<2x5x4xf32> {
  %0 = block.kernel "linear" (%arg2 = %arg0 : tensor<2x5x8xf32>, %arg3 = %arg1 : tensor<4x8xf32>) -> tensor<2x5x4xf32> attributes {segments = 2 : i64} {
    %1 = block.linear %arg2, %arg3 : (tensor<2x5x8xf32>, tensor<4x8xf32>) -> tensor<2x5x4xf32>
    block.yield %1 : tensor<2x5x4xf32>
  }
  return %0 : tensor<2x5x4xf32>
}
