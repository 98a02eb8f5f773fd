// One result per construct, in the order of numpy_ops.py.
#rows = affine_map<(b, i, j) -> (b, i)>
#all = affine_map<(b, i, j) -> (b, i, j)>
#first = affine_map<(b, i, j) -> (b, i, 0)>
#line = affine_map<(i, j) -> (i, j)>

func.func private @half(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %c = arith.constant dense<0.5> : tensor<2x3x4xf32>
  %0 = arith.mulf %x, %c : tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

func.func @main(%x: tensor<2x3x4xf32>, %m: tensor<2x4x5xf32>, %t: tensor<7x4xf32>, %i: tensor<3xi64>)
    -> (tensor<2x3xf32>, tensor<2x3x1xf32>, tensor<2x3xi64>, tensor<2x3x5xf32>, tensor<3x2x5xf32>,
        tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<3x3xi32>, tensor<2x3x2xf32>,
        tensor<2x3x4xf32>, tensor<2x3x8xf32>, tensor<2x3x4xf32>, tensor<6x4xf32>, tensor<2x3x7xf32>,
        tensor<4x5xf32>, tensor<2x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %e23 = tensor.empty() : tensor<2x3xf32>
  %e234 = tensor.empty() : tensor<2x3x4xf32>
  %z23 = linalg.fill ins(%zero : f32) outs(%e23 : tensor<2x3xf32>) -> tensor<2x3xf32>
  // A sum of rows.
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<2x3x4xf32>) outs(%z23 : tensor<2x3xf32>) dimensions = [2]
  // The maximum and where it is.
  %e231 = tensor.empty() : tensor<2x3x1xf32>
  %l231 = linalg.fill ins(%low : f32) outs(%e231 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %e23i = tensor.empty() : tensor<2x3xi64>
  %z23i = linalg.fill ins(%none : i64) outs(%e23i : tensor<2x3xi64>) -> tensor<2x3xi64>
  %1:2 = linalg.generic {indexing_maps = [#all, #first, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x3x4xf32>) outs(%l231, %z23i : tensor<2x3x1xf32>, tensor<2x3xi64>) {
  ^bb0(%in: f32, %best: f32, %where: i64):
    %j = linalg.index 2 : index
    %ji = arith.index_cast %j : index to i64
    %more = arith.cmpf ogt, %in, %best : f32
    %value = arith.select %more, %in, %best : f32
    %place = arith.select %more, %ji, %where : i64
    linalg.yield %value, %place : f32, i64
  } -> (tensor<2x3x1xf32>, tensor<2x3xi64>)
  // Products: named, and with permuted maps.
  %e235 = tensor.empty() : tensor<2x3x5xf32>
  %z235 = linalg.fill ins(%zero : f32) outs(%e235 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %2 = linalg.batch_matmul ins(%x, %m : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%z235 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %e325 = tensor.empty() : tensor<3x2x5xf32>
  %z325 = linalg.fill ins(%zero : f32) outs(%e325 : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(s, b, k, d) -> (b, d, k)>, affine_map<(s, b, k, d) -> (b, s, d)>, affine_map<(s, b, k, d) -> (s, b, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%m, %x : tensor<2x4x5xf32>, tensor<2x3x4xf32>) outs(%z325 : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x2x5xf32>
  // Rows of a table.
  %e34 = tensor.empty() : tensor<3x4xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r)>, #line], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<3xi64>) outs(%e34 : tensor<3x4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %row = arith.index_cast %in : i64 to index
    %column = linalg.index 1 : index
    %e = tensor.extract %t[%row, %column] : tensor<7x4xf32>
    linalg.yield %e : f32
  } -> tensor<3x4xf32>
  // A body of several functions, reading a column for every element.
  %5 = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %0 : tensor<2x3x4xf32>, tensor<2x3xf32>) outs(%e234 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %c3 = arith.constant 3 : i64
    %d = arith.subf %in, %sum : f32
    %cube = math.fpowi %d, %c3 : f32, i64
    %h = math.tanh %cube : f32
    %n = arith.negf %h : f32
    linalg.yield %n : f32
  } -> tensor<2x3x4xf32>
  %6 = linalg.map { math.exp } ins(%x : tensor<2x3x4xf32>) outs(%e234 : tensor<2x3x4xf32>)
  // A triangle of truth values.
  %e33 = tensor.empty() : tensor<3x3xi32>
  %7 = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel", "parallel"]} outs(%e33 : tensor<3x3xi32>) {
  ^bb0(%out: i32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %b = arith.cmpi sge, %r, %c : index
    %w = arith.extui %b : i1 to i32
    linalg.yield %w : i32
  } -> tensor<3x3xi32>
  // Every second element, also put back; one after the other; around; reshaped.
  %8 = tensor.extract_slice %x[0, 0, 1] [2, 3, 2] [1, 1, 2] : tensor<2x3x4xf32> to tensor<2x3x2xf32>
  %9 = tensor.insert_slice %8 into %x[0, 0, 0] [2, 3, 2] [1, 1, 2] : tensor<2x3x2xf32> into tensor<2x3x4xf32>
  %10 = tensor.concat dim(2) %x, %6 : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
  %11 = func.call @half(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %12 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %13 = tensor.pad %x low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x3x4xf32> to tensor<2x3x7xf32>
  // Windows: an index that is a sum of two loops.
  %e45 = tensor.empty() : tensor<4x5xf32>
  %z45 = linalg.fill ins(%zero : f32) outs(%e45 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %w3 = tensor.empty() : tensor<3xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(r, c, w) -> (c + w, r)>, affine_map<(r, c, w) -> (w)>, affine_map<(r, c, w) -> (r, c)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %w3 : tensor<7x4xf32>, tensor<3xf32>) outs(%z45 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %w: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  // A row, broadcast.
  %row = tensor.extract_slice %x[1, 0, 0] [1, 1, 4] [1, 1, 1] : tensor<2x3x4xf32> to tensor<4xf32>
  %e24 = tensor.empty() : tensor<2x4xf32>
  %15 = linalg.broadcast ins(%row : tensor<4xf32>) outs(%e24 : tensor<2x4xf32>) dimensions = [0]
  return %0, %1#0, %1#1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15
    : tensor<2x3xf32>, tensor<2x3x1xf32>, tensor<2x3xi64>, tensor<2x3x5xf32>, tensor<3x2x5xf32>,
      tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<3x3xi32>, tensor<2x3x2xf32>,
      tensor<2x3x4xf32>, tensor<2x3x8xf32>, tensor<2x3x4xf32>, tensor<6x4xf32>, tensor<2x3x7xf32>,
      tensor<4x5xf32>, tensor<2x4xf32>
}
