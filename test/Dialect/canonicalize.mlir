// Folders and canonical forms: only what is exact in every float format.
// RUN: block-opt %s --canonicalize | FileCheck %s

// A stream without branches and with factor 1 is the stream.
// CHECK-LABEL: func.func @empty_residual(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x8xf32>)
// CHECK-NEXT: return %[[X]]
func.func @empty_residual(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.residual %x : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @scaled_residual_stays(
// CHECK: block.residual %{{.*}} {input_scale = 0.5}
func.func @scaled_residual_stays(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.residual %x {input_scale = 5.0e-1 : f64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// Scales that are all 1 say nothing.
// CHECK-LABEL: func.func @unit_scales(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x8xf32>, %[[F:.*]]: tensor<2x5x8xf32>)
// CHECK-NEXT: block.residual %[[X]], %[[F]] :
func.func @unit_scales(%x: tensor<2x5x8xf32>, %f: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.residual %x, %f {branch_scales = [1.0]} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// A branch of scale 0 may hold an infinity: it stays.
// CHECK-LABEL: func.func @zero_scale_stays(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x8xf32>, %[[F:.*]]: tensor<2x5x8xf32>)
// CHECK-NEXT: block.residual %[[X]], %[[F]] {branch_scales = [0.0]}
func.func @zero_scale_stays(%x: tensor<2x5x8xf32>, %f: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.residual %x, %f {branch_scales = [0.0]} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @unit_scale(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x8xf32>)
// CHECK-NEXT: return %[[X]]
func.func @unit_scale(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.scale %x : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @gain_stays(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x8xf32>, %[[G:.*]]: tensor<8xf32>)
// CHECK-NEXT: block.scale %[[X]] by %[[G]]
func.func @gain_stays(%x: tensor<2x5x8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.scale %x by %g : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @factor_stays(
// CHECK: block.scale %{{.*}} {factor = 2.0}
func.func @factor_stays(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.scale %x {factor = 2.0 : f64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @identity(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x8xf32>)
// CHECK-NEXT: return %[[X]]
func.func @identity(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.activation %x {kind = #block.activation<identity>} : tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @activation_stays(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x8xf32>)
// CHECK-NEXT: block.activation %[[X]] {kind = #block.activation<relu>}
func.func @activation_stays(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.activation %x {kind = #block.activation<relu>} : tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}
