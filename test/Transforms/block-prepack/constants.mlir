// Constants that blocks read, and large ones that other ops read, are made by @prepack; small ones stay in the code of
// who reads them. What follows from constants alone, such as a table of positions, is computed at once.
// RUN: block-opt %s --block-prepack="recipe=%t.recipe.mlir" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=RECIPE --input-file=%t.recipe.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// RUN: not block-opt %s --block-prepack="recipe=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACE
// The packed file has them all; of the checkpoint nothing is left out.
// RUN: %python %S/../../Package/Inputs/write_ones.py %t.w gain 8
// RUN: block-weights --recipe=%t.recipe.mlir %t.w -o %t.packed
// RUN: block-weights --recipe=%t.recipe.mlir --undo %t.packed -o %t.back && tail -c 32 %t.back > %t.bytes && tail -c 32 %t.w | cmp - %t.bytes
// RUN: block-run %t.mlir --engine=reference --seed=3 --weights=%t.packed --outputs=%t.out
// A recipe without its file.
// RUN: mkdir -p %t.alone && cp %t.recipe.mlir %t.alone/r.mlir && rm -f %t.alone/*.safetensors
// RUN: not block-weights --recipe=%t.alone/r.mlir %t.w -o %t.packed 2>&1 | FileCheck %s --check-prefix=ALONE
// CHECK: func.func @main(%arg0: tensor<1x16x8xf32> {block.input = "x"},
// CHECK-NEXT: %arg1: tensor<8xf32> {block.param = "packed.gain"},
// CHECK-NEXT: %arg2: tensor<8xf32> {block.param = "packed.constant"},
// CHECK-NEXT: %arg3: tensor<1x16x8xf32> {block.param = "packed.constant.1"})
// CHECK: block.norm %arg0 gamma %arg1 beta %arg2
// CHECK: arith.addf %{{.*}}, %arg3
// CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00
// CHECK: func.func @prepack(%arg0: tensor<8xf32> {block.param = "gain"})
// CHECK-DAG: arith.constant dense<5.000000e-01> : tensor<8xf32>
// CHECK-DAG: {{[]>] +|^ +}}: tensor<1x16x8xf32>
// CHECK-NOT: linalg
// CHECK: return
// RECIPE: recipe.constants = "constants.mlir.tmp.recipe.safetensors"
// RECIPE: recipe.constants_sha256 = "
// RECIPE: recipe.constant = "packed.constant"
// SAME: PASS y
// PLACE: error: expected a file NAME.mlir for a recipe with constants, which lie beside it in NAME.safetensors, got '-'
// ALONE: error: {{.*}}constants.mlir.tmp.recipe.safetensors:
func.func @main(%x: tensor<1x16x8xf32> {block.input = "x"}, %g: tensor<8xf32> {block.param = "gain"}) -> (tensor<1x16x8xf32> {block.output = "y"}) {
  %b = arith.constant dense<5.000000e-01> : tensor<8xf32>
  %n = block.norm %x gamma %g beta %b {form = #block.norm<kind = layer, eps = 1.000000e-05>} : (tensor<1x16x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x16x8xf32>
  %e = tensor.empty() : tensor<1x16x8xf32>
  %table = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x16x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<1x16x8xf32>
  %sum = arith.addf %n, %table : tensor<1x16x8xf32>
  %small = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum, %small : tensor<1x16x8xf32>, tensor<8xf32>) outs(%e : tensor<1x16x8xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %m = arith.mulf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<1x16x8xf32>
  return %y : tensor<1x16x8xf32>
}
