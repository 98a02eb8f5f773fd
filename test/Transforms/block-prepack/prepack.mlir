// Work of every kind, wherever it stands; equal values are packed once, constants and
// indices stay, and the log of a layer says what left it.
// RUN: block-opt %s --block-prepack="recipe=%t.recipe.mlir" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=PACK
// RUN: FileCheck %s --input-file=%t.recipe.mlir --check-prefix=RECIPE

// Once is enough, and the recipe can be had again.
// RUN: block-opt %t.mlir --block-prepack="recipe=%t.again.recipe.mlir" -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir
// RUN: cmp %t.recipe.mlir %t.again.recipe.mlir

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<2x4x8xbf16> {block.input = "hidden_states"}
// CHECK-NEXT: %arg1: tensor<2xi64> {block.input = "lengths"}
// CHECK-NEXT: %arg2: tensor<8x8xbf16> {block.param = "packed.fused"}
// CHECK-NEXT: %arg3: tensor<8xbf16> {block.param = "packed.fused.bias"}
// CHECK-NEXT: %arg4: tensor<8xf32> {block.param = "packed.fused.sums"}
// CHECK-NEXT: %arg5: tensor<8x8xbf16> {block.param = "packed.delta"}
// CHECK-NEXT: %arg6: tensor<8x8xbf16> {block.param = "packed.fused.1"}
// CHECK-NEXT: %arg7: tensor<8xbf16> {block.param = "packed.gain"}
// CHECK-NOT: arg8
// CHECK: arith.constant 1 : index
// CHECK-NEXT: block.layer "h.0"
// CHECK-NEXT: #block.decision<pass = "block-prepack", outcome = passed,
// CHECK-NEXT: metrics = {ops = 10.0}>
// CHECK-NEXT: block.linear %arg0, %arg2 bias %arg3
// CHECK-NEXT: block.norm_stats
// CHECK-NEXT: block.deferred_norm
// CHECK-SAME: sums %arg4
// CHECK-NEXT: block.linear %{{.*}}, %arg5 bias %arg3
// CHECK-NEXT: block.linear %{{.*}}, %arg6
// CHECK-NEXT: block.yield
// CHECK: block.normalize %{{.*}} moment %{{.*}} gamma %arg7

// PACK-LABEL: func.func @prepack(
// PACK-SAME: block.init = #block.init<kind = normal, std = 0.5>, block.param = "fused"
// PACK-COUNT-1: linalg.transpose
// PACK-NOT: linalg.transpose
// PACK: return

// RECIPE: module attributes {recipe.schema = 2 : i64}
// RECIPE: func.func @prepack(
// RECIPE: {recipe.lost = "slice", recipe.tensor = "fused"}
// RECIPE: {recipe.lost = "reparam", recipe.tensor = "delta"}
// RECIPE: {recipe.lost = "unread", recipe.tensor = "unused"}
// RECIPE-NOT: = block.
// RECIPE: arith.constant dense<5.000000e-01>
// RECIPE: func.func @restore(

func.func @main(
    %x: tensor<2x4x8xbf16> {block.input = "hidden_states"},
    %fused: tensor<8x16xbf16> {block.param = "fused", block.init = #block.init<kind = normal, std = 0.5>},
    %delta: tensor<8x8xbf16> {block.param = "delta"},
    %start: tensor<8x8xbf16> {block.param = "start"},
    %bias: tensor<8xbf16> {block.param = "bias"},
    %beta: tensor<8xbf16> {block.param = "beta"},
    %gain: tensor<8xbf16> {block.param = "gain"},
    %unused: tensor<3xf32> {block.param = "unused"},
    %lengths: tensor<2xi64> {block.input = "lengths"}) -> tensor<2x4x8xbf16> {
  %empty = tensor.empty() : tensor<16x8xbf16>
  %t = linalg.transpose ins(%fused : tensor<8x16xbf16>) outs(%empty : tensor<16x8xbf16>) permutation = [1, 0]
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<0.5> : tensor<8xbf16>
  %dead = block.weight_sums %t : (tensor<16x8xbf16>) -> tensor<16xf32>
  %y = block.layer "h.0" at 0 -> tensor<2x4x8xbf16> {
    %s = tensor.extract_slice %t[0, 0] [8, 8] [1, 1] : tensor<16x8xbf16> to tensor<8x8xbf16>
    %fold = block.fold_bias %s beta %beta bias %bias : (tensor<8x8xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xf32>
    %sum = block.bias_sum %fold, %ones : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
    %b = arith.truncf %sum : tensor<8xf32> to tensor<8xbf16>
    %again = tensor.empty() : tensor<16x8xbf16>
    %t2 = linalg.transpose ins(%fused : tensor<8x16xbf16>) outs(%again : tensor<16x8xbf16>) permutation = [1, 0]
    %s2 = tensor.extract_slice %t2[0, 0] [8, 8] [1, 1] : tensor<16x8xbf16> to tensor<8x8xbf16>
    %sums = block.weight_sums %s2 : (tensor<8x8xbf16>) -> tensor<8xf32>
    %p = block.linear %x, %s bias %b : (tensor<2x4x8xbf16>, tensor<8x8xbf16>, tensor<8xbf16>) -> tensor<2x4x8xbf16>
    %m:2 = block.norm_stats %x centered : (tensor<2x4x8xbf16>) -> (tensor<2x4x1xf32>, tensor<2x4x1xf32>)
    %n = block.deferred_norm %p mean %m#0 moment %m#1 sums %sums {form = #block.norm<kind = layer, eps = 1.0e-5>, width = 8 : i64}
        : (tensor<2x4x8xbf16>, tensor<2x4x1xf32>, tensor<2x4x1xf32>, tensor<8xf32>) -> tensor<2x4x8xbf16>
    %w = block.reparam %delta from %start {skip = 0.5, residual = 0.25} : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
    %q = block.linear %n, %w bias %b : (tensor<2x4x8xbf16>, tensor<8x8xbf16>, tensor<8xbf16>) -> tensor<2x4x8xbf16>
    %s3 = tensor.extract_slice %t[8, 0] [8, 8] [1, 1] : tensor<16x8xbf16> to tensor<8x8xbf16>
    %g = block.fold_scale %s3 by %gain {factor = 2.0} : (tensor<8x8xbf16>, tensor<8xbf16>) -> tensor<8x8xbf16>
    %r = block.linear %q, %g : (tensor<2x4x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
    block.yield %r : tensor<2x4x8xbf16>
  }
  %dim = tensor.dim %y, %c1 : tensor<2x4x8xbf16>
  %moment = block.norm_stats %y : (tensor<2x4x8xbf16>) -> tensor<2x4x1xf32>
  %z = block.normalize %y moment %moment gamma %gain {form = #block.norm<kind = rms, eps = 1.0e-6>}
      : (tensor<2x4x8xbf16>, tensor<2x4x1xf32>, tensor<8xbf16>) -> tensor<2x4x8xbf16>
  return %z : tensor<2x4x8xbf16>
}
