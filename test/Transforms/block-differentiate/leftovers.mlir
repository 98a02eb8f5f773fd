// Ops that raising leaves in TOSA have gradients in TOSA; operands are broadcast.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s
// RUN: block-run %t.mlir --engine=cpu --function=main_step --seed=3 --check-against=reference | FileCheck %s
// RUN: FileCheck %s --check-prefix=CONSTANT < %t.mlir

// Those of maximum, minimum and one of the two largest numbers of rows: the other
// has no gradient to share.
// CONSTANT-COUNT-3: tosa.equal
// CONSTANT-NOT: tosa.equal

// CHECK-NOT: FAIL
// CHECK-DAG: PASS {{(grad.)?}}x
// CHECK-DAG: PASS {{(grad.)?}}row
// CHECK-DAG: PASS {{(grad.)?}}one
// CHECK-DAG: PASS {{(grad.)?}}table
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"},
    %row: tensor<1x1x8xf32> {block.param = "row"},
    %one: tensor<1x5x1xf32> {block.param = "one"},
    %table: tensor<7x8xf32> {block.param = "table"},
    %ids: tensor<2x5xi64> {block.input = "ids"})
    -> (tensor<2x5x8xf32> {block.output = "f"}, tensor<2x5x8xf32> {block.output = "g"},
        tensor<2x8x5xf32> {block.output = "m"}, tensor<2x1x8xf32> {block.output = "s"},
        tensor<2x5x8xf32> {block.output = "c"}, tensor<2x5x8xf32> {block.output = "l"},
        tensor<2x5xf32> {block.output = "e"}, tensor<1x2x4xf32> {block.output = "t"},
        tensor<2x5x8xf32> {block.output = "r"}, tensor<2x5x8xf32> {block.output = "p"}) {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %two = "tosa.const"() <{values = dense<2.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  // Functions of one element, of numbers from 1 on.
  %abs = tosa.abs %x : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %above = tosa.add %abs, %two : (tensor<2x5x8xf32>, tensor<1x1x1xf32>) -> tensor<2x5x8xf32>
  %log = tosa.log %above : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %rsqrt = tosa.rsqrt %above : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %reciprocal = tosa.reciprocal %above : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %power = tosa.pow %above, %two : (tensor<2x5x8xf32>, tensor<1x1x1xf32>) -> tensor<2x5x8xf32>
  %quotient = arith.divf %log, %above : tensor<2x5x8xf32>
  %product = arith.mulf %rsqrt, %power : tensor<2x5x8xf32>
  %f0 = tosa.mul %quotient, %reciprocal, %shift : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1xi8>) -> tensor<2x5x8xf32>
  %f = tosa.add %f0, %product : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  // Others, of broadcast operands.
  %scaled = tosa.mul %x, %row, %shift : (tensor<2x5x8xf32>, tensor<1x1x8xf32>, tensor<1xi8>) -> tensor<2x5x8xf32>
  %negative = tosa.negate %one, %zero, %zero : (tensor<1x5x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x1xf32>
  %moved = tosa.sub %scaled, %negative : (tensor<2x5x8xf32>, tensor<1x5x1xf32>) -> tensor<2x5x8xf32>
  %tanh = tosa.tanh %moved : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %sigmoid = tosa.sigmoid %moved : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %erf = tosa.erf %moved : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %sin = tosa.sin %sigmoid : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %cos = tosa.cos %erf : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %exp = tosa.exp %tanh : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %larger = tosa.maximum %sin, %row : (tensor<2x5x8xf32>, tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
  %lesser = tosa.minimum %cos, %one : (tensor<2x5x8xf32>, tensor<1x5x1xf32>) -> tensor<2x5x8xf32>
  %which = tosa.greater %exp, %cos : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xi1>
  %chosen = tosa.select %which, %larger, %lesser : (tensor<2x5x8xi1>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %g = tosa.mul %chosen, %exp, %shift : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1xi8>) -> tensor<2x5x8xf32>
  // Moves, products of matrices, sums and the largest.
  %turned = tosa.transpose %g {perms = array<i32: 0, 2, 1>} : (tensor<2x5x8xf32>) -> tensor<2x8x5xf32>
  %square = tosa.matmul %turned, %scaled, %zero, %zero : (tensor<2x8x5xf32>, tensor<2x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x8x8xf32>
  %m = tosa.matmul %square, %turned, %zero, %zero : (tensor<2x8x8xf32>, tensor<2x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x8x5xf32>
  %sum = tosa.reduce_sum %g {axis = 1 : i32} : (tensor<2x5x8xf32>) -> tensor<2x1x8xf32>
  %most = tosa.reduce_max %scaled {axis = 1 : i32} : (tensor<2x5x8xf32>) -> tensor<2x1x8xf32>
  %s = tosa.mul %sum, %most, %shift : (tensor<2x1x8xf32>, tensor<2x1x8xf32>, tensor<1xi8>) -> tensor<2x1x8xf32>
  %times = tosa.const_shape {values = dense<[2, 2, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %flat = tosa.const_shape {values = dense<[4, 2, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %lines = tosa.const_shape {values = dense<[2, 4, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %tiled = tosa.tile %s, %times : (tensor<2x1x8xf32>, !tosa.shape<3>) -> tensor<4x2x8xf32>
  %again = tosa.reshape %tiled, %lines : (tensor<4x2x8xf32>, !tosa.shape<3>) -> tensor<2x4x8xf32>
  %c = tosa.concat %again, %s {axis = 1 : i32} : (tensor<2x4x8xf32>, tensor<2x1x8xf32>) -> tensor<2x5x8xf32>
  // A table that is looked up, but for one row.
  %empty = tensor.empty() : tensor<2x5x8xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x5xi64>) outs(%empty : tensor<2x5x8xf32>) {
  ^bb0(%id: i64, %old: f32):
    %place = arith.index_cast %id : i64 to index
    %column = linalg.index 2 : index
    %element = tensor.extract %table[%place, %column] : tensor<7x8xf32>
    linalg.yield %element : f32
  } -> tensor<2x5x8xf32>
  // Single elements: of each row one, and of columns those of the loop.
  %none = tensor.empty() : tensor<2x5xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<2x5xi64>) outs(%none : tensor<2x5xf32>) {
  ^bb0(%id: i64, %old: f32):
    %row0 = linalg.index 0 : index
    %row1 = linalg.index 1 : index
    %place = arith.index_cast %id : i64 to index
    %element = tensor.extract %x[%row0, %row1, %place] : tensor<2x5x8xf32>
    linalg.yield %element : f32
  } -> tensor<2x5xf32>
  // Each third row and second column.
  %t = tensor.extract_slice %x[1, 1, 0] [1, 2, 4] [1, 3, 2] : tensor<2x5x8xf32> to tensor<1x2x4xf32>
  // A root, and the logarithms of shares: what is taken off before has no gradient.
  %root = math.sqrt %above : tensor<2x5x8xf32>
  %log1p = math.log1p %root : tensor<2x5x8xf32>
  %vector = tensor.collapse_shape %row [[0, 1, 2]] : tensor<1x1x8xf32> into tensor<8xf32>
  %rows = linalg.broadcast ins(%vector : tensor<8xf32>) outs(%empty : tensor<2x5x8xf32>) dimensions = [0, 1]
  %spread = tosa.mul %rows, %log1p, %shift : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1xi8>) -> tensor<2x5x8xf32>
  %r = tosa.mul %root, %spread, %shift : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1xi8>) -> tensor<2x5x8xf32>
  %peak = tosa.reduce_max %x {axis = 2 : i32, differentiate.constant = true} : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  %below = tosa.sub %x, %peak : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %powers = tosa.exp %below : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %total = tosa.reduce_sum %powers {axis = 2 : i32} : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  %logs = tosa.log %total : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  %p = tosa.sub %below, %logs : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  return %f, %g, %m, %s, %c, %l, %e, %t, %r, %p : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x8x5xf32>, tensor<2x1x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>,
      tensor<2x5xf32>, tensor<1x2x4xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
