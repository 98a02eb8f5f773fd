// Tables of tokens, positions and types, and patches of images.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: PASS table
// CHECK: PASS positions
// CHECK: PASS kinds
// CHECK: PASS pixels
// CHECK: PASS patch
// CHECK: PASS bias
// CHECK: PASS class
// CHECK: PASS places
// CHECK-NOT: FAIL
func.func @main(%ids: tensor<2x5xi64> {block.input = "input_ids"},
    %types: tensor<2x5xi64> {block.input = "token_type_ids"},
    %table: tensor<11x8xf32> {block.param = "table"},
    %positions: tensor<9x8xf32> {block.param = "positions"},
    %kinds: tensor<2x8xf32> {block.param = "kinds"},
    %pixels: tensor<2x3x4x6xf32> {block.input = "pixels"},
    %patch: tensor<8x3x2x2xf32> {block.param = "patch"},
    %bias: tensor<8xf32> {block.param = "bias"},
    %class: tensor<8xf32> {block.param = "class"},
    %places: tensor<7x8xf32> {block.param = "places"})
    -> (tensor<2x5x8xf32> {block.output = "a"}, tensor<2x5x8xf32> {block.output = "b"}, tensor<2x5x8xf32> {block.output = "c"}, tensor<2x7x8xf32> {block.output = "p"}, tensor<2x6x8xf32> {block.output = "q"}) {
  %a = block.embedding %ids in %table positions %positions types %types type_table %kinds {position_offset = 2, scale = 0.5} : tensor<2x5xi64>, tensor<11x8xf32>, tensor<9x8xf32>, tensor<2x8xf32>
  %b = block.embedding %ids in %table positions %positions {pad_id = 1} : tensor<2x5xi64>, tensor<11x8xf32>, tensor<9x8xf32>
  %c = block.embedding %ids in %table type_table %kinds {sinusoid = #block.sinusoid<sin_then_cos>} : tensor<2x5xi64>, tensor<11x8xf32>, tensor<2x8xf32>
  %p = block.patch_embedding %pixels, %patch bias %bias class %class positions %places : tensor<2x3x4x6xf32>, tensor<8x3x2x2xf32>
  %q = block.patch_embedding %pixels, %patch : tensor<2x3x4x6xf32>, tensor<8x3x2x2xf32>
  return %a, %b, %c, %p, %q : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x6x8xf32>
}
