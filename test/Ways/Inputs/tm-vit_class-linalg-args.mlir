#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x3x16x16xf32>, %arg1: tensor<1x1x32xf32>, %arg2: tensor<1x17x32xf32>, %arg3: tensor<32x3x4x4xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32x32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<32x32xf32>, %arg16: tensor<32xf32>, %arg17: tensor<64x32xf32>, %arg18: tensor<64xf32>, %arg19: tensor<32x64xf32>, %arg20: tensor<32xf32>, %arg21: tensor<32xf32>, %arg22: tensor<32xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32xf32>, %arg25: tensor<32x32xf32>, %arg26: tensor<32xf32>, %arg27: tensor<32x32xf32>, %arg28: tensor<32xf32>, %arg29: tensor<32x32xf32>, %arg30: tensor<32xf32>, %arg31: tensor<32x32xf32>, %arg32: tensor<32xf32>, %arg33: tensor<64x32xf32>, %arg34: tensor<64xf32>, %arg35: tensor<32x64xf32>, %arg36: tensor<32xf32>, %arg37: tensor<32xf32>, %arg38: tensor<32xf32>, %arg39: tensor<5x32xf32>, %arg40: tensor<5xf32>) -> tensor<2x5xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant 0.35355339059327379 : f64
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 3.200000e+01 : f64
    %cst_7 = arith.constant 3.200000e+01 : f32
    %cst_8 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<2x32x4x4xf32>
    %broadcasted = linalg.broadcast ins(%arg4 : tensor<32xf32>) outs(%0 : tensor<2x32x4x4xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%arg0, %arg3 : tensor<2x3x16x16xf32>, tensor<32x3x4x4xf32>) outs(%broadcasted : tensor<2x32x4x4xf32>) -> tensor<2x32x4x4xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3]] : tensor<2x32x4x4xf32> into tensor<2x32x16xf32>
    %2 = tensor.empty() : tensor<2x16x32xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x32x16xf32>) outs(%2 : tensor<2x16x32xf32>) permutation = [0, 2, 1] 
    %3 = tensor.empty() : tensor<2x1x32xf32>
    %collapsed_9 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<1x1x32xf32> into tensor<1x32xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_9 : tensor<1x32xf32>) outs(%3 : tensor<2x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x32xf32>
    %concat = tensor.concat dim(1) %4, %transposed : (tensor<2x1x32xf32>, tensor<2x16x32xf32>) -> tensor<2x17x32xf32>
    %5 = tensor.empty() : tensor<2x17x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %arg2 : tensor<2x17x32xf32>, tensor<1x17x32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %7 = tensor.empty() : tensor<2x17x32xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x17x32xf32>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %165 = arith.extf %in : f32 to f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %9 = tensor.empty() : tensor<2x17x1xf64>
    %10 = linalg.fill ins(%cst_0 : f64) outs(%9 : tensor<2x17x1xf64>) -> tensor<2x17x1xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %13 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %12 : tensor<2x17x32xf64>, tensor<2x17x1xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.subf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %13 : tensor<2x17x32xf64>, tensor<2x17x32xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.mulf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %15 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %17 = tensor.empty() : tensor<2x17x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x17x1xf64>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %165 = arith.truncf %in : f64 to f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x17x1xf32>) -> tensor<2x17x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x17x32xf32>) outs(%19 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.addf %in, %out : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.divf %in, %cst_7 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.truncf %cst_5 : f64 to f32
      %166 = arith.addf %in, %165 : f32
      linalg.yield %166 : f32
    } -> tensor<2x17x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = math.rsqrt %in : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %21 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.subf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %23 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %arg5 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %arg6 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %collapsed_10 = tensor.collapse_shape %27 [[0, 1], [2]] : tensor<2x17x32xf32> into tensor<34x32xf32>
    %28 = tensor.empty() : tensor<32x32xf32>
    %transposed_11 = linalg.transpose ins(%arg9 : tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) permutation = [1, 0] 
    %29 = tensor.empty() : tensor<34x32xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %31 = linalg.matmul ins(%collapsed_10, %transposed_11 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%31, %arg10 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %transposed_12 = linalg.transpose ins(%arg11 : tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) permutation = [1, 0] 
    %33 = linalg.matmul ins(%collapsed_10, %transposed_12 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%33, %arg12 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %transposed_13 = linalg.transpose ins(%arg13 : tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) permutation = [1, 0] 
    %35 = linalg.matmul ins(%collapsed_10, %transposed_13 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %36 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%35, %arg14 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %expanded = tensor.expand_shape %32 [[0, 1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<34x32xf32> into tensor<2x17x4x8xf32>
    %37 = tensor.empty() : tensor<2x4x17x8xf32>
    %transposed_14 = linalg.transpose ins(%expanded : tensor<2x17x4x8xf32>) outs(%37 : tensor<2x4x17x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_15 = tensor.expand_shape %34 [[0, 1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<34x32xf32> into tensor<2x17x4x8xf32>
    %expanded_16 = tensor.expand_shape %36 [[0, 1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<34x32xf32> into tensor<2x17x4x8xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<2x17x4x8xf32>) outs(%37 : tensor<2x4x17x8xf32>) permutation = [0, 2, 1, 3] 
    %38 = tensor.empty() : tensor<2x4x8x17xf32>
    %transposed_18 = linalg.transpose ins(%expanded_15 : tensor<2x17x4x8xf32>) outs(%38 : tensor<2x4x8x17xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_19 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x17x8xf32> into tensor<8x17x8xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<2x4x8x17xf32> into tensor<8x8x17xf32>
    %39 = tensor.empty() : tensor<8x17x17xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<8x17x17xf32>) -> tensor<8x17x17xf32>
    %41 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<8x17x8xf32>, tensor<8x8x17xf32>) outs(%40 : tensor<8x17x17xf32>) -> tensor<8x17x17xf32>
    %expanded_21 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [2, 4, 17, 17] : tensor<8x17x17xf32> into tensor<2x4x17x17xf32>
    %42 = tensor.empty() : tensor<2x4x17x17xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<2x4x17x17xf32>) outs(%42 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.truncf %cst_4 : f64 to f32
      %166 = arith.mulf %in, %165 : f32
      linalg.yield %166 : f32
    } -> tensor<2x4x17x17xf32>
    %44 = tensor.empty() : tensor<2x4x17xi64>
    %45 = linalg.fill ins(%c0_i64 : i64) outs(%44 : tensor<2x4x17xi64>) -> tensor<2x4x17xi64>
    %46 = tensor.empty() : tensor<2x4x17xf32>
    %47 = linalg.fill ins(%cst_1 : f32) outs(%46 : tensor<2x4x17xf32>) -> tensor<2x4x17xf32>
    %48:2 = linalg.generic {indexing_maps = [#map7, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<2x4x17x17xf32>) outs(%47, %45 : tensor<2x4x17xf32>, tensor<2x4x17xi64>) {
    ^bb0(%in: f32, %out: f32, %out_65: i64):
      %165 = linalg.index 3 : index
      %166 = arith.index_cast %165 : index to i64
      %167 = arith.maximumf %in, %out : f32
      %168 = arith.cmpf ogt, %in, %out : f32
      %169 = arith.select %168, %166, %out_65 : i64
      linalg.yield %167, %169 : f32, i64
    } -> (tensor<2x4x17xf32>, tensor<2x4x17xi64>)
    %expanded_22 = tensor.expand_shape %48#0 [[0], [1], [2, 3]] output_shape [2, 4, 17, 1] : tensor<2x4x17xf32> into tensor<2x4x17x1xf32>
    %49 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %expanded_22 : tensor<2x4x17x17xf32>, tensor<2x4x17x1xf32>) outs(%42 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.subf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x4x17x17xf32>
    %50 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<2x4x17x17xf32>) outs(%42 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = math.exp %in : f32
      linalg.yield %165 : f32
    } -> tensor<2x4x17x17xf32>
    %51 = tensor.empty() : tensor<2x4x17x1xf32>
    %52 = linalg.fill ins(%cst : f32) outs(%51 : tensor<2x4x17x1xf32>) -> tensor<2x4x17x1xf32>
    %53 = linalg.generic {indexing_maps = [#map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<2x4x17x17xf32>) outs(%52 : tensor<2x4x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.addf %in, %out : f32
      linalg.yield %165 : f32
    } -> tensor<2x4x17x1xf32>
    %54 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %53 : tensor<2x4x17x17xf32>, tensor<2x4x17x1xf32>) outs(%42 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.divf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x4x17x17xf32>
    %collapsed_23 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<2x4x17x17xf32> into tensor<8x17x17xf32>
    %collapsed_24 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<2x4x17x8xf32> into tensor<8x17x8xf32>
    %55 = tensor.empty() : tensor<8x17x8xf32>
    %56 = linalg.fill ins(%cst : f32) outs(%55 : tensor<8x17x8xf32>) -> tensor<8x17x8xf32>
    %57 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<8x17x17xf32>, tensor<8x17x8xf32>) outs(%56 : tensor<8x17x8xf32>) -> tensor<8x17x8xf32>
    %expanded_25 = tensor.expand_shape %57 [[0, 1], [2], [3]] output_shape [2, 4, 17, 8] : tensor<8x17x8xf32> into tensor<2x4x17x8xf32>
    %58 = tensor.empty() : tensor<2x17x4x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<2x4x17x8xf32>) outs(%58 : tensor<2x17x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_27 = tensor.collapse_shape %transposed_26 [[0, 1], [2, 3]] : tensor<2x17x4x8xf32> into tensor<34x32xf32>
    %transposed_28 = linalg.transpose ins(%arg15 : tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) permutation = [1, 0] 
    %59 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %60 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%59, %arg16 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %expanded_29 = tensor.expand_shape %60 [[0, 1], [2]] output_shape [2, 17, 32] : tensor<34x32xf32> into tensor<2x17x32xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %expanded_29 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x17x32xf32>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %165 = arith.extf %in : f32 to f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %63 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %64 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %65 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %64 : tensor<2x17x32xf64>, tensor<2x17x1xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.subf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %66 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %65 : tensor<2x17x32xf64>, tensor<2x17x32xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.mulf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %67 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%66 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %68 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x17x1xf64>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %165 = arith.truncf %in : f64 to f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%61 : tensor<2x17x32xf32>) outs(%19 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.addf %in, %out : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.divf %in, %cst_7 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.truncf %cst_5 : f64 to f32
      %166 = arith.addf %in, %165 : f32
      linalg.yield %166 : f32
    } -> tensor<2x17x1xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = math.rsqrt %in : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %71 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.subf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %73 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %arg7 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %arg8 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %collapsed_30 = tensor.collapse_shape %77 [[0, 1], [2]] : tensor<2x17x32xf32> into tensor<34x32xf32>
    %78 = tensor.empty() : tensor<32x64xf32>
    %transposed_31 = linalg.transpose ins(%arg17 : tensor<64x32xf32>) outs(%78 : tensor<32x64xf32>) permutation = [1, 0] 
    %79 = tensor.empty() : tensor<34x64xf32>
    %80 = linalg.fill ins(%cst : f32) outs(%79 : tensor<34x64xf32>) -> tensor<34x64xf32>
    %81 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<34x32xf32>, tensor<32x64xf32>) outs(%80 : tensor<34x64xf32>) -> tensor<34x64xf32>
    %82 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%81, %arg18 : tensor<34x64xf32>, tensor<64xf32>) outs(%79 : tensor<34x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x64xf32>
    %expanded_32 = tensor.expand_shape %82 [[0, 1], [2]] output_shape [2, 17, 64] : tensor<34x64xf32> into tensor<2x17x64xf32>
    %83 = tensor.empty() : tensor<2x17x64xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<2x17x64xf32>) outs(%83 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.divf %in, %cst_8 : f32
      %166 = math.erf %165 : f32
      %167 = arith.addf %166, %cst_2 : f32
      %168 = arith.mulf %167, %cst_3 : f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<2x17x64xf32>
    %collapsed_33 = tensor.collapse_shape %84 [[0, 1], [2]] : tensor<2x17x64xf32> into tensor<34x64xf32>
    %85 = tensor.empty() : tensor<64x32xf32>
    %transposed_34 = linalg.transpose ins(%arg19 : tensor<32x64xf32>) outs(%85 : tensor<64x32xf32>) permutation = [1, 0] 
    %86 = linalg.matmul ins(%collapsed_33, %transposed_34 : tensor<34x64xf32>, tensor<64x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%86, %arg20 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %expanded_35 = tensor.expand_shape %87 [[0, 1], [2]] output_shape [2, 17, 32] : tensor<34x32xf32> into tensor<2x17x32xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %expanded_35 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x17x32xf32>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %165 = arith.extf %in : f32 to f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %90 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %92 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %91 : tensor<2x17x32xf64>, tensor<2x17x1xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.subf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %93 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %92 : tensor<2x17x32xf64>, tensor<2x17x32xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.mulf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %94 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%93 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<2x17x1xf64>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %165 = arith.truncf %in : f64 to f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%88 : tensor<2x17x32xf32>) outs(%19 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.addf %in, %out : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.divf %in, %cst_7 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.truncf %cst_5 : f64 to f32
      %166 = arith.addf %in, %165 : f32
      linalg.yield %166 : f32
    } -> tensor<2x17x1xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = math.rsqrt %in : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %98 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.subf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %100 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %arg21 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %arg22 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %collapsed_36 = tensor.collapse_shape %104 [[0, 1], [2]] : tensor<2x17x32xf32> into tensor<34x32xf32>
    %transposed_37 = linalg.transpose ins(%arg25 : tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) permutation = [1, 0] 
    %105 = linalg.matmul ins(%collapsed_36, %transposed_37 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %106 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%105, %arg26 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %transposed_38 = linalg.transpose ins(%arg27 : tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) permutation = [1, 0] 
    %107 = linalg.matmul ins(%collapsed_36, %transposed_38 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %108 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%107, %arg28 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %transposed_39 = linalg.transpose ins(%arg29 : tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) permutation = [1, 0] 
    %109 = linalg.matmul ins(%collapsed_36, %transposed_39 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %110 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%109, %arg30 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %expanded_40 = tensor.expand_shape %106 [[0, 1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<34x32xf32> into tensor<2x17x4x8xf32>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<2x17x4x8xf32>) outs(%37 : tensor<2x4x17x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_42 = tensor.expand_shape %108 [[0, 1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<34x32xf32> into tensor<2x17x4x8xf32>
    %expanded_43 = tensor.expand_shape %110 [[0, 1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<34x32xf32> into tensor<2x17x4x8xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<2x17x4x8xf32>) outs(%37 : tensor<2x4x17x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_45 = linalg.transpose ins(%expanded_42 : tensor<2x17x4x8xf32>) outs(%38 : tensor<2x4x8x17xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_46 = tensor.collapse_shape %transposed_41 [[0, 1], [2], [3]] : tensor<2x4x17x8xf32> into tensor<8x17x8xf32>
    %collapsed_47 = tensor.collapse_shape %transposed_45 [[0, 1], [2], [3]] : tensor<2x4x8x17xf32> into tensor<8x8x17xf32>
    %111 = linalg.batch_matmul ins(%collapsed_46, %collapsed_47 : tensor<8x17x8xf32>, tensor<8x8x17xf32>) outs(%40 : tensor<8x17x17xf32>) -> tensor<8x17x17xf32>
    %expanded_48 = tensor.expand_shape %111 [[0, 1], [2], [3]] output_shape [2, 4, 17, 17] : tensor<8x17x17xf32> into tensor<2x4x17x17xf32>
    %112 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_48 : tensor<2x4x17x17xf32>) outs(%42 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.truncf %cst_4 : f64 to f32
      %166 = arith.mulf %in, %165 : f32
      linalg.yield %166 : f32
    } -> tensor<2x4x17x17xf32>
    %113:2 = linalg.generic {indexing_maps = [#map7, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%112 : tensor<2x4x17x17xf32>) outs(%47, %45 : tensor<2x4x17xf32>, tensor<2x4x17xi64>) {
    ^bb0(%in: f32, %out: f32, %out_65: i64):
      %165 = linalg.index 3 : index
      %166 = arith.index_cast %165 : index to i64
      %167 = arith.maximumf %in, %out : f32
      %168 = arith.cmpf ogt, %in, %out : f32
      %169 = arith.select %168, %166, %out_65 : i64
      linalg.yield %167, %169 : f32, i64
    } -> (tensor<2x4x17xf32>, tensor<2x4x17xi64>)
    %expanded_49 = tensor.expand_shape %113#0 [[0], [1], [2, 3]] output_shape [2, 4, 17, 1] : tensor<2x4x17xf32> into tensor<2x4x17x1xf32>
    %114 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112, %expanded_49 : tensor<2x4x17x17xf32>, tensor<2x4x17x1xf32>) outs(%42 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.subf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x4x17x17xf32>
    %115 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114 : tensor<2x4x17x17xf32>) outs(%42 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = math.exp %in : f32
      linalg.yield %165 : f32
    } -> tensor<2x4x17x17xf32>
    %116 = linalg.generic {indexing_maps = [#map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%115 : tensor<2x4x17x17xf32>) outs(%52 : tensor<2x4x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.addf %in, %out : f32
      linalg.yield %165 : f32
    } -> tensor<2x4x17x1xf32>
    %117 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115, %116 : tensor<2x4x17x17xf32>, tensor<2x4x17x1xf32>) outs(%42 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.divf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x4x17x17xf32>
    %collapsed_50 = tensor.collapse_shape %117 [[0, 1], [2], [3]] : tensor<2x4x17x17xf32> into tensor<8x17x17xf32>
    %collapsed_51 = tensor.collapse_shape %transposed_44 [[0, 1], [2], [3]] : tensor<2x4x17x8xf32> into tensor<8x17x8xf32>
    %118 = linalg.batch_matmul ins(%collapsed_50, %collapsed_51 : tensor<8x17x17xf32>, tensor<8x17x8xf32>) outs(%56 : tensor<8x17x8xf32>) -> tensor<8x17x8xf32>
    %expanded_52 = tensor.expand_shape %118 [[0, 1], [2], [3]] output_shape [2, 4, 17, 8] : tensor<8x17x8xf32> into tensor<2x4x17x8xf32>
    %transposed_53 = linalg.transpose ins(%expanded_52 : tensor<2x4x17x8xf32>) outs(%58 : tensor<2x17x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_54 = tensor.collapse_shape %transposed_53 [[0, 1], [2, 3]] : tensor<2x17x4x8xf32> into tensor<34x32xf32>
    %transposed_55 = linalg.transpose ins(%arg31 : tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) permutation = [1, 0] 
    %119 = linalg.matmul ins(%collapsed_54, %transposed_55 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %120 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%119, %arg32 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %expanded_56 = tensor.expand_shape %120 [[0, 1], [2]] output_shape [2, 17, 32] : tensor<34x32xf32> into tensor<2x17x32xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %expanded_56 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<2x17x32xf32>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %165 = arith.extf %in : f32 to f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %123 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%122 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %125 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %124 : tensor<2x17x32xf64>, tensor<2x17x1xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.subf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %126 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %125 : tensor<2x17x32xf64>, tensor<2x17x32xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.mulf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %127 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%126 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %129 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<2x17x1xf64>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %165 = arith.truncf %in : f64 to f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%121 : tensor<2x17x32xf32>) outs(%19 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.addf %in, %out : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.divf %in, %cst_7 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.truncf %cst_5 : f64 to f32
      %166 = arith.addf %in, %165 : f32
      linalg.yield %166 : f32
    } -> tensor<2x17x1xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = math.rsqrt %in : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %131 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.subf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %133 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %arg23 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %arg24 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %collapsed_57 = tensor.collapse_shape %137 [[0, 1], [2]] : tensor<2x17x32xf32> into tensor<34x32xf32>
    %transposed_58 = linalg.transpose ins(%arg33 : tensor<64x32xf32>) outs(%78 : tensor<32x64xf32>) permutation = [1, 0] 
    %138 = linalg.matmul ins(%collapsed_57, %transposed_58 : tensor<34x32xf32>, tensor<32x64xf32>) outs(%80 : tensor<34x64xf32>) -> tensor<34x64xf32>
    %139 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%138, %arg34 : tensor<34x64xf32>, tensor<64xf32>) outs(%79 : tensor<34x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x64xf32>
    %expanded_59 = tensor.expand_shape %139 [[0, 1], [2]] output_shape [2, 17, 64] : tensor<34x64xf32> into tensor<2x17x64xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_59 : tensor<2x17x64xf32>) outs(%83 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.divf %in, %cst_8 : f32
      %166 = math.erf %165 : f32
      %167 = arith.addf %166, %cst_2 : f32
      %168 = arith.mulf %167, %cst_3 : f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<2x17x64xf32>
    %collapsed_60 = tensor.collapse_shape %140 [[0, 1], [2]] : tensor<2x17x64xf32> into tensor<34x64xf32>
    %transposed_61 = linalg.transpose ins(%arg35 : tensor<32x64xf32>) outs(%85 : tensor<64x32xf32>) permutation = [1, 0] 
    %141 = linalg.matmul ins(%collapsed_60, %transposed_61 : tensor<34x64xf32>, tensor<64x32xf32>) outs(%30 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %142 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%141, %arg36 : tensor<34x32xf32>, tensor<32xf32>) outs(%29 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<34x32xf32>
    %expanded_62 = tensor.expand_shape %142 [[0, 1], [2]] output_shape [2, 17, 32] : tensor<34x32xf32> into tensor<2x17x32xf32>
    %143 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %expanded_62 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<2x17x32xf32>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %165 = arith.extf %in : f32 to f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %145 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%144 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %146 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %147 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %146 : tensor<2x17x32xf64>, tensor<2x17x1xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.subf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %148 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %147 : tensor<2x17x32xf64>, tensor<2x17x32xf64>) outs(%7 : tensor<2x17x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %165 = arith.mulf %in, %in_65 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x32xf64>
    %149 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%148 : tensor<2x17x32xf64>) outs(%10 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.addf %in, %out : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x17x1xf64>) outs(%9 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %165 = arith.divf %in, %cst_6 : f64
      linalg.yield %165 : f64
    } -> tensor<2x17x1xf64>
    %151 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150 : tensor<2x17x1xf64>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %165 = arith.truncf %in : f64 to f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%143 : tensor<2x17x32xf32>) outs(%19 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.addf %in, %out : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.divf %in, %cst_7 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = arith.truncf %cst_5 : f64 to f32
      %166 = arith.addf %in, %165 : f32
      linalg.yield %166 : f32
    } -> tensor<2x17x1xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<2x17x1xf32>) outs(%17 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %165 = math.rsqrt %in : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x1xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %153 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.subf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156, %155 : tensor<2x17x32xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %arg37 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.mulf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %arg38 : tensor<2x17x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x17x32xf32>
    %extracted_slice = tensor.extract_slice %159[0, 0, 0] [2, 1, 32] [1, 1, 1] : tensor<2x17x32xf32> to tensor<2x1x32xf32>
    %collapsed_63 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<2x1x32xf32> into tensor<2x32xf32>
    %160 = tensor.empty() : tensor<32x5xf32>
    %transposed_64 = linalg.transpose ins(%arg39 : tensor<5x32xf32>) outs(%160 : tensor<32x5xf32>) permutation = [1, 0] 
    %161 = tensor.empty() : tensor<2x5xf32>
    %162 = linalg.fill ins(%cst : f32) outs(%161 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %163 = linalg.matmul ins(%collapsed_63, %transposed_64 : tensor<2x32xf32>, tensor<32x5xf32>) outs(%162 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %164 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%163, %arg40 : tensor<2x5xf32>, tensor<5xf32>) outs(%161 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %165 = arith.addf %in, %in_65 : f32
      linalg.yield %165 : f32
    } -> tensor<2x5xf32>
    return %164 : tensor<2x5xf32>
  }
}
