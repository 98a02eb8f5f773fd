// Steps that rewrites make, and forms that no family has, in upstream ops.
// RUN: block-opt %s --convert-block-to-linalg -o %t.linalg.mlir
// RUN: block-run %t.linalg.mlir --engine=reference --seed=5 --baseline=%s | FileCheck %s
// RUN: block-opt %s --convert-block-to-tosa -o %t.tosa.mlir
// RUN: block-run %t.tosa.mlir --engine=reference --seed=5 --baseline=%s | FileCheck %s
// CHECK-COUNT-16: PASS out{{[0-9]+}}
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<12x8xf32>, %v: tensor<12x8xf32>, %b: tensor<12xf32>, %g: tensor<8xf32>,
                %s: tensor<8x8xf32>, %pixels: tensor<2x3x4x6xf32>, %patch: tensor<8x3x2x3xf32>, %class: tensor<8xf32>,
                %places: tensor<5x8xf32>)
    -> (tensor<2x5x12xf32>, tensor<2x5x4xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<12x8xf32>, tensor<12xf32>,
        tensor<12x8xf32>, tensor<12xf32>, tensor<8x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>,
        tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %sum = block.linear_sum(%x, %x) weights(%w, %v) bias %b
      : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<12x8xf32>, tensor<12x8xf32>, tensor<12xf32>) -> tensor<2x5x12xf32>
  %parts:2 = block.split %sum : (tensor<2x5x12xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x4xf32>)
  %biased = block.add_bias %sum, %b : (tensor<2x5x12xf32>, tensor<12xf32>) -> tensor<2x5x12xf32>
  %mean, %moment = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %sums = block.weight_sums %w : (tensor<12x8xf32>) -> tensor<12xf32>
  %raw = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<12x8xf32>) -> tensor<2x5x12xf32>
  %normed = block.deferred_norm %raw mean %mean moment %moment sums %sums bias %b {form = #block.norm<kind = layer, eps = 1.0e-5>, width = 8 : i64}
      : (tensor<2x5x12xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<12xf32>, tensor<12xf32>) -> tensor<2x5x12xf32>
  %gained = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 0.0, gamma_form = one_plus>} : (tensor<12x8xf32>, tensor<8xf32>) -> tensor<12x8xf32>
  %folded = block.fold_bias %w beta %g bias %b : (tensor<12x8xf32>, tensor<8xf32>, tensor<12xf32>) -> tensor<12xf32>
  %scaled = block.fold_scale %w by %b {factor = 0.5 : f64} : (tensor<12x8xf32>, tensor<12xf32>) -> tensor<12x8xf32>
  %biases = block.bias_sum %b, %folded : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
  %changed = block.reparam %s {residual = 0.5 : f64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %leaky = block.activation %x {kind = #block.activation<leaky_relu>} : tensor<2x5x8xf32>
  %quick = block.activation %leaky {kind = #block.activation<quick_gelu>} : tensor<2x5x8xf32>
  %hard = block.activation %x {kind = #block.activation<hardswish>} : tensor<2x5x8xf32>
  %mish = block.activation %x {kind = #block.activation<mish>} : tensor<2x5x8xf32>
  %soft = block.activation %x {kind = #block.activation<softplus>} : tensor<2x5x8xf32>
  %clamped = block.clamp %x {limit = 0.25 : f64} : tensor<2x5x8xf32>
  %root = block.norm_stats %x {groups = 2 : i64} : (tensor<2x5x8xf32>) -> tensor<2x5x2xf32>
  %l2 = block.normalize %x moment %root gamma %g {form = #block.norm<kind = l2, eps = 0.1, eps_form = clamp>, groups = 2 : i64}
      : (tensor<2x5x8xf32>, tensor<2x5x2xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %tokens = block.patch_embedding %pixels, %patch bias %g class %class positions %places
      : (tensor<2x3x4x6xf32>, tensor<8x3x2x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5x8xf32>) -> tensor<2x5x8xf32>
  return %sum, %parts#1, %biased, %normed, %gained, %folded, %scaled, %biases, %changed, %quick, %clamped, %l2, %tokens, %hard, %mish, %soft
    : tensor<2x5x12xf32>, tensor<2x5x4xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<12x8xf32>, tensor<12xf32>,
      tensor<12x8xf32>, tensor<12xf32>, tensor<8x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>,
      tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
