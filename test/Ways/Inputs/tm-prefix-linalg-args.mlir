#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<2x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32x32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<64x32xf32>, %arg15: tensor<64xf32>, %arg16: tensor<32x64xf32>, %arg17: tensor<32xf32>, %arg18: tensor<32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>, %arg21: tensor<32xf32>, %arg22: tensor<32x32xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32x32xf32>, %arg25: tensor<32xf32>, %arg26: tensor<32x32xf32>, %arg27: tensor<32xf32>, %arg28: tensor<32x32xf32>, %arg29: tensor<32xf32>, %arg30: tensor<64x32xf32>, %arg31: tensor<64xf32>, %arg32: tensor<32x64xf32>, %arg33: tensor<32xf32>, %arg34: tensor<32xf32>, %arg35: tensor<32xf32>, %arg36: tensor<32x32xf32>, %arg37: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant 1.000000e-01 : f64
    %cst_5 = arith.constant 0.35355339059327379 : f64
    %cst_6 = arith.constant 1.000000e-05 : f64
    %cst_7 = arith.constant 3.200000e+01 : f64
    %cst_8 = arith.constant 3.200000e+01 : f32
    %cst_9 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<2x2x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x32xf32>) outs(%0 : tensor<2x2x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x32xf32>
    %concat = tensor.concat dim(1) %1, %arg0 : (tensor<2x2x32xf32>, tensor<2x8x32xf32>) -> tensor<2x10x32xf32>
    %2 = tensor.empty() : tensor<2x10x32xf64>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<2x10x32xf32>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %167 = arith.extf %in : f32 to f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %4 = tensor.empty() : tensor<2x10x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<2x10x1xf64>) -> tensor<2x10x1xf64>
    %6 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<2x10x32xf64>, tensor<2x10x1xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.subf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<2x10x32xf64>, tensor<2x10x32xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.mulf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %10 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %12 = tensor.empty() : tensor<2x10x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x10x1xf64>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %167 = arith.truncf %in : f64 to f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x10x1xf32>) -> tensor<2x10x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%concat : tensor<2x10x32xf32>) outs(%14 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.addf %in, %out : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.divf %in, %cst_8 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.truncf %cst_6 : f64 to f32
      %168 = arith.addf %in, %167 : f32
      linalg.yield %168 : f32
    } -> tensor<2x10x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = math.rsqrt %in : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %19 = tensor.empty() : tensor<2x10x32xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %16 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.subf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %18 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %arg3 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %collapsed = tensor.collapse_shape %23 [[0, 1], [2]] : tensor<2x10x32xf32> into tensor<20x32xf32>
    %24 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %25 = tensor.empty() : tensor<20x32xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %27 = linalg.matmul ins(%collapsed, %transposed : tensor<20x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%27, %arg7 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %transposed_10 = linalg.transpose ins(%arg8 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %29 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<20x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%29, %arg9 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %transposed_11 = linalg.transpose ins(%arg10 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %31 = linalg.matmul ins(%collapsed, %transposed_11 : tensor<20x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%31, %arg11 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %expanded = tensor.expand_shape %28 [[0, 1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<20x32xf32> into tensor<2x10x4x8xf32>
    %33 = tensor.empty() : tensor<2x4x10x8xf32>
    %transposed_12 = linalg.transpose ins(%expanded : tensor<2x10x4x8xf32>) outs(%33 : tensor<2x4x10x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_13 = tensor.expand_shape %30 [[0, 1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<20x32xf32> into tensor<2x10x4x8xf32>
    %expanded_14 = tensor.expand_shape %32 [[0, 1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<20x32xf32> into tensor<2x10x4x8xf32>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<2x10x4x8xf32>) outs(%33 : tensor<2x4x10x8xf32>) permutation = [0, 2, 1, 3] 
    %34 = tensor.empty() : tensor<2x4x8x10xf32>
    %transposed_16 = linalg.transpose ins(%expanded_13 : tensor<2x10x4x8xf32>) outs(%34 : tensor<2x4x8x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_17 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<2x4x10x8xf32> into tensor<8x10x8xf32>
    %collapsed_18 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<2x4x8x10xf32> into tensor<8x8x10xf32>
    %35 = tensor.empty() : tensor<8x10x10xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<8x10x10xf32>) -> tensor<8x10x10xf32>
    %37 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<8x10x8xf32>, tensor<8x8x10xf32>) outs(%36 : tensor<8x10x10xf32>) -> tensor<8x10x10xf32>
    %expanded_19 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [2, 4, 10, 10] : tensor<8x10x10xf32> into tensor<2x4x10x10xf32>
    %38 = tensor.empty() : tensor<2x4x10x10xf32>
    %39 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<2x4x10x10xf32>) outs(%38 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.truncf %cst_5 : f64 to f32
      %168 = arith.mulf %in, %167 : f32
      linalg.yield %168 : f32
    } -> tensor<2x4x10x10xf32>
    %40 = tensor.empty() : tensor<2x4x10xi64>
    %41 = linalg.fill ins(%c0_i64 : i64) outs(%40 : tensor<2x4x10xi64>) -> tensor<2x4x10xi64>
    %42 = tensor.empty() : tensor<2x4x10xf32>
    %43 = linalg.fill ins(%cst_1 : f32) outs(%42 : tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %44:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<2x4x10x10xf32>) outs(%43, %41 : tensor<2x4x10xf32>, tensor<2x4x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_64: i64):
      %167 = linalg.index 3 : index
      %168 = arith.index_cast %167 : index to i64
      %169 = arith.maximumf %in, %out : f32
      %170 = arith.cmpf ogt, %in, %out : f32
      %171 = arith.select %170, %168, %out_64 : i64
      linalg.yield %169, %171 : f32, i64
    } -> (tensor<2x4x10xf32>, tensor<2x4x10xi64>)
    %expanded_20 = tensor.expand_shape %44#0 [[0], [1], [2, 3]] output_shape [2, 4, 10, 1] : tensor<2x4x10xf32> into tensor<2x4x10x1xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %expanded_20 : tensor<2x4x10x10xf32>, tensor<2x4x10x1xf32>) outs(%38 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.subf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x4x10x10xf32>
    %46 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x4x10x10xf32>) outs(%38 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = math.exp %in : f32
      linalg.yield %167 : f32
    } -> tensor<2x4x10x10xf32>
    %47 = tensor.empty() : tensor<2x4x10x1xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<2x4x10x1xf32>) -> tensor<2x4x10x1xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<2x4x10x10xf32>) outs(%48 : tensor<2x4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.addf %in, %out : f32
      linalg.yield %167 : f32
    } -> tensor<2x4x10x1xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<2x4x10x10xf32>, tensor<2x4x10x1xf32>) outs(%38 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.divf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x4x10x10xf32>
    %collapsed_21 = tensor.collapse_shape %50 [[0, 1], [2], [3]] : tensor<2x4x10x10xf32> into tensor<8x10x10xf32>
    %collapsed_22 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<2x4x10x8xf32> into tensor<8x10x8xf32>
    %51 = tensor.empty() : tensor<8x10x8xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%51 : tensor<8x10x8xf32>) -> tensor<8x10x8xf32>
    %53 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<8x10x10xf32>, tensor<8x10x8xf32>) outs(%52 : tensor<8x10x8xf32>) -> tensor<8x10x8xf32>
    %expanded_23 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [2, 4, 10, 8] : tensor<8x10x8xf32> into tensor<2x4x10x8xf32>
    %54 = tensor.empty() : tensor<2x10x4x8xf32>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<2x4x10x8xf32>) outs(%54 : tensor<2x10x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_25 = tensor.collapse_shape %transposed_24 [[0, 1], [2, 3]] : tensor<2x10x4x8xf32> into tensor<20x32xf32>
    %transposed_26 = linalg.transpose ins(%arg12 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %55 = linalg.matmul ins(%collapsed_25, %transposed_26 : tensor<20x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%55, %arg13 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %expanded_27 = tensor.expand_shape %56 [[0, 1], [2]] output_shape [2, 10, 32] : tensor<20x32xf32> into tensor<2x10x32xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %expanded_27 : tensor<2x10x32xf32>, tensor<2x10x32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x10x32xf32>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %167 = arith.extf %in : f32 to f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %59 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%58 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %61 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %60 : tensor<2x10x32xf64>, tensor<2x10x1xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.subf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %62 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %61 : tensor<2x10x32xf64>, tensor<2x10x32xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.mulf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %63 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %64 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x10x1xf64>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %167 = arith.truncf %in : f64 to f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%57 : tensor<2x10x32xf32>) outs(%14 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.addf %in, %out : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.divf %in, %cst_8 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.truncf %cst_6 : f64 to f32
      %168 = arith.addf %in, %167 : f32
      linalg.yield %168 : f32
    } -> tensor<2x10x1xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = math.rsqrt %in : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %67 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.subf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %69 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %arg4 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %arg5 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %collapsed_28 = tensor.collapse_shape %73 [[0, 1], [2]] : tensor<2x10x32xf32> into tensor<20x32xf32>
    %74 = tensor.empty() : tensor<32x64xf32>
    %transposed_29 = linalg.transpose ins(%arg14 : tensor<64x32xf32>) outs(%74 : tensor<32x64xf32>) permutation = [1, 0] 
    %75 = tensor.empty() : tensor<20x64xf32>
    %76 = linalg.fill ins(%cst_0 : f32) outs(%75 : tensor<20x64xf32>) -> tensor<20x64xf32>
    %77 = linalg.matmul ins(%collapsed_28, %transposed_29 : tensor<20x32xf32>, tensor<32x64xf32>) outs(%76 : tensor<20x64xf32>) -> tensor<20x64xf32>
    %78 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%77, %arg15 : tensor<20x64xf32>, tensor<64xf32>) outs(%75 : tensor<20x64xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x64xf32>
    %expanded_30 = tensor.expand_shape %78 [[0, 1], [2]] output_shape [2, 10, 64] : tensor<20x64xf32> into tensor<2x10x64xf32>
    %79 = tensor.empty() : tensor<2x10x64xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<2x10x64xf32>) outs(%79 : tensor<2x10x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.divf %in, %cst_9 : f32
      %168 = math.erf %167 : f32
      %169 = arith.addf %168, %cst_2 : f32
      %170 = arith.mulf %169, %cst_3 : f32
      %171 = arith.mulf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x10x64xf32>
    %collapsed_31 = tensor.collapse_shape %80 [[0, 1], [2]] : tensor<2x10x64xf32> into tensor<20x64xf32>
    %81 = tensor.empty() : tensor<64x32xf32>
    %transposed_32 = linalg.transpose ins(%arg16 : tensor<32x64xf32>) outs(%81 : tensor<64x32xf32>) permutation = [1, 0] 
    %82 = linalg.matmul ins(%collapsed_31, %transposed_32 : tensor<20x64xf32>, tensor<64x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %83 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%82, %arg17 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %expanded_33 = tensor.expand_shape %83 [[0, 1], [2]] output_shape [2, 10, 32] : tensor<20x32xf32> into tensor<2x10x32xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %expanded_33 : tensor<2x10x32xf32>, tensor<2x10x32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x10x32xf32>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %167 = arith.extf %in : f32 to f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %86 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%85 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %88 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %87 : tensor<2x10x32xf64>, tensor<2x10x1xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.subf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %89 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %88 : tensor<2x10x32xf64>, tensor<2x10x32xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.mulf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %90 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x10x1xf64>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %167 = arith.truncf %in : f64 to f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84 : tensor<2x10x32xf32>) outs(%14 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.addf %in, %out : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.divf %in, %cst_8 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.truncf %cst_6 : f64 to f32
      %168 = arith.addf %in, %167 : f32
      linalg.yield %168 : f32
    } -> tensor<2x10x1xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = math.rsqrt %in : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %94 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.subf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %96 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %arg18 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %arg19 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %collapsed_34 = tensor.collapse_shape %100 [[0, 1], [2]] : tensor<2x10x32xf32> into tensor<20x32xf32>
    %transposed_35 = linalg.transpose ins(%arg22 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %101 = linalg.matmul ins(%collapsed_34, %transposed_35 : tensor<20x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %102 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%101, %arg23 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %transposed_36 = linalg.transpose ins(%arg24 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %103 = linalg.matmul ins(%collapsed_34, %transposed_36 : tensor<20x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %104 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%103, %arg25 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %transposed_37 = linalg.transpose ins(%arg26 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %105 = linalg.matmul ins(%collapsed_34, %transposed_37 : tensor<20x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %106 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%105, %arg27 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %expanded_38 = tensor.expand_shape %102 [[0, 1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<20x32xf32> into tensor<2x10x4x8xf32>
    %transposed_39 = linalg.transpose ins(%expanded_38 : tensor<2x10x4x8xf32>) outs(%33 : tensor<2x4x10x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_40 = tensor.expand_shape %104 [[0, 1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<20x32xf32> into tensor<2x10x4x8xf32>
    %expanded_41 = tensor.expand_shape %106 [[0, 1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<20x32xf32> into tensor<2x10x4x8xf32>
    %transposed_42 = linalg.transpose ins(%expanded_41 : tensor<2x10x4x8xf32>) outs(%33 : tensor<2x4x10x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_43 = linalg.transpose ins(%expanded_40 : tensor<2x10x4x8xf32>) outs(%34 : tensor<2x4x8x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_44 = tensor.collapse_shape %transposed_39 [[0, 1], [2], [3]] : tensor<2x4x10x8xf32> into tensor<8x10x8xf32>
    %collapsed_45 = tensor.collapse_shape %transposed_43 [[0, 1], [2], [3]] : tensor<2x4x8x10xf32> into tensor<8x8x10xf32>
    %107 = linalg.batch_matmul ins(%collapsed_44, %collapsed_45 : tensor<8x10x8xf32>, tensor<8x8x10xf32>) outs(%36 : tensor<8x10x10xf32>) -> tensor<8x10x10xf32>
    %expanded_46 = tensor.expand_shape %107 [[0, 1], [2], [3]] output_shape [2, 4, 10, 10] : tensor<8x10x10xf32> into tensor<2x4x10x10xf32>
    %108 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_46 : tensor<2x4x10x10xf32>) outs(%38 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.truncf %cst_5 : f64 to f32
      %168 = arith.mulf %in, %167 : f32
      linalg.yield %168 : f32
    } -> tensor<2x4x10x10xf32>
    %109:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%108 : tensor<2x4x10x10xf32>) outs(%43, %41 : tensor<2x4x10xf32>, tensor<2x4x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_64: i64):
      %167 = linalg.index 3 : index
      %168 = arith.index_cast %167 : index to i64
      %169 = arith.maximumf %in, %out : f32
      %170 = arith.cmpf ogt, %in, %out : f32
      %171 = arith.select %170, %168, %out_64 : i64
      linalg.yield %169, %171 : f32, i64
    } -> (tensor<2x4x10xf32>, tensor<2x4x10xi64>)
    %expanded_47 = tensor.expand_shape %109#0 [[0], [1], [2, 3]] output_shape [2, 4, 10, 1] : tensor<2x4x10xf32> into tensor<2x4x10x1xf32>
    %110 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108, %expanded_47 : tensor<2x4x10x10xf32>, tensor<2x4x10x1xf32>) outs(%38 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.subf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x4x10x10xf32>
    %111 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110 : tensor<2x4x10x10xf32>) outs(%38 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = math.exp %in : f32
      linalg.yield %167 : f32
    } -> tensor<2x4x10x10xf32>
    %112 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%111 : tensor<2x4x10x10xf32>) outs(%48 : tensor<2x4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.addf %in, %out : f32
      linalg.yield %167 : f32
    } -> tensor<2x4x10x1xf32>
    %113 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111, %112 : tensor<2x4x10x10xf32>, tensor<2x4x10x1xf32>) outs(%38 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.divf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x4x10x10xf32>
    %collapsed_48 = tensor.collapse_shape %113 [[0, 1], [2], [3]] : tensor<2x4x10x10xf32> into tensor<8x10x10xf32>
    %collapsed_49 = tensor.collapse_shape %transposed_42 [[0, 1], [2], [3]] : tensor<2x4x10x8xf32> into tensor<8x10x8xf32>
    %114 = linalg.batch_matmul ins(%collapsed_48, %collapsed_49 : tensor<8x10x10xf32>, tensor<8x10x8xf32>) outs(%52 : tensor<8x10x8xf32>) -> tensor<8x10x8xf32>
    %expanded_50 = tensor.expand_shape %114 [[0, 1], [2], [3]] output_shape [2, 4, 10, 8] : tensor<8x10x8xf32> into tensor<2x4x10x8xf32>
    %transposed_51 = linalg.transpose ins(%expanded_50 : tensor<2x4x10x8xf32>) outs(%54 : tensor<2x10x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_52 = tensor.collapse_shape %transposed_51 [[0, 1], [2, 3]] : tensor<2x10x4x8xf32> into tensor<20x32xf32>
    %transposed_53 = linalg.transpose ins(%arg28 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %115 = linalg.matmul ins(%collapsed_52, %transposed_53 : tensor<20x32xf32>, tensor<32x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %116 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%115, %arg29 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %expanded_54 = tensor.expand_shape %116 [[0, 1], [2]] output_shape [2, 10, 32] : tensor<20x32xf32> into tensor<2x10x32xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %expanded_54 : tensor<2x10x32xf32>, tensor<2x10x32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<2x10x32xf32>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %167 = arith.extf %in : f32 to f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %119 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%118 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %120 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %121 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %120 : tensor<2x10x32xf64>, tensor<2x10x1xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.subf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %122 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %121 : tensor<2x10x32xf64>, tensor<2x10x32xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.mulf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %123 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%122 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %125 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<2x10x1xf64>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %167 = arith.truncf %in : f64 to f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%117 : tensor<2x10x32xf32>) outs(%14 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.addf %in, %out : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.divf %in, %cst_8 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.truncf %cst_6 : f64 to f32
      %168 = arith.addf %in, %167 : f32
      linalg.yield %168 : f32
    } -> tensor<2x10x1xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = math.rsqrt %in : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %127 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.subf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130, %129 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131, %arg20 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %arg21 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %collapsed_55 = tensor.collapse_shape %133 [[0, 1], [2]] : tensor<2x10x32xf32> into tensor<20x32xf32>
    %transposed_56 = linalg.transpose ins(%arg30 : tensor<64x32xf32>) outs(%74 : tensor<32x64xf32>) permutation = [1, 0] 
    %134 = linalg.matmul ins(%collapsed_55, %transposed_56 : tensor<20x32xf32>, tensor<32x64xf32>) outs(%76 : tensor<20x64xf32>) -> tensor<20x64xf32>
    %135 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%134, %arg31 : tensor<20x64xf32>, tensor<64xf32>) outs(%75 : tensor<20x64xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x64xf32>
    %expanded_57 = tensor.expand_shape %135 [[0, 1], [2]] output_shape [2, 10, 64] : tensor<20x64xf32> into tensor<2x10x64xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_57 : tensor<2x10x64xf32>) outs(%79 : tensor<2x10x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.divf %in, %cst_9 : f32
      %168 = math.erf %167 : f32
      %169 = arith.addf %168, %cst_2 : f32
      %170 = arith.mulf %169, %cst_3 : f32
      %171 = arith.mulf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x10x64xf32>
    %collapsed_58 = tensor.collapse_shape %136 [[0, 1], [2]] : tensor<2x10x64xf32> into tensor<20x64xf32>
    %transposed_59 = linalg.transpose ins(%arg32 : tensor<32x64xf32>) outs(%81 : tensor<64x32xf32>) permutation = [1, 0] 
    %137 = linalg.matmul ins(%collapsed_58, %transposed_59 : tensor<20x64xf32>, tensor<64x32xf32>) outs(%26 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %138 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%137, %arg33 : tensor<20x32xf32>, tensor<32xf32>) outs(%25 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<20x32xf32>
    %expanded_60 = tensor.expand_shape %138 [[0, 1], [2]] output_shape [2, 10, 32] : tensor<20x32xf32> into tensor<2x10x32xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %expanded_60 : tensor<2x10x32xf32>, tensor<2x10x32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<2x10x32xf32>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %167 = arith.extf %in : f32 to f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %141 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%140 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %142 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %143 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %142 : tensor<2x10x32xf64>, tensor<2x10x1xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.subf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %144 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %143 : tensor<2x10x32xf64>, tensor<2x10x32xf64>) outs(%2 : tensor<2x10x32xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %167 = arith.mulf %in, %in_64 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x32xf64>
    %145 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%144 : tensor<2x10x32xf64>) outs(%5 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.addf %in, %out : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %146 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<2x10x1xf64>) outs(%4 : tensor<2x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %167 = arith.divf %in, %cst_7 : f64
      linalg.yield %167 : f64
    } -> tensor<2x10x1xf64>
    %147 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<2x10x1xf64>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %167 = arith.truncf %in : f64 to f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%139 : tensor<2x10x32xf32>) outs(%14 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.addf %in, %out : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %149 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.divf %in, %cst_8 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.truncf %cst_6 : f64 to f32
      %168 = arith.addf %in, %167 : f32
      linalg.yield %168 : f32
    } -> tensor<2x10x1xf32>
    %151 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150 : tensor<2x10x1xf32>) outs(%12 : tensor<2x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = math.rsqrt %in : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x1xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %149 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.subf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %151 : tensor<2x10x32xf32>, tensor<2x10x1xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153, %arg34 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %arg35 : tensor<2x10x32xf32>, tensor<32xf32>) outs(%19 : tensor<2x10x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x10x32xf32>
    %extracted_slice = tensor.extract_slice %155[0, 2, 0] [2, 8, 32] [1, 1, 1] : tensor<2x10x32xf32> to tensor<2x8x32xf32>
    %156 = tensor.empty() : tensor<2x8x32xi1>
    %157 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<2x8x32xf32>) outs(%156 : tensor<2x8x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %167 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %167 : i1
    } -> tensor<2x8x32xi1>
    %158 = tensor.empty() : tensor<2x8x32xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<2x8x32xf32>) outs(%158 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.truncf %cst_4 : f64 to f32
      %168 = arith.mulf %in, %167 : f32
      linalg.yield %168 : f32
    } -> tensor<2x8x32xf32>
    %160 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %extracted_slice, %159 : tensor<2x8x32xi1>, tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%158 : tensor<2x8x32xf32>) {
    ^bb0(%in: i1, %in_64: f32, %in_65: f32, %out: f32):
      %167 = arith.select %in, %in_64, %in_65 : f32
      linalg.yield %167 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_61 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_62 = linalg.transpose ins(%arg36 : tensor<32x32xf32>) outs(%24 : tensor<32x32xf32>) permutation = [1, 0] 
    %161 = tensor.empty() : tensor<16x32xf32>
    %162 = linalg.fill ins(%cst_0 : f32) outs(%161 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %163 = linalg.matmul ins(%collapsed_61, %transposed_62 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%162 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %164 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%163, %arg37 : tensor<16x32xf32>, tensor<32xf32>) outs(%161 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.addf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<16x32xf32>
    %expanded_63 = tensor.expand_shape %164 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_63 : tensor<2x8x32xf32>) outs(%158 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %167 = arith.negf %in : f32
      %168 = math.exp %167 : f32
      %169 = arith.addf %168, %cst_2 : f32
      %170 = arith.divf %cst_2, %169 : f32
      linalg.yield %170 : f32
    } -> tensor<2x8x32xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %165 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%158 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %167 = arith.mulf %in, %in_64 : f32
      linalg.yield %167 : f32
    } -> tensor<2x8x32xf32>
    return %166 : tensor<2x8x32xf32>
  }
}
