#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map12 = affine_map<(d0, d1) -> (d1)>
#map13 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<96x32xf32>, %arg3: tensor<96xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<96x32xf32>, %arg7: tensor<96xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<64x32xf32>, %arg11: tensor<64xf32>, %arg12: tensor<32x64xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<32xf32>, %arg17: tensor<32xf32>, %arg18: tensor<32xf32>, %arg19: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x4x8x6xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<2x4x8x8xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<8x8xf32>
    %cst_6 = arith.constant 1.000000e-05 : f64
    %cst_7 = arith.constant 0.59460355750136051 : f64
    %cst_8 = arith.constant 0xFFF0000000000000 : f64
    %cst_9 = arith.constant 3.200000e+01 : f64
    %cst_10 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<8xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %147 = linalg.index 0 : index
      %148 = arith.index_cast %147 : index to i64
      linalg.yield %148 : i64
    } -> tensor<8xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_11 = tensor.expand_shape %1 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %2 = tensor.empty() : tensor<8x8xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_11 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%2 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_83: i64, %out: i64):
      %147 = arith.subi %in, %in_83 : i64
      linalg.yield %147 : i64
    } -> tensor<8x8xi64>
    %4 = tensor.empty() : tensor<8x8xi1>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x8xi64>) outs(%4 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %147 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %147 : i1
    } -> tensor<8x8xi1>
    %6 = tensor.empty() : tensor<8x8xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5, %cst_5, %cst_4 : tensor<8x8xi1>, tensor<8x8xf32>, tensor<f32>) outs(%6 : tensor<8x8xf32>) {
    ^bb0(%in: i1, %in_83: f32, %in_84: f32, %out: f32):
      %147 = arith.select %in, %in_83, %in_84 : f32
      linalg.yield %147 : f32
    } -> tensor<8x8xf32>
    %8 = tensor.empty() : tensor<8x2x32xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x8x32xf32>) outs(%8 : tensor<8x2x32xf32>) permutation = [1, 0, 2] 
    %9 = tensor.empty() : tensor<32x96xf32>
    %transposed_12 = linalg.transpose ins(%arg2 : tensor<96x32xf32>) outs(%9 : tensor<32x96xf32>) permutation = [1, 0] 
    %10 = tensor.empty() : tensor<8x32x96xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_12 : tensor<32x96xf32>) outs(%10 : tensor<8x32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x96xf32>
    %12 = tensor.empty() : tensor<8x2x96xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<8x2x96xf32>) -> tensor<8x2x96xf32>
    %14 = linalg.batch_matmul ins(%transposed, %11 : tensor<8x2x32xf32>, tensor<8x32x96xf32>) outs(%13 : tensor<8x2x96xf32>) -> tensor<8x2x96xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %arg3 : tensor<8x2x96xf32>, tensor<96xf32>) outs(%12 : tensor<8x2x96xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<8x2x96xf32>
    %expanded_13 = tensor.expand_shape %15 [[0, 1], [2], [3, 4]] output_shape [1, 8, 2, 3, 32] : tensor<8x2x96xf32> into tensor<1x8x2x3x32xf32>
    %16 = tensor.empty() : tensor<3x8x2x1x32xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<1x8x2x3x32xf32>) outs(%16 : tensor<3x8x2x1x32xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed = tensor.collapse_shape %transposed_14 [[0], [1], [2, 3], [4]] : tensor<3x8x2x1x32xf32> into tensor<3x8x2x32xf32>
    %extracted_slice = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %extracted_slice_15 = tensor.extract_slice %collapsed[1, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %extracted_slice_16 = tensor.extract_slice %collapsed[2, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %collapsed_17 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_18 = tensor.expand_shape %collapsed_17 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %17 = tensor.empty() : tensor<8x8x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<8x8x8xf32>) outs(%17 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %collapsed_20 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_21 = tensor.expand_shape %collapsed_20 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<8x8x8xf32>) outs(%17 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %collapsed_23 = tensor.collapse_shape %extracted_slice_16 [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_24 = tensor.expand_shape %collapsed_23 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<8x8x8xf32>) outs(%17 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %expanded_26 = tensor.expand_shape %7 [[0, 1, 2], [3]] output_shape [1, 1, 8, 8] : tensor<8x8xf32> into tensor<1x1x8x8xf32>
    %expanded_27 = tensor.expand_shape %transposed_19 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %expanded_28 = tensor.expand_shape %transposed_22 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %18 = tensor.empty() : tensor<2x4x8x8xf32>
    %19 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<2x4x8x8xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %20 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_29 : tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_30 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_31 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%17 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %22 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%21 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_32 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %23 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_26 : tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x8xf32>
    %24 = tensor.empty() : tensor<2x4x8xi64>
    %25 = linalg.fill ins(%c0_i64 : i64) outs(%24 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %26 = tensor.empty() : tensor<2x4x8xf32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %28:2 = linalg.generic {indexing_maps = [#map8, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<2x4x8x8xf32>) outs(%27, %25 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_83: i64):
      %147 = linalg.index 3 : index
      %148 = arith.index_cast %147 : index to i64
      %149 = arith.maximumf %in, %out : f32
      %150 = arith.cmpf ogt, %in, %out : f32
      %151 = arith.select %150, %148, %out_83 : i64
      linalg.yield %149, %151 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_33 = tensor.expand_shape %28#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %29 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %expanded_33 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.subf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x8xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.exp %in : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x8xf32>
    %31 = tensor.empty() : tensor<2x4x8x1xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %33 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<2x4x8x8xf32>) outs(%32 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %out : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x1xf32>
    %34 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %33 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.divf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x8xf32>
    %35 = tensor.empty() : tensor<2x4x8x8xi1>
    %36 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x4x8x8xf32>) outs(%35 : tensor<2x4x8x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %147 = arith.extf %in : f32 to f64
      %148 = arith.cmpf oeq, %147, %cst_8 : f64
      linalg.yield %148 : i1
    } -> tensor<2x4x8x8xi1>
    %37 = tensor.empty() : tensor<2x4x8x1xi1>
    %38 = linalg.fill ins(%true : i1) outs(%37 : tensor<2x4x8x1xi1>) -> tensor<2x4x8x1xi1>
    %39 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<2x4x8x8xi1>) outs(%38 : tensor<2x4x8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %147 = arith.andi %in, %out : i1
      linalg.yield %147 : i1
    } -> tensor<2x4x8x1xi1>
    %40 = linalg.generic {indexing_maps = [#map11, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %cst_3, %34 : tensor<2x4x8x1xi1>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_83: f32, %in_84: f32, %out: f32):
      %147 = arith.select %in, %in_83, %in_84 : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_34 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %41 = linalg.batch_matmul ins(%collapsed_34, %transposed_25 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%21 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_35 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %42 = tensor.empty() : tensor<8x2x4x8xf32>
    %transposed_36 = linalg.transpose ins(%expanded_35 : tensor<2x4x8x8xf32>) outs(%42 : tensor<8x2x4x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0, 1], [2, 3]] : tensor<8x2x4x8xf32> into tensor<16x32xf32>
    %43 = tensor.empty() : tensor<32x32xf32>
    %transposed_38 = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%43 : tensor<32x32xf32>) permutation = [1, 0] 
    %44 = tensor.empty() : tensor<16x32xf32>
    %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %46 = linalg.matmul ins(%collapsed_37, %transposed_38 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%45 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %47 = linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel"]} ins(%46, %arg5 : tensor<16x32xf32>, tensor<32xf32>) outs(%44 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<16x32xf32>
    %expanded_39 = tensor.expand_shape %47 [[0, 1], [2]] output_shape [8, 2, 32] : tensor<16x32xf32> into tensor<8x2x32xf32>
    %48 = tensor.empty() : tensor<2x8x32xf32>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<8x2x32xf32>) outs(%48 : tensor<2x8x32xf32>) permutation = [1, 0, 2] 
    %49 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %transposed_40 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %50 = tensor.empty() : tensor<2x8x32xf64>
    %51 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<2x8x32xf32>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %147 = arith.extf %in : f32 to f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %52 = tensor.empty() : tensor<2x8x1xf64>
    %53 = linalg.fill ins(%cst_1 : f64) outs(%52 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %54 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%51 : tensor<2x8x32xf64>) outs(%53 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.addf %in, %out : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %55 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x8x1xf64>) outs(%52 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.divf %in, %cst_9 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %56 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51, %55 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_83: f64, %out: f64):
      %147 = arith.subf %in, %in_83 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %57 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %56 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_83: f64, %out: f64):
      %147 = arith.mulf %in, %in_83 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %58 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%57 : tensor<2x8x32xf64>) outs(%53 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.addf %in, %out : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %59 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x8x1xf64>) outs(%52 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.divf %in, %cst_9 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %60 = tensor.empty() : tensor<2x8x1xf32>
    %61 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x8x1xf64>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %147 = arith.truncf %in : f64 to f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %62 = linalg.fill ins(%cst : f32) outs(%60 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %63 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%49 : tensor<2x8x32xf32>) outs(%62 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %out : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %64 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.divf %in, %cst_10 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %65 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_6 : f64 to f32
      %148 = arith.addf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<2x8x1xf32>
    %66 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.rsqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %67 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %64 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.subf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %68 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %66 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.mulf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %69 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %arg14 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.mulf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %70 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %arg15 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %transposed_41 = linalg.transpose ins(%70 : tensor<2x8x32xf32>) outs(%8 : tensor<8x2x32xf32>) permutation = [1, 0, 2] 
    %71 = tensor.empty() : tensor<6x2x32xf32>
    %transposed_42 = linalg.transpose ins(%arg1 : tensor<2x6x32xf32>) outs(%71 : tensor<6x2x32xf32>) permutation = [1, 0, 2] 
    %extracted_slice_43 = tensor.extract_slice %arg6[0, 0] [32, 32] [1, 1] : tensor<96x32xf32> to tensor<32x32xf32>
    %extracted_slice_44 = tensor.extract_slice %arg6[32, 0] [64, 32] [1, 1] : tensor<96x32xf32> to tensor<64x32xf32>
    %extracted_slice_45 = tensor.extract_slice %arg7[0] [32] [1] : tensor<96xf32> to tensor<32xf32>
    %extracted_slice_46 = tensor.extract_slice %arg7[32] [64] [1] : tensor<96xf32> to tensor<64xf32>
    %transposed_47 = linalg.transpose ins(%extracted_slice_43 : tensor<32x32xf32>) outs(%43 : tensor<32x32xf32>) permutation = [1, 0] 
    %72 = tensor.empty() : tensor<8x32x32xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_47 : tensor<32x32xf32>) outs(%72 : tensor<8x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x32xf32>
    %74 = linalg.fill ins(%cst : f32) outs(%8 : tensor<8x2x32xf32>) -> tensor<8x2x32xf32>
    %75 = linalg.batch_matmul ins(%transposed_41, %73 : tensor<8x2x32xf32>, tensor<8x32x32xf32>) outs(%74 : tensor<8x2x32xf32>) -> tensor<8x2x32xf32>
    %76 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %extracted_slice_45 : tensor<8x2x32xf32>, tensor<32xf32>) outs(%8 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<8x2x32xf32>
    %77 = tensor.empty() : tensor<32x64xf32>
    %transposed_48 = linalg.transpose ins(%extracted_slice_44 : tensor<64x32xf32>) outs(%77 : tensor<32x64xf32>) permutation = [1, 0] 
    %78 = tensor.empty() : tensor<6x32x64xf32>
    %79 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_48 : tensor<32x64xf32>) outs(%78 : tensor<6x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32x64xf32>
    %80 = tensor.empty() : tensor<6x2x64xf32>
    %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<6x2x64xf32>) -> tensor<6x2x64xf32>
    %82 = linalg.batch_matmul ins(%transposed_42, %79 : tensor<6x2x32xf32>, tensor<6x32x64xf32>) outs(%81 : tensor<6x2x64xf32>) -> tensor<6x2x64xf32>
    %83 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %extracted_slice_46 : tensor<6x2x64xf32>, tensor<64xf32>) outs(%80 : tensor<6x2x64xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<6x2x64xf32>
    %expanded_49 = tensor.expand_shape %83 [[0, 1], [2], [3, 4]] output_shape [1, 6, 2, 2, 32] : tensor<6x2x64xf32> into tensor<1x6x2x2x32xf32>
    %84 = tensor.empty() : tensor<2x6x2x1x32xf32>
    %transposed_50 = linalg.transpose ins(%expanded_49 : tensor<1x6x2x2x32xf32>) outs(%84 : tensor<2x6x2x1x32xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_51 = tensor.collapse_shape %transposed_50 [[0], [1], [2, 3], [4]] : tensor<2x6x2x1x32xf32> into tensor<2x6x2x32xf32>
    %extracted_slice_52 = tensor.extract_slice %collapsed_51[0, 0, 0, 0] [1, 6, 2, 32] [1, 1, 1, 1] : tensor<2x6x2x32xf32> to tensor<1x6x2x32xf32>
    %extracted_slice_53 = tensor.extract_slice %collapsed_51[1, 0, 0, 0] [1, 6, 2, 32] [1, 1, 1, 1] : tensor<2x6x2x32xf32> to tensor<1x6x2x32xf32>
    %collapsed_54 = tensor.collapse_shape %76 [[0], [1, 2]] : tensor<8x2x32xf32> into tensor<8x64xf32>
    %expanded_55 = tensor.expand_shape %collapsed_54 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<8x8x8xf32>) outs(%17 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %collapsed_57 = tensor.collapse_shape %extracted_slice_52 [[0, 1], [2, 3]] : tensor<1x6x2x32xf32> into tensor<6x64xf32>
    %expanded_58 = tensor.expand_shape %collapsed_57 [[0], [1, 2]] output_shape [6, 8, 8] : tensor<6x64xf32> into tensor<6x8x8xf32>
    %85 = tensor.empty() : tensor<8x6x8xf32>
    %transposed_59 = linalg.transpose ins(%expanded_58 : tensor<6x8x8xf32>) outs(%85 : tensor<8x6x8xf32>) permutation = [1, 0, 2] 
    %collapsed_60 = tensor.collapse_shape %extracted_slice_53 [[0, 1], [2, 3]] : tensor<1x6x2x32xf32> into tensor<6x64xf32>
    %expanded_61 = tensor.expand_shape %collapsed_60 [[0], [1, 2]] output_shape [6, 8, 8] : tensor<6x64xf32> into tensor<6x8x8xf32>
    %transposed_62 = linalg.transpose ins(%expanded_61 : tensor<6x8x8xf32>) outs(%85 : tensor<8x6x8xf32>) permutation = [1, 0, 2] 
    %expanded_63 = tensor.expand_shape %transposed_56 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %expanded_64 = tensor.expand_shape %transposed_59 [[0, 1], [2], [3]] output_shape [2, 4, 6, 8] : tensor<8x6x8xf32> into tensor<2x4x6x8xf32>
    %86 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_63 : tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<2x4x8x8xf32>
    %87 = tensor.empty() : tensor<2x4x8x6xf32>
    %transposed_65 = linalg.transpose ins(%expanded_64 : tensor<2x4x6x8xf32>) outs(%87 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2] 
    %88 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_65 : tensor<2x4x8x6xf32>) outs(%87 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<2x4x8x6xf32>
    %collapsed_66 = tensor.collapse_shape %86 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_67 = tensor.collapse_shape %88 [[0, 1], [2], [3]] : tensor<2x4x8x6xf32> into tensor<8x8x6xf32>
    %89 = tensor.empty() : tensor<8x8x6xf32>
    %90 = linalg.fill ins(%cst : f32) outs(%89 : tensor<8x8x6xf32>) -> tensor<8x8x6xf32>
    %91 = linalg.batch_matmul ins(%collapsed_66, %collapsed_67 : tensor<8x8x8xf32>, tensor<8x8x6xf32>) outs(%90 : tensor<8x8x6xf32>) -> tensor<8x8x6xf32>
    %expanded_68 = tensor.expand_shape %91 [[0, 1], [2], [3]] output_shape [2, 4, 8, 6] : tensor<8x8x6xf32> into tensor<2x4x8x6xf32>
    %92:2 = linalg.generic {indexing_maps = [#map8, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_68 : tensor<2x4x8x6xf32>) outs(%27, %25 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_83: i64):
      %147 = linalg.index 3 : index
      %148 = arith.index_cast %147 : index to i64
      %149 = arith.maximumf %in, %out : f32
      %150 = arith.cmpf ogt, %in, %out : f32
      %151 = arith.select %150, %148, %out_83 : i64
      linalg.yield %149, %151 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_69 = tensor.expand_shape %92#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %93 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_68, %expanded_69 : tensor<2x4x8x6xf32>, tensor<2x4x8x1xf32>) outs(%87 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.subf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x6xf32>
    %94 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93 : tensor<2x4x8x6xf32>) outs(%87 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.exp %in : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x6xf32>
    %95 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%94 : tensor<2x4x8x6xf32>) outs(%32 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %out : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x1xf32>
    %96 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %95 : tensor<2x4x8x6xf32>, tensor<2x4x8x1xf32>) outs(%87 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.divf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x6xf32>
    %97 = tensor.empty() : tensor<2x4x8x6xi1>
    %98 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_68 : tensor<2x4x8x6xf32>) outs(%97 : tensor<2x4x8x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %147 = arith.extf %in : f32 to f64
      %148 = arith.cmpf oeq, %147, %cst_8 : f64
      linalg.yield %148 : i1
    } -> tensor<2x4x8x6xi1>
    %99 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%98 : tensor<2x4x8x6xi1>) outs(%38 : tensor<2x4x8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %147 = arith.andi %in, %out : i1
      linalg.yield %147 : i1
    } -> tensor<2x4x8x1xi1>
    %100 = linalg.generic {indexing_maps = [#map11, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99, %cst_2, %96 : tensor<2x4x8x1xi1>, tensor<2x4x8x6xf32>, tensor<2x4x8x6xf32>) outs(%87 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: i1, %in_83: f32, %in_84: f32, %out: f32):
      %147 = arith.select %in, %in_83, %in_84 : f32
      linalg.yield %147 : f32
    } -> tensor<2x4x8x6xf32>
    %collapsed_70 = tensor.collapse_shape %100 [[0, 1], [2], [3]] : tensor<2x4x8x6xf32> into tensor<8x8x6xf32>
    %101 = linalg.batch_matmul ins(%collapsed_70, %transposed_62 : tensor<8x8x6xf32>, tensor<8x6x8xf32>) outs(%21 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_71 = tensor.expand_shape %101 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_72 = linalg.transpose ins(%expanded_71 : tensor<2x4x8x8xf32>) outs(%42 : tensor<8x2x4x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_73 = tensor.collapse_shape %transposed_72 [[0, 1], [2, 3]] : tensor<8x2x4x8xf32> into tensor<16x32xf32>
    %transposed_74 = linalg.transpose ins(%arg8 : tensor<32x32xf32>) outs(%43 : tensor<32x32xf32>) permutation = [1, 0] 
    %102 = linalg.matmul ins(%collapsed_73, %transposed_74 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%45 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel"]} ins(%102, %arg9 : tensor<16x32xf32>, tensor<32xf32>) outs(%44 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<16x32xf32>
    %expanded_75 = tensor.expand_shape %103 [[0, 1], [2]] output_shape [8, 2, 32] : tensor<16x32xf32> into tensor<8x2x32xf32>
    %transposed_76 = linalg.transpose ins(%expanded_75 : tensor<8x2x32xf32>) outs(%48 : tensor<2x8x32xf32>) permutation = [1, 0, 2] 
    %104 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %transposed_76 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %105 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<2x8x32xf32>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %147 = arith.extf %in : f32 to f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %106 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%105 : tensor<2x8x32xf64>) outs(%53 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.addf %in, %out : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %107 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x8x1xf64>) outs(%52 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.divf %in, %cst_9 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %108 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %107 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_83: f64, %out: f64):
      %147 = arith.subf %in, %in_83 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %109 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %108 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_83: f64, %out: f64):
      %147 = arith.mulf %in, %in_83 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %110 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%109 : tensor<2x8x32xf64>) outs(%53 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.addf %in, %out : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %111 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x8x1xf64>) outs(%52 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.divf %in, %cst_9 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %112 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<2x8x1xf64>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %147 = arith.truncf %in : f64 to f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %113 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%104 : tensor<2x8x32xf32>) outs(%62 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %out : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %114 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.divf %in, %cst_10 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %115 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_6 : f64 to f32
      %148 = arith.addf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<2x8x1xf32>
    %116 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.rsqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %117 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %114 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.subf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %118 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %116 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.mulf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %119 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %arg16 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.mulf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %120 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %arg17 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_77 = tensor.collapse_shape %120 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_78 = linalg.transpose ins(%arg10 : tensor<64x32xf32>) outs(%77 : tensor<32x64xf32>) permutation = [1, 0] 
    %121 = tensor.empty() : tensor<16x64xf32>
    %122 = linalg.fill ins(%cst : f32) outs(%121 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %123 = linalg.matmul ins(%collapsed_77, %transposed_78 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%122 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %124 = linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel"]} ins(%123, %arg11 : tensor<16x64xf32>, tensor<64xf32>) outs(%121 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<16x64xf32>
    %expanded_79 = tensor.expand_shape %124 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %125 = tensor.empty() : tensor<2x8x64xf32>
    %126 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_79 : tensor<2x8x64xf32>) outs(%125 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf ugt, %in, %cst : f32
      %148 = arith.select %147, %in, %cst : f32
      linalg.yield %148 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_80 = tensor.collapse_shape %126 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %127 = tensor.empty() : tensor<64x32xf32>
    %transposed_81 = linalg.transpose ins(%arg12 : tensor<32x64xf32>) outs(%127 : tensor<64x32xf32>) permutation = [1, 0] 
    %128 = linalg.matmul ins(%collapsed_80, %transposed_81 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%45 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %129 = linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel"]} ins(%128, %arg13 : tensor<16x32xf32>, tensor<32xf32>) outs(%44 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<16x32xf32>
    %expanded_82 = tensor.expand_shape %129 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %130 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %expanded_82 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %131 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<2x8x32xf32>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %147 = arith.extf %in : f32 to f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %132 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%131 : tensor<2x8x32xf64>) outs(%53 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.addf %in, %out : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %133 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x8x1xf64>) outs(%52 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.divf %in, %cst_9 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %134 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131, %133 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_83: f64, %out: f64):
      %147 = arith.subf %in, %in_83 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %135 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %134 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%50 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_83: f64, %out: f64):
      %147 = arith.mulf %in, %in_83 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x32xf64>
    %136 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%135 : tensor<2x8x32xf64>) outs(%53 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.addf %in, %out : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %137 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<2x8x1xf64>) outs(%52 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %147 = arith.divf %in, %cst_9 : f64
      linalg.yield %147 : f64
    } -> tensor<2x8x1xf64>
    %138 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137 : tensor<2x8x1xf64>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %147 = arith.truncf %in : f64 to f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %139 = linalg.generic {indexing_maps = [#map6, #map13], iterator_types = ["parallel", "parallel", "reduction"]} ins(%130 : tensor<2x8x32xf32>) outs(%62 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %out : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %140 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.divf %in, %cst_10 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %141 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_6 : f64 to f32
      %148 = arith.addf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<2x8x1xf32>
    %142 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.rsqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x1xf32>
    %143 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130, %140 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.subf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %144 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %142 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.mulf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %145 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %arg18 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.mulf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    %146 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145, %arg19 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%48 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %147 = arith.addf %in, %in_83 : f32
      linalg.yield %147 : f32
    } -> tensor<2x8x32xf32>
    return %146 : tensor<2x8x32xf32>
  }
}
