// Arguments without a mark get one: what reaches places of weights alone is a parameter, through casts, slices and
// arithmetic among weights; what is read as data, or as both, is an input; else the type decides. Names are those
// that block-run gives.
// RUN: block-opt %s --split-input-file --block-raise --remarks-filter=block-raise --remark-format=emitRemark 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t.remarks

// WHY: Remark="inputs: arg00 (read as data); parameters: arg01 arg02 (read as weights)"
// CHECK: func.func @main(%arg0: tensor<1x4x8xf32> {block.input = "arg00"},
// CHECK-NEXT: %arg1: tensor<8x16xf16> {block.param = "arg01"},
// CHECK-NEXT: %arg2: tensor<8x8xf32> {block.param = "arg02"}) -> (tensor<1x4x8xf32> {block.output = "out0"})
func.func @main(%x: tensor<1x4x8xf32>, %w: tensor<8x16xf16>, %g: tensor<8x8xf32>) -> tensor<1x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %part = tensor.extract_slice %w[0, 8] [8, 8] [1, 1] : tensor<8x16xf16> to tensor<8x8xf16>
  %wide = arith.extf %part : tensor<8x8xf16> to tensor<8x8xf32>
  %weight = arith.mulf %wide, %g : tensor<8x8xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%flat, %weight : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %out = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  return %out : tensor<1x4x8xf32>
}

// -----

// Data and weights at once: an input. Tables of rotations, and what leftovers alone read, are what their type says.
// WHY: Remark="inputs: arg00 (read as data); inputs: arg02 (read as data and as weights); inputs: arg03 (no floats); parameters: arg01 (read as weights); parameters: arg04 arg05 arg06 (by the type)"
// CHECK: func.func @main(%arg0: tensor<1x4x8xf32> {block.input = "arg00"},
// CHECK-NEXT: %arg1: tensor<8x8xf32> {block.param = "arg01"},
// CHECK-NEXT: %arg2: tensor<8x8xf32> {block.input = "arg02"},
// CHECK-NEXT: %arg3: tensor<1xi64> {block.input = "arg03"},
// CHECK-NEXT: %arg4: tensor<4x8xf32> {block.param = "arg04"},
// CHECK-NEXT: %arg5: tensor<4x8xf32> {block.param = "arg05"},
// CHECK-NEXT: %arg6: tensor<4x8xf32> {block.param = "arg06"},
// CHECK-NEXT: %arg7: tensor<1x4x8xf32> {block.input = "past"})
// CHECK-SAME: -> (tensor<1x4x8xf32> {block.output = "out0"}, tensor<1x8x8xf32> {block.output = "product"})
func.func @main(%x: tensor<1x4x8xf32>, %w: tensor<8x8xf32>, %both: tensor<8x8xf32>, %n: tensor<1xi64>, %cos: tensor<4x8xf32>,
    %sin: tensor<4x8xf32>, %table: tensor<4x8xf32>, %past: tensor<1x4x8xf32> {block.input = "past"})
    -> (tensor<1x4x8xf32>, tensor<1x8x8xf32> {block.output = "product"}) {
  %a = block.linear %x, %w : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %b = block.linear %a, %both : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %hidden = tensor.expand_shape %both [[0, 1], [2]] output_shape [1, 8, 8] : tensor<8x8xf32> into tensor<1x8x8xf32>
  %c = block.linear %hidden, %w : (tensor<1x8x8xf32>, tensor<8x8xf32>) -> tensor<1x8x8xf32>
  %cosines = tensor.expand_shape %cos [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  %sines = tensor.expand_shape %sin [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  %d = block.rotate %b, %cosines, %sines {heads = 1 : i64, dim = 8 : i64, style = #block.rope_style<half>} : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %rows = tensor.expand_shape %table [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  %e = math.atan2 %d, %rows : tensor<1x4x8xf32>
  return %e, %c : tensor<1x4x8xf32>, tensor<1x8x8xf32>
}
