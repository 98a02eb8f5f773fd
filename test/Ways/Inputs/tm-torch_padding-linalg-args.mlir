#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1) -> (d1)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<2x8xi1>, %arg2: tensor<96x32xf32>, %arg3: tensor<96xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<64x32xf32>, %arg7: tensor<64xf32>, %arg8: tensor<32x64xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x4x8x8xf32>
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant 0.59460355750136051 : f64
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<2x8xf32>
    %cst_7 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_8 = arith.constant 3.200000e+01 : f64
    %cst_9 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %cst_7, %cst_6 : tensor<2x8xi1>, tensor<f32>, tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: i1, %in_45: f32, %in_46: f32, %out: f32):
      %94 = arith.select %in, %in_45, %in_46 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8xf32>
    %2 = tensor.empty() : tensor<8x2x32xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x8x32xf32>) outs(%2 : tensor<8x2x32xf32>) permutation = [1, 0, 2] 
    %3 = tensor.empty() : tensor<32x96xf32>
    %transposed_10 = linalg.transpose ins(%arg2 : tensor<96x32xf32>) outs(%3 : tensor<32x96xf32>) permutation = [1, 0] 
    %4 = tensor.empty() : tensor<8x32x96xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<32x96xf32>) outs(%4 : tensor<8x32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x96xf32>
    %6 = tensor.empty() : tensor<8x2x96xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<8x2x96xf32>) -> tensor<8x2x96xf32>
    %8 = linalg.batch_matmul ins(%transposed, %5 : tensor<8x2x32xf32>, tensor<8x32x96xf32>) outs(%7 : tensor<8x2x96xf32>) -> tensor<8x2x96xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %arg3 : tensor<8x2x96xf32>, tensor<96xf32>) outs(%6 : tensor<8x2x96xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<8x2x96xf32>
    %expanded = tensor.expand_shape %9 [[0, 1], [2], [3, 4]] output_shape [1, 8, 2, 3, 32] : tensor<8x2x96xf32> into tensor<1x8x2x3x32xf32>
    %10 = tensor.empty() : tensor<3x8x2x1x32xf32>
    %transposed_11 = linalg.transpose ins(%expanded : tensor<1x8x2x3x32xf32>) outs(%10 : tensor<3x8x2x1x32xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed = tensor.collapse_shape %transposed_11 [[0], [1], [2, 3], [4]] : tensor<3x8x2x1x32xf32> into tensor<3x8x2x32xf32>
    %extracted_slice = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %extracted_slice_12 = tensor.extract_slice %collapsed[1, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %extracted_slice_13 = tensor.extract_slice %collapsed[2, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %collapsed_14 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_15 = tensor.expand_shape %collapsed_14 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %11 = tensor.empty() : tensor<8x8x8xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<8x8x8xf32>) outs(%11 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %collapsed_17 = tensor.collapse_shape %extracted_slice_12 [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_18 = tensor.expand_shape %collapsed_17 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<8x8x8xf32>) outs(%11 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %collapsed_20 = tensor.collapse_shape %extracted_slice_13 [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_21 = tensor.expand_shape %collapsed_20 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<8x8x8xf32>) outs(%11 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %expanded_23 = tensor.expand_shape %1 [[0], [1, 2, 3]] output_shape [2, 1, 1, 8] : tensor<2x8xf32> into tensor<2x1x1x8xf32>
    %12 = tensor.empty() : tensor<2x4x1x8xf32>
    %collapsed_24 = tensor.collapse_shape %expanded_23 [[0, 1], [2], [3]] : tensor<2x1x1x8xf32> into tensor<2x1x8xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_24 : tensor<2x1x8xf32>) outs(%12 : tensor<2x4x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x1x8xf32>
    %expanded_25 = tensor.expand_shape %transposed_16 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %expanded_26 = tensor.expand_shape %transposed_19 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %14 = tensor.empty() : tensor<2x4x8x8xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<2x4x8x8xf32>) outs(%14 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.truncf %cst_4 : f64 to f32
      %95 = arith.mulf %in, %94 : f32
      linalg.yield %95 : f32
    } -> tensor<2x4x8x8xf32>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<2x4x8x8xf32>) outs(%14 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %16 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_27 : tensor<2x4x8x8xf32>) outs(%14 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.truncf %cst_4 : f64 to f32
      %95 = arith.mulf %in, %94 : f32
      linalg.yield %95 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_28 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_29 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%11 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %18 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%17 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_30 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30, %13 : tensor<2x4x8x8xf32>, tensor<2x4x1x8xf32>) outs(%14 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x4x8x8xf32>
    %20 = tensor.empty() : tensor<2x4x8xi64>
    %21 = linalg.fill ins(%c0_i64 : i64) outs(%20 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %22 = tensor.empty() : tensor<2x4x8xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %24:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<2x4x8x8xf32>) outs(%23, %21 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_45: i64):
      %94 = linalg.index 3 : index
      %95 = arith.index_cast %94 : index to i64
      %96 = arith.maximumf %in, %out : f32
      %97 = arith.cmpf ogt, %in, %out : f32
      %98 = arith.select %97, %95, %out_45 : i64
      linalg.yield %96, %98 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_31 = tensor.expand_shape %24#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_31 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%14 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.subf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x4x8x8xf32>
    %26 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x4x8x8xf32>) outs(%14 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = math.exp %in : f32
      linalg.yield %94 : f32
    } -> tensor<2x4x8x8xf32>
    %27 = tensor.empty() : tensor<2x4x8x1xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %29 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<2x4x8x8xf32>) outs(%28 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.addf %in, %out : f32
      linalg.yield %94 : f32
    } -> tensor<2x4x8x1xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %29 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%14 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.divf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x4x8x8xf32>
    %31 = tensor.empty() : tensor<2x4x8x8xi1>
    %32 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x4x8x8xf32>) outs(%31 : tensor<2x4x8x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %94 = arith.extf %in : f32 to f64
      %95 = arith.cmpf oeq, %94, %cst_5 : f64
      linalg.yield %95 : i1
    } -> tensor<2x4x8x8xi1>
    %33 = tensor.empty() : tensor<2x4x8x1xi1>
    %34 = linalg.fill ins(%true : i1) outs(%33 : tensor<2x4x8x1xi1>) -> tensor<2x4x8x1xi1>
    %35 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<2x4x8x8xi1>) outs(%34 : tensor<2x4x8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %94 = arith.andi %in, %out : i1
      linalg.yield %94 : i1
    } -> tensor<2x4x8x1xi1>
    %36 = linalg.generic {indexing_maps = [#map9, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %cst_2, %30 : tensor<2x4x8x1xi1>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%14 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_45: f32, %in_46: f32, %out: f32):
      %94 = arith.select %in, %in_45, %in_46 : f32
      linalg.yield %94 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_32 = tensor.collapse_shape %36 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %37 = linalg.batch_matmul ins(%collapsed_32, %transposed_22 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%17 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_33 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %38 = tensor.empty() : tensor<8x2x4x8xf32>
    %transposed_34 = linalg.transpose ins(%expanded_33 : tensor<2x4x8x8xf32>) outs(%38 : tensor<8x2x4x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_35 = tensor.collapse_shape %transposed_34 [[0, 1], [2, 3]] : tensor<8x2x4x8xf32> into tensor<16x32xf32>
    %39 = tensor.empty() : tensor<32x32xf32>
    %transposed_36 = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%39 : tensor<32x32xf32>) permutation = [1, 0] 
    %40 = tensor.empty() : tensor<16x32xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %42 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%41 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel"]} ins(%42, %arg5 : tensor<16x32xf32>, tensor<32xf32>) outs(%40 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<16x32xf32>
    %expanded_37 = tensor.expand_shape %43 [[0, 1], [2]] output_shape [8, 2, 32] : tensor<16x32xf32> into tensor<8x2x32xf32>
    %44 = tensor.empty() : tensor<2x8x32xf32>
    %transposed_38 = linalg.transpose ins(%expanded_37 : tensor<8x2x32xf32>) outs(%44 : tensor<2x8x32xf32>) permutation = [1, 0, 2] 
    %45 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %transposed_38 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %46 = tensor.empty() : tensor<2x8x32xf64>
    %47 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<2x8x32xf32>) outs(%46 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %94 = arith.extf %in : f32 to f64
      linalg.yield %94 : f64
    } -> tensor<2x8x32xf64>
    %48 = tensor.empty() : tensor<2x8x1xf64>
    %49 = linalg.fill ins(%cst_1 : f64) outs(%48 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %50 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%47 : tensor<2x8x32xf64>) outs(%49 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %94 = arith.addf %in, %out : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x1xf64>
    %51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<2x8x1xf64>) outs(%48 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %94 = arith.divf %in, %cst_8 : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x1xf64>
    %52 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %51 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%46 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_45: f64, %out: f64):
      %94 = arith.subf %in, %in_45 : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x32xf64>
    %53 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %52 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%46 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_45: f64, %out: f64):
      %94 = arith.mulf %in, %in_45 : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x32xf64>
    %54 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53 : tensor<2x8x32xf64>) outs(%49 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %94 = arith.addf %in, %out : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x1xf64>
    %55 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x8x1xf64>) outs(%48 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %94 = arith.divf %in, %cst_8 : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x1xf64>
    %56 = tensor.empty() : tensor<2x8x1xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<2x8x1xf64>) outs(%56 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %94 = arith.truncf %in : f64 to f32
      linalg.yield %94 : f32
    } -> tensor<2x8x1xf32>
    %58 = linalg.fill ins(%cst : f32) outs(%56 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %59 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%45 : tensor<2x8x32xf32>) outs(%58 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.addf %in, %out : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x1xf32>
    %60 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x8x1xf32>) outs(%56 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.divf %in, %cst_9 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x1xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x8x1xf32>) outs(%56 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.truncf %cst_3 : f64 to f32
      %95 = arith.addf %in, %94 : f32
      linalg.yield %95 : f32
    } -> tensor<2x8x1xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x8x1xf32>) outs(%56 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = math.rsqrt %in : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x1xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %60 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.subf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %64 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %62 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.mulf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %65 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %arg10 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.mulf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %66 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %arg11 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_39 = tensor.collapse_shape %66 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %67 = tensor.empty() : tensor<32x64xf32>
    %transposed_40 = linalg.transpose ins(%arg6 : tensor<64x32xf32>) outs(%67 : tensor<32x64xf32>) permutation = [1, 0] 
    %68 = tensor.empty() : tensor<16x64xf32>
    %69 = linalg.fill ins(%cst : f32) outs(%68 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %70 = linalg.matmul ins(%collapsed_39, %transposed_40 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%69 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel"]} ins(%70, %arg7 : tensor<16x64xf32>, tensor<64xf32>) outs(%68 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<16x64xf32>
    %expanded_41 = tensor.expand_shape %71 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %72 = tensor.empty() : tensor<2x8x64xf32>
    %73 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_41 : tensor<2x8x64xf32>) outs(%72 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.cmpf ugt, %in, %cst : f32
      %95 = arith.select %94, %in, %cst : f32
      linalg.yield %95 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_42 = tensor.collapse_shape %73 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %74 = tensor.empty() : tensor<64x32xf32>
    %transposed_43 = linalg.transpose ins(%arg8 : tensor<32x64xf32>) outs(%74 : tensor<64x32xf32>) permutation = [1, 0] 
    %75 = linalg.matmul ins(%collapsed_42, %transposed_43 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%41 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel"]} ins(%75, %arg9 : tensor<16x32xf32>, tensor<32xf32>) outs(%40 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<16x32xf32>
    %expanded_44 = tensor.expand_shape %76 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %expanded_44 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x8x32xf32>) outs(%46 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %94 = arith.extf %in : f32 to f64
      linalg.yield %94 : f64
    } -> tensor<2x8x32xf64>
    %79 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%78 : tensor<2x8x32xf64>) outs(%49 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %94 = arith.addf %in, %out : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x1xf64>
    %80 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<2x8x1xf64>) outs(%48 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %94 = arith.divf %in, %cst_8 : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x1xf64>
    %81 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %80 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%46 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_45: f64, %out: f64):
      %94 = arith.subf %in, %in_45 : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x32xf64>
    %82 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %81 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%46 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_45: f64, %out: f64):
      %94 = arith.mulf %in, %in_45 : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x32xf64>
    %83 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%82 : tensor<2x8x32xf64>) outs(%49 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %94 = arith.addf %in, %out : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x1xf64>
    %84 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x8x1xf64>) outs(%48 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %94 = arith.divf %in, %cst_8 : f64
      linalg.yield %94 : f64
    } -> tensor<2x8x1xf64>
    %85 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x8x1xf64>) outs(%56 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %94 = arith.truncf %in : f64 to f32
      linalg.yield %94 : f32
    } -> tensor<2x8x1xf32>
    %86 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%77 : tensor<2x8x32xf32>) outs(%58 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.addf %in, %out : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x1xf32>
    %87 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x8x1xf32>) outs(%56 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.divf %in, %cst_9 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x1xf32>
    %88 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x8x1xf32>) outs(%56 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = arith.truncf %cst_3 : f64 to f32
      %95 = arith.addf %in, %94 : f32
      linalg.yield %95 : f32
    } -> tensor<2x8x1xf32>
    %89 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x8x1xf32>) outs(%56 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %94 = math.rsqrt %in : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x1xf32>
    %90 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %87 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.subf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %91 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %89 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.mulf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %92 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %arg12 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.mulf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    %93 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %arg13 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%44 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %94 = arith.addf %in, %in_45 : f32
      linalg.yield %94 : f32
    } -> tensor<2x8x32xf32>
    return %93 : tensor<2x8x32xf32>
  }
}
