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

// -----

// A table of embeddings with as many rows as the batch is no stream, though a sum over tokens has its type.
// WHY: Remark="inputs: arg00 (no floats); parameters: arg01 (read as weights)"
// CHECK: func.func @main(%arg0: tensor<2x4xi64> {block.input = "arg00"},
// CHECK-SAME: %arg1: tensor<2x8xf32> {block.param = "arg01"}) -> (tensor<2x8xf32> {block.output = "out0"})
func.func @main(%ids: tensor<2x4xi64>, %table: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x8xf32>
  %rows = linalg.generic {
      indexing_maps = [affine_map<(b, t, d) -> (b, t)>, affine_map<(b, t, d) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x4xi64>) outs(%e : tensor<2x4x8xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 2 : index
    %number = tensor.extract %table[%row, %column] : tensor<2x8xf32>
    linalg.yield %number : f32
  } -> tensor<2x4x8xf32>
  %s = tensor.empty() : tensor<2x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%s : tensor<2x8xf32>) -> tensor<2x8xf32>
  %sum = linalg.reduce {arith.addf} ins(%rows : tensor<2x4x8xf32>) outs(%init : tensor<2x8xf32>) dimensions = [1]
  return %sum : tensor<2x8xf32>
}

// -----

// Nor in TOSA.
// CHECK: block.embedding %arg0 in %arg1
// WHY: Remark="inputs: arg00 (no floats); parameters: arg01 (read as weights)"
func.func @main(%ids: tensor<2x4xi32>, %table: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %shape = tosa.const_shape {values = dense<[1, 2, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %flat = tosa.const_shape {values = dense<[1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %apart = tosa.const_shape {values = dense<[2, 4, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %pair = tosa.const_shape {values = dense<[2, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %values = tosa.reshape %table, %shape : (tensor<2x8xf32>, !tosa.shape<3>) -> tensor<1x2x8xf32>
  %indices = tosa.reshape %ids, %flat : (tensor<2x4xi32>, !tosa.shape<2>) -> tensor<1x8xi32>
  %found = tosa.gather %values, %indices : (tensor<1x2x8xf32>, tensor<1x8xi32>) -> tensor<1x8x8xf32>
  %rows = tosa.reshape %found, %apart : (tensor<1x8x8xf32>, !tosa.shape<3>) -> tensor<2x4x8xf32>
  %sum = tosa.reduce_sum %rows {axis = 1 : i32} : (tensor<2x4x8xf32>) -> tensor<2x1x8xf32>
  %out = tosa.reshape %sum, %pair : (tensor<2x1x8xf32>, !tosa.shape<2>) -> tensor<2x8xf32>
  return %out : tensor<2x8xf32>
}
