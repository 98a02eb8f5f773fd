// Each kernel says what it holds.
// RUN: block-opt %s --split-input-file --block-form-leftovers -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: remark: [Passed] block.kernel | Category:block-form-leftovers | Function=main | Remark="2 ops in one launch", ops=2
func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %cos = math.cos %x : tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%cos : tensor<4x8xf32>) outs(%zero : tensor<4xf32>) dimensions = [1]
  %next = arith.addf %sum, %sum : tensor<4xf32>
  return %next : tensor<4xf32>
}

// -----

// CHECK: [Passed] tensor.collapse_shape | Category:block-form-leftovers | Function=main | Remark="another shape of the same elements: no launch"
func.func @main(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %flat : tensor<32xf32>
}

// -----

// CHECK: [Passed] cf.assert | Category:block-form-leftovers | Function=main | Remark="assertion dropped: an index beyond the tensor reads its first or last element"
// CHECK: Remark="1 op in one launch", ops=1
func.func @main(%x: tensor<8xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %empty = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%i : tensor<2xi64>) outs(%empty : tensor<2xf32>) {
  ^bb0(%row: i64, %old: f32):
    %eight = arith.constant 8 : i64
    %isBelow = arith.cmpi slt, %row, %eight : i64
    cf.assert %isBelow, "index must be smaller than dim size"
    %zero = arith.constant 0 : i64
    %isAbove = arith.cmpi sge, %row, %zero : i64
    cf.assert %isAbove, "index must be larger or equal to 0"
    %at = arith.index_cast %row : i64 to index
    %element = tensor.extract %x[%at] : tensor<8xf32>
    linalg.yield %element : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: remark: [Analysis] no-match | Category:block-form-leftovers
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// CHECK: Remark="1 op in one launch, of weights alone: no recipe packs that, so it runs every time"
// CHECK: Remark="1 op in one launch", ops=1
func.func @main(%x: tensor<4x8xf32> {block.input = "x"}, %w: tensor<4x8xf32> {block.param = "w"}) -> tensor<4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%w : tensor<4x8xf32>) outs(%zero : tensor<4xf32>) dimensions = [1]
  %wide = linalg.broadcast ins(%sum : tensor<4xf32>) outs(%empty : tensor<4x8xf32>) dimensions = [1]
  %cos = math.cos %x : tensor<4x8xf32>
  %z = arith.maximumf %cos, %wide : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
