// What launches say of rows that need not be there all at once, and where results may lie.
// RUN: block-opt %s --convert-block-kernels-to-cpu="cpu=x86-64-v3" | FileCheck %s
// RUN: block-run %s --engine=cpu --seed=3 --check-against=reference | FileCheck %s --check-prefix=NUMBERS
// NUMBERS-COUNT-2: PASS
// NUMBERS-NOT: FAIL

// A sum lies where any of its parts was.
// CHECK: plan.launch @kernels::@rows_0
// CHECK-NEXT: rows [0, 1, 2] in_place [2, 0, 2, 1]{{$}}
// Nor does the rotation of heads, which need their sequence.
// CHECK: plan.launch @kernels::@rows{{.*}} rows [0, 1] sequences{{$}}
// What a norm reads has to be there for its statistics.
// CHECK: plan.launch @kernels::@rows_2
// CHECK-NEXT: rows [0, 1, 2] in_place [2, 1]{{$}}
// Groups are gone through one by one, and may begin where others have not ended.
// CHECK: plan.launch @kernels::@rows{{.*}} rows [0, 1, 2]{{$}}
// What two results are made of belongs to neither.
// CHECK: plan.launch @kernels::@rows_4
// CHECK-NEXT: rows [0, 1, 2, 3] in_place [2, 0]{{$}}
// What a product reads is read by all columns, what it ends with by its own.
// CHECK: plan.launch @kernels::@linear_0
// CHECK-NEXT: rows [0, 2, 3] in_place [3, 2]{{$}}
// The same tensor may be both.
// CHECK: plan.launch @kernels::@linear{{.*}} rows [0, 2]{{$}}
// Rows that are looked up by their number have to be all.
// CHECK: plan.launch @kernels::@rows_5{{.*}} grain 2048{{$}}
func.func @main(%x: tensor<2x3x8xf32>, %y: tensor<2x3x8xf32>, %w: tensor<8x8xf32> {block.param = "w"},
    %ids: tensor<2x3xi64>, %t: tensor<5x8xf32> {block.param = "t"}, %p: tensor<3x8xf32> {block.param = "p"})
    -> (tensor<2x3x8xf32>, tensor<2x3x8xf32>) {
  %0 = block.kernel "rows" (%a = %x : tensor<2x3x8xf32>, %b = %y : tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
    %r = block.residual %a, %b : tensor<2x3x8xf32>
    block.yield %r : tensor<2x3x8xf32>
  }
  %1 = block.kernel "rows" (%a = %0 : tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
    %r = block.rope %a {form = #block.rope<style = half, dim = 4>, heads = 2 : i64} : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
    block.yield %r : tensor<2x3x8xf32>
  }
  %2 = block.kernel "rows" (%a = %1 : tensor<2x3x8xf32>, %b = %0 : tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
    %s = block.norm_stats %a : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
    %n = block.normalize %a moment %s {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
    %r = block.residual %n, %b : tensor<2x3x8xf32>
    block.yield %r : tensor<2x3x8xf32>
  }
  %3 = block.kernel "rows" (%a = %1 : tensor<2x3x8xf32>, %b = %2 : tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
    %s = block.norm_stats %a {groups = 2 : i64} : (tensor<2x3x8xf32>) -> tensor<2x3x2xf32>
    %n = block.normalize %a moment %s {groups = 2 : i64, form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<2x3x8xf32>, tensor<2x3x2xf32>) -> tensor<2x3x8xf32>
    %r = block.residual %n, %b : tensor<2x3x8xf32>
    block.yield %r : tensor<2x3x8xf32>
  }
  %4:2 = block.kernel "rows" (%a = %3 : tensor<2x3x8xf32>, %b = %1 : tensor<2x3x8xf32>) -> (tensor<2x3x8xf32>, tensor<2x3x8xf32>) {
    %g = block.activation_grad %a of %b {kind = #block.activation<silu>} : tensor<2x3x8xf32>
    %h = block.activation %b {kind = #block.activation<silu>} : tensor<2x3x8xf32>
    block.yield %g, %h : tensor<2x3x8xf32>, tensor<2x3x8xf32>
  }
  %5 = block.kernel "linear" (%a = %4#0 : tensor<2x3x8xf32>, %b = %w : tensor<8x8xf32>, %c = %4#1 : tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
    %l = block.linear %a, %b : (tensor<2x3x8xf32>, tensor<8x8xf32>) -> tensor<2x3x8xf32>
    %r = block.residual %c, %l : tensor<2x3x8xf32>
    block.yield %r : tensor<2x3x8xf32>
  }
  %6 = block.kernel "linear" (%a = %5 : tensor<2x3x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<2x3x8xf32> {
    %l = block.linear %a, %b : (tensor<2x3x8xf32>, tensor<8x8xf32>) -> tensor<2x3x8xf32>
    %r = block.residual %a, %l : tensor<2x3x8xf32>
    block.yield %r : tensor<2x3x8xf32>
  }
  %7 = block.kernel "rows" (%a = %ids : tensor<2x3xi64>, %b = %t : tensor<5x8xf32>, %c = %p : tensor<3x8xf32>, %d = %6 : tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
    %e = block.embedding %a in %b positions %c : (tensor<2x3xi64>, tensor<5x8xf32>, tensor<3x8xf32>) -> tensor<2x3x8xf32>
    %r = block.residual %e, %d : tensor<2x3x8xf32>
    block.yield %r : tensor<2x3x8xf32>
  }
  return %1, %7 : tensor<2x3x8xf32>, tensor<2x3x8xf32>
}
