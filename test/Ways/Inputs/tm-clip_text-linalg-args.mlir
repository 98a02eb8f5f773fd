#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0) -> (d0)>
#map9 = affine_map<(d0, d1) -> (0, d1)>
#map10 = affine_map<(d0, d1) -> (d0, 0)>
#map11 = affine_map<(d0, d1) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map15 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<2x8xi64>, %arg1: tensor<8x32xf32>, %arg2: tensor<32x16xf32>, %arg3: tensor<61x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32x32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32x32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<64x32xf32>, %arg17: tensor<64xf32>, %arg18: tensor<32x64xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>, %arg21: tensor<32xf32>, %arg22: tensor<32xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32x32xf32>, %arg25: tensor<32xf32>, %arg26: tensor<32x32xf32>, %arg27: tensor<32xf32>, %arg28: tensor<32x32xf32>, %arg29: tensor<32xf32>, %arg30: tensor<32x32xf32>, %arg31: tensor<32xf32>, %arg32: tensor<64x32xf32>, %arg33: tensor<64xf32>, %arg34: tensor<32x64xf32>, %arg35: tensor<32xf32>, %arg36: tensor<32xf32>, %arg37: tensor<32xf32>) -> tensor<2x16xf32> {
    %c8_i64 = arith.constant 8 : i64
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c61 = arith.constant 61 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<8x8xf32>
    %cst_5 = arith.constant 1.702000e+00 : f64
    %cst_6 = arith.constant 0.35355339059327379 : f64
    %cst_7 = arith.constant 1.000000e-05 : f64
    %cst_8 = arith.constant 3.200000e+01 : f64
    %cst_9 = arith.constant 3.200000e+01 : f32
    %cst_10 = arith.constant 5.000000e-01 : f32
    %cst_11 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8xi64>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %181 = arith.index_cast %in : i64 to index
      %182 = linalg.index 2 : index
      %183 = arith.cmpi slt, %181, %c61 : index
      cf.assert %183, "index must be smaller than dim size"
      %184 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %184, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg3[%181, %182] : tensor<61x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x32xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg1 : tensor<2x8x32xf32>, tensor<8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %3 = tensor.empty() : tensor<2x8x32xf64>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %181 = arith.extf %in : f32 to f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %5 = tensor.empty() : tensor<2x8x1xf64>
    %6 = linalg.fill ins(%cst : f64) outs(%5 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %7 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %9 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %8 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.subf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.mulf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %13 = tensor.empty() : tensor<2x8x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x8x1xf64>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %181 = arith.truncf %in : f64 to f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x8x32xf32>) outs(%15 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.addf %in, %out : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.divf %in, %cst_9 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_7 : f64 to f32
      %182 = arith.addf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.rsqrt %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %17 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.subf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %19 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg4 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %arg5 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %collapsed = tensor.collapse_shape %23 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %24 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg8 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %25 = tensor.empty() : tensor<16x32xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %27 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%27, %arg9 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %transposed_12 = linalg.transpose ins(%arg10 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %29 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%29, %arg11 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %transposed_13 = linalg.transpose ins(%arg12 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %31 = linalg.matmul ins(%collapsed, %transposed_13 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%31, %arg13 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %expanded = tensor.expand_shape %28 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %33 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_14 = linalg.transpose ins(%expanded : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_15 = tensor.expand_shape %30 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_16 = tensor.expand_shape %32 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_18 = linalg.transpose ins(%expanded_15 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_19 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %34 = tensor.empty() : tensor<8x8x8xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %36 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_21 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %37 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_6 : f64 to f32
      %182 = arith.mulf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %38 = tensor.empty() : tensor<8xi64>
    %39 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%38 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %181 = linalg.index 0 : index
      %182 = arith.index_cast %181 : index to i64
      linalg.yield %182 : i64
    } -> tensor<8xi64>
    %expanded_22 = tensor.expand_shape %39 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_23 = tensor.expand_shape %39 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %40 = tensor.empty() : tensor<8x8xi64>
    %41 = linalg.generic {indexing_maps = [#map9, #map10, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded_22, %expanded_23 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%40 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_65: i64, %out: i64):
      %181 = arith.subi %in, %in_65 : i64
      linalg.yield %181 : i64
    } -> tensor<8x8xi64>
    %42 = tensor.empty() : tensor<8x8xi1>
    %43 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<8x8xi64>) outs(%42 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %181 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %181 : i1
    } -> tensor<8x8xi1>
    %44 = tensor.empty() : tensor<8x8xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map5, #map11, #map5], iterator_types = ["parallel", "parallel"]} ins(%43, %cst_4, %cst_3 : tensor<8x8xi1>, tensor<8x8xf32>, tensor<f32>) outs(%44 : tensor<8x8xf32>) {
    ^bb0(%in: i1, %in_65: f32, %in_66: f32, %out: f32):
      %181 = arith.select %in, %in_65, %in_66 : f32
      linalg.yield %181 : f32
    } -> tensor<8x8xf32>
    %46 = linalg.generic {indexing_maps = [#map7, #map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %45 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x8xf32>
    %47 = tensor.empty() : tensor<2x4x8xi64>
    %48 = linalg.fill ins(%c0_i64 : i64) outs(%47 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %49 = tensor.empty() : tensor<2x4x8xf32>
    %50 = linalg.fill ins(%cst_1 : f32) outs(%49 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %51:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<2x4x8x8xf32>) outs(%50, %48 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_65: i64):
      %181 = linalg.index 3 : index
      %182 = arith.index_cast %181 : index to i64
      %183 = arith.maximumf %in, %out : f32
      %184 = arith.cmpf ogt, %in, %out : f32
      %185 = arith.select %184, %182, %out_65 : i64
      linalg.yield %183, %185 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_24 = tensor.expand_shape %51#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %52 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %expanded_24 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.subf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x8xf32>
    %53 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.exp %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x8xf32>
    %54 = tensor.empty() : tensor<2x4x8x1xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %56 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<2x4x8x8xf32>) outs(%55 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.addf %in, %out : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x1xf32>
    %57 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.divf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_25 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_26 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %58 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_27 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %59 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_28 = linalg.transpose ins(%expanded_27 : tensor<2x4x8x8xf32>) outs(%59 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_29 = tensor.collapse_shape %transposed_28 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_30 = linalg.transpose ins(%arg14 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %60 = linalg.matmul ins(%collapsed_29, %transposed_30 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %61 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%60, %arg15 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %expanded_31 = tensor.expand_shape %61 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %expanded_31 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %181 = arith.extf %in : f32 to f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %64 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %66 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %65 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.subf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %67 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %66 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.mulf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %68 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%67 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %70 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x8x1xf64>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %181 = arith.truncf %in : f64 to f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<2x8x32xf32>) outs(%15 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.addf %in, %out : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.divf %in, %cst_9 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_7 : f64 to f32
      %182 = arith.addf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.rsqrt %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %72 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.subf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %74 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %arg6 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %arg7 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_32 = tensor.collapse_shape %78 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %79 = tensor.empty() : tensor<32x64xf32>
    %transposed_33 = linalg.transpose ins(%arg16 : tensor<64x32xf32>) outs(%79 : tensor<32x64xf32>) permutation = [1, 0] 
    %80 = tensor.empty() : tensor<16x64xf32>
    %81 = linalg.fill ins(%cst_0 : f32) outs(%80 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %82 = linalg.matmul ins(%collapsed_32, %transposed_33 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%81 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %83 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%82, %arg17 : tensor<16x64xf32>, tensor<64xf32>) outs(%80 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x64xf32>
    %expanded_34 = tensor.expand_shape %83 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %84 = tensor.empty() : tensor<2x8x64xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<2x8x64xf32>) outs(%84 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_5 : f64 to f32
      %182 = arith.mulf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x8x64xf32>) outs(%84 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.negf %in : f32
      %182 = math.exp %181 : f32
      %183 = arith.addf %182, %cst_2 : f32
      %184 = arith.divf %cst_2, %183 : f32
      linalg.yield %184 : f32
    } -> tensor<2x8x64xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %86 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%84 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_35 = tensor.collapse_shape %87 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %88 = tensor.empty() : tensor<64x32xf32>
    %transposed_36 = linalg.transpose ins(%arg18 : tensor<32x64xf32>) outs(%88 : tensor<64x32xf32>) permutation = [1, 0] 
    %89 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %90 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%89, %arg19 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %expanded_37 = tensor.expand_shape %90 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %expanded_37 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %181 = arith.extf %in : f32 to f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %93 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%92 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %95 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %94 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.subf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %96 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %95 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.mulf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %97 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%96 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x8x1xf64>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %181 = arith.truncf %in : f64 to f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91 : tensor<2x8x32xf32>) outs(%15 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.addf %in, %out : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.divf %in, %cst_9 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_7 : f64 to f32
      %182 = arith.addf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.rsqrt %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %101 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.subf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %103 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %arg20 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %arg21 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_38 = tensor.collapse_shape %107 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_39 = linalg.transpose ins(%arg24 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %108 = linalg.matmul ins(%collapsed_38, %transposed_39 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %109 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%108, %arg25 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %transposed_40 = linalg.transpose ins(%arg26 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %110 = linalg.matmul ins(%collapsed_38, %transposed_40 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %111 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%110, %arg27 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %transposed_41 = linalg.transpose ins(%arg28 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %112 = linalg.matmul ins(%collapsed_38, %transposed_41 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%112, %arg29 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %expanded_42 = tensor.expand_shape %109 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_43 = linalg.transpose ins(%expanded_42 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_44 = tensor.expand_shape %111 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_45 = tensor.expand_shape %113 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_46 = linalg.transpose ins(%expanded_45 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_47 = linalg.transpose ins(%expanded_44 : tensor<2x8x4x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_48 = tensor.collapse_shape %transposed_43 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_49 = tensor.collapse_shape %transposed_47 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %114 = linalg.batch_matmul ins(%collapsed_48, %collapsed_49 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_50 = tensor.expand_shape %114 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %115 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_50 : tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_6 : f64 to f32
      %182 = arith.mulf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x4x8x8xf32>
    %116 = linalg.generic {indexing_maps = [#map7, #map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115, %45 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x8xf32>
    %117:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%116 : tensor<2x4x8x8xf32>) outs(%50, %48 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_65: i64):
      %181 = linalg.index 3 : index
      %182 = arith.index_cast %181 : index to i64
      %183 = arith.maximumf %in, %out : f32
      %184 = arith.cmpf ogt, %in, %out : f32
      %185 = arith.select %184, %182, %out_65 : i64
      linalg.yield %183, %185 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_51 = tensor.expand_shape %117#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %118 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %expanded_51 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.subf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x8xf32>
    %119 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118 : tensor<2x4x8x8xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.exp %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x8xf32>
    %120 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%119 : tensor<2x4x8x8xf32>) outs(%55 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.addf %in, %out : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x1xf32>
    %121 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %120 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%33 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.divf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_52 = tensor.collapse_shape %121 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_53 = tensor.collapse_shape %transposed_46 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %122 = linalg.batch_matmul ins(%collapsed_52, %collapsed_53 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_54 = tensor.expand_shape %122 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_55 = linalg.transpose ins(%expanded_54 : tensor<2x4x8x8xf32>) outs(%59 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_56 = tensor.collapse_shape %transposed_55 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_57 = linalg.transpose ins(%arg30 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %123 = linalg.matmul ins(%collapsed_56, %transposed_57 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %124 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%123, %arg31 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %expanded_58 = tensor.expand_shape %124 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %expanded_58 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %181 = arith.extf %in : f32 to f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %127 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%126 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %129 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %128 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.subf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %130 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129, %129 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.mulf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %131 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%130 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x8x1xf64>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %181 = arith.truncf %in : f64 to f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125 : tensor<2x8x32xf32>) outs(%15 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.addf %in, %out : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.divf %in, %cst_9 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_7 : f64 to f32
      %182 = arith.addf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.rsqrt %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %135 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.subf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %137 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %arg22 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %arg23 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_59 = tensor.collapse_shape %141 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_60 = linalg.transpose ins(%arg32 : tensor<64x32xf32>) outs(%79 : tensor<32x64xf32>) permutation = [1, 0] 
    %142 = linalg.matmul ins(%collapsed_59, %transposed_60 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%81 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %143 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%142, %arg33 : tensor<16x64xf32>, tensor<64xf32>) outs(%80 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x64xf32>
    %expanded_61 = tensor.expand_shape %143 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_61 : tensor<2x8x64xf32>) outs(%84 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_5 : f64 to f32
      %182 = arith.mulf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x64xf32>
    %145 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<2x8x64xf32>) outs(%84 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.negf %in : f32
      %182 = math.exp %181 : f32
      %183 = arith.addf %182, %cst_2 : f32
      %184 = arith.divf %cst_2, %183 : f32
      linalg.yield %184 : f32
    } -> tensor<2x8x64xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_61, %145 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%84 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_62 = tensor.collapse_shape %146 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %transposed_63 = linalg.transpose ins(%arg34 : tensor<32x64xf32>) outs(%88 : tensor<64x32xf32>) permutation = [1, 0] 
    %147 = linalg.matmul ins(%collapsed_62, %transposed_63 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%26 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %148 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%147, %arg35 : tensor<16x32xf32>, tensor<32xf32>) outs(%25 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<16x32xf32>
    %expanded_64 = tensor.expand_shape %148 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %149 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %expanded_64 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %181 = arith.extf %in : f32 to f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %151 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%150 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %153 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150, %152 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.subf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %154 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153, %153 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%3 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_65: f64, %out: f64):
      %181 = arith.mulf %in, %in_65 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x32xf64>
    %155 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%154 : tensor<2x8x32xf64>) outs(%6 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.addf %in, %out : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %156 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<2x8x1xf64>) outs(%5 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %181 = arith.divf %in, %cst_8 : f64
      linalg.yield %181 : f64
    } -> tensor<2x8x1xf64>
    %157 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x8x1xf64>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %181 = arith.truncf %in : f64 to f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%149 : tensor<2x8x32xf32>) outs(%15 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.addf %in, %out : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.divf %in, %cst_9 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %160 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = arith.truncf %cst_7 : f64 to f32
      %182 = arith.addf %in, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<2x8x1xf32>
    %161 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.rsqrt %in : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x1xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149, %159 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.subf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %161 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163, %arg36 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.mulf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164, %arg37 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.addf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x8x32xf32>
    %166 = tensor.empty() : tensor<2xi64>
    %167 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%166 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %181 = linalg.index 0 : index
      %182 = arith.index_cast %181 : index to i64
      linalg.yield %182 : i64
    } -> tensor<2xi64>
    %168 = linalg.fill ins(%c0_i64 : i64) outs(%166 : tensor<2xi64>) -> tensor<2xi64>
    %169 = linalg.fill ins(%c-9223372036854775808_i64 : i64) outs(%166 : tensor<2xi64>) -> tensor<2xi64>
    %170:2 = linalg.generic {indexing_maps = [#map5, #map15, #map15], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<2x8xi64>) outs(%169, %168 : tensor<2xi64>, tensor<2xi64>) {
    ^bb0(%in: i64, %out: i64, %out_65: i64):
      %181 = linalg.index 1 : index
      %182 = arith.index_cast %181 : index to i64
      %183 = arith.maxsi %in, %out : i64
      %184 = arith.cmpi sgt, %in, %out : i64
      %185 = arith.select %184, %182, %out_65 : i64
      linalg.yield %183, %185 : i64, i64
    } -> (tensor<2xi64>, tensor<2xi64>)
    %171 = tensor.empty() : tensor<2x32xf32>
    %172 = linalg.generic {indexing_maps = [#map15, #map15, #map5], iterator_types = ["parallel", "parallel"]} ins(%167, %170#1 : tensor<2xi64>, tensor<2xi64>) outs(%171 : tensor<2x32xf32>) {
    ^bb0(%in: i64, %in_65: i64, %out: f32):
      %181 = arith.cmpi slt, %in, %c0_i64 : i64
      %182 = arith.addi %in, %c2_i64 : i64
      %183 = arith.select %181, %182, %in : i64
      %184 = arith.index_cast %183 : i64 to index
      %185 = arith.cmpi slt, %in_65, %c0_i64 : i64
      %186 = arith.addi %in_65, %c8_i64 : i64
      %187 = arith.select %185, %186, %in_65 : i64
      %188 = arith.index_cast %187 : i64 to index
      %189 = linalg.index 1 : index
      %extracted = tensor.extract %165[%184, %188, %189] : tensor<2x8x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x32xf32>
    %173 = tensor.empty() : tensor<2x16xf32>
    %174 = linalg.fill ins(%cst_0 : f32) outs(%173 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %175 = linalg.matmul ins(%172, %arg2 : tensor<2x32xf32>, tensor<32x16xf32>) outs(%174 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %176 = tensor.empty() : tensor<2x1xf32>
    %177 = linalg.fill ins(%cst_0 : f32) outs(%176 : tensor<2x1xf32>) -> tensor<2x1xf32>
    %178 = linalg.generic {indexing_maps = [#map5, #map10], iterator_types = ["parallel", "reduction"]} ins(%175 : tensor<2x16xf32>) outs(%177 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.absf %in : f32
      %182 = math.powf %181, %cst_11 : f32
      %183 = arith.addf %182, %out : f32
      linalg.yield %183 : f32
    } -> tensor<2x1xf32>
    %179 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%178 : tensor<2x1xf32>) outs(%176 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %181 = math.powf %in, %cst_10 : f32
      linalg.yield %181 : f32
    } -> tensor<2x1xf32>
    %180 = linalg.generic {indexing_maps = [#map5, #map10, #map5], iterator_types = ["parallel", "parallel"]} ins(%175, %179 : tensor<2x16xf32>, tensor<2x1xf32>) outs(%173 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %181 = arith.divf %in, %in_65 : f32
      linalg.yield %181 : f32
    } -> tensor<2x16xf32>
    return %180 : tensor<2x16xf32>
  }
}
