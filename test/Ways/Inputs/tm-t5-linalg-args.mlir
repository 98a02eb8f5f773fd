#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<64x32xf32>, %arg8: tensor<32x64xf32>, %arg9: tensor<15x4xf32>) -> tensor<2x8x32xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c8_i64 = arith.constant 8 : i64
    %c1_i64 = arith.constant 1 : i64
    %c15 = arith.constant 15 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 9.9999999999999995E-7 : f64
    %cst_2 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<8xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %64 = linalg.index 0 : index
      %65 = arith.index_cast %64 : index to i64
      linalg.yield %65 : i64
    } -> tensor<8xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_3 = tensor.expand_shape %1 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %2 = tensor.empty() : tensor<8x8xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_3 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%2 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_31: i64, %out: i64):
      %64 = arith.subi %in, %in_31 : i64
      linalg.yield %64 : i64
    } -> tensor<8x8xi64>
    %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x8xi64>) outs(%2 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %out: i64):
      %64 = arith.addi %in, %c8_i64 : i64
      linalg.yield %64 : i64
    } -> tensor<8x8xi64>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<8x8xi64>) outs(%2 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %out: i64):
      %64 = arith.subi %in, %c1_i64 : i64
      linalg.yield %64 : i64
    } -> tensor<8x8xi64>
    %6 = tensor.empty() : tensor<8x8x4xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<8x8xi64>) outs(%6 : tensor<8x8x4xf32>) {
    ^bb0(%in: i64, %out: f32):
      %64 = arith.index_cast %in : i64 to index
      %65 = linalg.index 2 : index
      %66 = arith.cmpi slt, %64, %c15 : index
      cf.assert %66, "index must be smaller than dim size"
      %67 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %67, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg9[%64, %65] : tensor<15x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<8x8x4xf32>
    %8 = tensor.empty() : tensor<4x8x8xf32>
    %transposed = linalg.transpose ins(%7 : tensor<8x8x4xf32>) outs(%8 : tensor<4x8x8xf32>) permutation = [2, 0, 1] 
    %expanded_4 = tensor.expand_shape %transposed [[0, 1], [2], [3]] output_shape [1, 4, 8, 8] : tensor<4x8x8xf32> into tensor<1x4x8x8xf32>
    %9 = tensor.empty() : tensor<2x8x32xf32>
    %10 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %64 : f32
    } -> tensor<2x8x32xf32>
    %11 = tensor.empty() : tensor<2x8x1xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.addf %in, %out : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x1xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x8x1xf32>) outs(%11 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.divf %in, %cst_2 : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x1xf32>
    %15 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x8x1xf32>) outs(%11 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.truncf %cst_1 : f64 to f32
      %65 = arith.addf %in, %64 : f32
      linalg.yield %65 : f32
    } -> tensor<2x8x1xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x8x1xf32>) outs(%11 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = math.rsqrt %in : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x1xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %16 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.mulf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x32xf32>
    %18 = tensor.empty() : tensor<32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xf32>) outs(%18 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.addf %in, %cst : f32
      linalg.yield %64 : f32
    } -> tensor<32xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %19 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.mulf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x32xf32>
    %21 = tensor.empty() : tensor<32x32xf32>
    %transposed_5 = linalg.transpose ins(%arg3 : tensor<32x32xf32>) outs(%21 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %20 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %22 = tensor.empty() : tensor<16x32xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %24 = linalg.matmul ins(%collapsed, %transposed_5 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %transposed_6 = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%21 : tensor<32x32xf32>) permutation = [1, 0] 
    %25 = linalg.matmul ins(%collapsed, %transposed_6 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %transposed_7 = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%21 : tensor<32x32xf32>) permutation = [1, 0] 
    %26 = linalg.matmul ins(%collapsed, %transposed_7 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_8 = tensor.expand_shape %24 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %27 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<2x8x4x8xf32>) outs(%27 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_10 = tensor.expand_shape %25 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_11 = tensor.expand_shape %26 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<2x8x4x8xf32>) outs(%27 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_13 = linalg.transpose ins(%expanded_10 : tensor<2x8x4x8xf32>) outs(%27 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_14 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_15 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %28 = tensor.empty() : tensor<8x8x8xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %30 = linalg.batch_matmul ins(%collapsed_14, %collapsed_15 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%29 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_16 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %31 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16, %expanded_4 : tensor<2x4x8x8xf32>, tensor<1x4x8x8xf32>) outs(%27 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.addf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x4x8x8xf32>
    %32 = tensor.empty() : tensor<2x4x8xi64>
    %33 = linalg.fill ins(%c0_i64 : i64) outs(%32 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %34 = tensor.empty() : tensor<2x4x8xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %36:2 = linalg.generic {indexing_maps = [#map8, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<2x4x8x8xf32>) outs(%35, %33 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_31: i64):
      %64 = linalg.index 3 : index
      %65 = arith.index_cast %64 : index to i64
      %66 = arith.maximumf %in, %out : f32
      %67 = arith.cmpf ogt, %in, %out : f32
      %68 = arith.select %67, %65, %out_31 : i64
      linalg.yield %66, %68 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_17 = tensor.expand_shape %36#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %37 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %expanded_17 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%27 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.subf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x4x8x8xf32>
    %38 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x4x8x8xf32>) outs(%27 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = math.exp %in : f32
      linalg.yield %64 : f32
    } -> tensor<2x4x8x8xf32>
    %39 = tensor.empty() : tensor<2x4x8x1xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %41 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<2x4x8x8xf32>) outs(%40 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.addf %in, %out : f32
      linalg.yield %64 : f32
    } -> tensor<2x4x8x1xf32>
    %42 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %41 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%27 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.divf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_18 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_19 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %43 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%29 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_20 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %44 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x4x8x8xf32>) outs(%44 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_22 = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%21 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_23 = tensor.collapse_shape %transposed_21 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %45 = linalg.matmul ins(%collapsed_23, %transposed_22 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_24 = tensor.expand_shape %45 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_24 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.addf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x32xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %64 : f32
    } -> tensor<2x8x32xf32>
    %48 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%47 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.addf %in, %out : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x1xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<2x8x1xf32>) outs(%11 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.divf %in, %cst_2 : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x1xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<2x8x1xf32>) outs(%11 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.truncf %cst_1 : f64 to f32
      %65 = arith.addf %in, %64 : f32
      linalg.yield %65 : f32
    } -> tensor<2x8x1xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<2x8x1xf32>) outs(%11 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = math.rsqrt %in : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x1xf32>
    %52 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %51 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.mulf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x32xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<32xf32>) outs(%18 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.addf %in, %cst : f32
      linalg.yield %64 : f32
    } -> tensor<32xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %53 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.mulf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x32xf32>
    %55 = tensor.empty() : tensor<32x64xf32>
    %transposed_25 = linalg.transpose ins(%arg7 : tensor<64x32xf32>) outs(%55 : tensor<32x64xf32>) permutation = [1, 0] 
    %collapsed_26 = tensor.collapse_shape %54 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %56 = tensor.empty() : tensor<16x64xf32>
    %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %58 = linalg.matmul ins(%collapsed_26, %transposed_25 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%57 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_27 = tensor.expand_shape %58 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %59 = tensor.empty() : tensor<2x8x64xf32>
    %60 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<2x8x64xf32>) outs(%59 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.cmpf ugt, %in, %cst : f32
      %65 = arith.select %64, %in, %cst : f32
      linalg.yield %65 : f32
    } -> tensor<2x8x64xf32>
    %61 = tensor.empty() : tensor<64x32xf32>
    %transposed_28 = linalg.transpose ins(%arg8 : tensor<32x64xf32>) outs(%61 : tensor<64x32xf32>) permutation = [1, 0] 
    %collapsed_29 = tensor.collapse_shape %60 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %62 = linalg.matmul ins(%collapsed_29, %transposed_28 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_30 = tensor.expand_shape %62 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %63 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %expanded_30 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %64 = arith.addf %in, %in_31 : f32
      linalg.yield %64 : f32
    } -> tensor<2x8x32xf32>
    return %63 : tensor<2x8x32xf32>
  }
}
