#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
#map10 = affine_map<(d0, d1) -> (d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map14 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map15 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<2x8xi64>, %arg1: tensor<2x8xi64>, %arg2: tensor<2x8xi64>, %arg3: tensor<61x32xf32>, %arg4: tensor<8x32xf32>, %arg5: tensor<2x32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32x32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<32x32xf32>, %arg17: tensor<32xf32>, %arg18: tensor<32x32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<64x32xf32>, %arg21: tensor<64xf32>, %arg22: tensor<32x64xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32xf32>, %arg25: tensor<32xf32>, %arg26: tensor<32xf32>, %arg27: tensor<32xf32>, %arg28: tensor<32x32xf32>, %arg29: tensor<32xf32>, %arg30: tensor<32x32xf32>, %arg31: tensor<32xf32>, %arg32: tensor<32x32xf32>, %arg33: tensor<32xf32>, %arg34: tensor<32x32xf32>, %arg35: tensor<32xf32>, %arg36: tensor<64x32xf32>, %arg37: tensor<64xf32>, %arg38: tensor<32x64xf32>, %arg39: tensor<32xf32>, %arg40: tensor<32x32xf32>, %arg41: tensor<32xf32>, %arg42: tensor<3x32xf32>, %arg43: tensor<3xf32>) -> tensor<2x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c61 = arith.constant 61 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = arith.constant 9.9999999999999998E-13 : f64
    %cst_6 = arith.constant 1.000000e-09 : f64
    %cst_7 = arith.constant 0.35355339059327379 : f64
    %cst_8 = arith.constant 1.000000e-05 : f64
    %cst_9 = arith.constant -1.000000e+04 : f32
    %cst_10 = arith.constant 3.200000e+01 : f64
    %cst_11 = arith.constant 3.200000e+01 : f32
    %cst_12 = arith.constant 1.41421354 : f32
    %cst_13 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8xi64>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %179 = arith.index_cast %in : i64 to index
      %180 = linalg.index 2 : index
      %181 = arith.cmpi slt, %179, %c61 : index
      cf.assert %181, "index must be smaller than dim size"
      %182 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %182, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg3[%179, %180] : tensor<61x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x32xf32>
    %2 = tensor.empty() : tensor<8xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %179 = linalg.index 0 : index
      %180 = arith.index_cast %179 : index to i64
      linalg.yield %180 : i64
    } -> tensor<8xi64>
    %4 = tensor.empty() : tensor<8x32xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8xi64>) outs(%4 : tensor<8x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %179 = arith.index_cast %in : i64 to index
      %180 = linalg.index 1 : index
      %181 = arith.cmpi slt, %179, %c8 : index
      cf.assert %181, "index must be smaller than dim size"
      %182 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %182, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg4[%179, %180] : tensor<8x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<8x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x8x32xf32>, tensor<8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x8xi64>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %179 = arith.index_cast %in : i64 to index
      %180 = linalg.index 2 : index
      %181 = arith.cmpi slt, %179, %c2 : index
      cf.assert %181, "index must be smaller than dim size"
      %182 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %182, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg5[%179, %180] : tensor<2x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x32xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %expanded = tensor.expand_shape %arg1 [[0], [1, 2, 3]] output_shape [2, 1, 1, 8] : tensor<2x8xi64> into tensor<2x1x1x8xi64>
    %9 = tensor.empty() : tensor<2x1x1x8xf32>
    %10 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x1x1x8xi64>) outs(%9 : tensor<2x1x1x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %179 = arith.sitofp %in : i64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x1x1x8xf32>
    %11 = linalg.generic {indexing_maps = [#map7, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %10 : tensor<f32>, tensor<2x1x1x8xf32>) outs(%9 : tensor<2x1x1x8xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.subf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x1x1x8xf32>
    %12 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x1x1x8xf32>) outs(%9 : tensor<2x1x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.mulf %in, %cst_9 : f32
      linalg.yield %179 : f32
    } -> tensor<2x1x1x8xf32>
    %13 = tensor.empty() : tensor<2x8x32xf64>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x8x32xf32>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %15 = tensor.empty() : tensor<2x8x1xf64>
    %16 = linalg.fill ins(%cst : f64) outs(%15 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %17 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %19 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.subf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %19 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.mulf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %21 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %23 = tensor.empty() : tensor<2x8x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x8x1xf64>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x8x32xf32>) outs(%25 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_8 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %27 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.subf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %29 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %arg6 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %arg7 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %collapsed = tensor.collapse_shape %33 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %34 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg12 : tensor<32x32xf32>) outs(%34 : tensor<32x32xf32>) permutation = [1, 0] 
    %35 = tensor.empty() : tensor<16x32xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %37 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xf32>, tensor<32x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%37, %arg13 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %transposed_14 = linalg.transpose ins(%arg14 : tensor<32x32xf32>) outs(%34 : tensor<32x32xf32>) permutation = [1, 0] 
    %39 = linalg.matmul ins(%collapsed, %transposed_14 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%39, %arg15 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %transposed_15 = linalg.transpose ins(%arg16 : tensor<32x32xf32>) outs(%34 : tensor<32x32xf32>) permutation = [1, 0] 
    %41 = linalg.matmul ins(%collapsed, %transposed_15 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%41, %arg17 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_16 = tensor.expand_shape %38 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %43 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<2x8x4x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_18 = tensor.expand_shape %40 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_19 = tensor.expand_shape %42 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<2x8x4x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_21 = linalg.transpose ins(%expanded_18 : tensor<2x8x4x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_22 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_23 = tensor.collapse_shape %transposed_21 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %44 = tensor.empty() : tensor<8x8x8xf32>
    %45 = linalg.fill ins(%cst_0 : f32) outs(%44 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %46 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%45 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_24 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %47 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<2x4x8x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_7 : f64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x4x8x8xf32>
    %48 = linalg.generic {indexing_maps = [#map6, #map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %12 : tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %49 = tensor.empty() : tensor<2x4x8xi64>
    %50 = linalg.fill ins(%c0_i64 : i64) outs(%49 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %51 = tensor.empty() : tensor<2x4x8xf32>
    %52 = linalg.fill ins(%cst_1 : f32) outs(%51 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %53:2 = linalg.generic {indexing_maps = [#map6, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<2x4x8x8xf32>) outs(%52, %50 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_68: i64):
      %179 = linalg.index 3 : index
      %180 = arith.index_cast %179 : index to i64
      %181 = arith.maximumf %in, %out : f32
      %182 = arith.cmpf ogt, %in, %out : f32
      %183 = arith.select %182, %180, %out_68 : i64
      linalg.yield %181, %183 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_25 = tensor.expand_shape %53#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %54 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %expanded_25 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.subf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %55 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x4x8x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.exp %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %56 = tensor.empty() : tensor<2x4x8x1xf32>
    %57 = linalg.fill ins(%cst_0 : f32) outs(%56 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %58 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55 : tensor<2x4x8x8xf32>) outs(%57 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x1xf32>
    %59 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %58 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.divf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_26 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_27 = tensor.collapse_shape %transposed_20 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %60 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%45 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_28 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %61 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<2x4x8x8xf32>) outs(%61 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_31 = linalg.transpose ins(%arg18 : tensor<32x32xf32>) outs(%34 : tensor<32x32xf32>) permutation = [1, 0] 
    %62 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%62, %arg19 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_32 = tensor.expand_shape %63 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %expanded_32 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x8x32xf32>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %66 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %67 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %68 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %67 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.subf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %69 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %68 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.mulf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %70 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%69 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %72 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x8x1xf64>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%64 : tensor<2x8x32xf32>) outs(%25 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_8 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %74 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.subf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %76 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %arg8 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %arg9 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_33 = tensor.collapse_shape %80 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %81 = tensor.empty() : tensor<32x64xf32>
    %transposed_34 = linalg.transpose ins(%arg20 : tensor<64x32xf32>) outs(%81 : tensor<32x64xf32>) permutation = [1, 0] 
    %82 = tensor.empty() : tensor<16x64xf32>
    %83 = linalg.fill ins(%cst_0 : f32) outs(%82 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %84 = linalg.matmul ins(%collapsed_33, %transposed_34 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%83 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %85 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%84, %arg21 : tensor<16x64xf32>, tensor<64xf32>) outs(%82 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x64xf32>
    %expanded_35 = tensor.expand_shape %85 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %86 = tensor.empty() : tensor<2x8x64xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x8x64xf32>) outs(%86 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_12 : f32
      %180 = math.erf %179 : f32
      %181 = arith.addf %180, %cst_2 : f32
      %182 = arith.mulf %181, %cst_3 : f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_36 = tensor.collapse_shape %87 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %88 = tensor.empty() : tensor<64x32xf32>
    %transposed_37 = linalg.transpose ins(%arg22 : tensor<32x64xf32>) outs(%88 : tensor<64x32xf32>) permutation = [1, 0] 
    %89 = linalg.matmul ins(%collapsed_36, %transposed_37 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %90 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%89, %arg23 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_38 = tensor.expand_shape %90 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %expanded_38 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x8x32xf32>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %93 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%92 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %95 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %94 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.subf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %96 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %95 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.mulf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %97 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%96 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x8x1xf64>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91 : tensor<2x8x32xf32>) outs(%25 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_8 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %101 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.subf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %103 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %arg10 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %arg11 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_39 = tensor.collapse_shape %107 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_40 = linalg.transpose ins(%arg28 : tensor<32x32xf32>) outs(%34 : tensor<32x32xf32>) permutation = [1, 0] 
    %108 = linalg.matmul ins(%collapsed_39, %transposed_40 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %109 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%108, %arg29 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %transposed_41 = linalg.transpose ins(%arg30 : tensor<32x32xf32>) outs(%34 : tensor<32x32xf32>) permutation = [1, 0] 
    %110 = linalg.matmul ins(%collapsed_39, %transposed_41 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %111 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%110, %arg31 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %transposed_42 = linalg.transpose ins(%arg32 : tensor<32x32xf32>) outs(%34 : tensor<32x32xf32>) permutation = [1, 0] 
    %112 = linalg.matmul ins(%collapsed_39, %transposed_42 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %113 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%112, %arg33 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_43 = tensor.expand_shape %109 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<2x8x4x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_45 = tensor.expand_shape %111 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_46 = tensor.expand_shape %113 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_47 = linalg.transpose ins(%expanded_46 : tensor<2x8x4x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_48 = linalg.transpose ins(%expanded_45 : tensor<2x8x4x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_49 = tensor.collapse_shape %transposed_44 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_50 = tensor.collapse_shape %transposed_48 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %114 = linalg.batch_matmul ins(%collapsed_49, %collapsed_50 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%45 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_51 = tensor.expand_shape %114 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %115 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_51 : tensor<2x4x8x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_7 : f64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x4x8x8xf32>
    %116 = linalg.generic {indexing_maps = [#map6, #map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115, %12 : tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %117:2 = linalg.generic {indexing_maps = [#map6, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%116 : tensor<2x4x8x8xf32>) outs(%52, %50 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_68: i64):
      %179 = linalg.index 3 : index
      %180 = arith.index_cast %179 : index to i64
      %181 = arith.maximumf %in, %out : f32
      %182 = arith.cmpf ogt, %in, %out : f32
      %183 = arith.select %182, %180, %out_68 : i64
      linalg.yield %181, %183 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_52 = tensor.expand_shape %117#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %118 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %expanded_52 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.subf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %119 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118 : tensor<2x4x8x8xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.exp %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %120 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%119 : tensor<2x4x8x8xf32>) outs(%57 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x1xf32>
    %121 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %120 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%43 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.divf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_53 = tensor.collapse_shape %121 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_54 = tensor.collapse_shape %transposed_47 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %122 = linalg.batch_matmul ins(%collapsed_53, %collapsed_54 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%45 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_55 = tensor.expand_shape %122 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<2x4x8x8xf32>) outs(%61 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_57 = tensor.collapse_shape %transposed_56 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_58 = linalg.transpose ins(%arg34 : tensor<32x32xf32>) outs(%34 : tensor<32x32xf32>) permutation = [1, 0] 
    %123 = linalg.matmul ins(%collapsed_57, %transposed_58 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %124 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%123, %arg35 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_59 = tensor.expand_shape %124 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %expanded_59 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x8x32xf32>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %127 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%126 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %129 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %128 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.subf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %130 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129, %129 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.mulf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %131 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%130 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x8x1xf64>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125 : tensor<2x8x32xf32>) outs(%25 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_8 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %135 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.subf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %137 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %arg24 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %arg25 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_60 = tensor.collapse_shape %141 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_61 = linalg.transpose ins(%arg36 : tensor<64x32xf32>) outs(%81 : tensor<32x64xf32>) permutation = [1, 0] 
    %142 = linalg.matmul ins(%collapsed_60, %transposed_61 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%83 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %143 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%142, %arg37 : tensor<16x64xf32>, tensor<64xf32>) outs(%82 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x64xf32>
    %expanded_62 = tensor.expand_shape %143 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_62 : tensor<2x8x64xf32>) outs(%86 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_12 : f32
      %180 = math.erf %179 : f32
      %181 = arith.addf %180, %cst_2 : f32
      %182 = arith.mulf %181, %cst_3 : f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_63 = tensor.collapse_shape %144 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %transposed_64 = linalg.transpose ins(%arg38 : tensor<32x64xf32>) outs(%88 : tensor<64x32xf32>) permutation = [1, 0] 
    %145 = linalg.matmul ins(%collapsed_63, %transposed_64 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%36 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %146 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel"]} ins(%145, %arg39 : tensor<16x32xf32>, tensor<32xf32>) outs(%35 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_65 = tensor.expand_shape %146 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %expanded_65 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<2x8x32xf32>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %149 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%148 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %151 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %150 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.subf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %152 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151, %151 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%13 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %179 = arith.mulf %in, %in_68 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %153 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%152 : tensor<2x8x32xf64>) outs(%16 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<2x8x1xf64>) outs(%15 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %155 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<2x8x1xf64>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%147 : tensor<2x8x32xf32>) outs(%25 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_8 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<2x8x1xf32>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %160 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %157 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.subf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %161 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %159 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %arg26 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %arg27 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.addf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %expanded_66 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xi64> into tensor<2x8x1xi64>
    %164 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_66 : tensor<2x8x1xi64>) outs(%23 : tensor<2x8x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %179 = arith.sitofp %in : i64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163, %164 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.mulf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %166 = tensor.empty() : tensor<2x32xf32>
    %167 = linalg.fill ins(%cst_0 : f32) outs(%166 : tensor<2x32xf32>) -> tensor<2x32xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map14], iterator_types = ["parallel", "reduction", "parallel"]} ins(%165 : tensor<2x8x32xf32>) outs(%167 : tensor<2x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x32xf32>
    %169 = tensor.empty() : tensor<2x1xf32>
    %170 = linalg.fill ins(%cst_0 : f32) outs(%169 : tensor<2x1xf32>) -> tensor<2x1xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map14], iterator_types = ["parallel", "reduction", "parallel"]} ins(%164 : tensor<2x8x1xf32>) outs(%170 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x1xf32>
    %172 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%171 : tensor<2x1xf32>) outs(%169 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_6 : f64 to f32
      %180 = arith.cmpf ult, %in, %179 : f32
      %181 = arith.select %180, %179, %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x1xf32>
    %173 = linalg.generic {indexing_maps = [#map4, #map15, #map4], iterator_types = ["parallel", "parallel"]} ins(%168, %172 : tensor<2x32xf32>, tensor<2x1xf32>) outs(%166 : tensor<2x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.divf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x32xf32>
    %174 = linalg.generic {indexing_maps = [#map4, #map15], iterator_types = ["parallel", "reduction"]} ins(%173 : tensor<2x32xf32>) outs(%170 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.absf %in : f32
      %180 = math.powf %179, %cst_13 : f32
      %181 = arith.addf %180, %out : f32
      linalg.yield %181 : f32
    } -> tensor<2x1xf32>
    %175 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%174 : tensor<2x1xf32>) outs(%169 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.powf %in, %cst_3 : f32
      linalg.yield %179 : f32
    } -> tensor<2x1xf32>
    %176 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%175 : tensor<2x1xf32>) outs(%169 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.cmpf ult, %in, %179 : f32
      %181 = arith.select %180, %179, %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x1xf32>
    %collapsed_67 = tensor.collapse_shape %176 [[0, 1]] : tensor<2x1xf32> into tensor<2xf32>
    %177 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_67 : tensor<2xf32>) outs(%166 : tensor<2x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x32xf32>
    %178 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%173, %177 : tensor<2x32xf32>, tensor<2x32xf32>) outs(%166 : tensor<2x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %179 = arith.divf %in, %in_68 : f32
      linalg.yield %179 : f32
    } -> tensor<2x32xf32>
    return %178 : tensor<2x32xf32>
  }
}
