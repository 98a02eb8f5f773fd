// Gradients of patch embeddings on GPUs, with and without a class token, of images and patches that are not square.
// DEFINE: %{chip} = sm_90a
// DEFINE: %{check} = block-opt %t.mlir --block-differentiate="wrt=all loss=sum" -o %t.s.mlir && block-run %t.s.mlir --engine=emulate --chip=%{chip} --function=main_step --seed=1 --check-against=reference | FileCheck %s --check-prefix=SAME
// RUN: cp %s %t.mlir
// RUN: %{check}
// REDEFINE: %{chip} = sm_80
// RUN: sed "s/xf32/xbf16/g" %s > %t.mlir
// RUN: %{check}
// RUN: sed "s/xf32/xf16/g" %s > %t.mlir
// RUN: %{check}
// SAME: PASS grad.x
// SAME: PASS grad.w
// SAME: PASS grad.b
// SAME: PASS grad.c
// SAME: PASS grad.p
func.func @main(%x: tensor<3x3x8x10xf32> {block.input = "x"}, %w: tensor<20x3x4x2xf32> {block.param = "w"}, %b: tensor<20xf32> {block.param = "b"}, %c: tensor<20xf32> {block.param = "c"}, %p: tensor<11x20xf32> {block.param = "p"}) -> (tensor<3x11x20xf32> {block.output = "y"}, tensor<3x10x20xf32> {block.output = "z"}) {
  %y = block.patch_embedding %x, %w bias %b class %c positions %p : (tensor<3x3x8x10xf32>, tensor<20x3x4x2xf32>, tensor<20xf32>, tensor<20xf32>, tensor<11x20xf32>) -> tensor<3x11x20xf32>
  %z = block.patch_embedding %x, %w : (tensor<3x3x8x10xf32>, tensor<20x3x4x2xf32>) -> tensor<3x10x20xf32>
  return %y, %z : tensor<3x11x20xf32>, tensor<3x10x20xf32>
}
