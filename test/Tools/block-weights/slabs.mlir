// Tensors of which only some rows are computed at a time, and moves that are done where their elements are read, give
// what the reference engine makes of @prepack as a whole, bit for bit, and come back.
// RUN: block-opt %s --block-prepack="recipe=%t.mlir" -o %t.packed.mlir
// RUN: %python %S/../block-run/Inputs/make_safetensors.py %t.in w:F32:600x300=1,-2,0.3,4,0.05,6,7 v:BF16:300x600=1,2,-3,0.5,11 s:F16:300x300=0.1,2,-3,4,0.01,6,7,8,9,-10,11 b:BF16:300=0.5,3,-1 e:F32:1x300=3,1,2,5
// RUN: block-weights --recipe=%t.mlir %t.in -o %t.out 2>&1 | count 0
// RUN: block-run %t.packed.mlir --engine=reference --function=prepack --weights=%t.in --outputs=%t.want
// RUN: cmp %t.out %t.want
// RUN: block-weights --recipe=%t.mlir --undo --allow-partial %t.out -o %t.back 2> %t.said
// RUN: FileCheck %s --input-file=%t.said
// RUN: %python %S/../block-run/Inputs/print_safetensors.py %t.back > %t.got
// RUN: %python %S/../block-run/Inputs/print_safetensors.py %t.in | grep -v "^[bs] " | cmp - %t.got
// CHECK: tensor 's' cannot be restored: reparam cannot be undone
// CHECK: tensor 'b' cannot be restored: fold_bias cannot be undone
#all = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main() {
  return
}
func.func @prepack(%w: tensor<600x300xf32> {block.param = "w"}, %v: tensor<300x600xbf16> {block.param = "v"},
    %s: tensor<300x300xf16> {block.param = "s"}, %b: tensor<300xbf16> {block.param = "b"}, %e: tensor<1x300xf32> {block.param = "e"})
    -> (tensor<300x300xf16> {block.output = "p.identity"}, tensor<600x300xbf16> {block.output = "p.turned"},
        tensor<600x600xf32> {block.output = "p.inner"}, tensor<900x300xf32> {block.output = "p.outer"}, tensor<600xf32> {block.output = "p.bias"},
        tensor<600xf32> {block.output = "p.sums"}, tensor<300x300xf32> {block.output = "p.scale"}, tensor<300x300xf32> {block.output = "p.strided"},
        tensor<600x300xf32> {block.output = "p.read"}, tensor<301x300xf32> {block.output = "p.rows"}) {
  %identity = block.reparam %s {skip = 0.5, residual = 2.0} : (tensor<300x300xf16>) -> tensor<300x300xf16>
  %empty = tensor.empty() : tensor<600x300xbf16>
  %turned = linalg.transpose ins(%v : tensor<300x600xbf16>) outs(%empty : tensor<600x300xbf16>) permutation = [1, 0]
  %wide = arith.extf %turned : tensor<600x300xbf16> to tensor<600x300xf32>
  %inner = tensor.concat dim(1) %w, %wide : (tensor<600x300xf32>, tensor<600x300xf32>) -> tensor<600x600xf32>
  %lower = tensor.extract_slice %w[300, 0] [300, 300] [1, 1] : tensor<600x300xf32> to tensor<300x300xf32>
  %outer = tensor.concat dim(0) %w, %lower : (tensor<600x300xf32>, tensor<300x300xf32>) -> tensor<900x300xf32>
  %bias = block.fold_bias %turned beta %b : (tensor<600x300xbf16>, tensor<300xbf16>) -> tensor<600xf32>
  %sums = block.weight_sums %wide : (tensor<600x300xf32>) -> tensor<600xf32>
  %scale = block.fold_scale %lower by %b {factor = 0.3} : (tensor<300x300xf32>, tensor<300xbf16>) -> tensor<300x300xf32>
  %strided = tensor.extract_slice %w[1, 0] [300, 300] [2, 1] : tensor<600x300xf32> to tensor<300x300xf32>
  %init = tensor.empty() : tensor<600x300xf32>
  %read = linalg.generic {indexing_maps = [#turned, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%v, %b : tensor<300x600xbf16>, tensor<300xbf16>) outs(%init : tensor<600x300xf32>) {
  ^bb0(%x: bf16, %y: bf16, %out: f32):
    %x0 = arith.extf %x : bf16 to f32
    %y0 = arith.extf %y : bf16 to f32
    %q = arith.divf %x0, %y0 : f32
    linalg.yield %q : f32
  } -> tensor<600x300xf32>
  %rows = tensor.concat dim(0) %e, %scale : (tensor<1x300xf32>, tensor<300x300xf32>) -> tensor<301x300xf32>
  return %identity, %turned, %inner, %outer, %bias, %sums, %scale, %strided, %read, %rows
      : tensor<300x300xf16>, tensor<600x300xbf16>, tensor<600x600xf32>, tensor<900x300xf32>, tensor<600xf32>, tensor<600xf32>, tensor<300x300xf32>,
        tensor<300x300xf32>, tensor<600x300xf32>, tensor<301x300xf32>
}
