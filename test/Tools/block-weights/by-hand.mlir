// A recipe that someone wrote may hold every op that is evaluated: those that are computed as a whole, branches, TOSA.
// RUN: %python %S/../block-run/Inputs/make_safetensors.py %t.in w:F32:2x3=1,-2,3,4,5,-6 m:F32:3x2=1,0,2,-1,0.5,3
// RUN: block-weights --recipe=%s %t.in -o %t.out 2>&1 | count 0
// RUN: %python %S/../block-run/Inputs/print_safetensors.py %t.out | FileCheck %s --match-full-lines
// CHECK: p.absolute F32 [2, 3] 1.0 2.0 3.0 4.0 5.0 6.0
// CHECK-NEXT: p.padded F32 [3, 3] 1.0 -2.0 3.0 4.0 5.0 -6.0 7.0 7.0 7.0
// CHECK-NEXT: p.product F32 [2, 2] -1.5 11.0 11.0 -23.0
// CHECK-NEXT: p.turned F32 [3, 2] 1.0 4.0 -2.0 5.0 3.0 -6.0
// RUN: block-weights --recipe=%s --undo --allow-partial %t.out -o %t.back 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: remark: tensor 'm' cannot be restored: matmul cannot be undone
// RUN: %python %S/../block-run/Inputs/print_safetensors.py %t.back | FileCheck %s --check-prefix=BACK --match-full-lines
// BACK: w F32 [2, 3] 1.0 -2.0 3.0 4.0 5.0 -6.0
#all = affine_map<(d0, d1) -> (d0, d1)>
module attributes {recipe.schema = 2 : i64} {
  func.func @prepack(%w: tensor<2x3xf32> {recipe.tensor = "w"}, %m: tensor<3x2xf32> {recipe.tensor = "m", recipe.lost = "matmul"})
      -> (tensor<2x3xf32> {recipe.tensor = "p.absolute"}, tensor<3x3xf32> {recipe.tensor = "p.padded"}, tensor<2x2xf32> {recipe.tensor = "p.product"},
          tensor<3x2xf32> {recipe.tensor = "p.turned"}) {
    %zero = arith.constant 0.0 : f32
    %seven = arith.constant 7.0 : f32
    %empty = tensor.empty() : tensor<2x3xf32>
    %absolute = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%w : tensor<2x3xf32>) outs(%empty : tensor<2x3xf32>) {
    ^bb0(%x: f32, %out: f32):
      %low = arith.cmpf olt, %x, %zero : f32
      %y = scf.if %low -> f32 {
        %n = arith.negf %x : f32
        scf.yield %n : f32
      } else {
        scf.yield %x : f32
      }
      linalg.yield %y : f32
    } -> tensor<2x3xf32>
    %padded = tensor.pad %w low[0, 0] high[1, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %seven : f32
    } : tensor<2x3xf32> to tensor<3x3xf32>
    %none = arith.constant dense<0.0> : tensor<2x2xf32>
    %product = linalg.matmul ins(%w, %m : tensor<2x3xf32>, tensor<3x2xf32>) outs(%none : tensor<2x2xf32>) -> tensor<2x2xf32>
    %turned = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %absolute, %padded, %product, %turned : tensor<2x3xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<3x2xf32>
  }
  func.func @restore(%absolute: tensor<2x3xf32> {recipe.tensor = "p.absolute"}, %padded: tensor<3x3xf32> {recipe.tensor = "p.padded"},
      %product: tensor<2x2xf32> {recipe.tensor = "p.product"}, %turned: tensor<3x2xf32> {recipe.tensor = "p.turned"})
      -> (tensor<2x3xf32> {recipe.tensor = "w"}) {
    %w = tosa.transpose %turned {perms = array<i32: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
    return %w : tensor<2x3xf32>
  }
}
