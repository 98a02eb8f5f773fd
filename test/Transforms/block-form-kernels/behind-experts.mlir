// A sum with the result of experts is computed with a product beside them, whichever of both comes first.

// RUN: block-opt %s --block-form-kernels | FileCheck %s

// CHECK-LABEL: func.func @product_first
// CHECK: %[[ROWS:.*]] = block.kernel "rows"
// CHECK: %[[E:.*]] = block.experts %[[ROWS]]
// CHECK: %[[SUM:.*]] = block.kernel "linear" ({{.*}} = %[[E]] : tensor<2x5x8xf32>
// CHECK: block.linear
// CHECK: block.residual
// CHECK: return %[[SUM]]
func.func @product_first(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %s: tensor<2x5x2xf32>, %w: tensor<8x8xf32>,
    %g: tensor<8xf32>, %up: tensor<4x12x8xf32>, %down: tensor<4x8x6xf32>) -> tensor<2x5x8xf32> {
  %p = block.linear %x, %w : tensor<2x5x8xf32>
  %m = block.norm_stats %x : tensor<2x5x8xf32>
  %n = block.normalize %x moment %m gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x8xf32>
  %e = block.experts %n of %i by %s up %up down %down {form = #block.experts<activation = silu>}
      : tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  %r = block.residual %x, %p, %e : tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @experts_first
// CHECK: %[[ROWS:.*]] = block.kernel "rows"
// CHECK: %[[E:.*]] = block.experts %[[ROWS]]
// CHECK: %[[SUM:.*]] = block.kernel "linear" ({{.*}} = %[[E]] : tensor<2x5x8xf32>
// CHECK: block.linear
// CHECK: block.residual
// CHECK: return %[[SUM]]
func.func @experts_first(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %s: tensor<2x5x2xf32>, %w: tensor<8x8xf32>,
    %g: tensor<8xf32>, %up: tensor<4x12x8xf32>, %down: tensor<4x8x6xf32>) -> tensor<2x5x8xf32> {
  %m = block.norm_stats %x : tensor<2x5x8xf32>
  %n = block.normalize %x moment %m gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x8xf32>
  %e = block.experts %n of %i by %s up %up down %down {form = #block.experts<activation = silu>}
      : tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  %p = block.linear %x, %w : tensor<2x5x8xf32>
  %r = block.residual %x, %p, %e : tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// The rows of these experts are computed from the product, which therefore comes first.

// CHECK-LABEL: func.func @rows_of_product
// CHECK: %[[P:[0-9]+]]:2 = block.kernel "linear"
// CHECK: %[[ROWS:.*]] = block.kernel "rows" ({{.*}} = %[[P]]#0
// CHECK: %[[E:.*]] = block.experts %[[ROWS]]
// CHECK: block.kernel "rows" ({{.*}} = %[[P]]#0{{.*}} = %[[E]]
func.func @rows_of_product(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %s: tensor<2x5x2xf32>, %w: tensor<8x8xf32>,
    %g: tensor<8xf32>, %up: tensor<4x12x8xf32>, %down: tensor<4x8x6xf32>) -> tensor<2x5x8xf32> {
  %p = block.linear %x, %w : tensor<2x5x8xf32>
  %m = block.norm_stats %p : tensor<2x5x8xf32>
  %n = block.normalize %p moment %m gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x8xf32>
  %e = block.experts %n of %i by %s up %up down %down {form = #block.experts<activation = silu>}
      : tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  %r = block.residual %x, %p, %e : tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// The experts read the product themselves, and a norm of other rows.

// CHECK-LABEL: func.func @experts_of_product
// CHECK: %[[P:.*]] = block.kernel "linear"
// CHECK: %[[S:.*]] = block.kernel "rows"
// CHECK: %[[E:.*]] = block.experts %[[P]] of %{{.*}} by %[[S]]
// CHECK: block.kernel "rows" ({{.*}} = %[[P]]{{.*}} = %[[E]]
func.func @experts_of_product(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %s: tensor<2x5x2xf32>, %w: tensor<8x8xf32>,
    %g: tensor<2xf32>, %up: tensor<4x12x8xf32>, %down: tensor<4x8x6xf32>) -> tensor<2x5x8xf32> {
  %p = block.linear %x, %w : tensor<2x5x8xf32>
  %m = block.norm_stats %s : tensor<2x5x2xf32>
  %n = block.normalize %s moment %m gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x2xf32>
  %e = block.experts %p of %i by %n up %up down %down {form = #block.experts<activation = silu>}
      : tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
  %r = block.residual %x, %p, %e : tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}
