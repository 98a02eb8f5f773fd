// Steps that nobody reads are no launch, and a kernel without results is none either.
// RUN: rm -rf %t && split-file %s %t
// RUN: block-opt %t/steps.mlir --block-form-kernels | FileCheck %s
// RUN: block-run %t/steps.mlir --engine=cpu --seed=2 --check-against=reference | FileCheck %s --check-prefix=PASSES
// RUN: block-run %t/kernel.mlir --engine=cpu --seed=2 --check-against=reference | FileCheck %s --check-prefix=PASSES
// RUN: block-run %t/kernel.mlir --engine=emulate --seed=2 --check-against=reference | FileCheck %s --check-prefix=PASSES
// CHECK-NOT: block.linear
// CHECK-NOT: block.normalize
// CHECK: block.activation
// PASSES: PASS out0

//--- steps.mlir
func.func @main(%x: tensor<1x2x8xf32>, %w: tensor<8x8xf32> {block.param = "w"}) -> tensor<1x2x8xf32> {
  %0 = block.linear %x, %w : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
  %s = block.norm_stats %0 : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  %1 = block.normalize %0 moment %s {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<1x2x8xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8xf32>
  %2 = block.activation %x {kind = #block.activation<relu>} : tensor<1x2x8xf32>
  return %2 : tensor<1x2x8xf32>
}

//--- kernel.mlir
func.func @main(%x: tensor<1x2x8xf32>, %w: tensor<8x8xf32> {block.param = "w"}) -> tensor<1x2x8xf32> {
  block.kernel "linear" (%a = %x : tensor<1x2x8xf32>, %b = %w : tensor<8x8xf32>) {
    %k = block.linear %a, %b : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
    block.yield
  }
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %1 = block.activation %a {kind = #block.activation<relu>} : tensor<1x2x8xf32>
    block.yield %1 : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}
