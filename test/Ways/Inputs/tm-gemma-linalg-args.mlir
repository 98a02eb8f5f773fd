#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map11 = affine_map<(d0, d1) -> (0, d1)>
#map12 = affine_map<(d0, d1, d2, d3) -> ()>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<8x32xf32>, %arg5: tensor<8x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<64x32xf32>, %arg8: tensor<32x64xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<8x32xf32>, %arg14: tensor<8x32xf32>, %arg15: tensor<32x32xf32>, %arg16: tensor<64x32xf32>, %arg17: tensor<32x64xf32>, %arg18: tensor<64x32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %c3_i64 = arith.constant 3 : i64
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 0xFF800000 : f32
    %cst_3 = arith.constant dense<true> : tensor<8x8xi1>
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 0.79788456080286541 : f64
    %cst_6 = arith.constant 4.471500e-02 : f64
    %cst_7 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_8 = arith.constant 0.35355339059327379 : f64
    %cst_9 = arith.constant 9.9999999999999995E-7 : f64
    %cst_10 = arith.constant 3.200000e+01 : f32
    %cst_11 = arith.constant 8.000000e+00 : f32
    %cst_12 = arith.constant 1.000000e+04 : f32
    %cst_13 = arith.constant 2.000000e+01 : f32
    %cst_14 = arith.constant 5.000000e-01 : f32
    %cst_15 = arith.constant 3.200000e+01 : f64
    %0 = tensor.empty() : tensor<2x8x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %2 = tensor.empty() : tensor<2x8x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_10 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_9 : f64 to f32
      %194 = arith.addf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.rsqrt %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %9 = tensor.empty() : tensor<32xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %cst_0 : f32
      linalg.yield %193 : f32
    } -> tensor<32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %12 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<32x32xf32>) outs(%12 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %11 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %13 = tensor.empty() : tensor<16x32xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %15 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %16 = tensor.empty() : tensor<32x8xf32>
    %transposed_16 = linalg.transpose ins(%arg4 : tensor<8x32xf32>) outs(%16 : tensor<32x8xf32>) permutation = [1, 0] 
    %17 = tensor.empty() : tensor<16x8xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %19 = linalg.matmul ins(%collapsed, %transposed_16 : tensor<16x32xf32>, tensor<32x8xf32>) outs(%18 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %transposed_17 = linalg.transpose ins(%arg5 : tensor<8x32xf32>) outs(%16 : tensor<32x8xf32>) permutation = [1, 0] 
    %20 = linalg.matmul ins(%collapsed, %transposed_17 : tensor<16x32xf32>, tensor<32x8xf32>) outs(%18 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %expanded = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %21 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_18 = linalg.transpose ins(%expanded : tensor<2x8x4x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_19 = tensor.expand_shape %19 [[0, 1], [2, 3]] output_shape [2, 8, 1, 8] : tensor<16x8xf32> into tensor<2x8x1x8xf32>
    %22 = tensor.empty() : tensor<2x1x8x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<2x8x1x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_21 = tensor.expand_shape %20 [[0, 1], [2, 3]] output_shape [2, 8, 1, 8] : tensor<16x8xf32> into tensor<2x8x1x8xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<2x8x1x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) permutation = [0, 2, 1, 3] 
    %23 = tensor.empty() : tensor<4xi64>
    %24 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%23 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %193 = linalg.index 0 : index
      %194 = arith.index_cast %193 : index to i64
      %195 = arith.muli %194, %c2_i64 : i64
      linalg.yield %195 : i64
    } -> tensor<4xi64>
    %25 = tensor.empty() : tensor<4xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%24 : tensor<4xi64>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: i64, %out: f32):
      %193 = arith.sitofp %in : i64 to f32
      linalg.yield %193 : f32
    } -> tensor<4xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%26 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_11 : f32
      linalg.yield %193 : f32
    } -> tensor<4xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%27 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.powf %cst_12, %in : f32
      linalg.yield %193 : f32
    } -> tensor<4xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%28 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.cmpf one, %in, %cst : f32
      cf.assert %193, "unimplemented: tensor with zero element"
      %194 = arith.divf %cst_0, %in : f32
      linalg.yield %194 : f32
    } -> tensor<4xf32>
    %30 = tensor.empty() : tensor<8xi64>
    %31 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%30 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %193 = linalg.index 0 : index
      %194 = arith.index_cast %193 : index to i64
      linalg.yield %194 : i64
    } -> tensor<8xi64>
    %32 = tensor.empty() : tensor<8xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%31 : tensor<8xi64>) outs(%32 : tensor<8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %193 = arith.sitofp %in : i64 to f32
      linalg.yield %193 : f32
    } -> tensor<8xf32>
    %expanded_23 = tensor.expand_shape %33 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %34 = tensor.empty() : tensor<8x4xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_23, %29 : tensor<8x1xf32>, tensor<4xf32>) outs(%34 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<8x4xf32>
    %concat = tensor.concat dim(1) %35, %35 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %36 = tensor.empty() : tensor<8x8xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.cos %in : f32
      linalg.yield %193 : f32
    } -> tensor<8x8xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18, %37 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %extracted_slice = tensor.extract_slice %transposed_18[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %extracted_slice_24 = tensor.extract_slice %transposed_18[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %39 = tensor.empty() : tensor<2x4x8x4xf32>
    %40 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_24 : tensor<2x4x8x4xf32>) outs(%39 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.negf %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x4xf32>
    %concat_25 = tensor.concat dim(3) %40, %extracted_slice : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.sin %in : f32
      linalg.yield %193 : f32
    } -> tensor<8x8xf32>
    %42 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_25, %41 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %42 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %44 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%28 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.cmpf one, %in, %cst : f32
      cf.assert %193, "unimplemented: tensor with zero element"
      %194 = arith.divf %cst_0, %in : f32
      linalg.yield %194 : f32
    } -> tensor<4xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_23, %44 : tensor<8x1xf32>, tensor<4xf32>) outs(%34 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<8x4xf32>
    %concat_26 = tensor.concat dim(1) %45, %45 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %46 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_26 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.cos %in : f32
      linalg.yield %193 : f32
    } -> tensor<8x8xf32>
    %47 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20, %46 : tensor<2x1x8x8xf32>, tensor<8x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x1x8x8xf32>
    %extracted_slice_27 = tensor.extract_slice %transposed_20[0, 0, 0, 0] [2, 1, 8, 4] [1, 1, 1, 1] : tensor<2x1x8x8xf32> to tensor<2x1x8x4xf32>
    %extracted_slice_28 = tensor.extract_slice %transposed_20[0, 0, 0, 4] [2, 1, 8, 4] [1, 1, 1, 1] : tensor<2x1x8x8xf32> to tensor<2x1x8x4xf32>
    %48 = tensor.empty() : tensor<2x1x8x4xf32>
    %49 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_28 : tensor<2x1x8x4xf32>) outs(%48 : tensor<2x1x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.negf %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x1x8x4xf32>
    %concat_29 = tensor.concat dim(3) %49, %extracted_slice_27 : (tensor<2x1x8x4xf32>, tensor<2x1x8x4xf32>) -> tensor<2x1x8x8xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_26 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.sin %in : f32
      linalg.yield %193 : f32
    } -> tensor<8x8xf32>
    %51 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_29, %50 : tensor<2x1x8x8xf32>, tensor<8x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x1x8x8xf32>
    %52 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %51 : tensor<2x1x8x8xf32>, tensor<2x1x8x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x1x8x8xf32>
    %53 = tensor.empty() : tensor<2x1x4x8x8xf32>
    %54 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x1x8x8xf32>) outs(%53 : tensor<2x1x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x4x8x8xf32>
    %collapsed_30 = tensor.collapse_shape %54 [[0], [1, 2], [3], [4]] : tensor<2x1x4x8x8xf32> into tensor<2x4x8x8xf32>
    %55 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<2x1x8x8xf32>) outs(%53 : tensor<2x1x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x4x8x8xf32>
    %transposed_31 = linalg.transpose ins(%collapsed_30 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_32 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_33 = tensor.collapse_shape %transposed_31 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %56 = tensor.empty() : tensor<8x8x8xf32>
    %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %58 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%57 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_34 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %59 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_8 : f64 to f32
      %194 = arith.mulf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x4x8x8xf32>
    %60 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_13 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %61 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.tanh %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %62 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.mulf %in, %cst_13 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_35 = tensor.expand_shape %31 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_36 = tensor.expand_shape %31 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %63 = tensor.empty() : tensor<8x8xi64>
    %64 = linalg.generic {indexing_maps = [#map11, #map4, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_35, %expanded_36 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%63 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_92: i64, %out: i64):
      %193 = arith.subi %in, %in_92 : i64
      linalg.yield %193 : i64
    } -> tensor<8x8xi64>
    %65 = tensor.empty() : tensor<8x8xi1>
    %66 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%64 : tensor<8x8xi64>) outs(%65 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %193 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %193 : i1
    } -> tensor<8x8xi1>
    %67 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%66, %cst_3 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%65 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_92: i1, %out: i1):
      %193 = arith.andi %in, %in_92 : i1
      linalg.yield %193 : i1
    } -> tensor<8x8xi1>
    %68 = linalg.generic {indexing_maps = [#map8, #map7, #map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %62, %cst_7 : tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_92: f32, %in_93: f32, %out: f32):
      %193 = arith.select %in, %in_92, %in_93 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %69 = tensor.empty() : tensor<2x4x8xi64>
    %70 = linalg.fill ins(%c0_i64 : i64) outs(%69 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %71 = tensor.empty() : tensor<2x4x8xf32>
    %72 = linalg.fill ins(%cst_2 : f32) outs(%71 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %73:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%68 : tensor<2x4x8x8xf32>) outs(%72, %70 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_92: i64):
      %193 = linalg.index 3 : index
      %194 = arith.index_cast %193 : index to i64
      %195 = arith.maximumf %in, %out : f32
      %196 = arith.cmpf ogt, %in, %out : f32
      %197 = arith.select %196, %194, %out_92 : i64
      linalg.yield %195, %197 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_37 = tensor.expand_shape %73#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %74 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %expanded_37 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.subf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %75 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.exp %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %76 = tensor.empty() : tensor<2x4x8x1xf32>
    %77 = linalg.fill ins(%cst : f32) outs(%76 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %78 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%75 : tensor<2x4x8x8xf32>) outs(%77 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x1xf32>
    %79 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %78 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.divf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_38 = tensor.collapse_shape %79 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_39 = tensor.collapse_shape %55 [[0, 1, 2], [3], [4]] : tensor<2x1x4x8x8xf32> into tensor<8x8x8xf32>
    %80 = linalg.batch_matmul ins(%collapsed_38, %collapsed_39 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%57 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_40 = tensor.expand_shape %80 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %81 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<2x4x8x8xf32>) outs(%81 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_42 = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%12 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_43 = tensor.collapse_shape %transposed_41 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %82 = linalg.matmul ins(%collapsed_43, %transposed_42 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_44 = tensor.expand_shape %82 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_44 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_10 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_9 : f64 to f32
      %194 = arith.addf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x1xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.rsqrt %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %88 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %90 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg2 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %cst_0 : f32
      linalg.yield %193 : f32
    } -> tensor<32xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %90 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %92 = tensor.empty() : tensor<32x64xf32>
    %transposed_45 = linalg.transpose ins(%arg9 : tensor<64x32xf32>) outs(%92 : tensor<32x64xf32>) permutation = [1, 0] 
    %collapsed_46 = tensor.collapse_shape %91 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %93 = tensor.empty() : tensor<16x64xf32>
    %94 = linalg.fill ins(%cst : f32) outs(%93 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %95 = linalg.matmul ins(%collapsed_46, %transposed_45 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%94 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_47 = tensor.expand_shape %95 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %96 = tensor.empty() : tensor<2x8x64xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.mulf %in, %cst_14 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_6 : f64 to f32
      %194 = arith.mulf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x64xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47, %99 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_5 : f64 to f32
      %194 = arith.mulf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x64xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.tanh %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %cst_0 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %103 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %transposed_48 = linalg.transpose ins(%arg7 : tensor<64x32xf32>) outs(%92 : tensor<32x64xf32>) permutation = [1, 0] 
    %105 = linalg.matmul ins(%collapsed_46, %transposed_48 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%94 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_49 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %expanded_49 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %107 = tensor.empty() : tensor<64x32xf32>
    %transposed_50 = linalg.transpose ins(%arg8 : tensor<32x64xf32>) outs(%107 : tensor<64x32xf32>) permutation = [1, 0] 
    %collapsed_51 = tensor.collapse_shape %106 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %108 = linalg.matmul ins(%collapsed_51, %transposed_50 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_52 = tensor.expand_shape %108 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %expanded_52 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%110 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_10 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_9 : f64 to f32
      %194 = arith.addf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x1xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.rsqrt %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %115 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %114 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %116 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg10 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %cst_0 : f32
      linalg.yield %193 : f32
    } -> tensor<32xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %116 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %transposed_53 = linalg.transpose ins(%arg12 : tensor<32x32xf32>) outs(%12 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_54 = tensor.collapse_shape %117 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %118 = linalg.matmul ins(%collapsed_54, %transposed_53 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %transposed_55 = linalg.transpose ins(%arg13 : tensor<8x32xf32>) outs(%16 : tensor<32x8xf32>) permutation = [1, 0] 
    %119 = linalg.matmul ins(%collapsed_54, %transposed_55 : tensor<16x32xf32>, tensor<32x8xf32>) outs(%18 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %transposed_56 = linalg.transpose ins(%arg14 : tensor<8x32xf32>) outs(%16 : tensor<32x8xf32>) permutation = [1, 0] 
    %120 = linalg.matmul ins(%collapsed_54, %transposed_56 : tensor<16x32xf32>, tensor<32x8xf32>) outs(%18 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %expanded_57 = tensor.expand_shape %118 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<2x8x4x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_59 = tensor.expand_shape %119 [[0, 1], [2, 3]] output_shape [2, 8, 1, 8] : tensor<16x8xf32> into tensor<2x8x1x8xf32>
    %transposed_60 = linalg.transpose ins(%expanded_59 : tensor<2x8x1x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_61 = tensor.expand_shape %120 [[0, 1], [2, 3]] output_shape [2, 8, 1, 8] : tensor<16x8xf32> into tensor<2x8x1x8xf32>
    %transposed_62 = linalg.transpose ins(%expanded_61 : tensor<2x8x1x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) permutation = [0, 2, 1, 3] 
    %121 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%28 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.cmpf one, %in, %cst : f32
      cf.assert %193, "unimplemented: tensor with zero element"
      %194 = arith.divf %cst_0, %in : f32
      linalg.yield %194 : f32
    } -> tensor<4xf32>
    %122 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_23, %121 : tensor<8x1xf32>, tensor<4xf32>) outs(%34 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<8x4xf32>
    %concat_63 = tensor.concat dim(1) %122, %122 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %123 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_63 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.cos %in : f32
      linalg.yield %193 : f32
    } -> tensor<8x8xf32>
    %124 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_58, %123 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %extracted_slice_64 = tensor.extract_slice %transposed_58[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %extracted_slice_65 = tensor.extract_slice %transposed_58[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %125 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_65 : tensor<2x4x8x4xf32>) outs(%39 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.negf %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x4xf32>
    %concat_66 = tensor.concat dim(3) %125, %extracted_slice_64 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %126 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_63 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.sin %in : f32
      linalg.yield %193 : f32
    } -> tensor<8x8xf32>
    %127 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_66, %126 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %128 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124, %127 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %129 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%28 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.cmpf one, %in, %cst : f32
      cf.assert %193, "unimplemented: tensor with zero element"
      %194 = arith.divf %cst_0, %in : f32
      linalg.yield %194 : f32
    } -> tensor<4xf32>
    %130 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_23, %129 : tensor<8x1xf32>, tensor<4xf32>) outs(%34 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<8x4xf32>
    %concat_67 = tensor.concat dim(1) %130, %130 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %131 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_67 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.cos %in : f32
      linalg.yield %193 : f32
    } -> tensor<8x8xf32>
    %132 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_60, %131 : tensor<2x1x8x8xf32>, tensor<8x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x1x8x8xf32>
    %extracted_slice_68 = tensor.extract_slice %transposed_60[0, 0, 0, 0] [2, 1, 8, 4] [1, 1, 1, 1] : tensor<2x1x8x8xf32> to tensor<2x1x8x4xf32>
    %extracted_slice_69 = tensor.extract_slice %transposed_60[0, 0, 0, 4] [2, 1, 8, 4] [1, 1, 1, 1] : tensor<2x1x8x8xf32> to tensor<2x1x8x4xf32>
    %133 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_69 : tensor<2x1x8x4xf32>) outs(%48 : tensor<2x1x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.negf %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x1x8x4xf32>
    %concat_70 = tensor.concat dim(3) %133, %extracted_slice_68 : (tensor<2x1x8x4xf32>, tensor<2x1x8x4xf32>) -> tensor<2x1x8x8xf32>
    %134 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_67 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.sin %in : f32
      linalg.yield %193 : f32
    } -> tensor<8x8xf32>
    %135 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_70, %134 : tensor<2x1x8x8xf32>, tensor<8x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x1x8x8xf32>
    %136 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %135 : tensor<2x1x8x8xf32>, tensor<2x1x8x8xf32>) outs(%22 : tensor<2x1x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x1x8x8xf32>
    %137 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<2x1x8x8xf32>) outs(%53 : tensor<2x1x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x4x8x8xf32>
    %collapsed_71 = tensor.collapse_shape %137 [[0], [1, 2], [3], [4]] : tensor<2x1x4x8x8xf32> into tensor<2x4x8x8xf32>
    %138 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_62 : tensor<2x1x8x8xf32>) outs(%53 : tensor<2x1x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x4x8x8xf32>
    %transposed_72 = linalg.transpose ins(%collapsed_71 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_73 = tensor.collapse_shape %128 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_74 = tensor.collapse_shape %transposed_72 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %139 = linalg.batch_matmul ins(%collapsed_73, %collapsed_74 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%57 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_75 = tensor.expand_shape %139 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %140 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_75 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_8 : f64 to f32
      %194 = arith.mulf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x4x8x8xf32>
    %141 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_13 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %142 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.tanh %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %143 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%142 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.mulf %in, %cst_13 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %144 = linalg.generic {indexing_maps = [#map8, #map7, #map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %143, %cst_7 : tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_92: f32, %in_93: f32, %out: f32):
      %193 = arith.select %in, %in_92, %in_93 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %145:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%144 : tensor<2x4x8x8xf32>) outs(%72, %70 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_92: i64):
      %193 = linalg.index 3 : index
      %194 = arith.index_cast %193 : index to i64
      %195 = arith.maximumf %in, %out : f32
      %196 = arith.cmpf ogt, %in, %out : f32
      %197 = arith.select %196, %194, %out_92 : i64
      linalg.yield %195, %197 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_76 = tensor.expand_shape %145#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %146 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %expanded_76 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.subf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %147 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.exp %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %148 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%147 : tensor<2x4x8x8xf32>) outs(%77 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x1xf32>
    %149 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%147, %148 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.divf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_77 = tensor.collapse_shape %149 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_78 = tensor.collapse_shape %138 [[0, 1, 2], [3], [4]] : tensor<2x1x4x8x8xf32> into tensor<8x8x8xf32>
    %150 = linalg.batch_matmul ins(%collapsed_77, %collapsed_78 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%57 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_79 = tensor.expand_shape %150 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_80 = linalg.transpose ins(%expanded_79 : tensor<2x4x8x8xf32>) outs(%81 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_81 = linalg.transpose ins(%arg15 : tensor<32x32xf32>) outs(%12 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_82 = tensor.collapse_shape %transposed_80 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %151 = linalg.matmul ins(%collapsed_82, %transposed_81 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_83 = tensor.expand_shape %151 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %expanded_83 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %153 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %154 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%153 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_10 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %156 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_9 : f64 to f32
      %194 = arith.addf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x1xf32>
    %157 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.rsqrt %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %158 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %157 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %159 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg11 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %cst_0 : f32
      linalg.yield %193 : f32
    } -> tensor<32xf32>
    %160 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %159 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %transposed_84 = linalg.transpose ins(%arg18 : tensor<64x32xf32>) outs(%92 : tensor<32x64xf32>) permutation = [1, 0] 
    %collapsed_85 = tensor.collapse_shape %160 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %161 = linalg.matmul ins(%collapsed_85, %transposed_84 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%94 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_86 = tensor.expand_shape %161 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %162 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_86 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.mulf %in, %cst_14 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %163 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_86 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %164 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_6 : f64 to f32
      %194 = arith.mulf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x64xf32>
    %165 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_86, %164 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %166 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_5 : f64 to f32
      %194 = arith.mulf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x64xf32>
    %167 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.tanh %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %168 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %cst_0 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %169 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %168 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %transposed_87 = linalg.transpose ins(%arg16 : tensor<64x32xf32>) outs(%92 : tensor<32x64xf32>) permutation = [1, 0] 
    %170 = linalg.matmul ins(%collapsed_85, %transposed_87 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%94 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_88 = tensor.expand_shape %170 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %171 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %expanded_88 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%96 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x64xf32>
    %transposed_89 = linalg.transpose ins(%arg17 : tensor<32x64xf32>) outs(%107 : tensor<64x32xf32>) permutation = [1, 0] 
    %collapsed_90 = tensor.collapse_shape %171 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %172 = linalg.matmul ins(%collapsed_90, %transposed_89 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_91 = tensor.expand_shape %172 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %173 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %expanded_91 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %174 = tensor.empty() : tensor<2x8x32xf64>
    %175 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<2x8x32xf32>) outs(%174 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %193 = arith.extf %in : f32 to f64
      linalg.yield %193 : f64
    } -> tensor<2x8x32xf64>
    %176 = tensor.empty() : tensor<2x8x1xf64>
    %177 = linalg.fill ins(%cst_1 : f64) outs(%176 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %178 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%175 : tensor<2x8x32xf64>) outs(%177 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %193 = arith.addf %in, %out : f64
      linalg.yield %193 : f64
    } -> tensor<2x8x1xf64>
    %179 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<2x8x1xf64>) outs(%176 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %193 = arith.divf %in, %cst_15 : f64
      linalg.yield %193 : f64
    } -> tensor<2x8x1xf64>
    %180 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %179 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%174 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_92: f64, %out: f64):
      %193 = arith.subf %in, %in_92 : f64
      linalg.yield %193 : f64
    } -> tensor<2x8x32xf64>
    %181 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180, %180 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%174 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_92: f64, %out: f64):
      %193 = arith.mulf %in, %in_92 : f64
      linalg.yield %193 : f64
    } -> tensor<2x8x32xf64>
    %182 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%181 : tensor<2x8x32xf64>) outs(%177 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %193 = arith.addf %in, %out : f64
      linalg.yield %193 : f64
    } -> tensor<2x8x1xf64>
    %183 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182 : tensor<2x8x1xf64>) outs(%176 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %193 = arith.divf %in, %cst_15 : f64
      linalg.yield %193 : f64
    } -> tensor<2x8x1xf64>
    %184 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %193 = arith.truncf %in : f64 to f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %185 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%173 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %186 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_10 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %187 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_4 : f64 to f32
      %194 = arith.addf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x8x1xf32>
    %188 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.rsqrt %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x1xf32>
    %189 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173, %186 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.subf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %190 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %188 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %191 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190, %arg19 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.mulf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    %192 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191, %arg20 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_92: f32, %out: f32):
      %193 = arith.addf %in, %in_92 : f32
      linalg.yield %193 : f32
    } -> tensor<2x8x32xf32>
    return %192 : tensor<2x8x32xf32>
  }
}
