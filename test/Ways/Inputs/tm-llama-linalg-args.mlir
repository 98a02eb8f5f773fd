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
#map12 = affine_map<(d0, d1) -> ()>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<16x32xf32>, %arg5: tensor<16x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<64x32xf32>, %arg8: tensor<32x64xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<16x32xf32>, %arg14: tensor<16x32xf32>, %arg15: tensor<32x32xf32>, %arg16: tensor<64x32xf32>, %arg17: tensor<32x64xf32>, %arg18: tensor<64x32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 0.000000e+00 : f64
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<8x8xf32>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 0.35355339059327379 : f64
    %cst_7 = arith.constant 9.9999999999999995E-7 : f64
    %cst_8 = arith.constant 3.200000e+01 : f32
    %cst_9 = arith.constant 8.000000e+00 : f32
    %cst_10 = arith.constant 1.000000e+04 : f32
    %cst_11 = arith.constant 3.200000e+01 : f64
    %0 = tensor.empty() : tensor<2x8x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %2 = tensor.empty() : tensor<2x8x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %out : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.divf %in, %cst_8 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.truncf %cst_7 : f64 to f32
      %176 = arith.addf %in, %175 : f32
      linalg.yield %176 : f32
    } -> tensor<2x8x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.rsqrt %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %9 = tensor.empty() : tensor<32xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %cst : f32
      linalg.yield %175 : f32
    } -> tensor<32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %12 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<32x32xf32>) outs(%12 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %11 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %13 = tensor.empty() : tensor<16x32xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %15 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %16 = tensor.empty() : tensor<32x16xf32>
    %transposed_12 = linalg.transpose ins(%arg4 : tensor<16x32xf32>) outs(%16 : tensor<32x16xf32>) permutation = [1, 0] 
    %17 = tensor.empty() : tensor<16x16xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %19 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%18 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %transposed_13 = linalg.transpose ins(%arg5 : tensor<16x32xf32>) outs(%16 : tensor<32x16xf32>) permutation = [1, 0] 
    %20 = linalg.matmul ins(%collapsed, %transposed_13 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%18 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %21 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_14 = linalg.transpose ins(%expanded : tensor<2x8x4x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_15 = tensor.expand_shape %19 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %22 = tensor.empty() : tensor<2x2x8x8xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<2x8x2x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_17 = tensor.expand_shape %20 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<2x8x2x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) permutation = [0, 2, 1, 3] 
    %23 = tensor.empty() : tensor<4xi64>
    %24 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%23 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %175 = linalg.index 0 : index
      %176 = arith.index_cast %175 : index to i64
      %177 = arith.muli %176, %c2_i64 : i64
      linalg.yield %177 : i64
    } -> tensor<4xi64>
    %25 = tensor.empty() : tensor<4xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%24 : tensor<4xi64>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: i64, %out: f32):
      %175 = arith.sitofp %in : i64 to f32
      linalg.yield %175 : f32
    } -> tensor<4xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%26 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.divf %in, %cst_9 : f32
      linalg.yield %175 : f32
    } -> tensor<4xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%27 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.powf %cst_10, %in : f32
      linalg.yield %175 : f32
    } -> tensor<4xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%28 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.cmpf one, %in, %cst : f32
      cf.assert %175, "unimplemented: tensor with zero element"
      %176 = arith.divf %cst_0, %in : f32
      linalg.yield %176 : f32
    } -> tensor<4xf32>
    %30 = tensor.empty() : tensor<8xi64>
    %31 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%30 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %175 = linalg.index 0 : index
      %176 = arith.index_cast %175 : index to i64
      linalg.yield %176 : i64
    } -> tensor<8xi64>
    %32 = tensor.empty() : tensor<8xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%31 : tensor<8xi64>) outs(%32 : tensor<8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %175 = arith.sitofp %in : i64 to f32
      linalg.yield %175 : f32
    } -> tensor<8xf32>
    %expanded_19 = tensor.expand_shape %33 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %34 = tensor.empty() : tensor<8x4xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %29 : tensor<8x1xf32>, tensor<4xf32>) outs(%34 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<8x4xf32>
    %concat = tensor.concat dim(1) %35, %35 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %36 = tensor.empty() : tensor<8x8xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.cos %in : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14, %37 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %extracted_slice = tensor.extract_slice %transposed_14[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %extracted_slice_20 = tensor.extract_slice %transposed_14[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %39 = tensor.empty() : tensor<2x4x8x4xf32>
    %40 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_20 : tensor<2x4x8x4xf32>) outs(%39 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.negf %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x4xf32>
    %concat_21 = tensor.concat dim(3) %40, %extracted_slice : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.sin %in : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %42 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_21, %41 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %42 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %44 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%28 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.cmpf one, %in, %cst : f32
      cf.assert %175, "unimplemented: tensor with zero element"
      %176 = arith.divf %cst_0, %in : f32
      linalg.yield %176 : f32
    } -> tensor<4xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %44 : tensor<8x1xf32>, tensor<4xf32>) outs(%34 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<8x4xf32>
    %concat_22 = tensor.concat dim(1) %45, %45 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %46 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_22 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.cos %in : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %47 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_16, %46 : tensor<2x2x8x8xf32>, tensor<8x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x2x8x8xf32>
    %extracted_slice_23 = tensor.extract_slice %transposed_16[0, 0, 0, 0] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xf32> to tensor<2x2x8x4xf32>
    %extracted_slice_24 = tensor.extract_slice %transposed_16[0, 0, 0, 4] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xf32> to tensor<2x2x8x4xf32>
    %48 = tensor.empty() : tensor<2x2x8x4xf32>
    %49 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_24 : tensor<2x2x8x4xf32>) outs(%48 : tensor<2x2x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.negf %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x2x8x4xf32>
    %concat_25 = tensor.concat dim(3) %49, %extracted_slice_23 : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x8xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_22 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.sin %in : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %51 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_25, %50 : tensor<2x2x8x8xf32>, tensor<8x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x2x8x8xf32>
    %52 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %51 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x2x8x8xf32>
    %53 = tensor.empty() : tensor<2x2x2x8x8xf32>
    %54 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x2x8x8xf32>) outs(%53 : tensor<2x2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x8x8xf32>
    %collapsed_26 = tensor.collapse_shape %54 [[0], [1, 2], [3], [4]] : tensor<2x2x2x8x8xf32> into tensor<2x4x8x8xf32>
    %55 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18 : tensor<2x2x8x8xf32>) outs(%53 : tensor<2x2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x8x8xf32>
    %transposed_27 = linalg.transpose ins(%collapsed_26 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_28 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_29 = tensor.collapse_shape %transposed_27 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %56 = tensor.empty() : tensor<8x8x8xf32>
    %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %58 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%57 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_30 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %59 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.truncf %cst_6 : f64 to f32
      %176 = arith.mulf %in, %175 : f32
      linalg.yield %176 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_31 = tensor.expand_shape %31 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_32 = tensor.expand_shape %31 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %60 = tensor.empty() : tensor<8x8xi64>
    %61 = linalg.generic {indexing_maps = [#map11, #map4, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%60 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_88: i64, %out: i64):
      %175 = arith.subi %in, %in_88 : i64
      linalg.yield %175 : i64
    } -> tensor<8x8xi64>
    %62 = tensor.empty() : tensor<8x8xi1>
    %63 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%61 : tensor<8x8xi64>) outs(%62 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %175 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %175 : i1
    } -> tensor<8x8xi1>
    %64 = linalg.generic {indexing_maps = [#map6, #map6, #map12, #map6], iterator_types = ["parallel", "parallel"]} ins(%63, %cst_4, %cst_3 : tensor<8x8xi1>, tensor<8x8xf32>, tensor<f32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: i1, %in_88: f32, %in_89: f32, %out: f32):
      %175 = arith.select %in, %in_88, %in_89 : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %65 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %64 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %66 = tensor.empty() : tensor<2x4x8xi64>
    %67 = linalg.fill ins(%c0_i64 : i64) outs(%66 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %68 = tensor.empty() : tensor<2x4x8xf32>
    %69 = linalg.fill ins(%cst_1 : f32) outs(%68 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %70:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%65 : tensor<2x4x8x8xf32>) outs(%69, %67 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_88: i64):
      %175 = linalg.index 3 : index
      %176 = arith.index_cast %175 : index to i64
      %177 = arith.maximumf %in, %out : f32
      %178 = arith.cmpf ogt, %in, %out : f32
      %179 = arith.select %178, %176, %out_88 : i64
      linalg.yield %177, %179 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_33 = tensor.expand_shape %70#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %71 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %expanded_33 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.subf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %72 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.exp %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %73 = tensor.empty() : tensor<2x4x8x1xf32>
    %74 = linalg.fill ins(%cst : f32) outs(%73 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %75 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<2x4x8x8xf32>) outs(%74 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %out : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x1xf32>
    %76 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %75 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.divf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_34 = tensor.collapse_shape %76 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_35 = tensor.collapse_shape %55 [[0, 1, 2], [3], [4]] : tensor<2x2x2x8x8xf32> into tensor<8x8x8xf32>
    %77 = linalg.batch_matmul ins(%collapsed_34, %collapsed_35 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%57 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_36 = tensor.expand_shape %77 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %78 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_37 = linalg.transpose ins(%expanded_36 : tensor<2x4x8x8xf32>) outs(%78 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_38 = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%12 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_39 = tensor.collapse_shape %transposed_37 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %79 = linalg.matmul ins(%collapsed_39, %transposed_38 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_40 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_40 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %out : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.divf %in, %cst_8 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.truncf %cst_7 : f64 to f32
      %176 = arith.addf %in, %175 : f32
      linalg.yield %176 : f32
    } -> tensor<2x8x1xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.rsqrt %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %85 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %87 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg2 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %cst : f32
      linalg.yield %175 : f32
    } -> tensor<32xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %87 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %89 = tensor.empty() : tensor<32x64xf32>
    %transposed_41 = linalg.transpose ins(%arg9 : tensor<64x32xf32>) outs(%89 : tensor<32x64xf32>) permutation = [1, 0] 
    %collapsed_42 = tensor.collapse_shape %88 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %90 = tensor.empty() : tensor<16x64xf32>
    %91 = linalg.fill ins(%cst : f32) outs(%90 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %92 = linalg.matmul ins(%collapsed_42, %transposed_41 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%91 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_43 = tensor.expand_shape %92 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %93 = tensor.empty() : tensor<2x8x64xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<2x8x64xf32>) outs(%93 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.negf %in : f32
      %176 = math.exp %175 : f32
      %177 = arith.addf %176, %cst_0 : f32
      %178 = arith.divf %cst_0, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x64xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43, %94 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%93 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x64xf32>
    %transposed_44 = linalg.transpose ins(%arg7 : tensor<64x32xf32>) outs(%89 : tensor<32x64xf32>) permutation = [1, 0] 
    %96 = linalg.matmul ins(%collapsed_42, %transposed_44 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%91 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_45 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %expanded_45 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%93 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x64xf32>
    %98 = tensor.empty() : tensor<64x32xf32>
    %transposed_46 = linalg.transpose ins(%arg8 : tensor<32x64xf32>) outs(%98 : tensor<64x32xf32>) permutation = [1, 0] 
    %collapsed_47 = tensor.collapse_shape %97 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %99 = linalg.matmul ins(%collapsed_47, %transposed_46 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_48 = tensor.expand_shape %99 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %expanded_48 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%101 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %out : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.divf %in, %cst_8 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.truncf %cst_7 : f64 to f32
      %176 = arith.addf %in, %175 : f32
      linalg.yield %176 : f32
    } -> tensor<2x8x1xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.rsqrt %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %105 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %107 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg10 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %cst : f32
      linalg.yield %175 : f32
    } -> tensor<32xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %107 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %transposed_49 = linalg.transpose ins(%arg12 : tensor<32x32xf32>) outs(%12 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_50 = tensor.collapse_shape %108 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %109 = linalg.matmul ins(%collapsed_50, %transposed_49 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %transposed_51 = linalg.transpose ins(%arg13 : tensor<16x32xf32>) outs(%16 : tensor<32x16xf32>) permutation = [1, 0] 
    %110 = linalg.matmul ins(%collapsed_50, %transposed_51 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%18 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %transposed_52 = linalg.transpose ins(%arg14 : tensor<16x32xf32>) outs(%16 : tensor<32x16xf32>) permutation = [1, 0] 
    %111 = linalg.matmul ins(%collapsed_50, %transposed_52 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%18 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_53 = tensor.expand_shape %109 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<2x8x4x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_55 = tensor.expand_shape %110 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<2x8x2x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_57 = tensor.expand_shape %111 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<2x8x2x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) permutation = [0, 2, 1, 3] 
    %112 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%28 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.cmpf one, %in, %cst : f32
      cf.assert %175, "unimplemented: tensor with zero element"
      %176 = arith.divf %cst_0, %in : f32
      linalg.yield %176 : f32
    } -> tensor<4xf32>
    %113 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %112 : tensor<8x1xf32>, tensor<4xf32>) outs(%34 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<8x4xf32>
    %concat_59 = tensor.concat dim(1) %113, %113 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %114 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_59 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.cos %in : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %115 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_54, %114 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %extracted_slice_60 = tensor.extract_slice %transposed_54[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %extracted_slice_61 = tensor.extract_slice %transposed_54[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %116 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_61 : tensor<2x4x8x4xf32>) outs(%39 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.negf %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x4xf32>
    %concat_62 = tensor.concat dim(3) %116, %extracted_slice_60 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %117 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_59 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.sin %in : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %118 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_62, %117 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %119 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115, %118 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %120 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%28 : tensor<4xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.cmpf one, %in, %cst : f32
      cf.assert %175, "unimplemented: tensor with zero element"
      %176 = arith.divf %cst_0, %in : f32
      linalg.yield %176 : f32
    } -> tensor<4xf32>
    %121 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %120 : tensor<8x1xf32>, tensor<4xf32>) outs(%34 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<8x4xf32>
    %concat_63 = tensor.concat dim(1) %121, %121 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %122 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_63 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.cos %in : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %123 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_56, %122 : tensor<2x2x8x8xf32>, tensor<8x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x2x8x8xf32>
    %extracted_slice_64 = tensor.extract_slice %transposed_56[0, 0, 0, 0] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xf32> to tensor<2x2x8x4xf32>
    %extracted_slice_65 = tensor.extract_slice %transposed_56[0, 0, 0, 4] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xf32> to tensor<2x2x8x4xf32>
    %124 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_65 : tensor<2x2x8x4xf32>) outs(%48 : tensor<2x2x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.negf %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x2x8x4xf32>
    %concat_66 = tensor.concat dim(3) %124, %extracted_slice_64 : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x8xf32>
    %125 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%concat_63 : tensor<8x8xf32>) outs(%36 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.sin %in : f32
      linalg.yield %175 : f32
    } -> tensor<8x8xf32>
    %126 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_66, %125 : tensor<2x2x8x8xf32>, tensor<8x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x2x8x8xf32>
    %127 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %126 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%22 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x2x8x8xf32>
    %128 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%127 : tensor<2x2x8x8xf32>) outs(%53 : tensor<2x2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x8x8xf32>
    %collapsed_67 = tensor.collapse_shape %128 [[0], [1, 2], [3], [4]] : tensor<2x2x2x8x8xf32> into tensor<2x4x8x8xf32>
    %129 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_58 : tensor<2x2x8x8xf32>) outs(%53 : tensor<2x2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x8x8xf32>
    %transposed_68 = linalg.transpose ins(%collapsed_67 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_69 = tensor.collapse_shape %119 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_70 = tensor.collapse_shape %transposed_68 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %130 = linalg.batch_matmul ins(%collapsed_69, %collapsed_70 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%57 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_71 = tensor.expand_shape %130 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %131 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_71 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.truncf %cst_6 : f64 to f32
      %176 = arith.mulf %in, %175 : f32
      linalg.yield %176 : f32
    } -> tensor<2x4x8x8xf32>
    %132 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131, %64 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %133:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%132 : tensor<2x4x8x8xf32>) outs(%69, %67 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_88: i64):
      %175 = linalg.index 3 : index
      %176 = arith.index_cast %175 : index to i64
      %177 = arith.maximumf %in, %out : f32
      %178 = arith.cmpf ogt, %in, %out : f32
      %179 = arith.select %178, %176, %out_88 : i64
      linalg.yield %177, %179 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_72 = tensor.expand_shape %133#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %134 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %expanded_72 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.subf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %135 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<2x4x8x8xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.exp %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %136 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%135 : tensor<2x4x8x8xf32>) outs(%74 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %out : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x1xf32>
    %137 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %136 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%21 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.divf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_73 = tensor.collapse_shape %137 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_74 = tensor.collapse_shape %129 [[0, 1, 2], [3], [4]] : tensor<2x2x2x8x8xf32> into tensor<8x8x8xf32>
    %138 = linalg.batch_matmul ins(%collapsed_73, %collapsed_74 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%57 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_75 = tensor.expand_shape %138 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_76 = linalg.transpose ins(%expanded_75 : tensor<2x4x8x8xf32>) outs(%78 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_77 = linalg.transpose ins(%arg15 : tensor<32x32xf32>) outs(%12 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_78 = tensor.collapse_shape %transposed_76 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %139 = linalg.matmul ins(%collapsed_78, %transposed_77 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_79 = tensor.expand_shape %139 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %140 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %expanded_79 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %141 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%141 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %out : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.divf %in, %cst_8 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.truncf %cst_7 : f64 to f32
      %176 = arith.addf %in, %175 : f32
      linalg.yield %176 : f32
    } -> tensor<2x8x1xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.rsqrt %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %146 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %145 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %147 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg11 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %cst : f32
      linalg.yield %175 : f32
    } -> tensor<32xf32>
    %148 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %147 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %transposed_80 = linalg.transpose ins(%arg18 : tensor<64x32xf32>) outs(%89 : tensor<32x64xf32>) permutation = [1, 0] 
    %collapsed_81 = tensor.collapse_shape %148 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %149 = linalg.matmul ins(%collapsed_81, %transposed_80 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%91 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_82 = tensor.expand_shape %149 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %150 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_82 : tensor<2x8x64xf32>) outs(%93 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.negf %in : f32
      %176 = math.exp %175 : f32
      %177 = arith.addf %176, %cst_0 : f32
      %178 = arith.divf %cst_0, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x64xf32>
    %151 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_82, %150 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%93 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x64xf32>
    %transposed_83 = linalg.transpose ins(%arg16 : tensor<64x32xf32>) outs(%89 : tensor<32x64xf32>) permutation = [1, 0] 
    %152 = linalg.matmul ins(%collapsed_81, %transposed_83 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%91 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_84 = tensor.expand_shape %152 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %153 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151, %expanded_84 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%93 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x64xf32>
    %transposed_85 = linalg.transpose ins(%arg17 : tensor<32x64xf32>) outs(%98 : tensor<64x32xf32>) permutation = [1, 0] 
    %collapsed_86 = tensor.collapse_shape %153 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %154 = linalg.matmul ins(%collapsed_86, %transposed_85 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_87 = tensor.expand_shape %154 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %expanded_87 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %156 = tensor.empty() : tensor<2x8x32xf64>
    %157 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<2x8x32xf32>) outs(%156 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %175 = arith.extf %in : f32 to f64
      linalg.yield %175 : f64
    } -> tensor<2x8x32xf64>
    %158 = tensor.empty() : tensor<2x8x1xf64>
    %159 = linalg.fill ins(%cst_2 : f64) outs(%158 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %160 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%157 : tensor<2x8x32xf64>) outs(%159 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %175 = arith.addf %in, %out : f64
      linalg.yield %175 : f64
    } -> tensor<2x8x1xf64>
    %161 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<2x8x1xf64>) outs(%158 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %175 = arith.divf %in, %cst_11 : f64
      linalg.yield %175 : f64
    } -> tensor<2x8x1xf64>
    %162 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %161 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%156 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_88: f64, %out: f64):
      %175 = arith.subf %in, %in_88 : f64
      linalg.yield %175 : f64
    } -> tensor<2x8x32xf64>
    %163 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %162 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%156 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_88: f64, %out: f64):
      %175 = arith.mulf %in, %in_88 : f64
      linalg.yield %175 : f64
    } -> tensor<2x8x32xf64>
    %164 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%163 : tensor<2x8x32xf64>) outs(%159 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %175 = arith.addf %in, %out : f64
      linalg.yield %175 : f64
    } -> tensor<2x8x1xf64>
    %165 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<2x8x1xf64>) outs(%158 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %175 = arith.divf %in, %cst_11 : f64
      linalg.yield %175 : f64
    } -> tensor<2x8x1xf64>
    %166 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %175 = arith.truncf %in : f64 to f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %167 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%155 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.addf %in, %out : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %168 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.divf %in, %cst_8 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %169 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = arith.truncf %cst_5 : f64 to f32
      %176 = arith.addf %in, %175 : f32
      linalg.yield %176 : f32
    } -> tensor<2x8x1xf32>
    %170 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %175 = math.rsqrt %in : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x1xf32>
    %171 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155, %168 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.subf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %172 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171, %170 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %173 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172, %arg19 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.mulf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    %174 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173, %arg20 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %175 = arith.addf %in, %in_88 : f32
      linalg.yield %175 : f32
    } -> tensor<2x8x32xf32>
    return %174 : tensor<2x8x32xf32>
  }
}
