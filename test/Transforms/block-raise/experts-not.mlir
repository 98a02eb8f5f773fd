// What a reader of experts must not take for a form of its own.
// RUN: split-file %s %t
// RUN: block-opt %t/unequal.mlir --block-raise -o %t/u.mlir
// RUN: FileCheck %s --check-prefix=UNEQUAL < %t/u.mlir
// RUN: block-run %t/u.mlir --engine=reference --seed=1 --baseline=%t/unequal.mlir | FileCheck %s
// RUN: %python -c "n = 40; print(open(r'%t/products.mlir').read().replace('SQUARES', '\n'.join(f'%%q{k + 1} = arith.mulf %%q{k}, %%q{k} : tensor<4x8xf32>' for k in range(n))))" > %t/p.mlir
// RUN: block-opt %t/p.mlir --block-raise -o %t/r.mlir
// RUN: FileCheck %s --check-prefix=PRODUCTS < %t/r.mlir

// UNEQUAL-NOT: block.moe
// UNEQUAL-NOT: block.experts
// CHECK: PASS

// Factors of products that share operands would be 2^40.
// PRODUCTS: arith.mulf

//--- unequal.mlir
// More matrices up than down, by one choice of as many as those down.
func.func @f(%x: tensor<1x4x8xf32> {block.input = "x"}, %r: tensor<8x4xf32>
    {block.param = "r"}, %u: tensor<8x48xf32>
    {block.param = "u"}, %d: tensor<4x48xf32>
    {block.param = "d"}) 
    -> tensor<1x4x8xf32> {
  %l = stablehlo.dot_general %x, %r, contracting_dims = [2] x [0] : (tensor<1x4x8xf32>, tensor<8x4xf32>) -> tensor<1x4x4xf32>
  %v, %i = chlo.top_k(%l, k = 2) : tensor<1x4x4xf32> -> (tensor<1x4x2xf32>, tensor<1x4x2xi32>)
  %ii = stablehlo.reshape %i : (tensor<1x4x2xi32>) -> tensor<1x4x2x1xi32>
  %gu = "stablehlo.gather"(%u, %ii) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 48>}> : (tensor<8x48xf32>, tensor<1x4x2x1xi32>) -> tensor<1x4x2x48xf32>
  %gd = "stablehlo.gather"(%d, %ii) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 48>}> : (tensor<4x48xf32>, tensor<1x4x2x1xi32>) -> tensor<1x4x2x48xf32>
  %ru = stablehlo.reshape %gu : (tensor<1x4x2x48xf32>) -> tensor<1x4x2x8x6xf32>
  %rd = stablehlo.reshape %gd : (tensor<1x4x2x48xf32>) -> tensor<1x4x2x6x8xf32>
  %h = stablehlo.dot_general %x, %ru, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3] : (tensor<1x4x8xf32>, tensor<1x4x2x8x6xf32>) -> tensor<1x4x2x6xf32>
  %z = stablehlo.constant dense<0.0> : tensor<1x4x2x6xf32>
  %a = stablehlo.maximum %h, %z : tensor<1x4x2x6xf32>
  %y = stablehlo.dot_general %a, %rd, batching_dims = [0, 1, 2] x [0, 1, 2], contracting_dims = [3] x [3] : (tensor<1x4x2x6xf32>, tensor<1x4x2x6x8xf32>) -> tensor<1x4x2x8xf32>
  %o = stablehlo.dot_general %y, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<1x4x2x8xf32>, tensor<1x4x2xf32>) -> tensor<1x4x8xf32>
  return %o : tensor<1x4x8xf32>
}

//--- products.mlir
func.func @f(%x: tensor<4x8xf32> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "w"}) -> tensor<4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %q0 = arith.maximumf %x, %zero : tensor<4x8xf32>
  SQUARES
  %y = linalg.matmul ins(%q40, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
