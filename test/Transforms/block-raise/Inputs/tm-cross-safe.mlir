// Cross-attention by torch's scaled_dot_product_attention with a mask of truth values: the root of the scale on queries and
// keys, the test for rows of -inf in f64, and a select of zeros.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.attention{{.*}}memory{{.*}}score_bias
// CHECK: block.residual
// CHECK: block.mlp{{.*}}#block.activation<relu>
// CHECK: block.residual
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x5x24xf32>, %arg1: tensor<2x7x24xf32>, %arg2: tensor<2x1x5x7xi1>, %arg3: tensor<24x24xf32>, %arg4: tensor<24x24xf32>, %arg5: tensor<24x24xf32>, %arg6: tensor<24x24xf32>, %arg7: tensor<48x24xf32>, %arg8: tensor<24x48xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24xf32>) -> tensor<2x5x24xf32> {
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 2.400000e+01 : f64
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant 2.400000e+01 : f32
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 0.59460355750136051 : f64
    %cst_6 = arith.constant 0xFF800000 : f32
    %cst_7 = arith.constant 0 : i64
    %cst_8 = arith.constant 0xFFF0000000000000 : f64
    %cst_9 = arith.constant true
    %0 = tensor.empty() : tensor<2x5x24xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x24xf32>) outs(%0 : tensor<2x5x24xf64>) {
    ^bb0(%in0: f32, %out: f64):
      %r = arith.extf %in0 : f32 to f64
      linalg.yield %r : f64
    } -> tensor<2x5x24xf64>
    %2 = tensor.empty() : tensor<2x5x1xf64>
    %3 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<2x5x1xf64>) -> tensor<2x5x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x5x24xf64>) outs(%3 : tensor<2x5x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x5x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x5x1xf64>) outs(%2 : tensor<2x5x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_1 : f64
      linalg.yield %r : f64
    } -> tensor<2x5x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x5x24xf64>, tensor<2x5x1xf64>) outs(%0 : tensor<2x5x24xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.subf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x5x24xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x5x24xf64>, tensor<2x5x24xf64>) outs(%0 : tensor<2x5x24xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.mulf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x5x24xf64>
    %8 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<2x5x1xf64>) -> tensor<2x5x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x5x24xf64>) outs(%8 : tensor<2x5x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x5x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x5x1xf64>) outs(%2 : tensor<2x5x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_1 : f64
      linalg.yield %r : f64
    } -> tensor<2x5x1xf64>
    %11 = tensor.empty() : tensor<2x5x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x5x1xf64>) outs(%11 : tensor<2x5x1xf32>) {
    ^bb0(%in0: f64, %out: f32):
      %r = arith.truncf %in0 : f64 to f32
      linalg.yield %r : f32
    } -> tensor<2x5x1xf32>
    %13 = linalg.fill ins(%cst_2 : f32) outs(%11 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x5x24xf32>) outs(%13 : tensor<2x5x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x5x1xf32>) outs(%11 : tensor<2x5x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_3 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x5x1xf32>) outs(%11 : tensor<2x5x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_4 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x5x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x5x1xf32>) outs(%11 : tensor<2x5x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x1xf32>
    %18 = tensor.empty() : tensor<2x5x24xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %15 : tensor<2x5x24xf32>, tensor<2x5x1xf32>) outs(%18 : tensor<2x5x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x24xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %17 : tensor<2x5x24xf32>, tensor<2x5x1xf32>) outs(%18 : tensor<2x5x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x24xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg9 : tensor<2x5x24xf32>, tensor<24xf32>) outs(%18 : tensor<2x5x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x24xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg10 : tensor<2x5x24xf32>, tensor<24xf32>) outs(%18 : tensor<2x5x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x24xf32>
    %23 = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<2x5x24xf32> into tensor<10x24xf32>
    %24 = tensor.empty() : tensor<24x24xf32>
    %25 = linalg.transpose ins(%arg3 : tensor<24x24xf32>) outs(%24 : tensor<24x24xf32>) permutation = [1, 0]
    %26 = tensor.empty() : tensor<10x24xf32>
    %27 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<10x24xf32>) -> tensor<10x24xf32>
    %28 = linalg.matmul ins(%23, %25 : tensor<10x24xf32>, tensor<24x24xf32>) outs(%27 : tensor<10x24xf32>) -> tensor<10x24xf32>
    %29 = tensor.expand_shape %28 [[0, 1], [2]] output_shape [2, 5, 24] : tensor<10x24xf32> into tensor<2x5x24xf32>
    %30 = tensor.expand_shape %29 [[0], [1], [2, 3]] output_shape [2, 5, 3, 8] : tensor<2x5x24xf32> into tensor<2x5x3x8xf32>
    %31 = tensor.empty() : tensor<2x3x5x8xf32>
    %32 = linalg.transpose ins(%30 : tensor<2x5x3x8xf32>) outs(%31 : tensor<2x3x5x8xf32>) permutation = [0, 2, 1, 3]
    %33 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<2x7x24xf32> into tensor<14x24xf32>
    %34 = linalg.transpose ins(%arg4 : tensor<24x24xf32>) outs(%24 : tensor<24x24xf32>) permutation = [1, 0]
    %35 = tensor.empty() : tensor<14x24xf32>
    %36 = linalg.fill ins(%cst_2 : f32) outs(%35 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %37 = linalg.matmul ins(%33, %34 : tensor<14x24xf32>, tensor<24x24xf32>) outs(%36 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %38 = tensor.expand_shape %37 [[0, 1], [2]] output_shape [2, 7, 24] : tensor<14x24xf32> into tensor<2x7x24xf32>
    %39 = tensor.expand_shape %38 [[0], [1], [2, 3]] output_shape [2, 7, 3, 8] : tensor<2x7x24xf32> into tensor<2x7x3x8xf32>
    %40 = tensor.empty() : tensor<2x3x7x8xf32>
    %41 = linalg.transpose ins(%39 : tensor<2x7x3x8xf32>) outs(%40 : tensor<2x3x7x8xf32>) permutation = [0, 2, 1, 3]
    %42 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<2x7x24xf32> into tensor<14x24xf32>
    %43 = linalg.transpose ins(%arg5 : tensor<24x24xf32>) outs(%24 : tensor<24x24xf32>) permutation = [1, 0]
    %44 = linalg.fill ins(%cst_2 : f32) outs(%35 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %45 = linalg.matmul ins(%42, %43 : tensor<14x24xf32>, tensor<24x24xf32>) outs(%44 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %46 = tensor.expand_shape %45 [[0, 1], [2]] output_shape [2, 7, 24] : tensor<14x24xf32> into tensor<2x7x24xf32>
    %47 = tensor.expand_shape %46 [[0], [1], [2, 3]] output_shape [2, 7, 3, 8] : tensor<2x7x24xf32> into tensor<2x7x3x8xf32>
    %48 = linalg.transpose ins(%47 : tensor<2x7x3x8xf32>) outs(%40 : tensor<2x3x7x8xf32>) permutation = [0, 2, 1, 3]
    %49 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x3x5x8xf32>) outs(%31 : tensor<2x3x5x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_5 : f64 to f32
      %r = arith.mulf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x8xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x3x7x8xf32>) outs(%40 : tensor<2x3x7x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_5 : f64 to f32
      %r = arith.mulf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x8xf32>
    %51 = tensor.empty() : tensor<2x3x8x7xf32>
    %52 = linalg.transpose ins(%50 : tensor<2x3x7x8xf32>) outs(%51 : tensor<2x3x8x7xf32>) permutation = [0, 1, 3, 2]
    %53 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
    %54 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<2x3x8x7xf32> into tensor<6x8x7xf32>
    %55 = tensor.empty() : tensor<6x5x7xf32>
    %56 = linalg.fill ins(%cst_2 : f32) outs(%55 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %57 = linalg.batch_matmul ins(%53, %54 : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%56 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %58 = tensor.expand_shape %57 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
    %59 = tensor.empty() : tensor<2x1x5x7xf32>
    %60 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x1x5x7xi1>) outs(%59 : tensor<2x1x5x7xf32>) {
    ^bb0(%in0: i1, %out: f32):
      %r = arith.select %in0, %cst_2, %cst_6 : f32
      linalg.yield %r : f32
    } -> tensor<2x1x5x7xf32>
    %61 = tensor.empty() : tensor<2x3x5x7xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %60 : tensor<2x3x5x7xf32>, tensor<2x1x5x7xf32>) outs(%61 : tensor<2x3x5x7xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
    %63 = tensor.empty() : tensor<2x3x5xf32>
    %64 = linalg.fill ins(%cst_6 : f32) outs(%63 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %65 = tensor.empty() : tensor<2x3x5xi64>
    %66 = linalg.fill ins(%cst_7 : i64) outs(%65 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %67:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<2x3x5x7xf32>) outs(%64, %66 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %out_0 : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %68 = tensor.expand_shape %67#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %69 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %68 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%61 : tensor<2x3x5x7xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
    %70 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<2x3x5x7xf32>) outs(%61 : tensor<2x3x5x7xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
    %71 = tensor.empty() : tensor<2x3x5x1xf32>
    %72 = linalg.fill ins(%cst_2 : f32) outs(%71 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %73 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<2x3x5x7xf32>) outs(%72 : tensor<2x3x5x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x1xf32>
    %74 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %73 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%61 : tensor<2x3x5x7xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
    %75 = tensor.empty() : tensor<2x3x5x7xi1>
    %76 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<2x3x5x7xf32>) outs(%75 : tensor<2x3x5x7xi1>) {
    ^bb0(%in0: f32, %out: i1):
      %d = arith.extf %in0 : f32 to f64
      %r = arith.cmpf oeq, %d, %cst_8 : f64
      linalg.yield %r : i1
    } -> tensor<2x3x5x7xi1>
    %77 = tensor.empty() : tensor<2x3x5x1xi1>
    %78 = linalg.fill ins(%cst_9 : i1) outs(%77 : tensor<2x3x5x1xi1>) -> tensor<2x3x5x1xi1>
    %79 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%76 : tensor<2x3x5x7xi1>) outs(%78 : tensor<2x3x5x1xi1>) {
    ^bb0(%in0: i1, %out: i1):
      %r = arith.andi %in0, %out : i1
      linalg.yield %r : i1
    } -> tensor<2x3x5x1xi1>
    %80 = linalg.generic {indexing_maps = [#map6, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %74 : tensor<2x3x5x1xi1>, tensor<2x3x5x7xf32>) outs(%61 : tensor<2x3x5x7xf32>) {
    ^bb0(%in0: i1, %in1: f32, %out: f32):
      %r = arith.select %in0, %cst_2, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
    %81 = tensor.collapse_shape %80 [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
    %82 = tensor.collapse_shape %48 [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
    %83 = tensor.empty() : tensor<6x5x8xf32>
    %84 = linalg.fill ins(%cst_2 : f32) outs(%83 : tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
    %85 = linalg.batch_matmul ins(%81, %82 : tensor<6x5x7xf32>, tensor<6x7x8xf32>) outs(%84 : tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
    %86 = tensor.expand_shape %85 [[0, 1], [2], [3]] output_shape [2, 3, 5, 8] : tensor<6x5x8xf32> into tensor<2x3x5x8xf32>
    %87 = tensor.empty() : tensor<2x5x3x8xf32>
    %88 = linalg.transpose ins(%86 : tensor<2x3x5x8xf32>) outs(%87 : tensor<2x5x3x8xf32>) permutation = [0, 2, 1, 3]
    %89 = tensor.collapse_shape %88 [[0], [1], [2, 3]] : tensor<2x5x3x8xf32> into tensor<2x5x24xf32>
    %90 = tensor.collapse_shape %89 [[0, 1], [2]] : tensor<2x5x24xf32> into tensor<10x24xf32>
    %91 = linalg.transpose ins(%arg6 : tensor<24x24xf32>) outs(%24 : tensor<24x24xf32>) permutation = [1, 0]
    %92 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<10x24xf32>) -> tensor<10x24xf32>
    %93 = linalg.matmul ins(%90, %91 : tensor<10x24xf32>, tensor<24x24xf32>) outs(%92 : tensor<10x24xf32>) -> tensor<10x24xf32>
    %94 = tensor.expand_shape %93 [[0, 1], [2]] output_shape [2, 5, 24] : tensor<10x24xf32> into tensor<2x5x24xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %94 : tensor<2x5x24xf32>, tensor<2x5x24xf32>) outs(%18 : tensor<2x5x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x24xf32>
    %96 = tensor.collapse_shape %95 [[0, 1], [2]] : tensor<2x5x24xf32> into tensor<10x24xf32>
    %97 = tensor.empty() : tensor<24x48xf32>
    %98 = linalg.transpose ins(%arg7 : tensor<48x24xf32>) outs(%97 : tensor<24x48xf32>) permutation = [1, 0]
    %99 = tensor.empty() : tensor<10x48xf32>
    %100 = linalg.fill ins(%cst_2 : f32) outs(%99 : tensor<10x48xf32>) -> tensor<10x48xf32>
    %101 = linalg.matmul ins(%96, %98 : tensor<10x24xf32>, tensor<24x48xf32>) outs(%100 : tensor<10x48xf32>) -> tensor<10x48xf32>
    %102 = tensor.expand_shape %101 [[0, 1], [2]] output_shape [2, 5, 48] : tensor<10x48xf32> into tensor<2x5x48xf32>
    %103 = tensor.empty() : tensor<2x5x48xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x5x48xf32>) outs(%103 : tensor<2x5x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %c = arith.cmpf ugt, %in0, %cst_2 : f32
      %r = arith.select %c, %in0, %cst_2 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x48xf32>
    %105 = tensor.collapse_shape %104 [[0, 1], [2]] : tensor<2x5x48xf32> into tensor<10x48xf32>
    %106 = tensor.empty() : tensor<48x24xf32>
    %107 = linalg.transpose ins(%arg8 : tensor<24x48xf32>) outs(%106 : tensor<48x24xf32>) permutation = [1, 0]
    %108 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<10x24xf32>) -> tensor<10x24xf32>
    %109 = linalg.matmul ins(%105, %107 : tensor<10x48xf32>, tensor<48x24xf32>) outs(%108 : tensor<10x24xf32>) -> tensor<10x24xf32>
    %110 = tensor.expand_shape %109 [[0, 1], [2]] output_shape [2, 5, 24] : tensor<10x24xf32> into tensor<2x5x24xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %110 : tensor<2x5x24xf32>, tensor<2x5x24xf32>) outs(%18 : tensor<2x5x24xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x24xf32>
    return %111 : tensor<2x5x24xf32>
  }
}
