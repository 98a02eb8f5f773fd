#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1) -> (0, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<64xf32>, %arg11: tensor<32x64xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<32xf32>, %arg17: tensor<32x32xf32>, %arg18: tensor<32x32xf32>, %arg19: tensor<32x32xf32>, %arg20: tensor<32x32xf32>, %arg21: tensor<64x32xf32>, %arg22: tensor<64xf32>, %arg23: tensor<32x64xf32>, %arg24: tensor<32xf32>, %arg25: tensor<32xf32>, %arg26: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0xFF800000 : f32
    %cst_3 = arith.constant dense<true> : tensor<8x8xi1>
    %cst_4 = arith.constant 0.79788456080286541 : f64
    %cst_5 = arith.constant 4.471500e-02 : f64
    %cst_6 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_7 = arith.constant 0.35355339059327379 : f64
    %cst_8 = arith.constant 1.000000e-05 : f64
    %cst_9 = arith.constant 3.200000e+01 : f64
    %cst_10 = arith.constant 3.200000e+01 : f32
    %cst_11 = arith.constant 4.000000e+00 : f32
    %cst_12 = arith.constant 1.000000e+04 : f32
    %cst_13 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2x8x32xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %182 = arith.extf %in : f32 to f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %2 = tensor.empty() : tensor<2x8x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.addf %in, %out : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.divf %in, %cst_9 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_106: f64, %out: f64):
      %182 = arith.subf %in, %in_106 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_106: f64, %out: f64):
      %182 = arith.mulf %in, %in_106 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.addf %in, %out : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.divf %in, %cst_9 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %10 = tensor.empty() : tensor<2x8x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %182 = arith.truncf %in : f64 to f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.divf %in, %cst_10 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_8 : f64 to f32
      %183 = arith.addf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.rsqrt %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %17 = tensor.empty() : tensor<2x8x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.subf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %22 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %23 = tensor.empty() : tensor<16x32xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %transposed_14 = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %26 = linalg.matmul ins(%collapsed, %transposed_14 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %transposed_15 = linalg.transpose ins(%arg7 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %27 = linalg.matmul ins(%collapsed, %transposed_15 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded = tensor.expand_shape %25 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %28 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_16 = linalg.transpose ins(%expanded : tensor<2x8x4x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_17 = tensor.expand_shape %26 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<2x8x4x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_19 = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<2x8x4x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %29 = tensor.empty() : tensor<2xi64>
    %30 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%29 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %182 = linalg.index 0 : index
      %183 = arith.index_cast %182 : index to i64
      %184 = arith.muli %183, %c2_i64 : i64
      linalg.yield %184 : i64
    } -> tensor<2xi64>
    %31 = tensor.empty() : tensor<2xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%30 : tensor<2xi64>) outs(%31 : tensor<2xf32>) {
    ^bb0(%in: i64, %out: f32):
      %182 = arith.sitofp %in : i64 to f32
      linalg.yield %182 : f32
    } -> tensor<2xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%32 : tensor<2xf32>) outs(%31 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.divf %in, %cst_11 : f32
      linalg.yield %182 : f32
    } -> tensor<2xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%33 : tensor<2xf32>) outs(%31 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.powf %cst_12, %in : f32
      linalg.yield %182 : f32
    } -> tensor<2xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%34 : tensor<2xf32>) outs(%31 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.cmpf one, %in, %cst_0 : f32
      cf.assert %182, "unimplemented: tensor with zero element"
      %183 = arith.divf %cst_1, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2xf32>
    %36 = tensor.empty() : tensor<8xi64>
    %37 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%36 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %182 = linalg.index 0 : index
      %183 = arith.index_cast %182 : index to i64
      linalg.yield %183 : i64
    } -> tensor<8xi64>
    %38 = tensor.empty() : tensor<8xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%37 : tensor<8xi64>) outs(%38 : tensor<8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %182 = arith.sitofp %in : i64 to f32
      linalg.yield %182 : f32
    } -> tensor<8xf32>
    %expanded_21 = tensor.expand_shape %39 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %40 = tensor.empty() : tensor<8x2xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_21, %35 : tensor<8x1xf32>, tensor<2xf32>) outs(%40 : tensor<8x2xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<8x2xf32>
    %42 = tensor.empty() : tensor<8x2x2xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<8x2xf32>) outs(%42 : tensor<8x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x2xf32>
    %collapsed_22 = tensor.collapse_shape %43 [[0], [1, 2]] : tensor<8x2x2xf32> into tensor<8x4xf32>
    %extracted_slice = tensor.extract_slice %transposed_16[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %44 = tensor.empty() : tensor<8x4xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%collapsed_22 : tensor<8x4xf32>) outs(%44 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.cos %in : f32
      linalg.yield %182 : f32
    } -> tensor<8x4xf32>
    %46 = tensor.empty() : tensor<2x4x8x4xf32>
    %47 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %45 : tensor<2x4x8x4xf32>, tensor<8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %extracted_slice_23 = tensor.extract_slice %extracted_slice[0, 0, 0, 0] [2, 4, 8, 2] [1, 1, 1, 2] : tensor<2x4x8x4xf32> to tensor<2x4x8x2xf32>
    %extracted_slice_24 = tensor.extract_slice %extracted_slice[0, 0, 0, 1] [2, 4, 8, 2] [1, 1, 1, 2] : tensor<2x4x8x4xf32> to tensor<2x4x8x2xf32>
    %48 = tensor.empty() : tensor<2x4x8x2xf32>
    %49 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_24 : tensor<2x4x8x2xf32>) outs(%48 : tensor<2x4x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.negf %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x2xf32>
    %expanded_25 = tensor.expand_shape %49 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 1] : tensor<2x4x8x2xf32> into tensor<2x4x8x2x1xf32>
    %expanded_26 = tensor.expand_shape %extracted_slice_23 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 1] : tensor<2x4x8x2xf32> into tensor<2x4x8x2x1xf32>
    %concat = tensor.concat dim(4) %expanded_25, %expanded_26 : (tensor<2x4x8x2x1xf32>, tensor<2x4x8x2x1xf32>) -> tensor<2x4x8x2x2xf32>
    %collapsed_27 = tensor.collapse_shape %concat [[0], [1], [2], [3, 4]] : tensor<2x4x8x2x2xf32> into tensor<2x4x8x4xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%collapsed_22 : tensor<8x4xf32>) outs(%44 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.sin %in : f32
      linalg.yield %182 : f32
    } -> tensor<8x4xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_27, %50 : tensor<2x4x8x4xf32>, tensor<8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %52 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %51 : tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %extracted_slice_28 = tensor.extract_slice %transposed_16[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %concat_29 = tensor.concat dim(3) %52, %extracted_slice_28 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %53 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%34 : tensor<2xf32>) outs(%31 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.cmpf one, %in, %cst_0 : f32
      cf.assert %182, "unimplemented: tensor with zero element"
      %183 = arith.divf %cst_1, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2xf32>
    %54 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_21, %53 : tensor<8x1xf32>, tensor<2xf32>) outs(%40 : tensor<8x2xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<8x2xf32>
    %55 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<8x2xf32>) outs(%42 : tensor<8x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x2xf32>
    %collapsed_30 = tensor.collapse_shape %55 [[0], [1, 2]] : tensor<8x2x2xf32> into tensor<8x4xf32>
    %extracted_slice_31 = tensor.extract_slice %transposed_18[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %56 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%collapsed_30 : tensor<8x4xf32>) outs(%44 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.cos %in : f32
      linalg.yield %182 : f32
    } -> tensor<8x4xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_31, %56 : tensor<2x4x8x4xf32>, tensor<8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %extracted_slice_32 = tensor.extract_slice %extracted_slice_31[0, 0, 0, 0] [2, 4, 8, 2] [1, 1, 1, 2] : tensor<2x4x8x4xf32> to tensor<2x4x8x2xf32>
    %extracted_slice_33 = tensor.extract_slice %extracted_slice_31[0, 0, 0, 1] [2, 4, 8, 2] [1, 1, 1, 2] : tensor<2x4x8x4xf32> to tensor<2x4x8x2xf32>
    %58 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_33 : tensor<2x4x8x2xf32>) outs(%48 : tensor<2x4x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.negf %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x2xf32>
    %expanded_34 = tensor.expand_shape %58 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 1] : tensor<2x4x8x2xf32> into tensor<2x4x8x2x1xf32>
    %expanded_35 = tensor.expand_shape %extracted_slice_32 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 1] : tensor<2x4x8x2xf32> into tensor<2x4x8x2x1xf32>
    %concat_36 = tensor.concat dim(4) %expanded_34, %expanded_35 : (tensor<2x4x8x2x1xf32>, tensor<2x4x8x2x1xf32>) -> tensor<2x4x8x2x2xf32>
    %collapsed_37 = tensor.collapse_shape %concat_36 [[0], [1], [2], [3, 4]] : tensor<2x4x8x2x2xf32> into tensor<2x4x8x4xf32>
    %59 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%collapsed_30 : tensor<8x4xf32>) outs(%44 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.sin %in : f32
      linalg.yield %182 : f32
    } -> tensor<8x4xf32>
    %60 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_37, %59 : tensor<2x4x8x4xf32>, tensor<8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %60 : tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %extracted_slice_38 = tensor.extract_slice %transposed_18[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %concat_39 = tensor.concat dim(3) %61, %extracted_slice_38 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %transposed_40 = linalg.transpose ins(%concat_39 : tensor<2x4x8x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_41 = tensor.collapse_shape %concat_29 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_42 = tensor.collapse_shape %transposed_40 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %62 = tensor.empty() : tensor<8x8x8xf32>
    %63 = linalg.fill ins(%cst_0 : f32) outs(%62 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %64 = linalg.batch_matmul ins(%collapsed_41, %collapsed_42 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%63 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_43 = tensor.expand_shape %64 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %65 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<2x4x8x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_7 : f64 to f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_44 = tensor.expand_shape %37 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_45 = tensor.expand_shape %37 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %66 = tensor.empty() : tensor<8x8xi64>
    %67 = linalg.generic {indexing_maps = [#map10, #map4, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_44, %expanded_45 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%66 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_106: i64, %out: i64):
      %182 = arith.subi %in, %in_106 : i64
      linalg.yield %182 : i64
    } -> tensor<8x8xi64>
    %68 = tensor.empty() : tensor<8x8xi1>
    %69 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%67 : tensor<8x8xi64>) outs(%68 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %182 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %182 : i1
    } -> tensor<8x8xi1>
    %70 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%69, %cst_3 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%68 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_106: i1, %out: i1):
      %182 = arith.andi %in, %in_106 : i1
      linalg.yield %182 : i1
    } -> tensor<8x8xi1>
    %71 = linalg.generic {indexing_maps = [#map9, #map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %65, %cst_6 : tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_106: f32, %in_107: f32, %out: f32):
      %182 = arith.select %in, %in_106, %in_107 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %72 = tensor.empty() : tensor<2x4x8xi64>
    %73 = linalg.fill ins(%c0_i64 : i64) outs(%72 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %74 = tensor.empty() : tensor<2x4x8xf32>
    %75 = linalg.fill ins(%cst_2 : f32) outs(%74 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %76:2 = linalg.generic {indexing_maps = [#map8, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<2x4x8x8xf32>) outs(%75, %73 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_106: i64):
      %182 = linalg.index 3 : index
      %183 = arith.index_cast %182 : index to i64
      %184 = arith.maximumf %in, %out : f32
      %185 = arith.cmpf ogt, %in, %out : f32
      %186 = arith.select %185, %183, %out_106 : i64
      linalg.yield %184, %186 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_46 = tensor.expand_shape %76#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %77 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %expanded_46 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.subf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %78 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<2x4x8x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.exp %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %79 = tensor.empty() : tensor<2x4x8x1xf32>
    %80 = linalg.fill ins(%cst_0 : f32) outs(%79 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %81 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%78 : tensor<2x4x8x8xf32>) outs(%80 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x1xf32>
    %82 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %81 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.divf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_47 = tensor.collapse_shape %82 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_48 = tensor.collapse_shape %transposed_20 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %83 = linalg.batch_matmul ins(%collapsed_47, %collapsed_48 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%63 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_49 = tensor.expand_shape %83 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %84 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_50 = linalg.transpose ins(%expanded_49 : tensor<2x4x8x8xf32>) outs(%84 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_51 = linalg.transpose ins(%arg8 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_52 = tensor.collapse_shape %transposed_50 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %85 = linalg.matmul ins(%collapsed_52, %transposed_51 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_53 = tensor.expand_shape %85 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_53 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %87 = tensor.empty() : tensor<32x64xf32>
    %transposed_54 = linalg.transpose ins(%arg9 : tensor<64x32xf32>) outs(%87 : tensor<32x64xf32>) permutation = [1, 0] 
    %88 = tensor.empty() : tensor<16x64xf32>
    %89 = linalg.fill ins(%cst_0 : f32) outs(%88 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %90 = linalg.matmul ins(%collapsed, %transposed_54 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%89 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %91 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%90, %arg10 : tensor<16x64xf32>, tensor<64xf32>) outs(%88 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<16x64xf32>
    %expanded_55 = tensor.expand_shape %91 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %92 = tensor.empty() : tensor<2x8x64xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_55 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.mulf %in, %cst_13 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_55 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_5 : f64 to f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x64xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_55, %95 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_4 : f64 to f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x64xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.tanh %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %cst_1 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %99 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_56 = tensor.collapse_shape %100 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %101 = tensor.empty() : tensor<64x32xf32>
    %transposed_57 = linalg.transpose ins(%arg11 : tensor<32x64xf32>) outs(%101 : tensor<64x32xf32>) permutation = [1, 0] 
    %102 = linalg.matmul ins(%collapsed_56, %transposed_57 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %103 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%102, %arg12 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<16x32xf32>
    %expanded_58 = tensor.expand_shape %103 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %expanded_58 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %182 = arith.extf %in : f32 to f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %106 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%105 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.addf %in, %out : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.divf %in, %cst_9 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %108 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %107 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_106: f64, %out: f64):
      %182 = arith.subf %in, %in_106 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %109 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %108 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_106: f64, %out: f64):
      %182 = arith.mulf %in, %in_106 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %110 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%109 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.addf %in, %out : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.divf %in, %cst_9 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %112 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %182 = arith.truncf %in : f64 to f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%104 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.divf %in, %cst_10 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %115 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_8 : f64 to f32
      %183 = arith.addf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x1xf32>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.rsqrt %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %114 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.subf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %116 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %arg13 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %arg14 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %transposed_59 = linalg.transpose ins(%arg17 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_60 = tensor.collapse_shape %120 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %121 = linalg.matmul ins(%collapsed_60, %transposed_59 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %transposed_61 = linalg.transpose ins(%arg18 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %122 = linalg.matmul ins(%collapsed_60, %transposed_61 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %transposed_62 = linalg.transpose ins(%arg19 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %123 = linalg.matmul ins(%collapsed_60, %transposed_62 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_63 = tensor.expand_shape %121 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_64 = linalg.transpose ins(%expanded_63 : tensor<2x8x4x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_65 = tensor.expand_shape %122 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_66 = linalg.transpose ins(%expanded_65 : tensor<2x8x4x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_67 = tensor.expand_shape %123 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_68 = linalg.transpose ins(%expanded_67 : tensor<2x8x4x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %124 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%34 : tensor<2xf32>) outs(%31 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.cmpf one, %in, %cst_0 : f32
      cf.assert %182, "unimplemented: tensor with zero element"
      %183 = arith.divf %cst_1, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2xf32>
    %125 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_21, %124 : tensor<8x1xf32>, tensor<2xf32>) outs(%40 : tensor<8x2xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<8x2xf32>
    %126 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<8x2xf32>) outs(%42 : tensor<8x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x2xf32>
    %collapsed_69 = tensor.collapse_shape %126 [[0], [1, 2]] : tensor<8x2x2xf32> into tensor<8x4xf32>
    %extracted_slice_70 = tensor.extract_slice %transposed_64[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %127 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%collapsed_69 : tensor<8x4xf32>) outs(%44 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.cos %in : f32
      linalg.yield %182 : f32
    } -> tensor<8x4xf32>
    %128 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_70, %127 : tensor<2x4x8x4xf32>, tensor<8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %extracted_slice_71 = tensor.extract_slice %extracted_slice_70[0, 0, 0, 0] [2, 4, 8, 2] [1, 1, 1, 2] : tensor<2x4x8x4xf32> to tensor<2x4x8x2xf32>
    %extracted_slice_72 = tensor.extract_slice %extracted_slice_70[0, 0, 0, 1] [2, 4, 8, 2] [1, 1, 1, 2] : tensor<2x4x8x4xf32> to tensor<2x4x8x2xf32>
    %129 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_72 : tensor<2x4x8x2xf32>) outs(%48 : tensor<2x4x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.negf %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x2xf32>
    %expanded_73 = tensor.expand_shape %129 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 1] : tensor<2x4x8x2xf32> into tensor<2x4x8x2x1xf32>
    %expanded_74 = tensor.expand_shape %extracted_slice_71 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 1] : tensor<2x4x8x2xf32> into tensor<2x4x8x2x1xf32>
    %concat_75 = tensor.concat dim(4) %expanded_73, %expanded_74 : (tensor<2x4x8x2x1xf32>, tensor<2x4x8x2x1xf32>) -> tensor<2x4x8x2x2xf32>
    %collapsed_76 = tensor.collapse_shape %concat_75 [[0], [1], [2], [3, 4]] : tensor<2x4x8x2x2xf32> into tensor<2x4x8x4xf32>
    %130 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%collapsed_69 : tensor<8x4xf32>) outs(%44 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.sin %in : f32
      linalg.yield %182 : f32
    } -> tensor<8x4xf32>
    %131 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_76, %130 : tensor<2x4x8x4xf32>, tensor<8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %132 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%128, %131 : tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %extracted_slice_77 = tensor.extract_slice %transposed_64[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %concat_78 = tensor.concat dim(3) %132, %extracted_slice_77 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %133 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%34 : tensor<2xf32>) outs(%31 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.cmpf one, %in, %cst_0 : f32
      cf.assert %182, "unimplemented: tensor with zero element"
      %183 = arith.divf %cst_1, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2xf32>
    %134 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_21, %133 : tensor<8x1xf32>, tensor<2xf32>) outs(%40 : tensor<8x2xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<8x2xf32>
    %135 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<8x2xf32>) outs(%42 : tensor<8x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x2xf32>
    %collapsed_79 = tensor.collapse_shape %135 [[0], [1, 2]] : tensor<8x2x2xf32> into tensor<8x4xf32>
    %extracted_slice_80 = tensor.extract_slice %transposed_66[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %136 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%collapsed_79 : tensor<8x4xf32>) outs(%44 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.cos %in : f32
      linalg.yield %182 : f32
    } -> tensor<8x4xf32>
    %137 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_80, %136 : tensor<2x4x8x4xf32>, tensor<8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %extracted_slice_81 = tensor.extract_slice %extracted_slice_80[0, 0, 0, 0] [2, 4, 8, 2] [1, 1, 1, 2] : tensor<2x4x8x4xf32> to tensor<2x4x8x2xf32>
    %extracted_slice_82 = tensor.extract_slice %extracted_slice_80[0, 0, 0, 1] [2, 4, 8, 2] [1, 1, 1, 2] : tensor<2x4x8x4xf32> to tensor<2x4x8x2xf32>
    %138 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_82 : tensor<2x4x8x2xf32>) outs(%48 : tensor<2x4x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.negf %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x2xf32>
    %expanded_83 = tensor.expand_shape %138 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 1] : tensor<2x4x8x2xf32> into tensor<2x4x8x2x1xf32>
    %expanded_84 = tensor.expand_shape %extracted_slice_81 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 1] : tensor<2x4x8x2xf32> into tensor<2x4x8x2x1xf32>
    %concat_85 = tensor.concat dim(4) %expanded_83, %expanded_84 : (tensor<2x4x8x2x1xf32>, tensor<2x4x8x2x1xf32>) -> tensor<2x4x8x2x2xf32>
    %collapsed_86 = tensor.collapse_shape %concat_85 [[0], [1], [2], [3, 4]] : tensor<2x4x8x2x2xf32> into tensor<2x4x8x4xf32>
    %139 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%collapsed_79 : tensor<8x4xf32>) outs(%44 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.sin %in : f32
      linalg.yield %182 : f32
    } -> tensor<8x4xf32>
    %140 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_86, %139 : tensor<2x4x8x4xf32>, tensor<8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %141 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%137, %140 : tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) outs(%46 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x4xf32>
    %extracted_slice_87 = tensor.extract_slice %transposed_66[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %concat_88 = tensor.concat dim(3) %141, %extracted_slice_87 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %transposed_89 = linalg.transpose ins(%concat_88 : tensor<2x4x8x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_90 = tensor.collapse_shape %concat_78 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_91 = tensor.collapse_shape %transposed_89 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %142 = linalg.batch_matmul ins(%collapsed_90, %collapsed_91 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%63 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_92 = tensor.expand_shape %142 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %143 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_92 : tensor<2x4x8x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_7 : f64 to f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x4x8x8xf32>
    %144 = linalg.generic {indexing_maps = [#map9, #map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %143, %cst_6 : tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_106: f32, %in_107: f32, %out: f32):
      %182 = arith.select %in, %in_106, %in_107 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %145:2 = linalg.generic {indexing_maps = [#map8, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%144 : tensor<2x4x8x8xf32>) outs(%75, %73 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_106: i64):
      %182 = linalg.index 3 : index
      %183 = arith.index_cast %182 : index to i64
      %184 = arith.maximumf %in, %out : f32
      %185 = arith.cmpf ogt, %in, %out : f32
      %186 = arith.select %185, %183, %out_106 : i64
      linalg.yield %184, %186 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_93 = tensor.expand_shape %145#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %146 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %expanded_93 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.subf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %147 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146 : tensor<2x4x8x8xf32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.exp %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %148 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%147 : tensor<2x4x8x8xf32>) outs(%80 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x1xf32>
    %149 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%147, %148 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%28 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.divf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_94 = tensor.collapse_shape %149 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_95 = tensor.collapse_shape %transposed_68 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %150 = linalg.batch_matmul ins(%collapsed_94, %collapsed_95 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%63 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_96 = tensor.expand_shape %150 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_97 = linalg.transpose ins(%expanded_96 : tensor<2x4x8x8xf32>) outs(%84 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_98 = linalg.transpose ins(%arg20 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_99 = tensor.collapse_shape %transposed_97 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %151 = linalg.matmul ins(%collapsed_99, %transposed_98 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_100 = tensor.expand_shape %151 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %expanded_100 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %transposed_101 = linalg.transpose ins(%arg21 : tensor<64x32xf32>) outs(%87 : tensor<32x64xf32>) permutation = [1, 0] 
    %153 = linalg.matmul ins(%collapsed_60, %transposed_101 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%89 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %154 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%153, %arg22 : tensor<16x64xf32>, tensor<64xf32>) outs(%88 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<16x64xf32>
    %expanded_102 = tensor.expand_shape %154 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_102 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.mulf %in, %cst_13 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %156 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_102 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %157 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_5 : f64 to f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x64xf32>
    %158 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_102, %157 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %159 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_4 : f64 to f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x64xf32>
    %160 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.tanh %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %161 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %cst_1 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %162 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155, %161 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%92 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_103 = tensor.collapse_shape %162 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %transposed_104 = linalg.transpose ins(%arg23 : tensor<32x64xf32>) outs(%101 : tensor<64x32xf32>) permutation = [1, 0] 
    %163 = linalg.matmul ins(%collapsed_103, %transposed_104 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %164 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%163, %arg24 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<16x32xf32>
    %expanded_105 = tensor.expand_shape %164 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %165 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %expanded_105 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %166 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %182 = arith.extf %in : f32 to f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %167 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%166 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.addf %in, %out : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %168 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.divf %in, %cst_9 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %169 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %168 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_106: f64, %out: f64):
      %182 = arith.subf %in, %in_106 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %170 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %169 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_106: f64, %out: f64):
      %182 = arith.mulf %in, %in_106 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x32xf64>
    %171 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%170 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.addf %in, %out : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %172 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %182 = arith.divf %in, %cst_9 : f64
      linalg.yield %182 : f64
    } -> tensor<2x8x1xf64>
    %173 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %182 = arith.truncf %in : f64 to f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %174 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%165 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %175 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.divf %in, %cst_10 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %176 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_8 : f64 to f32
      %183 = arith.addf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x1xf32>
    %177 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.rsqrt %in : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %178 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %175 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.subf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %179 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %177 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %180 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %arg25 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.mulf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    %181 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180, %arg26 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_106: f32, %out: f32):
      %182 = arith.addf %in, %in_106 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x32xf32>
    return %181 : tensor<2x8x32xf32>
  }
}
