// A post-norm encoder layer with the mask of a whole model: padding is looked up for every key, with a wrap for negative
// indices, joined with all-true, and turned into zero or the lowest float.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.attention{{.*}}score_bias
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.mlp{{.*}}#block.activation<gelu_erf>
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = layer
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<2x7x24xf32>, %arg1: tensor<2x7xi64>, %arg2: tensor<24x24xf32>, %arg3: tensor<24xf32>, %arg4: tensor<24x24xf32>, %arg5: tensor<24xf32>, %arg6: tensor<24x24xf32>, %arg7: tensor<24xf32>, %arg8: tensor<24x24xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24xf32>, %arg11: tensor<24xf32>, %arg12: tensor<48x24xf32>, %arg13: tensor<48xf32>, %arg14: tensor<24x48xf32>, %arg15: tensor<24xf32>, %arg16: tensor<24xf32>, %arg17: tensor<24xf32>) -> tensor<2x7x24xf32> {
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0 : i64
    %cst_2 = arith.constant 7 : i64
    %cst_3 = arith.constant true
    %cst_4 = arith.constant -3.40282347E+38 : f32
    %cst_5 = arith.constant 0.353553385 : f32
    %cst_6 = arith.constant 0xFF800000 : f32
    %cst_7 = arith.constant 0.000000e+00 : f64
    %cst_8 = arith.constant 2.400000e+01 : f64
    %cst_9 = arith.constant 2.400000e+01 : f32
    %cst_10 = arith.constant 9.9999999999999998E-13 : f64
    %cst_11 = arith.constant 1.000000e+00 : f32
    %cst_12 = arith.constant 5.000000e-01 : f32
    %cst_13 = arith.constant 1.41421354 : f32
    %0 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x7x24xf32> into tensor<14x24xf32>
    %1 = tensor.empty() : tensor<24x24xf32>
    %2 = linalg.transpose ins(%arg2 : tensor<24x24xf32>) outs(%1 : tensor<24x24xf32>) permutation = [1, 0]
    %3 = tensor.empty() : tensor<14x24xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %5 = linalg.matmul ins(%0, %2 : tensor<14x24xf32>, tensor<24x24xf32>) outs(%4 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %arg3 : tensor<14x24xf32>, tensor<24xf32>) outs(%3 : tensor<14x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<14x24xf32>
    %7 = tensor.expand_shape %6 [[0, 1], [2]] output_shape [2, 7, 24] : tensor<14x24xf32> into tensor<2x7x24xf32>
    %8 = tensor.expand_shape %7 [[0], [1], [2, 3]] output_shape [2, 7, 3, 8] : tensor<2x7x24xf32> into tensor<2x7x3x8xf32>
    %9 = tensor.empty() : tensor<2x3x7x8xf32>
    %10 = linalg.transpose ins(%8 : tensor<2x7x3x8xf32>) outs(%9 : tensor<2x3x7x8xf32>) permutation = [0, 2, 1, 3]
    %11 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x7x24xf32> into tensor<14x24xf32>
    %12 = linalg.transpose ins(%arg4 : tensor<24x24xf32>) outs(%1 : tensor<24x24xf32>) permutation = [1, 0]
    %13 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %14 = linalg.matmul ins(%11, %12 : tensor<14x24xf32>, tensor<24x24xf32>) outs(%13 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %arg5 : tensor<14x24xf32>, tensor<24xf32>) outs(%3 : tensor<14x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<14x24xf32>
    %16 = tensor.expand_shape %15 [[0, 1], [2]] output_shape [2, 7, 24] : tensor<14x24xf32> into tensor<2x7x24xf32>
    %17 = tensor.expand_shape %16 [[0], [1], [2, 3]] output_shape [2, 7, 3, 8] : tensor<2x7x24xf32> into tensor<2x7x3x8xf32>
    %18 = linalg.transpose ins(%17 : tensor<2x7x3x8xf32>) outs(%9 : tensor<2x3x7x8xf32>) permutation = [0, 2, 1, 3]
    %19 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x7x24xf32> into tensor<14x24xf32>
    %20 = linalg.transpose ins(%arg6 : tensor<24x24xf32>) outs(%1 : tensor<24x24xf32>) permutation = [1, 0]
    %21 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %22 = linalg.matmul ins(%19, %20 : tensor<14x24xf32>, tensor<24x24xf32>) outs(%21 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %arg7 : tensor<14x24xf32>, tensor<24xf32>) outs(%3 : tensor<14x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<14x24xf32>
    %24 = tensor.expand_shape %23 [[0, 1], [2]] output_shape [2, 7, 24] : tensor<14x24xf32> into tensor<2x7x24xf32>
    %25 = tensor.expand_shape %24 [[0], [1], [2, 3]] output_shape [2, 7, 3, 8] : tensor<2x7x24xf32> into tensor<2x7x3x8xf32>
    %26 = linalg.transpose ins(%25 : tensor<2x7x3x8xf32>) outs(%9 : tensor<2x3x7x8xf32>) permutation = [0, 2, 1, 3]
    %27 = tensor.empty() : tensor<2x7xi1>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2x7xi64>) outs(%27 : tensor<2x7xi1>) {
    ^bb0(%in0: i64, %out: i1):
      %r = arith.cmpi ne, %in0, %cst_1 : i64
      linalg.yield %r : i1
    } -> tensor<2x7xi1>
    %30 = tensor.empty() : tensor<2x1x7x7xi1>
    %29 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%30 : tensor<2x1x7x7xi1>) {
    ^bb0(%out: i1):
      %i0 = linalg.index 0 : index
      %i3 = linalg.index 3 : index
      %k = arith.index_cast %i3 : index to i64
      %lt = arith.cmpi slt, %k, %cst_1 : i64
      %w = arith.addi %k, %cst_2 : i64
      %s = arith.select %lt, %w, %k : i64
      %x = arith.index_cast %s : i64 to index
      %v = tensor.extract %28[%i0, %x] : tensor<2x7xi1>
      linalg.yield %v : i1
    } -> tensor<2x1x7x7xi1>
    %31 = tensor.empty() : tensor<7x7xi1>
    %32 = linalg.fill ins(%cst_3 : i1) outs(%31 : tensor<7x7xi1>) -> tensor<7x7xi1>
    %33 = tensor.expand_shape %32 [[0, 1, 2], [3]] output_shape [1, 1, 7, 7] : tensor<7x7xi1> into tensor<1x1x7x7xi1>
    %34 = linalg.generic {indexing_maps = [#map3, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %29 : tensor<1x1x7x7xi1>, tensor<2x1x7x7xi1>) outs(%30 : tensor<2x1x7x7xi1>) {
    ^bb0(%in0: i1, %in1: i1, %out: i1):
      %r = arith.andi %in0, %in1 : i1
      linalg.yield %r : i1
    } -> tensor<2x1x7x7xi1>
    %35 = tensor.empty() : tensor<2x1x7x7xf32>
    %36 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x1x7x7xi1>) outs(%35 : tensor<2x1x7x7xf32>) {
    ^bb0(%in0: i1, %out: f32):
      %r = arith.select %in0, %cst_0, %cst_4 : f32
      linalg.yield %r : f32
    } -> tensor<2x1x7x7xf32>
    %37 = tensor.empty() : tensor<2x3x8x7xf32>
    %38 = linalg.transpose ins(%18 : tensor<2x3x7x8xf32>) outs(%37 : tensor<2x3x8x7xf32>) permutation = [0, 1, 3, 2]
    %39 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
    %40 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<2x3x8x7xf32> into tensor<6x8x7xf32>
    %41 = tensor.empty() : tensor<6x7x7xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<6x7x7xf32>) -> tensor<6x7x7xf32>
    %43 = linalg.batch_matmul ins(%39, %40 : tensor<6x7x8xf32>, tensor<6x8x7xf32>) outs(%42 : tensor<6x7x7xf32>) -> tensor<6x7x7xf32>
    %44 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [2, 3, 7, 7] : tensor<6x7x7xf32> into tensor<2x3x7x7xf32>
    %45 = tensor.empty() : tensor<2x3x7x7xf32>
    %46 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x3x7x7xf32>) outs(%45 : tensor<2x3x7x7xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.mulf %in0, %cst_5 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
    %47 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %36 : tensor<2x3x7x7xf32>, tensor<2x1x7x7xf32>) outs(%45 : tensor<2x3x7x7xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
    %48 = tensor.empty() : tensor<2x3x7xf32>
    %49 = linalg.fill ins(%cst_6 : f32) outs(%48 : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
    %50 = tensor.empty() : tensor<2x3x7xi64>
    %51 = linalg.fill ins(%cst_1 : i64) outs(%50 : tensor<2x3x7xi64>) -> tensor<2x3x7xi64>
    %52:2 = linalg.generic {indexing_maps = [#map2, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<2x3x7x7xf32>) outs(%49, %51 : tensor<2x3x7xf32>, tensor<2x3x7xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %out_0 : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<2x3x7xf32>, tensor<2x3x7xi64>)
    %53 = tensor.expand_shape %52#0 [[0], [1], [2, 3]] output_shape [2, 3, 7, 1] : tensor<2x3x7xf32> into tensor<2x3x7x1xf32>
    %54 = linalg.generic {indexing_maps = [#map2, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %53 : tensor<2x3x7x7xf32>, tensor<2x3x7x1xf32>) outs(%45 : tensor<2x3x7x7xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
    %55 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x3x7x7xf32>) outs(%45 : tensor<2x3x7x7xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
    %56 = tensor.empty() : tensor<2x3x7x1xf32>
    %57 = linalg.fill ins(%cst_0 : f32) outs(%56 : tensor<2x3x7x1xf32>) -> tensor<2x3x7x1xf32>
    %58 = linalg.generic {indexing_maps = [#map2, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55 : tensor<2x3x7x7xf32>) outs(%57 : tensor<2x3x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x1xf32>
    %59 = linalg.generic {indexing_maps = [#map2, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %58 : tensor<2x3x7x7xf32>, tensor<2x3x7x1xf32>) outs(%45 : tensor<2x3x7x7xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
    %60 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<2x3x7x7xf32> into tensor<6x7x7xf32>
    %61 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
    %62 = tensor.empty() : tensor<6x7x8xf32>
    %63 = linalg.fill ins(%cst_0 : f32) outs(%62 : tensor<6x7x8xf32>) -> tensor<6x7x8xf32>
    %64 = linalg.batch_matmul ins(%60, %61 : tensor<6x7x7xf32>, tensor<6x7x8xf32>) outs(%63 : tensor<6x7x8xf32>) -> tensor<6x7x8xf32>
    %65 = tensor.expand_shape %64 [[0, 1], [2], [3]] output_shape [2, 3, 7, 8] : tensor<6x7x8xf32> into tensor<2x3x7x8xf32>
    %66 = tensor.empty() : tensor<2x7x3x8xf32>
    %67 = linalg.transpose ins(%65 : tensor<2x3x7x8xf32>) outs(%66 : tensor<2x7x3x8xf32>) permutation = [0, 2, 1, 3]
    %68 = tensor.collapse_shape %67 [[0], [1], [2, 3]] : tensor<2x7x3x8xf32> into tensor<2x7x24xf32>
    %69 = tensor.collapse_shape %68 [[0, 1], [2]] : tensor<2x7x24xf32> into tensor<14x24xf32>
    %70 = linalg.transpose ins(%arg8 : tensor<24x24xf32>) outs(%1 : tensor<24x24xf32>) permutation = [1, 0]
    %71 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %72 = linalg.matmul ins(%69, %70 : tensor<14x24xf32>, tensor<24x24xf32>) outs(%71 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%72, %arg9 : tensor<14x24xf32>, tensor<24xf32>) outs(%3 : tensor<14x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<14x24xf32>
    %74 = tensor.expand_shape %73 [[0, 1], [2]] output_shape [2, 7, 24] : tensor<14x24xf32> into tensor<2x7x24xf32>
    %75 = tensor.empty() : tensor<2x7x24xf32>
    %76 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %arg0 : tensor<2x7x24xf32>, tensor<2x7x24xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %77 = tensor.empty() : tensor<2x7x24xf64>
    %78 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<2x7x24xf32>) outs(%77 : tensor<2x7x24xf64>) {
    ^bb0(%in0: f32, %out: f64):
      %r = arith.extf %in0 : f32 to f64
      linalg.yield %r : f64
    } -> tensor<2x7x24xf64>
    %79 = tensor.empty() : tensor<2x7x1xf64>
    %80 = linalg.fill ins(%cst_7 : f64) outs(%79 : tensor<2x7x1xf64>) -> tensor<2x7x1xf64>
    %81 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%78 : tensor<2x7x24xf64>) outs(%80 : tensor<2x7x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x7x1xf64>
    %82 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<2x7x1xf64>) outs(%79 : tensor<2x7x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_8 : f64
      linalg.yield %r : f64
    } -> tensor<2x7x1xf64>
    %83 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %82 : tensor<2x7x24xf64>, tensor<2x7x1xf64>) outs(%77 : tensor<2x7x24xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.subf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x7x24xf64>
    %84 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %83 : tensor<2x7x24xf64>, tensor<2x7x24xf64>) outs(%77 : tensor<2x7x24xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.mulf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x7x24xf64>
    %85 = linalg.fill ins(%cst_7 : f64) outs(%79 : tensor<2x7x1xf64>) -> tensor<2x7x1xf64>
    %86 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84 : tensor<2x7x24xf64>) outs(%85 : tensor<2x7x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x7x1xf64>
    %87 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x7x1xf64>) outs(%79 : tensor<2x7x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_8 : f64
      linalg.yield %r : f64
    } -> tensor<2x7x1xf64>
    %88 = tensor.empty() : tensor<2x7x1xf32>
    %89 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x7x1xf64>) outs(%88 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f64, %out: f32):
      %r = arith.truncf %in0 : f64 to f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %90 = linalg.fill ins(%cst_0 : f32) outs(%88 : tensor<2x7x1xf32>) -> tensor<2x7x1xf32>
    %91 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%76 : tensor<2x7x24xf32>) outs(%90 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %92 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x7x1xf32>) outs(%88 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_9 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %93 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x7x1xf32>) outs(%88 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_10 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %94 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x7x1xf32>) outs(%88 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %95 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %92 : tensor<2x7x24xf32>, tensor<2x7x1xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %96 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %94 : tensor<2x7x24xf32>, tensor<2x7x1xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %97 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %arg10 : tensor<2x7x24xf32>, tensor<24xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %98 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %arg11 : tensor<2x7x24xf32>, tensor<24xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %99 = tensor.collapse_shape %98 [[0, 1], [2]] : tensor<2x7x24xf32> into tensor<14x24xf32>
    %100 = tensor.empty() : tensor<24x48xf32>
    %101 = linalg.transpose ins(%arg12 : tensor<48x24xf32>) outs(%100 : tensor<24x48xf32>) permutation = [1, 0]
    %102 = tensor.empty() : tensor<14x48xf32>
    %103 = linalg.fill ins(%cst_0 : f32) outs(%102 : tensor<14x48xf32>) -> tensor<14x48xf32>
    %104 = linalg.matmul ins(%99, %101 : tensor<14x24xf32>, tensor<24x48xf32>) outs(%103 : tensor<14x48xf32>) -> tensor<14x48xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%104, %arg13 : tensor<14x48xf32>, tensor<48xf32>) outs(%102 : tensor<14x48xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<14x48xf32>
    %106 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [2, 7, 48] : tensor<14x48xf32> into tensor<2x7x48xf32>
    %107 = tensor.empty() : tensor<2x7x48xf32>
    %108 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x7x48xf32>) outs(%107 : tensor<2x7x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %a = arith.divf %in0, %cst_13 : f32
      %b = math.erf %a : f32
      %c = arith.addf %b, %cst_11 : f32
      %d = arith.mulf %c, %cst_12 : f32
      %r = arith.mulf %in0, %d : f32
      linalg.yield %r : f32
    } -> tensor<2x7x48xf32>
    %109 = tensor.collapse_shape %108 [[0, 1], [2]] : tensor<2x7x48xf32> into tensor<14x48xf32>
    %110 = tensor.empty() : tensor<48x24xf32>
    %111 = linalg.transpose ins(%arg14 : tensor<24x48xf32>) outs(%110 : tensor<48x24xf32>) permutation = [1, 0]
    %112 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %113 = linalg.matmul ins(%109, %111 : tensor<14x48xf32>, tensor<48x24xf32>) outs(%112 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%113, %arg15 : tensor<14x24xf32>, tensor<24xf32>) outs(%3 : tensor<14x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<14x24xf32>
    %115 = tensor.expand_shape %114 [[0, 1], [2]] output_shape [2, 7, 24] : tensor<14x24xf32> into tensor<2x7x24xf32>
    %116 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %98 : tensor<2x7x24xf32>, tensor<2x7x24xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %117 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<2x7x24xf32>) outs(%77 : tensor<2x7x24xf64>) {
    ^bb0(%in0: f32, %out: f64):
      %r = arith.extf %in0 : f32 to f64
      linalg.yield %r : f64
    } -> tensor<2x7x24xf64>
    %118 = linalg.fill ins(%cst_7 : f64) outs(%79 : tensor<2x7x1xf64>) -> tensor<2x7x1xf64>
    %119 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%117 : tensor<2x7x24xf64>) outs(%118 : tensor<2x7x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x7x1xf64>
    %120 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<2x7x1xf64>) outs(%79 : tensor<2x7x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_8 : f64
      linalg.yield %r : f64
    } -> tensor<2x7x1xf64>
    %121 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %120 : tensor<2x7x24xf64>, tensor<2x7x1xf64>) outs(%77 : tensor<2x7x24xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.subf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x7x24xf64>
    %122 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %121 : tensor<2x7x24xf64>, tensor<2x7x24xf64>) outs(%77 : tensor<2x7x24xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.mulf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x7x24xf64>
    %123 = linalg.fill ins(%cst_7 : f64) outs(%79 : tensor<2x7x1xf64>) -> tensor<2x7x1xf64>
    %124 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%122 : tensor<2x7x24xf64>) outs(%123 : tensor<2x7x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x7x1xf64>
    %125 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<2x7x1xf64>) outs(%79 : tensor<2x7x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_8 : f64
      linalg.yield %r : f64
    } -> tensor<2x7x1xf64>
    %126 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x7x1xf64>) outs(%88 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f64, %out: f32):
      %r = arith.truncf %in0 : f64 to f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %127 = linalg.fill ins(%cst_0 : f32) outs(%88 : tensor<2x7x1xf32>) -> tensor<2x7x1xf32>
    %128 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%116 : tensor<2x7x24xf32>) outs(%127 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %129 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<2x7x1xf32>) outs(%88 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_9 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %130 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<2x7x1xf32>) outs(%88 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_10 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %131 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<2x7x1xf32>) outs(%88 : tensor<2x7x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x1xf32>
    %132 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %129 : tensor<2x7x24xf32>, tensor<2x7x1xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %133 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %131 : tensor<2x7x24xf32>, tensor<2x7x1xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %134 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %arg16 : tensor<2x7x24xf32>, tensor<24xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    %135 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %arg17 : tensor<2x7x24xf32>, tensor<24xf32>) outs(%75 : tensor<2x7x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x7x24xf32>
    return %135 : tensor<2x7x24xf32>
  }
}
