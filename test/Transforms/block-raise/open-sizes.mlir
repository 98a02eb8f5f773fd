// Functions with `?` are raised where what is recognised is the same for every size.
// RUN: block-opt %s --split-input-file --block-raise | FileCheck %s
// RUN: block-opt %s --split-input-file --block-raise --remarks-filter='block-raise' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED

// CHECK-LABEL: func.func @main(
// CHECK: block.norm %arg0 gamma %arg1 {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x?x8xf32>{{$}}
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
#column = affine_map<(d0, d1, d2) -> (d2)>
func.func @main(%x: tensor<2x?x8xf32>, %g: tensor<8xf32>) -> tensor<2x?x8xf32> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %t = tensor.dim %x, %one : tensor<2x?x8xf32>
  %e0 = tensor.empty(%t) : tensor<2x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x?xf32>) -> tensor<2x?xf32>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x?x8xf32>) outs(%z : tensor<2x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %square = arith.mulf %in, %in : f32
    %sum = arith.addf %square, %out : f32
    linalg.yield %sum : f32
  } -> tensor<2x?xf32>
  %e1 = tensor.empty(%t) : tensor<2x?x8xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #column, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s, %g : tensor<2x?x8xf32>, tensor<2x?xf32>, tensor<8xf32>) outs(%e1 : tensor<2x?x8xf32>) {
  ^bb0(%in: f32, %square: f32, %gain: f32, %out: f32):
    %mean = arith.divf %square, %n : f32
    %above = arith.addf %mean, %eps : f32
    %root = math.rsqrt %above : f32
    %normal = arith.mulf %in, %root : f32
    %scaled = arith.mulf %normal, %gain : f32
    linalg.yield %scaled : f32
  } -> tensor<2x?x8xf32>
  return %y : tensor<2x?x8xf32>
}

// -----

// MISSED: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="dynamic-shape: two sizes of one argument without names
func.func @main(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %0 = math.exp %x : tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// -----

// A window that is larger than what is tried.
// MISSED: remark: [Missed] func.func | Category:block-raise | Function=main | Reason="dynamic-shape: whole numbers in the function are too large
func.func @main(%x: tensor<2x?x8xf32>) -> tensor<2x?x8xf32> {
  %window = arith.constant 4096 : index
  %one = arith.constant 1 : index
  %t = tensor.dim %x, %one : tensor<2x?x8xf32>
  %far = arith.cmpi sgt, %t, %window : index
  cf.assert %far, "short"
  return %x : tensor<2x?x8xf32>
}

// -----

// Shapes as tensors, put together from sizes in i64, as where a linear layer splits its tokens again.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: tensor.reshape
// CHECK: block.head %arg0, %arg1 : tensor<2x?x8xf32> -> tensor<2x?x5xf32>
func.func @main(%x: tensor<2x?x8xf32>, %w: tensor<5x8xf32>) -> tensor<2x?x5xf32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %eight = arith.constant 8 : i64
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %one : tensor<2x?x8xf32>
  %t64 = arith.index_cast %t : index to i64
  %n64 = arith.muli %t64, %two : i64
  %flat = tensor.from_elements %n64, %eight : tensor<2xi64>
  %rows = tensor.reshape %x(%flat) : (tensor<2x?x8xf32>, tensor<2xi64>) -> tensor<?x8xf32>
  %e0 = tensor.empty() : tensor<8x5xf32>
  %wt = linalg.transpose ins(%w : tensor<5x8xf32>) outs(%e0 : tensor<8x5xf32>) permutation = [1, 0]
  %n = arith.index_cast %n64 : i64 to index
  %e1 = tensor.empty(%n) : tensor<?x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x5xf32>) -> tensor<?x5xf32>
  %y = linalg.matmul ins(%rows, %wt : tensor<?x8xf32>, tensor<8x5xf32>) outs(%init : tensor<?x5xf32>) -> tensor<?x5xf32>
  %shape = tensor.from_elements %two, %t64, %five : tensor<3xi64>
  %r = tensor.reshape %y(%shape) : (tensor<?x5xf32>, tensor<3xi64>) -> tensor<2x?x5xf32>
  return %r : tensor<2x?x5xf32>
}
