// Ops that are no blocks, between blocks and alone, run as kernels of their own.
// RUN: block-run %s --engine=cpu --dims=batch=2,tokens=5 --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=cpu --dims=batch=1,tokens=1 --cpu=x86-64 --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --function=fixed --engine=cpu --cpu=x86-64 --seed=3 --baseline=%s | FileCheck %s --check-prefix=FIXED
// RUN: block-run %s --function=narrow --engine=cpu --cpu=x86-64 --seed=3 --baseline=%s | FileCheck %s --check-prefix=NARROW
// RUN: block-run %s --function=narrow --engine=cpu --seed=3 --baseline=%s | FileCheck %s --check-prefix=NARROW
// RUN: block-run %s --function=gated --engine=cpu --dims=batch=2,tokens=5 --seed=3 --baseline=%s | FileCheck %s --check-prefix=GATED
// RUN: block-run %s --function=moved --engine=cpu --seed=3 --baseline=%s 2>&1 | FileCheck %s --check-prefix=MOVED --implicit-check-not=remark
// GATED: PASS out0
// MOVED: PASS out0
// CHECK: PASS out0
// CHECK: PASS out1
// CHECK: PASS out2
// FIXED: PASS out0
// FIXED: PASS out1
// FIXED: PASS out2
// NARROW: PASS out0
// NARROW: PASS out1
// NARROW: PASS out2

// Open sizes, a shape with two of them, a result that is an argument.
func.func @main(%x: tensor<?x?x8xf32> {block.dims = ["batch", "tokens"]}, %w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batch = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %tokens = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %0 = arith.addf %x, %x : tensor<?x?x8xf32>
  %1 = block.linear %0, %w : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  %rows = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
  %count = arith.muli %batch, %tokens : index
  %e = tensor.empty(%count) : tensor<?x8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %row = linalg.index 0 : index
    %at = arith.index_cast %row : index to i32
    %number = arith.sitofp %at : i32 to f32
    %tanh = math.tanh %in : f32
    %erf = math.erf %in : f32
    %a = arith.mulf %tanh, %number : f32
    %b = arith.addf %a, %erf : f32
    linalg.yield %b : f32
  } -> tensor<?x8xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [%batch, %tokens, 8] : tensor<?x8xf32> into tensor<?x?x8xf32>
  %4 = block.residual %3, %x : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  return %4, %3, %x : tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>
}

