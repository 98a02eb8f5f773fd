// `inputs` says which arguments are inputs; all others are weights then, and are taken for such where blocks are looked for.
// RUN: block-opt %s --block-raise="inputs=arg0,arg02" | FileCheck %s
// RUN: block-opt %s --block-raise | FileCheck %s --check-prefix=GUESSED
// RUN: not block-opt %s --block-raise="inputs=arg3" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not block-opt %s --block-raise="inputs=x" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed -e "s/t: tensor<4x8xf32>)/t: tensor<?x8xf32>)/" -e "s/tensor<4x8xf32> to/tensor<?x8xf32> to/" %s | not block-opt --block-raise="inputs=arg0" 2>&1 | FileCheck %s --check-prefix=OPEN
// CHECK: func.func @main(%arg0: tensor<4x8xf32> {block.input = "arg00"},
// CHECK-NEXT: %arg1: tensor<8x8xf32> {block.param = "arg01"},
// CHECK-NEXT: %arg2: tensor<4x8xf32> {block.input = "arg02"})
// GUESSED: %arg2: tensor<4x8xf32> {block.param = "arg02"}
// UNKNOWN: error: inputs: expected arguments without a mark, such as 'arg0', got 'arg3'
// OTHER: error: inputs: expected arguments without a mark, such as 'arg0', got 'x'
// OPEN: error: inputs: expected 'arg02' among them, as weights have known sizes, got 'tensor<?x8xf32>'
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %row = tensor.extract_slice %t[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  return %y, %row : tensor<4x8xf32>, tensor<8xf32>
}
