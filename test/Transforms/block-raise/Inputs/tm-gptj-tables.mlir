// GPT-J with tables of half the width as arguments: neighbours are rotated before heads are moved to the front; squared
// relu; attention and MLP read one norm.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.attention{{.*}}rope_cos
// CHECK-NEXT: #block.rope<style = interleaved, dim = 16>{{.*}}causal = true
// CHECK: block.mlp{{.*}}#block.activation<relu_squared>
// CHECK: block.residual
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<64x32xf32>, %arg8: tensor<32x64xf32>, %arg9: tensor<6x8xf32>, %arg10: tensor<6x8xf32>) -> tensor<2x6x32xf32> {
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 3.200000e+01 : f64
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant 3.200000e+01 : f32
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 4.000000e+00 : f32
    %cst_6 = arith.constant 0 : i64
    %cst_7 = arith.constant -3.40282347E+38 : f32
    %cst_8 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x6x32xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf64>) {
    ^bb0(%in0: f32, %out: f64):
      %r = arith.extf %in0 : f32 to f64
      linalg.yield %r : f64
    } -> tensor<2x6x32xf64>
    %2 = tensor.empty() : tensor<2x6x1xf64>
    %3 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<2x6x1xf64>) -> tensor<2x6x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x32xf64>) outs(%3 : tensor<2x6x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x6x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6x1xf64>) outs(%2 : tensor<2x6x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_1 : f64
      linalg.yield %r : f64
    } -> tensor<2x6x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x6x32xf64>, tensor<2x6x1xf64>) outs(%0 : tensor<2x6x32xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.subf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x6x32xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x6x32xf64>, tensor<2x6x32xf64>) outs(%0 : tensor<2x6x32xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.mulf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x6x32xf64>
    %8 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<2x6x1xf64>) -> tensor<2x6x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x6x32xf64>) outs(%8 : tensor<2x6x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x6x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x1xf64>) outs(%2 : tensor<2x6x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_1 : f64
      linalg.yield %r : f64
    } -> tensor<2x6x1xf64>
    %11 = tensor.empty() : tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf64>) outs(%11 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f64, %out: f32):
      %r = arith.truncf %in0 : f64 to f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %13 = linalg.fill ins(%cst_2 : f32) outs(%11 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%13 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x6x1xf32>) outs(%11 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_3 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x6x1xf32>) outs(%11 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_4 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x1xf32>) outs(%11 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %18 = tensor.empty() : tensor<2x6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %15 : tensor<2x6x32xf32>, tensor<2x6x1xf32>) outs(%18 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %17 : tensor<2x6x32xf32>, tensor<2x6x1xf32>) outs(%18 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%18 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%18 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %23 = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %24 = tensor.empty() : tensor<32x32xf32>
    %25 = linalg.transpose ins(%arg3 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0]
    %26 = tensor.empty() : tensor<12x32xf32>
    %27 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %28 = linalg.matmul ins(%23, %25 : tensor<12x32xf32>, tensor<32x32xf32>) outs(%27 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %29 = tensor.expand_shape %28 [[0, 1], [2]] output_shape [2, 6, 32] : tensor<12x32xf32> into tensor<2x6x32xf32>
    %30 = tensor.expand_shape %29 [[0], [1], [2, 3]] output_shape [2, 6, 2, 16] : tensor<2x6x32xf32> into tensor<2x6x2x16xf32>
    %31 = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %32 = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0]
    %33 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %34 = linalg.matmul ins(%31, %32 : tensor<12x32xf32>, tensor<32x32xf32>) outs(%33 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %35 = tensor.expand_shape %34 [[0, 1], [2]] output_shape [2, 6, 32] : tensor<12x32xf32> into tensor<2x6x32xf32>
    %36 = tensor.expand_shape %35 [[0], [1], [2, 3]] output_shape [2, 6, 2, 16] : tensor<2x6x32xf32> into tensor<2x6x2x16xf32>
    %37 = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %38 = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0]
    %39 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %40 = linalg.matmul ins(%37, %38 : tensor<12x32xf32>, tensor<32x32xf32>) outs(%39 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %41 = tensor.expand_shape %40 [[0, 1], [2]] output_shape [2, 6, 32] : tensor<12x32xf32> into tensor<2x6x32xf32>
    %42 = tensor.expand_shape %41 [[0], [1], [2, 3]] output_shape [2, 6, 2, 16] : tensor<2x6x32xf32> into tensor<2x6x2x16xf32>
    %43 = tensor.extract_slice %30[0, 0, 0, 0] [2, 6, 2, 8] [1, 1, 1, 2] : tensor<2x6x2x16xf32> to tensor<2x6x2x8xf32>
    %44 = tensor.extract_slice %30[0, 0, 0, 1] [2, 6, 2, 8] [1, 1, 1, 2] : tensor<2x6x2x16xf32> to tensor<2x6x2x8xf32>
    %45 = tensor.expand_shape %arg9 [[0, 1], [2, 3]] output_shape [1, 6, 1, 8] : tensor<6x8xf32> into tensor<1x6x1x8xf32>
    %46 = tensor.expand_shape %arg10 [[0, 1], [2, 3]] output_shape [1, 6, 1, 8] : tensor<6x8xf32> into tensor<1x6x1x8xf32>
    %47 = tensor.empty() : tensor<2x6x2x8xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %45 : tensor<2x6x2x8xf32>, tensor<1x6x1x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %49 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %46 : tensor<2x6x2x8xf32>, tensor<1x6x1x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %49 : tensor<2x6x2x8xf32>, tensor<2x6x2x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %46 : tensor<2x6x2x8xf32>, tensor<1x6x1x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %52 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %45 : tensor<2x6x2x8xf32>, tensor<1x6x1x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %53 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %52 : tensor<2x6x2x8xf32>, tensor<2x6x2x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %54 = tensor.expand_shape %50 [[0], [1], [2], [3, 4]] output_shape [2, 6, 2, 8, 1] : tensor<2x6x2x8xf32> into tensor<2x6x2x8x1xf32>
    %55 = tensor.expand_shape %53 [[0], [1], [2], [3, 4]] output_shape [2, 6, 2, 8, 1] : tensor<2x6x2x8xf32> into tensor<2x6x2x8x1xf32>
    %56 = tensor.concat dim(4) %54, %55 : (tensor<2x6x2x8x1xf32>, tensor<2x6x2x8x1xf32>) -> tensor<2x6x2x8x2xf32>
    %57 = tensor.collapse_shape %56 [[0], [1], [2], [3, 4]] : tensor<2x6x2x8x2xf32> into tensor<2x6x2x16xf32>
    %58 = tensor.extract_slice %36[0, 0, 0, 0] [2, 6, 2, 8] [1, 1, 1, 2] : tensor<2x6x2x16xf32> to tensor<2x6x2x8xf32>
    %59 = tensor.extract_slice %36[0, 0, 0, 1] [2, 6, 2, 8] [1, 1, 1, 2] : tensor<2x6x2x16xf32> to tensor<2x6x2x8xf32>
    %60 = tensor.expand_shape %arg9 [[0, 1], [2, 3]] output_shape [1, 6, 1, 8] : tensor<6x8xf32> into tensor<1x6x1x8xf32>
    %61 = tensor.expand_shape %arg10 [[0, 1], [2, 3]] output_shape [1, 6, 1, 8] : tensor<6x8xf32> into tensor<1x6x1x8xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %60 : tensor<2x6x2x8xf32>, tensor<1x6x1x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %61 : tensor<2x6x2x8xf32>, tensor<1x6x1x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %64 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %63 : tensor<2x6x2x8xf32>, tensor<2x6x2x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %65 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<2x6x2x8xf32>, tensor<1x6x1x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %66 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %60 : tensor<2x6x2x8xf32>, tensor<1x6x1x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %67 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %66 : tensor<2x6x2x8xf32>, tensor<2x6x2x8xf32>) outs(%47 : tensor<2x6x2x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x2x8xf32>
    %68 = tensor.expand_shape %64 [[0], [1], [2], [3, 4]] output_shape [2, 6, 2, 8, 1] : tensor<2x6x2x8xf32> into tensor<2x6x2x8x1xf32>
    %69 = tensor.expand_shape %67 [[0], [1], [2], [3, 4]] output_shape [2, 6, 2, 8, 1] : tensor<2x6x2x8xf32> into tensor<2x6x2x8x1xf32>
    %70 = tensor.concat dim(4) %68, %69 : (tensor<2x6x2x8x1xf32>, tensor<2x6x2x8x1xf32>) -> tensor<2x6x2x8x2xf32>
    %71 = tensor.collapse_shape %70 [[0], [1], [2], [3, 4]] : tensor<2x6x2x8x2xf32> into tensor<2x6x2x16xf32>
    %72 = tensor.empty() : tensor<2x2x6x16xf32>
    %73 = linalg.transpose ins(%57 : tensor<2x6x2x16xf32>) outs(%72 : tensor<2x2x6x16xf32>) permutation = [0, 2, 1, 3]
    %74 = linalg.transpose ins(%71 : tensor<2x6x2x16xf32>) outs(%72 : tensor<2x2x6x16xf32>) permutation = [0, 2, 1, 3]
    %75 = linalg.transpose ins(%42 : tensor<2x6x2x16xf32>) outs(%72 : tensor<2x2x6x16xf32>) permutation = [0, 2, 1, 3]
    %76 = tensor.empty() : tensor<2x2x16x6xf32>
    %77 = linalg.transpose ins(%74 : tensor<2x2x6x16xf32>) outs(%76 : tensor<2x2x16x6xf32>) permutation = [0, 1, 3, 2]
    %78 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<2x2x6x16xf32> into tensor<4x6x16xf32>
    %79 = tensor.collapse_shape %77 [[0, 1], [2], [3]] : tensor<2x2x16x6xf32> into tensor<4x16x6xf32>
    %80 = tensor.empty() : tensor<4x6x6xf32>
    %81 = linalg.fill ins(%cst_2 : f32) outs(%80 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %82 = linalg.batch_matmul ins(%78, %79 : tensor<4x6x16xf32>, tensor<4x16x6xf32>) outs(%81 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %83 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [2, 2, 6, 6] : tensor<4x6x6xf32> into tensor<2x2x6x6xf32>
    %84 = tensor.empty() : tensor<2x2x6x6xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<2x2x6x6xf32>) outs(%84 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_5 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %86 = tensor.empty() : tensor<6xi64>
    %87 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%86 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<6xi64>
    %88 = tensor.expand_shape %87 [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
    %89 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%86 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<6xi64>
    %90 = tensor.expand_shape %89 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %91 = tensor.empty() : tensor<6x6xi64>
    %92 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%88, %90 : tensor<1x6xi64>, tensor<6x1xi64>) outs(%91 : tensor<6x6xi64>) {
    ^bb0(%in0: i64, %in1: i64, %out: i64):
      %r = arith.subi %in0, %in1 : i64
      linalg.yield %r : i64
    } -> tensor<6x6xi64>
    %93 = tensor.empty() : tensor<6x6xi1>
    %94 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%92 : tensor<6x6xi64>) outs(%93 : tensor<6x6xi1>) {
    ^bb0(%in0: i64, %out: i1):
      %r = arith.cmpi sle, %in0, %cst_6 : i64
      linalg.yield %r : i1
    } -> tensor<6x6xi1>
    %95 = tensor.expand_shape %94 [[0, 1, 2], [3]] output_shape [1, 1, 6, 6] : tensor<6x6xi1> into tensor<1x1x6x6xi1>
    %96 = linalg.generic {indexing_maps = [#map9, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95, %85 : tensor<1x1x6x6xi1>, tensor<2x2x6x6xf32>) outs(%84 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: i1, %in1: f32, %out: f32):
      %r = arith.select %in0, %in1, %cst_7 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %97 = tensor.empty() : tensor<2x2x6xf32>
    %98 = linalg.fill ins(%cst_8 : f32) outs(%97 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %99 = tensor.empty() : tensor<2x2x6xi64>
    %100 = linalg.fill ins(%cst_6 : i64) outs(%99 : tensor<2x2x6xi64>) -> tensor<2x2x6xi64>
    %101:2 = linalg.generic {indexing_maps = [#map3, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%96 : tensor<2x2x6x6xf32>) outs(%98, %100 : tensor<2x2x6xf32>, tensor<2x2x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %out_0 : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<2x2x6xf32>, tensor<2x2x6xi64>)
    %102 = tensor.expand_shape %101#0 [[0], [1], [2, 3]] output_shape [2, 2, 6, 1] : tensor<2x2x6xf32> into tensor<2x2x6x1xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%96, %102 : tensor<2x2x6x6xf32>, tensor<2x2x6x1xf32>) outs(%84 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %104 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103 : tensor<2x2x6x6xf32>) outs(%84 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %105 = tensor.empty() : tensor<2x2x6x1xf32>
    %106 = linalg.fill ins(%cst_2 : f32) outs(%105 : tensor<2x2x6x1xf32>) -> tensor<2x2x6x1xf32>
    %107 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%104 : tensor<2x2x6x6xf32>) outs(%106 : tensor<2x2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x1xf32>
    %108 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%104, %107 : tensor<2x2x6x6xf32>, tensor<2x2x6x1xf32>) outs(%84 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %109 = tensor.collapse_shape %108 [[0, 1], [2], [3]] : tensor<2x2x6x6xf32> into tensor<4x6x6xf32>
    %110 = tensor.collapse_shape %75 [[0, 1], [2], [3]] : tensor<2x2x6x16xf32> into tensor<4x6x16xf32>
    %111 = tensor.empty() : tensor<4x6x16xf32>
    %112 = linalg.fill ins(%cst_2 : f32) outs(%111 : tensor<4x6x16xf32>) -> tensor<4x6x16xf32>
    %113 = linalg.batch_matmul ins(%109, %110 : tensor<4x6x6xf32>, tensor<4x6x16xf32>) outs(%112 : tensor<4x6x16xf32>) -> tensor<4x6x16xf32>
    %114 = tensor.expand_shape %113 [[0, 1], [2], [3]] output_shape [2, 2, 6, 16] : tensor<4x6x16xf32> into tensor<2x2x6x16xf32>
    %115 = tensor.empty() : tensor<2x6x2x16xf32>
    %116 = linalg.transpose ins(%114 : tensor<2x2x6x16xf32>) outs(%115 : tensor<2x6x2x16xf32>) permutation = [0, 2, 1, 3]
    %117 = tensor.collapse_shape %116 [[0], [1], [2, 3]] : tensor<2x6x2x16xf32> into tensor<2x6x32xf32>
    %118 = tensor.collapse_shape %117 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %119 = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0]
    %120 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %121 = linalg.matmul ins(%118, %119 : tensor<12x32xf32>, tensor<32x32xf32>) outs(%120 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %122 = tensor.expand_shape %121 [[0, 1], [2]] output_shape [2, 6, 32] : tensor<12x32xf32> into tensor<2x6x32xf32>
    %123 = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %124 = tensor.empty() : tensor<32x64xf32>
    %125 = linalg.transpose ins(%arg7 : tensor<64x32xf32>) outs(%124 : tensor<32x64xf32>) permutation = [1, 0]
    %126 = tensor.empty() : tensor<12x64xf32>
    %127 = linalg.fill ins(%cst_2 : f32) outs(%126 : tensor<12x64xf32>) -> tensor<12x64xf32>
    %128 = linalg.matmul ins(%123, %125 : tensor<12x32xf32>, tensor<32x64xf32>) outs(%127 : tensor<12x64xf32>) -> tensor<12x64xf32>
    %129 = tensor.expand_shape %128 [[0, 1], [2]] output_shape [2, 6, 64] : tensor<12x64xf32> into tensor<2x6x64xf32>
    %130 = tensor.empty() : tensor<2x6x64xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<2x6x64xf32>) outs(%130 : tensor<2x6x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %m = arith.maximumf %in0, %cst_2 : f32
      %r = arith.mulf %m, %m : f32
      linalg.yield %r : f32
    } -> tensor<2x6x64xf32>
    %132 = tensor.collapse_shape %131 [[0, 1], [2]] : tensor<2x6x64xf32> into tensor<12x64xf32>
    %133 = tensor.empty() : tensor<64x32xf32>
    %134 = linalg.transpose ins(%arg8 : tensor<32x64xf32>) outs(%133 : tensor<64x32xf32>) permutation = [1, 0]
    %135 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %136 = linalg.matmul ins(%132, %134 : tensor<12x64xf32>, tensor<64x32xf32>) outs(%135 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %137 = tensor.expand_shape %136 [[0, 1], [2]] output_shape [2, 6, 32] : tensor<12x32xf32> into tensor<2x6x32xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %137 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%18 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %139 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%18 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    return %139 : tensor<2x6x32xf32>
  }
}
