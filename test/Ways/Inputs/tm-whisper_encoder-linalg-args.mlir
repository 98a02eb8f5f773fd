#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x16xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<32x6x3xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x32x3xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32x32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32x32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<32x32xf32>, %arg17: tensor<32xf32>, %arg18: tensor<64x32xf32>, %arg19: tensor<64xf32>, %arg20: tensor<32x64xf32>, %arg21: tensor<32xf32>, %arg22: tensor<32xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32xf32>, %arg25: tensor<32xf32>, %arg26: tensor<32x32xf32>, %arg27: tensor<32xf32>, %arg28: tensor<32x32xf32>, %arg29: tensor<32xf32>, %arg30: tensor<32x32xf32>, %arg31: tensor<32xf32>, %arg32: tensor<32x32xf32>, %arg33: tensor<32xf32>, %arg34: tensor<64x32xf32>, %arg35: tensor<64xf32>, %arg36: tensor<32x64xf32>, %arg37: tensor<32xf32>, %arg38: tensor<32xf32>, %arg39: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f64
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 0.35355339059327379 : f64
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 1.41421354 : f32
    %cst_7 = arith.constant 3.200000e+01 : f64
    %cst_8 = arith.constant 3.200000e+01 : f32
    %padded = tensor.pad %arg0 low[0, 0, 1] high[0, 0, 1] {
    ^bb0(%arg40: index, %arg41: index, %arg42: index):
      tensor.yield %cst : f32
    } : tensor<2x6x16xf32> to tensor<2x6x18xf32>
    %0 = tensor.empty() : tensor<2x32x16xf32>
    %broadcasted = linalg.broadcast ins(%arg3 : tensor<32xf32>) outs(%0 : tensor<2x32x16xf32>) dimensions = [0, 2] 
    %1 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%padded, %arg2 : tensor<2x6x18xf32>, tensor<32x6x3xf32>) outs(%broadcasted : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x32x16xf32>) outs(%0 : tensor<2x32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_6 : f32
      %158 = math.erf %157 : f32
      %159 = arith.addf %158, %cst_0 : f32
      %160 = arith.mulf %159, %cst_1 : f32
      %161 = arith.mulf %in, %160 : f32
      linalg.yield %161 : f32
    } -> tensor<2x32x16xf32>
    %padded_9 = tensor.pad %2 low[0, 0, 1] high[0, 0, 1] {
    ^bb0(%arg40: index, %arg41: index, %arg42: index):
      tensor.yield %cst : f32
    } : tensor<2x32x16xf32> to tensor<2x32x18xf32>
    %3 = tensor.empty() : tensor<2x32x8xf32>
    %broadcasted_10 = linalg.broadcast ins(%arg5 : tensor<32xf32>) outs(%3 : tensor<2x32x8xf32>) dimensions = [0, 2] 
    %4 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%padded_9, %arg4 : tensor<2x32x18xf32>, tensor<32x32x3xf32>) outs(%broadcasted_10 : tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x32x8xf32>) outs(%3 : tensor<2x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_6 : f32
      %158 = math.erf %157 : f32
      %159 = arith.addf %158, %cst_0 : f32
      %160 = arith.mulf %159, %cst_1 : f32
      %161 = arith.mulf %in, %160 : f32
      linalg.yield %161 : f32
    } -> tensor<2x32x8xf32>
    %6 = tensor.empty() : tensor<2x8x32xf32>
    %transposed = linalg.transpose ins(%5 : tensor<2x32x8xf32>) outs(%6 : tensor<2x8x32xf32>) permutation = [0, 2, 1] 
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed, %arg1 : tensor<2x8x32xf32>, tensor<8x32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %8 = tensor.empty() : tensor<2x8x32xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x8x32xf32>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %157 = arith.extf %in : f32 to f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %10 = tensor.empty() : tensor<2x8x1xf64>
    %11 = linalg.fill ins(%cst_2 : f64) outs(%10 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %13 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.subf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %14 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.mulf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %16 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %18 = tensor.empty() : tensor<2x8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x8x1xf64>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %157 = arith.truncf %in : f64 to f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%18 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x8x32xf32>) outs(%20 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.addf %in, %out : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_8 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.truncf %cst_5 : f64 to f32
      %158 = arith.addf %in, %157 : f32
      linalg.yield %158 : f32
    } -> tensor<2x8x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = math.rsqrt %in : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %22 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.subf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %24 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %arg6 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %arg7 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %collapsed = tensor.collapse_shape %28 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %29 = tensor.empty() : tensor<32x32xf32>
    %transposed_11 = linalg.transpose ins(%arg10 : tensor<32x32xf32>) outs(%29 : tensor<32x32xf32>) permutation = [1, 0] 
    %30 = tensor.empty() : tensor<16x32xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %32 = linalg.matmul ins(%collapsed, %transposed_11 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%32, %arg11 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %transposed_12 = linalg.transpose ins(%arg12 : tensor<32x32xf32>) outs(%29 : tensor<32x32xf32>) permutation = [1, 0] 
    %34 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%34, %arg13 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %transposed_13 = linalg.transpose ins(%arg14 : tensor<32x32xf32>) outs(%29 : tensor<32x32xf32>) permutation = [1, 0] 
    %36 = linalg.matmul ins(%collapsed, %transposed_13 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%36, %arg15 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %expanded = tensor.expand_shape %33 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %38 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_14 = linalg.transpose ins(%expanded : tensor<2x8x4x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_15 = tensor.expand_shape %35 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_16 = tensor.expand_shape %37 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<2x8x4x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_18 = linalg.transpose ins(%expanded_15 : tensor<2x8x4x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_19 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %39 = tensor.empty() : tensor<8x8x8xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %41 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%40 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_21 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<2x4x8x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.truncf %cst_4 : f64 to f32
      %158 = arith.mulf %in, %157 : f32
      linalg.yield %158 : f32
    } -> tensor<2x4x8x8xf32>
    %43 = tensor.empty() : tensor<2x4x8xi64>
    %44 = linalg.fill ins(%c0_i64 : i64) outs(%43 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %45 = tensor.empty() : tensor<2x4x8xf32>
    %46 = linalg.fill ins(%cst_3 : f32) outs(%45 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %47:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<2x4x8x8xf32>) outs(%46, %44 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_63: i64):
      %157 = linalg.index 3 : index
      %158 = arith.index_cast %157 : index to i64
      %159 = arith.maximumf %in, %out : f32
      %160 = arith.cmpf ogt, %in, %out : f32
      %161 = arith.select %160, %158, %out_63 : i64
      linalg.yield %159, %161 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_22 = tensor.expand_shape %47#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %48 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %expanded_22 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.subf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x4x8x8xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x4x8x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = math.exp %in : f32
      linalg.yield %157 : f32
    } -> tensor<2x4x8x8xf32>
    %50 = tensor.empty() : tensor<2x4x8x1xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %52 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<2x4x8x8xf32>) outs(%51 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.addf %in, %out : f32
      linalg.yield %157 : f32
    } -> tensor<2x4x8x1xf32>
    %53 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %52 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.divf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_23 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_24 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %54 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%40 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_25 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %55 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<2x4x8x8xf32>) outs(%55 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_27 = tensor.collapse_shape %transposed_26 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_28 = linalg.transpose ins(%arg16 : tensor<32x32xf32>) outs(%29 : tensor<32x32xf32>) permutation = [1, 0] 
    %56 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%56, %arg17 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %expanded_29 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %expanded_29 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x8x32xf32>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %157 = arith.extf %in : f32 to f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %60 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %62 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %61 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.subf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %62 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.mulf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %64 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x8x1xf64>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %157 = arith.truncf %in : f64 to f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%58 : tensor<2x8x32xf32>) outs(%20 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.addf %in, %out : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_8 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.truncf %cst_5 : f64 to f32
      %158 = arith.addf %in, %157 : f32
      linalg.yield %158 : f32
    } -> tensor<2x8x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = math.rsqrt %in : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %68 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.subf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %70 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %arg8 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %arg9 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_30 = tensor.collapse_shape %74 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %75 = tensor.empty() : tensor<32x64xf32>
    %transposed_31 = linalg.transpose ins(%arg18 : tensor<64x32xf32>) outs(%75 : tensor<32x64xf32>) permutation = [1, 0] 
    %76 = tensor.empty() : tensor<16x64xf32>
    %77 = linalg.fill ins(%cst : f32) outs(%76 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %78 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%77 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%78, %arg19 : tensor<16x64xf32>, tensor<64xf32>) outs(%76 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x64xf32>
    %expanded_32 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %80 = tensor.empty() : tensor<2x8x64xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<2x8x64xf32>) outs(%80 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_6 : f32
      %158 = math.erf %157 : f32
      %159 = arith.addf %158, %cst_0 : f32
      %160 = arith.mulf %159, %cst_1 : f32
      %161 = arith.mulf %in, %160 : f32
      linalg.yield %161 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_33 = tensor.collapse_shape %81 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %82 = tensor.empty() : tensor<64x32xf32>
    %transposed_34 = linalg.transpose ins(%arg20 : tensor<32x64xf32>) outs(%82 : tensor<64x32xf32>) permutation = [1, 0] 
    %83 = linalg.matmul ins(%collapsed_33, %transposed_34 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %84 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%83, %arg21 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %expanded_35 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %expanded_35 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x8x32xf32>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %157 = arith.extf %in : f32 to f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %87 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%86 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %89 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %88 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.subf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %89 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.mulf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %91 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%90 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x8x1xf64>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %157 = arith.truncf %in : f64 to f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%85 : tensor<2x8x32xf32>) outs(%20 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.addf %in, %out : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_8 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.truncf %cst_5 : f64 to f32
      %158 = arith.addf %in, %157 : f32
      linalg.yield %158 : f32
    } -> tensor<2x8x1xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = math.rsqrt %in : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %95 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.subf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %97 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %arg22 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %arg23 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_36 = tensor.collapse_shape %101 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_37 = linalg.transpose ins(%arg26 : tensor<32x32xf32>) outs(%29 : tensor<32x32xf32>) permutation = [1, 0] 
    %102 = linalg.matmul ins(%collapsed_36, %transposed_37 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %103 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%102, %arg27 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %transposed_38 = linalg.transpose ins(%arg28 : tensor<32x32xf32>) outs(%29 : tensor<32x32xf32>) permutation = [1, 0] 
    %104 = linalg.matmul ins(%collapsed_36, %transposed_38 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %105 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%104, %arg29 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %transposed_39 = linalg.transpose ins(%arg30 : tensor<32x32xf32>) outs(%29 : tensor<32x32xf32>) permutation = [1, 0] 
    %106 = linalg.matmul ins(%collapsed_36, %transposed_39 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %107 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%106, %arg31 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %expanded_40 = tensor.expand_shape %103 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<2x8x4x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_42 = tensor.expand_shape %105 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_43 = tensor.expand_shape %107 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<2x8x4x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_45 = linalg.transpose ins(%expanded_42 : tensor<2x8x4x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_46 = tensor.collapse_shape %transposed_41 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_47 = tensor.collapse_shape %transposed_45 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %108 = linalg.batch_matmul ins(%collapsed_46, %collapsed_47 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%40 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_48 = tensor.expand_shape %108 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %109 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_48 : tensor<2x4x8x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.truncf %cst_4 : f64 to f32
      %158 = arith.mulf %in, %157 : f32
      linalg.yield %158 : f32
    } -> tensor<2x4x8x8xf32>
    %110:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%109 : tensor<2x4x8x8xf32>) outs(%46, %44 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_63: i64):
      %157 = linalg.index 3 : index
      %158 = arith.index_cast %157 : index to i64
      %159 = arith.maximumf %in, %out : f32
      %160 = arith.cmpf ogt, %in, %out : f32
      %161 = arith.select %160, %158, %out_63 : i64
      linalg.yield %159, %161 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_49 = tensor.expand_shape %110#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %111 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %expanded_49 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.subf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x4x8x8xf32>
    %112 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111 : tensor<2x4x8x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = math.exp %in : f32
      linalg.yield %157 : f32
    } -> tensor<2x4x8x8xf32>
    %113 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%112 : tensor<2x4x8x8xf32>) outs(%51 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.addf %in, %out : f32
      linalg.yield %157 : f32
    } -> tensor<2x4x8x1xf32>
    %114 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112, %113 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.divf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_50 = tensor.collapse_shape %114 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_51 = tensor.collapse_shape %transposed_44 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %115 = linalg.batch_matmul ins(%collapsed_50, %collapsed_51 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%40 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_52 = tensor.expand_shape %115 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_53 = linalg.transpose ins(%expanded_52 : tensor<2x4x8x8xf32>) outs(%55 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_54 = tensor.collapse_shape %transposed_53 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_55 = linalg.transpose ins(%arg32 : tensor<32x32xf32>) outs(%29 : tensor<32x32xf32>) permutation = [1, 0] 
    %116 = linalg.matmul ins(%collapsed_54, %transposed_55 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %117 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%116, %arg33 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %expanded_56 = tensor.expand_shape %117 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %expanded_56 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<2x8x32xf32>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %157 = arith.extf %in : f32 to f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %120 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%119 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %122 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %121 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.subf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %123 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %122 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.mulf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %124 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%123 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %126 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x8x1xf64>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %157 = arith.truncf %in : f64 to f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %127 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%118 : tensor<2x8x32xf32>) outs(%20 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.addf %in, %out : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %128 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_8 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.truncf %cst_5 : f64 to f32
      %158 = arith.addf %in, %157 : f32
      linalg.yield %158 : f32
    } -> tensor<2x8x1xf32>
    %130 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = math.rsqrt %in : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %128 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.subf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %132 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131, %130 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %arg24 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %arg25 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_57 = tensor.collapse_shape %134 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_58 = linalg.transpose ins(%arg34 : tensor<64x32xf32>) outs(%75 : tensor<32x64xf32>) permutation = [1, 0] 
    %135 = linalg.matmul ins(%collapsed_57, %transposed_58 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%77 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %136 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%135, %arg35 : tensor<16x64xf32>, tensor<64xf32>) outs(%76 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x64xf32>
    %expanded_59 = tensor.expand_shape %136 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_59 : tensor<2x8x64xf32>) outs(%80 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_6 : f32
      %158 = math.erf %157 : f32
      %159 = arith.addf %158, %cst_0 : f32
      %160 = arith.mulf %159, %cst_1 : f32
      %161 = arith.mulf %in, %160 : f32
      linalg.yield %161 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_60 = tensor.collapse_shape %137 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %transposed_61 = linalg.transpose ins(%arg36 : tensor<32x64xf32>) outs(%82 : tensor<64x32xf32>) permutation = [1, 0] 
    %138 = linalg.matmul ins(%collapsed_60, %transposed_61 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%31 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %139 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%138, %arg37 : tensor<16x32xf32>, tensor<32xf32>) outs(%30 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<16x32xf32>
    %expanded_62 = tensor.expand_shape %139 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %140 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %expanded_62 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %141 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<2x8x32xf32>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %157 = arith.extf %in : f32 to f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %142 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%141 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %144 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %143 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.subf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %145 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %144 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%8 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %157 = arith.mulf %in, %in_63 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x32xf64>
    %146 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%145 : tensor<2x8x32xf64>) outs(%11 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.addf %in, %out : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %147 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %157 = arith.divf %in, %cst_7 : f64
      linalg.yield %157 : f64
    } -> tensor<2x8x1xf64>
    %148 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<2x8x1xf64>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %157 = arith.truncf %in : f64 to f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %149 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%140 : tensor<2x8x32xf32>) outs(%20 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.addf %in, %out : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %150 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.divf %in, %cst_8 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %151 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = arith.truncf %cst_5 : f64 to f32
      %158 = arith.addf %in, %157 : f32
      linalg.yield %158 : f32
    } -> tensor<2x8x1xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %157 = math.rsqrt %in : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x1xf32>
    %153 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %150 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.subf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %154 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153, %152 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %arg38 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.mulf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    %156 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155, %arg39 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%6 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %157 = arith.addf %in, %in_63 : f32
      linalg.yield %157 : f32
    } -> tensor<2x8x32xf32>
    return %156 : tensor<2x8x32xf32>
  }
}