// Weights in integers, rows of a table by ids, integers and truth values as results.
func.func @fixed(%ids: tensor<2x3xi64> {block.input = "input_ids"}, %table: tensor<7x8xf32> {block.param = "table"}, %s: tensor<8xf32> {block.param = "s"}) -> (tensor<2x3x8xf32>, tensor<2x3xi64>, tensor<2x6xi1>) {
  %shape = tosa.const_shape {values = dense<[1, 7, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %wide = tosa.reshape %table, %shape : (tensor<7x8xf32>, !tosa.shape<3>) -> tensor<1x7x8xf32>
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %empty = tensor.empty() : tensor<6x8xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%flat : tensor<6xi64>) outs(%empty : tensor<6x8xf32>) {
  ^bb0(%id: i64, %old: f32):
    %c0 = arith.constant 0 : index
    %at = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %wide[%c0, %at, %column] : tensor<1x7x8xf32>
    linalg.yield %element : f32
  } -> tensor<6x8xf32>
  %x = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %q = arith.constant dense<[[3, -1, 0, 2, 5, -7, 1, 1], [0, 1, 2, 3, 4, 5, 6, 7], [-1, -1, 1, 1, 2, 2, 3, 3], [9, 0, 0, -9, 0, 4, 4, 0], [1, 0, 0, 0, 0, 0, 0, 1], [2, -2, 2, -2, 2, -2, 2, -2], [0, 0, 5, 5, 0, 0, 5, 5], [7, 6, 5, 4, 3, 2, 1, 0]]> : tensor<8x8xi8>
  %none = tensor.empty() : tensor<8x8xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<8x8xi8>, tensor<8xf32>) outs(%none : tensor<8x8xf32>) {
  ^bb0(%number: i8, %scale: f32, %old: f32):
    %float = arith.sitofp %number : i8 to f32
    %scaled = arith.mulf %float, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<8x8xf32>
  %turned = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%none : tensor<8x8xf32>) permutation = [1, 0]
  %y = block.linear %x, %turned : (tensor<2x3x8xf32>, tensor<8x8xf32>) -> tensor<2x3x8xf32>
  %one = "tosa.const"() <{values = dense<1> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %next = tosa.add %ids, %one : (tensor<2x3xi64>, tensor<1x1xi64>) -> tensor<2x3xi64>
  %is = tosa.greater %next, %ids : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
  %both = tosa.concat %is, %is {axis = 1 : i32} : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x6xi1>
  return %y, %next, %both : tensor<2x3x8xf32>, tensor<2x3xi64>, tensor<2x6xi1>
}

// Arithmetic that the processor has not, and a sum in it.
func.func @narrow(%x: tensor<2x3x8xbf16>, %y: tensor<3x8xf16>, %long: tensor<4x600xbf16>) -> (tensor<2x3x8xbf16>, tensor<3xf16>, tensor<4x4xbf16>) {
  %0 = arith.mulf %x, %x : tensor<2x3x8xbf16>
  %1 = math.exp %x : tensor<2x3x8xbf16>
  %2 = arith.subf %0, %1 : tensor<2x3x8xbf16>
  %3 = block.activation %2 {kind = #block.activation<silu>} : tensor<2x3x8xbf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<3xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<3xf16>) -> tensor<3xf16>
  %4 = linalg.reduce ins(%y : tensor<3x8xf16>) outs(%f : tensor<3xf16>) dimensions = [1]
    (%in: f16, %sum: f16) {
      %s = arith.addf %in, %sum : f16
      linalg.yield %s : f16
    }
  %none = arith.constant 0.0 : bf16
  %products = tensor.empty() : tensor<4x4xbf16>
  %start = linalg.fill ins(%none : bf16) outs(%products : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %5 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%long, %long : tensor<4x600xbf16>, tensor<4x600xbf16>) outs(%start : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %3, %4, %5 : tensor<2x3x8xbf16>, tensor<3xf16>, tensor<4x4xbf16>
}

// A product, whose sizes are those of one of its operands.
func.func @gated(%x: tensor<?x?x8xf32> {block.dims = ["batch", "tokens"]}, %w: tensor<8x8xf32> {block.param = "w"}, %v: tensor<8x8xf32> {block.param = "v"}) -> tensor<?x?x8xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = block.linear %x, %w : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  %1 = block.linear %x, %v : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  %2 = tosa.mul %0, %1, %shift : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<1xi8>) -> tensor<?x?x8xf32>
  %3 = block.linear %2, %w : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  return %3 : tensor<?x?x8xf32>
}

// Rows of weights that are moved as weights are, and spread then as others are: moves stand between two launches.
func.func @moved(%x: tensor<3x2x4xf32>, %table: tensor<7x2xf32> {block.param = "table"}) -> tensor<3x2x4xf32> {
  %numbers = arith.constant dense<[6, 0, 3, 3]> : tensor<4xi64>
  %e = tensor.empty() : tensor<4x2xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%numbers : tensor<4xi64>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%number: i64, %old: f32):
    %row = arith.index_cast %number : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<7x2xf32>
    linalg.yield %element : f32
  } -> tensor<4x2xf32>
  %turned = tensor.empty() : tensor<2x4xf32>
  %columns = linalg.transpose ins(%rows : tensor<4x2xf32>) outs(%turned : tensor<2x4xf32>) permutation = [1, 0]
  %all = tensor.empty() : tensor<3x2x4xf32>
  %spread = linalg.broadcast ins(%columns : tensor<2x4xf32>) outs(%all : tensor<3x2x4xf32>) dimensions = [0]
  %sum = arith.addf %x, %spread : tensor<3x2x4xf32>
  return %sum : tensor<3x2x4xf32>
}
