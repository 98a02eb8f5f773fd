// An RMSNorm needs no sums, a norm without gain no folded weight, one without bias none;
// an RMSNorm folds whatever the element types and epsilon are.
// RUN: block-opt %s --block-fold-norm | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK-NEXT: %[[S:.*]] = block.norm_stats %arg0
// CHECK-NEXT: %[[Y:.*]] = block.linear %arg0, %arg1 :
// CHECK-NEXT: block.deferred_norm %[[Y]] moment %[[S]] {form = #block.norm<kind = rms, eps = 1.0e-12>, width = 8}
func.func @plain(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %s = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  %n = block.normalize %x moment %s {form = #block.norm<kind = rms, eps = 1.0e-12>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %a = block.linear %n, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  return %a : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @one_plus(
// CHECK-NEXT: %[[S:.*]] = block.norm_stats %arg0
// CHECK-NEXT: %[[W:.*]] = block.fold_gain %arg2, %arg1 {form = #block.norm<kind = rms, eps = 1.0e-06, gamma_form = one_plus>}
// CHECK-NEXT: %[[X:.*]] = arith.truncf %arg0 : tensor<2x5x8xf32> to tensor<2x5x8xbf16>
// CHECK-NEXT: %[[Y:.*]] = block.linear %[[X]], %[[W]] : {{.*}} -> tensor<2x5x8xf32>
// CHECK-NEXT: block.deferred_norm %[[Y]] moment %[[S]] bias %arg3 {{.*}}
// CHECK-NEXT: -> tensor<2x5x8xbf16>
func.func @one_plus(%x: tensor<2x5x8xf32>, %g: tensor<8xbf16>, %w: tensor<8x8xbf16>, %b: tensor<8xbf16>) -> tensor<2x5x8xbf16> {
  %s = block.norm_stats %x : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  %n = block.normalize %x moment %s gamma %g {form = #block.norm<kind = rms, eps = 1.0e-6, gamma_form = one_plus>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<8xbf16>) -> tensor<2x5x8xbf16>
  %a = block.linear %n, %w bias %b : (tensor<2x5x8xbf16>, tensor<8x8xbf16>, tensor<8xbf16>) -> tensor<2x5x8xbf16>
  return %a : tensor<2x5x8xbf16>
}
