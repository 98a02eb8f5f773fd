#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1) -> (0, d1)>
#map11 = affine_map<(d0, d1) -> (d0, 0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> ()>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8xi64>, %arg1: tensor<61x32xf32>, %arg2: tensor<8x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<96x32xf32>, %arg8: tensor<96xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<64x32xf32>, %arg12: tensor<64xf32>, %arg13: tensor<32x64xf32>, %arg14: tensor<32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<32xf32>, %arg17: tensor<32xf32>, %arg18: tensor<32xf32>, %arg19: tensor<96x32xf32>, %arg20: tensor<96xf32>, %arg21: tensor<32x32xf32>, %arg22: tensor<32xf32>, %arg23: tensor<64x32xf32>, %arg24: tensor<64xf32>, %arg25: tensor<32x64xf32>, %arg26: tensor<32xf32>, %arg27: tensor<32xf32>, %arg28: tensor<32xf32>, %arg29: tensor<61x32xf32>) -> tensor<2x8x61xf32> {
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %c8 = arith.constant 8 : index
    %c61 = arith.constant 61 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<8x8xi1>
    %cst_4 = arith.constant 0.79788456080286541 : f64
    %cst_5 = arith.constant 4.471500e-02 : f64
    %cst_6 = arith.constant 0.35355339059327379 : f64
    %cst_7 = arith.constant 1.000000e-05 : f64
    %cst_8 = arith.constant 3.200000e+01 : f64
    %cst_9 = arith.constant 3.200000e+01 : f32
    %cst_10 = arith.constant 5.000000e-01 : f32
    %cst_11 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8xi64>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %177 = arith.index_cast %in : i64 to index
      %178 = linalg.index 2 : index
      %179 = arith.cmpi slt, %177, %c61 : index
      cf.assert %179, "index must be smaller than dim size"
      %180 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %180, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%177, %178] : tensor<61x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x32xf32>
    %2 = tensor.empty() : tensor<8xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %177 = linalg.index 0 : index
      %178 = arith.index_cast %177 : index to i64
      linalg.yield %178 : i64
    } -> tensor<8xi64>
    %4 = tensor.empty() : tensor<8x32xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8xi64>) outs(%4 : tensor<8x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %177 = arith.index_cast %in : i64 to index
      %178 = linalg.index 1 : index
      %179 = arith.cmpi slt, %177, %c8 : index
      cf.assert %179, "index must be smaller than dim size"
      %180 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %180, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg2[%177, %178] : tensor<8x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<8x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x8x32xf32>, tensor<8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %7 = tensor.empty() : tensor<2x8x32xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x8x32xf32>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %177 = arith.extf %in : f32 to f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %9 = tensor.empty() : tensor<2x8x1xf64>
    %10 = linalg.fill ins(%cst : f64) outs(%9 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %13 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %12 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.subf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %13 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.mulf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %15 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %17 = tensor.empty() : tensor<2x8x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x8x1xf64>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %177 = arith.truncf %in : f64 to f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x8x32xf32>) outs(%19 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %out : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.divf %in, %cst_9 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_7 : f64 to f32
      %178 = arith.addf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.rsqrt %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %21 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.subf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %23 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %arg3 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %arg4 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %collapsed = tensor.collapse_shape %27 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %28 = tensor.empty() : tensor<32x96xf32>
    %transposed = linalg.transpose ins(%arg7 : tensor<96x32xf32>) outs(%28 : tensor<32x96xf32>) permutation = [1, 0] 
    %29 = tensor.empty() : tensor<16x96xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<16x96xf32>) -> tensor<16x96xf32>
    %31 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xf32>, tensor<32x96xf32>) outs(%30 : tensor<16x96xf32>) -> tensor<16x96xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%31, %arg8 : tensor<16x96xf32>, tensor<96xf32>) outs(%29 : tensor<16x96xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<16x96xf32>
    %expanded = tensor.expand_shape %32 [[0, 1], [2]] output_shape [2, 8, 96] : tensor<16x96xf32> into tensor<2x8x96xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %extracted_slice_12 = tensor.extract_slice %expanded[0, 0, 32] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %extracted_slice_13 = tensor.extract_slice %expanded[0, 0, 64] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %expanded_14 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %33 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_16 = tensor.expand_shape %extracted_slice_12 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %expanded_17 = tensor.expand_shape %extracted_slice_13 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_19 = linalg.transpose ins(%expanded_16 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_20 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_21 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %34 = tensor.empty() : tensor<8x8x8xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %36 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_22 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %37 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_6 : f64 to f32
      %178 = arith.mulf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_23 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_24 = tensor.expand_shape %3 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %38 = tensor.empty() : tensor<8x8xi64>
    %39 = linalg.generic {indexing_maps = [#map10, #map11, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_23, %expanded_24 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%38 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_71: i64, %out: i64):
      %177 = arith.subi %in, %in_71 : i64
      linalg.yield %177 : i64
    } -> tensor<8x8xi64>
    %40 = tensor.empty() : tensor<8x8xi1>
    %41 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<8x8xi64>) outs(%40 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %177 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %177 : i1
    } -> tensor<8x8xi1>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%41, %cst_3 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%40 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_71: i1, %out: i1):
      %177 = arith.andi %in, %in_71 : i1
      linalg.yield %177 : i1
    } -> tensor<8x8xi1>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<8x8xi1>) outs(%40 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %177 = arith.xori %in, %true : i1
      linalg.yield %177 : i1
    } -> tensor<8x8xi1>
    %44 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %cst_2, %37 : tensor<8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_71: f32, %in_72: f32, %out: f32):
      %177 = arith.select %in, %in_71, %in_72 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x8xf32>
    %45 = tensor.empty() : tensor<2x4x8xi64>
    %46 = linalg.fill ins(%c0_i64 : i64) outs(%45 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %47 = tensor.empty() : tensor<2x4x8xf32>
    %48 = linalg.fill ins(%cst_1 : f32) outs(%47 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %49:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<2x4x8x8xf32>) outs(%48, %46 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_71: i64):
      %177 = linalg.index 3 : index
      %178 = arith.index_cast %177 : index to i64
      %179 = arith.maximumf %in, %out : f32
      %180 = arith.cmpf ogt, %in, %out : f32
      %181 = arith.select %180, %178, %out_71 : i64
      linalg.yield %179, %181 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_25 = tensor.expand_shape %49#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %50 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %expanded_25 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.subf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x8xf32>
    %51 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.exp %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x8xf32>
    %52 = tensor.empty() : tensor<2x4x8x1xf32>
    %53 = linalg.fill ins(%cst_0 : f32) outs(%52 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %54 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<2x4x8x8xf32>) outs(%53 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %out : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x1xf32>
    %55 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %54 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.divf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_26 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_27 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %56 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_28 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %57 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<2x4x8x8xf32>) outs(%57 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %58 = tensor.empty() : tensor<32x32xf32>
    %transposed_31 = linalg.transpose ins(%arg9 : tensor<32x32xf32>) outs(%58 : tensor<32x32xf32>) permutation = [1, 0] 
    %59 = tensor.empty() : tensor<16x32xf32>
    %60 = linalg.fill ins(%cst_0 : f32) outs(%59 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %61 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%60 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%61, %arg10 : tensor<16x32xf32>, tensor<32xf32>) outs(%59 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<16x32xf32>
    %expanded_32 = tensor.expand_shape %62 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %expanded_32 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x8x32xf32>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %177 = arith.extf %in : f32 to f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %65 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%64 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %66 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %67 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %66 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.subf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %68 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %67 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.mulf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %69 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%68 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %70 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x8x1xf64>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %177 = arith.truncf %in : f64 to f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<2x8x32xf32>) outs(%19 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %out : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.divf %in, %cst_9 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_7 : f64 to f32
      %178 = arith.addf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x1xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.rsqrt %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %73 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.subf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %75 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %arg5 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %arg6 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_33 = tensor.collapse_shape %79 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %80 = tensor.empty() : tensor<32x64xf32>
    %transposed_34 = linalg.transpose ins(%arg11 : tensor<64x32xf32>) outs(%80 : tensor<32x64xf32>) permutation = [1, 0] 
    %81 = tensor.empty() : tensor<16x64xf32>
    %82 = linalg.fill ins(%cst_0 : f32) outs(%81 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %83 = linalg.matmul ins(%collapsed_33, %transposed_34 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%82 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %84 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%83, %arg12 : tensor<16x64xf32>, tensor<64xf32>) outs(%81 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<16x64xf32>
    %expanded_35 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %85 = tensor.empty() : tensor<2x8x64xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.mulf %in, %cst_10 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_5 : f64 to f32
      %178 = arith.mulf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x64xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35, %88 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_4 : f64 to f32
      %178 = arith.mulf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x64xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.tanh %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_11 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %92 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_36 = tensor.collapse_shape %93 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %94 = tensor.empty() : tensor<64x32xf32>
    %transposed_37 = linalg.transpose ins(%arg13 : tensor<32x64xf32>) outs(%94 : tensor<64x32xf32>) permutation = [1, 0] 
    %95 = linalg.matmul ins(%collapsed_36, %transposed_37 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%60 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %96 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%95, %arg14 : tensor<16x32xf32>, tensor<32xf32>) outs(%59 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<16x32xf32>
    %expanded_38 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %expanded_38 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x8x32xf32>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %177 = arith.extf %in : f32 to f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %99 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %101 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %100 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.subf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %102 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %101 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.mulf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %103 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%102 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %104 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<2x8x1xf64>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %177 = arith.truncf %in : f64 to f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%97 : tensor<2x8x32xf32>) outs(%19 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %out : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.divf %in, %cst_9 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_7 : f64 to f32
      %178 = arith.addf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x1xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.rsqrt %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %107 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.subf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %109 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %arg15 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %arg16 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_39 = tensor.collapse_shape %113 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_40 = linalg.transpose ins(%arg19 : tensor<96x32xf32>) outs(%28 : tensor<32x96xf32>) permutation = [1, 0] 
    %114 = linalg.matmul ins(%collapsed_39, %transposed_40 : tensor<16x32xf32>, tensor<32x96xf32>) outs(%30 : tensor<16x96xf32>) -> tensor<16x96xf32>
    %115 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%114, %arg20 : tensor<16x96xf32>, tensor<96xf32>) outs(%29 : tensor<16x96xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<16x96xf32>
    %expanded_41 = tensor.expand_shape %115 [[0, 1], [2]] output_shape [2, 8, 96] : tensor<16x96xf32> into tensor<2x8x96xf32>
    %extracted_slice_42 = tensor.extract_slice %expanded_41[0, 0, 0] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %extracted_slice_43 = tensor.extract_slice %expanded_41[0, 0, 32] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %extracted_slice_44 = tensor.extract_slice %expanded_41[0, 0, 64] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %expanded_45 = tensor.expand_shape %extracted_slice_42 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %transposed_46 = linalg.transpose ins(%expanded_45 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_47 = tensor.expand_shape %extracted_slice_43 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %expanded_48 = tensor.expand_shape %extracted_slice_44 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %transposed_49 = linalg.transpose ins(%expanded_48 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_50 = linalg.transpose ins(%expanded_47 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_51 = tensor.collapse_shape %transposed_46 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_52 = tensor.collapse_shape %transposed_50 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %116 = linalg.batch_matmul ins(%collapsed_51, %collapsed_52 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_53 = tensor.expand_shape %116 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %117 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_53 : tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_6 : f64 to f32
      %178 = arith.mulf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x4x8x8xf32>
    %118 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %cst_2, %117 : tensor<8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_71: f32, %in_72: f32, %out: f32):
      %177 = arith.select %in, %in_71, %in_72 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x8xf32>
    %119:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%118 : tensor<2x4x8x8xf32>) outs(%48, %46 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_71: i64):
      %177 = linalg.index 3 : index
      %178 = arith.index_cast %177 : index to i64
      %179 = arith.maximumf %in, %out : f32
      %180 = arith.cmpf ogt, %in, %out : f32
      %181 = arith.select %180, %178, %out_71 : i64
      linalg.yield %179, %181 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_54 = tensor.expand_shape %119#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %120 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118, %expanded_54 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.subf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x8xf32>
    %121 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120 : tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.exp %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x8xf32>
    %122 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%121 : tensor<2x4x8x8xf32>) outs(%53 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %out : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x1xf32>
    %123 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121, %122 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.divf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_55 = tensor.collapse_shape %123 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_56 = tensor.collapse_shape %transposed_49 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %124 = linalg.batch_matmul ins(%collapsed_55, %collapsed_56 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_57 = tensor.expand_shape %124 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<2x4x8x8xf32>) outs(%57 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_59 = tensor.collapse_shape %transposed_58 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_60 = linalg.transpose ins(%arg21 : tensor<32x32xf32>) outs(%58 : tensor<32x32xf32>) permutation = [1, 0] 
    %125 = linalg.matmul ins(%collapsed_59, %transposed_60 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%60 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %126 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%125, %arg22 : tensor<16x32xf32>, tensor<32xf32>) outs(%59 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<16x32xf32>
    %expanded_61 = tensor.expand_shape %126 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %expanded_61 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x8x32xf32>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %177 = arith.extf %in : f32 to f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %129 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%128 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %130 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %131 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %130 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.subf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %132 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131, %131 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.mulf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %133 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%132 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %134 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %135 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<2x8x1xf64>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %177 = arith.truncf %in : f64 to f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%127 : tensor<2x8x32xf32>) outs(%19 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %out : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.divf %in, %cst_9 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_7 : f64 to f32
      %178 = arith.addf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x1xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.rsqrt %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %137 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.subf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %139 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %142 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %arg17 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %143 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %arg18 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_62 = tensor.collapse_shape %143 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_63 = linalg.transpose ins(%arg23 : tensor<64x32xf32>) outs(%80 : tensor<32x64xf32>) permutation = [1, 0] 
    %144 = linalg.matmul ins(%collapsed_62, %transposed_63 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%82 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %145 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%144, %arg24 : tensor<16x64xf32>, tensor<64xf32>) outs(%81 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<16x64xf32>
    %expanded_64 = tensor.expand_shape %145 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_64 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.mulf %in, %cst_10 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_64 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_5 : f64 to f32
      %178 = arith.mulf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x64xf32>
    %149 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_64, %148 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_4 : f64 to f32
      %178 = arith.mulf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x64xf32>
    %151 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.tanh %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_11 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %152 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_65 = tensor.collapse_shape %153 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %transposed_66 = linalg.transpose ins(%arg25 : tensor<32x64xf32>) outs(%94 : tensor<64x32xf32>) permutation = [1, 0] 
    %154 = linalg.matmul ins(%collapsed_65, %transposed_66 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%60 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %155 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%154, %arg26 : tensor<16x32xf32>, tensor<32xf32>) outs(%59 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<16x32xf32>
    %expanded_67 = tensor.expand_shape %155 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %expanded_67 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x8x32xf32>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %177 = arith.extf %in : f32 to f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %158 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%157 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %160 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %159 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.subf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %161 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %160 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%7 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_71: f64, %out: f64):
      %177 = arith.mulf %in, %in_71 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x32xf64>
    %162 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%161 : tensor<2x8x32xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.addf %in, %out : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %163 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %177 = arith.divf %in, %cst_8 : f64
      linalg.yield %177 : f64
    } -> tensor<2x8x1xf64>
    %164 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<2x8x1xf64>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %177 = arith.truncf %in : f64 to f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%156 : tensor<2x8x32xf32>) outs(%19 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %out : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.divf %in, %cst_9 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_7 : f64 to f32
      %178 = arith.addf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x8x1xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.rsqrt %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x1xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156, %166 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.subf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %168 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170, %arg27 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.mulf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171, %arg28 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_71: f32, %out: f32):
      %177 = arith.addf %in, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x8x32xf32>
    %173 = tensor.empty() : tensor<32x61xf32>
    %transposed_68 = linalg.transpose ins(%arg29 : tensor<61x32xf32>) outs(%173 : tensor<32x61xf32>) permutation = [1, 0] 
    %collapsed_69 = tensor.collapse_shape %172 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %174 = tensor.empty() : tensor<16x61xf32>
    %175 = linalg.fill ins(%cst_0 : f32) outs(%174 : tensor<16x61xf32>) -> tensor<16x61xf32>
    %176 = linalg.matmul ins(%collapsed_69, %transposed_68 : tensor<16x32xf32>, tensor<32x61xf32>) outs(%175 : tensor<16x61xf32>) -> tensor<16x61xf32>
    %expanded_70 = tensor.expand_shape %176 [[0, 1], [2]] output_shape [2, 8, 61] : tensor<16x61xf32> into tensor<2x8x61xf32>
    return %expanded_70 : tensor<2x8x61xf32>
  }
}
