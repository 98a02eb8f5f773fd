#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map11 = affine_map<(d0, d1) -> (0, d1)>
#map12 = affine_map<(d0, d1) -> ()>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xbf16>, %arg1: tensor<32xbf16>, %arg2: tensor<32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<16x32xbf16>, %arg5: tensor<16x32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<64x32xbf16>, %arg8: tensor<32x64xbf16>, %arg9: tensor<64x32xbf16>, %arg10: tensor<32xbf16>, %arg11: tensor<32xbf16>, %arg12: tensor<32x32xbf16>, %arg13: tensor<16x32xbf16>, %arg14: tensor<16x32xbf16>, %arg15: tensor<32x32xbf16>, %arg16: tensor<64x32xbf16>, %arg17: tensor<32x64xbf16>, %arg18: tensor<64x32xbf16>, %arg19: tensor<32xbf16>, %arg20: tensor<32xbf16>) -> tensor<2x8x32xbf16> {
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
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x32xbf16>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %3 = tensor.empty() : tensor<2x8x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x8x32xf32>) outs(%4 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_8 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_7 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x8x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %10 = tensor.empty() : tensor<32xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xbf16>) outs(%10 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<32xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%11 : tensor<32xf32>) outs(%10 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %cst : f32
      linalg.yield %232 : f32
    } -> tensor<32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %12 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %14 = tensor.empty() : tensor<2x8x32xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x8x32xf32>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    %16 = tensor.empty() : tensor<32x32xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<32x32xbf16>) outs(%16 : tensor<32x32xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %15 [[0, 1], [2]] : tensor<2x8x32xbf16> into tensor<16x32xbf16>
    %17 = tensor.empty() : tensor<16x32xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %19 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%18 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %20 = tensor.empty() : tensor<16x32xbf16>
    %21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<16x32xf32>) outs(%20 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x32xbf16>
    %22 = tensor.empty() : tensor<32x16xbf16>
    %transposed_12 = linalg.transpose ins(%arg4 : tensor<16x32xbf16>) outs(%22 : tensor<32x16xbf16>) permutation = [1, 0] 
    %23 = tensor.empty() : tensor<16x16xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%24 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %26 = tensor.empty() : tensor<16x16xbf16>
    %27 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<16x16xf32>) outs(%26 : tensor<16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x16xbf16>
    %transposed_13 = linalg.transpose ins(%arg5 : tensor<16x32xbf16>) outs(%22 : tensor<32x16xbf16>) permutation = [1, 0] 
    %28 = linalg.matmul ins(%collapsed, %transposed_13 : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%24 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<16x16xf32>) outs(%26 : tensor<16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x16xbf16>
    %expanded = tensor.expand_shape %21 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xbf16> into tensor<2x8x4x8xbf16>
    %30 = tensor.empty() : tensor<2x4x8x8xbf16>
    %transposed_14 = linalg.transpose ins(%expanded : tensor<2x8x4x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %expanded_15 = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xbf16> into tensor<2x8x2x8xbf16>
    %31 = tensor.empty() : tensor<2x2x8x8xbf16>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<2x8x2x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %expanded_17 = tensor.expand_shape %29 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xbf16> into tensor<2x8x2x8xbf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<2x8x2x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %32 = tensor.empty() : tensor<4xi64>
    %33 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%32 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %232 = linalg.index 0 : index
      %233 = arith.index_cast %232 : index to i64
      %234 = arith.muli %233, %c2_i64 : i64
      linalg.yield %234 : i64
    } -> tensor<4xi64>
    %34 = tensor.empty() : tensor<4xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%33 : tensor<4xi64>) outs(%34 : tensor<4xf32>) {
    ^bb0(%in: i64, %out: f32):
      %232 = arith.sitofp %in : i64 to f32
      linalg.yield %232 : f32
    } -> tensor<4xf32>
    %36 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%35 : tensor<4xf32>) outs(%34 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_9 : f32
      linalg.yield %232 : f32
    } -> tensor<4xf32>
    %37 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%36 : tensor<4xf32>) outs(%34 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.powf %cst_10, %in : f32
      linalg.yield %232 : f32
    } -> tensor<4xf32>
    %38 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%37 : tensor<4xf32>) outs(%34 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.cmpf one, %in, %cst : f32
      cf.assert %232, "unimplemented: tensor with zero element"
      %233 = arith.divf %cst_0, %in : f32
      linalg.yield %233 : f32
    } -> tensor<4xf32>
    %39 = tensor.empty() : tensor<8xi64>
    %40 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%39 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %232 = linalg.index 0 : index
      %233 = arith.index_cast %232 : index to i64
      linalg.yield %233 : i64
    } -> tensor<8xi64>
    %41 = tensor.empty() : tensor<8xf32>
    %42 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%40 : tensor<8xi64>) outs(%41 : tensor<8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %232 = arith.sitofp %in : i64 to f32
      linalg.yield %232 : f32
    } -> tensor<8xf32>
    %expanded_19 = tensor.expand_shape %42 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %43 = tensor.empty() : tensor<8x4xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %38 : tensor<8x1xf32>, tensor<4xf32>) outs(%43 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<8x4xf32>
    %concat = tensor.concat dim(1) %44, %44 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %45 = tensor.empty() : tensor<8x8xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<8x8xf32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.cos %in : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %47 = tensor.empty() : tensor<8x8xbf16>
    %48 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %49 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14, %48 : tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %extracted_slice = tensor.extract_slice %transposed_14[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xbf16> to tensor<2x4x8x4xbf16>
    %extracted_slice_20 = tensor.extract_slice %transposed_14[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xbf16> to tensor<2x4x8x4xbf16>
    %50 = tensor.empty() : tensor<2x4x8x4xbf16>
    %51 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_20 : tensor<2x4x8x4xbf16>) outs(%50 : tensor<2x4x8x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %232 = arith.negf %in : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x4xbf16>
    %concat_21 = tensor.concat dim(3) %51, %extracted_slice : (tensor<2x4x8x4xbf16>, tensor<2x4x8x4xbf16>) -> tensor<2x4x8x8xbf16>
    %52 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<8x8xf32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.sin %in : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %54 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_21, %53 : tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %55 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %54 : tensor<2x4x8x8xbf16>, tensor<2x4x8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %56 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%37 : tensor<4xf32>) outs(%34 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.cmpf one, %in, %cst : f32
      cf.assert %232, "unimplemented: tensor with zero element"
      %233 = arith.divf %cst_0, %in : f32
      linalg.yield %233 : f32
    } -> tensor<4xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %56 : tensor<8x1xf32>, tensor<4xf32>) outs(%43 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<8x4xf32>
    %concat_22 = tensor.concat dim(1) %57, %57 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat_22 : tensor<8x8xf32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.cos %in : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %60 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_16, %59 : tensor<2x2x8x8xbf16>, tensor<8x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x2x8x8xbf16>
    %extracted_slice_23 = tensor.extract_slice %transposed_16[0, 0, 0, 0] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xbf16> to tensor<2x2x8x4xbf16>
    %extracted_slice_24 = tensor.extract_slice %transposed_16[0, 0, 0, 4] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xbf16> to tensor<2x2x8x4xbf16>
    %61 = tensor.empty() : tensor<2x2x8x4xbf16>
    %62 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_24 : tensor<2x2x8x4xbf16>) outs(%61 : tensor<2x2x8x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %232 = arith.negf %in : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x2x8x4xbf16>
    %concat_25 = tensor.concat dim(3) %62, %extracted_slice_23 : (tensor<2x2x8x4xbf16>, tensor<2x2x8x4xbf16>) -> tensor<2x2x8x8xbf16>
    %63 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat_22 : tensor<8x8xf32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.sin %in : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %65 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_25, %64 : tensor<2x2x8x8xbf16>, tensor<8x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x2x8x8xbf16>
    %66 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %65 : tensor<2x2x8x8xbf16>, tensor<2x2x8x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x2x8x8xbf16>
    %67 = tensor.empty() : tensor<2x2x2x8x8xbf16>
    %68 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%66 : tensor<2x2x8x8xbf16>) outs(%67 : tensor<2x2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x8x8xbf16>
    %collapsed_26 = tensor.collapse_shape %68 [[0], [1, 2], [3], [4]] : tensor<2x2x2x8x8xbf16> into tensor<2x4x8x8xbf16>
    %69 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18 : tensor<2x2x8x8xbf16>) outs(%67 : tensor<2x2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x8x8xbf16>
    %transposed_27 = linalg.transpose ins(%collapsed_26 : tensor<2x4x8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_28 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<2x4x8x8xbf16> into tensor<8x8x8xbf16>
    %collapsed_29 = tensor.collapse_shape %transposed_27 [[0, 1], [2], [3]] : tensor<2x4x8x8xbf16> into tensor<8x8x8xbf16>
    %70 = tensor.empty() : tensor<8x8x8xf32>
    %71 = linalg.fill ins(%cst : f32) outs(%70 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %72 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<8x8x8xbf16>, tensor<8x8x8xbf16>) outs(%71 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %73 = tensor.empty() : tensor<8x8x8xbf16>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<8x8x8xf32>) outs(%73 : tensor<8x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8x8xbf16>
    %expanded_30 = tensor.expand_shape %74 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xbf16> into tensor<2x4x8x8xbf16>
    %75 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<2x4x8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %232 = arith.truncf %cst_6 : f64 to bf16
      %233 = arith.mulf %in, %232 : bf16
      linalg.yield %233 : bf16
    } -> tensor<2x4x8x8xbf16>
    %expanded_31 = tensor.expand_shape %40 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_32 = tensor.expand_shape %40 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %76 = tensor.empty() : tensor<8x8xi64>
    %77 = linalg.generic {indexing_maps = [#map11, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%76 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_88: i64, %out: i64):
      %232 = arith.subi %in, %in_88 : i64
      linalg.yield %232 : i64
    } -> tensor<8x8xi64>
    %78 = tensor.empty() : tensor<8x8xi1>
    %79 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%77 : tensor<8x8xi64>) outs(%78 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %232 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %232 : i1
    } -> tensor<8x8xi1>
    %80 = linalg.generic {indexing_maps = [#map4, #map4, #map12, #map4], iterator_types = ["parallel", "parallel"]} ins(%79, %cst_4, %cst_3 : tensor<8x8xi1>, tensor<8x8xf32>, tensor<f32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: i1, %in_88: f32, %in_89: f32, %out: f32):
      %232 = arith.select %in, %in_88, %in_89 : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %81 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%80 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %82 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %81 : tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %83 = tensor.empty() : tensor<2x4x8x8xf32>
    %84 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<2x4x8x8xbf16>) outs(%83 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x8xf32>
    %85 = tensor.empty() : tensor<2x4x8xi64>
    %86 = linalg.fill ins(%c0_i64 : i64) outs(%85 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %87 = tensor.empty() : tensor<2x4x8xf32>
    %88 = linalg.fill ins(%cst_1 : f32) outs(%87 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %89:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84 : tensor<2x4x8x8xf32>) outs(%88, %86 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_88: i64):
      %232 = linalg.index 3 : index
      %233 = arith.index_cast %232 : index to i64
      %234 = arith.maximumf %in, %out : f32
      %235 = arith.cmpf ogt, %in, %out : f32
      %236 = arith.select %235, %233, %out_88 : i64
      linalg.yield %234, %236 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_33 = tensor.expand_shape %89#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %90 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %expanded_33 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%83 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.subf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x8xf32>
    %91 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<2x4x8x8xf32>) outs(%83 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.exp %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x8xf32>
    %92 = tensor.empty() : tensor<2x4x8x1xf32>
    %93 = linalg.fill ins(%cst : f32) outs(%92 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %94 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%91 : tensor<2x4x8x8xf32>) outs(%93 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x1xf32>
    %95 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91, %94 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%83 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.divf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x8xf32>
    %96 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95 : tensor<2x4x8x8xf32>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %collapsed_34 = tensor.collapse_shape %96 [[0, 1], [2], [3]] : tensor<2x4x8x8xbf16> into tensor<8x8x8xbf16>
    %collapsed_35 = tensor.collapse_shape %69 [[0, 1, 2], [3], [4]] : tensor<2x2x2x8x8xbf16> into tensor<8x8x8xbf16>
    %97 = linalg.batch_matmul ins(%collapsed_34, %collapsed_35 : tensor<8x8x8xbf16>, tensor<8x8x8xbf16>) outs(%71 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<8x8x8xf32>) outs(%73 : tensor<8x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8x8xbf16>
    %expanded_36 = tensor.expand_shape %98 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xbf16> into tensor<2x4x8x8xbf16>
    %99 = tensor.empty() : tensor<2x8x4x8xbf16>
    %transposed_37 = linalg.transpose ins(%expanded_36 : tensor<2x4x8x8xbf16>) outs(%99 : tensor<2x8x4x8xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_38 = linalg.transpose ins(%arg6 : tensor<32x32xbf16>) outs(%16 : tensor<32x32xbf16>) permutation = [1, 0] 
    %collapsed_39 = tensor.collapse_shape %transposed_37 [[0, 1], [2, 3]] : tensor<2x8x4x8xbf16> into tensor<16x32xbf16>
    %100 = linalg.matmul ins(%collapsed_39, %transposed_38 : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%18 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %101 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%100 : tensor<16x32xf32>) outs(%20 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x32xbf16>
    %expanded_40 = tensor.expand_shape %101 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xbf16> into tensor<2x8x32xbf16>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_40 : tensor<2x8x32xbf16>, tensor<2x8x32xbf16>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x8x32xbf16>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%104 : tensor<2x8x32xf32>) outs(%4 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_8 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_7 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x8x1xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %108 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %110 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg2 : tensor<32xbf16>) outs(%10 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<32xf32>
    %111 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%110 : tensor<32xf32>) outs(%10 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %cst : f32
      linalg.yield %232 : f32
    } -> tensor<32xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %111 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x8x32xf32>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    %114 = tensor.empty() : tensor<32x64xbf16>
    %transposed_41 = linalg.transpose ins(%arg9 : tensor<64x32xbf16>) outs(%114 : tensor<32x64xbf16>) permutation = [1, 0] 
    %collapsed_42 = tensor.collapse_shape %113 [[0, 1], [2]] : tensor<2x8x32xbf16> into tensor<16x32xbf16>
    %115 = tensor.empty() : tensor<16x64xf32>
    %116 = linalg.fill ins(%cst : f32) outs(%115 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %117 = linalg.matmul ins(%collapsed_42, %transposed_41 : tensor<16x32xbf16>, tensor<32x64xbf16>) outs(%116 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %118 = tensor.empty() : tensor<16x64xbf16>
    %119 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%117 : tensor<16x64xf32>) outs(%118 : tensor<16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x64xbf16>
    %expanded_43 = tensor.expand_shape %119 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xbf16> into tensor<2x8x64xbf16>
    %120 = tensor.empty() : tensor<2x8x64xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<2x8x64xbf16>) outs(%120 : tensor<2x8x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x8x64xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<2x8x64xf32>) outs(%120 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.negf %in : f32
      %233 = math.exp %232 : f32
      %234 = arith.addf %233, %cst_0 : f32
      %235 = arith.divf %cst_0, %234 : f32
      linalg.yield %235 : f32
    } -> tensor<2x8x64xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %122 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%120 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x64xf32>
    %124 = tensor.empty() : tensor<2x8x64xbf16>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<2x8x64xf32>) outs(%124 : tensor<2x8x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x64xbf16>
    %transposed_44 = linalg.transpose ins(%arg7 : tensor<64x32xbf16>) outs(%114 : tensor<32x64xbf16>) permutation = [1, 0] 
    %126 = linalg.matmul ins(%collapsed_42, %transposed_44 : tensor<16x32xbf16>, tensor<32x64xbf16>) outs(%116 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %127 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%126 : tensor<16x64xf32>) outs(%118 : tensor<16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x64xbf16>
    %expanded_45 = tensor.expand_shape %127 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xbf16> into tensor<2x8x64xbf16>
    %128 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %expanded_45 : tensor<2x8x64xbf16>, tensor<2x8x64xbf16>) outs(%124 : tensor<2x8x64xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x64xbf16>
    %129 = tensor.empty() : tensor<64x32xbf16>
    %transposed_46 = linalg.transpose ins(%arg8 : tensor<32x64xbf16>) outs(%129 : tensor<64x32xbf16>) permutation = [1, 0] 
    %collapsed_47 = tensor.collapse_shape %128 [[0, 1], [2]] : tensor<2x8x64xbf16> into tensor<16x64xbf16>
    %130 = linalg.matmul ins(%collapsed_47, %transposed_46 : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%18 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %131 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%130 : tensor<16x32xf32>) outs(%20 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x32xbf16>
    %expanded_48 = tensor.expand_shape %131 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xbf16> into tensor<2x8x32xbf16>
    %132 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %expanded_48 : tensor<2x8x32xbf16>, tensor<2x8x32xbf16>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    %133 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x8x32xbf16>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%134 : tensor<2x8x32xf32>) outs(%4 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_8 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_7 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x8x1xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %139 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %138 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %140 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg10 : tensor<32xbf16>) outs(%10 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<32xf32>
    %141 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%140 : tensor<32xf32>) outs(%10 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %cst : f32
      linalg.yield %232 : f32
    } -> tensor<32xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %141 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x8x32xf32>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    %transposed_49 = linalg.transpose ins(%arg12 : tensor<32x32xbf16>) outs(%16 : tensor<32x32xbf16>) permutation = [1, 0] 
    %collapsed_50 = tensor.collapse_shape %143 [[0, 1], [2]] : tensor<2x8x32xbf16> into tensor<16x32xbf16>
    %144 = linalg.matmul ins(%collapsed_50, %transposed_49 : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%18 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %145 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%144 : tensor<16x32xf32>) outs(%20 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x32xbf16>
    %transposed_51 = linalg.transpose ins(%arg13 : tensor<16x32xbf16>) outs(%22 : tensor<32x16xbf16>) permutation = [1, 0] 
    %146 = linalg.matmul ins(%collapsed_50, %transposed_51 : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%24 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %147 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%146 : tensor<16x16xf32>) outs(%26 : tensor<16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x16xbf16>
    %transposed_52 = linalg.transpose ins(%arg14 : tensor<16x32xbf16>) outs(%22 : tensor<32x16xbf16>) permutation = [1, 0] 
    %148 = linalg.matmul ins(%collapsed_50, %transposed_52 : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%24 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %149 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%148 : tensor<16x16xf32>) outs(%26 : tensor<16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x16xbf16>
    %expanded_53 = tensor.expand_shape %145 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xbf16> into tensor<2x8x4x8xbf16>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<2x8x4x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %expanded_55 = tensor.expand_shape %147 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xbf16> into tensor<2x8x2x8xbf16>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<2x8x2x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %expanded_57 = tensor.expand_shape %149 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xbf16> into tensor<2x8x2x8xbf16>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<2x8x2x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) permutation = [0, 2, 1, 3] 
    %150 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%37 : tensor<4xf32>) outs(%34 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.cmpf one, %in, %cst : f32
      cf.assert %232, "unimplemented: tensor with zero element"
      %233 = arith.divf %cst_0, %in : f32
      linalg.yield %233 : f32
    } -> tensor<4xf32>
    %151 = linalg.generic {indexing_maps = [#map5, #map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %150 : tensor<8x1xf32>, tensor<4xf32>) outs(%43 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<8x4xf32>
    %concat_59 = tensor.concat dim(1) %151, %151 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %152 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat_59 : tensor<8x8xf32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.cos %in : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %153 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%152 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %154 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_54, %153 : tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %extracted_slice_60 = tensor.extract_slice %transposed_54[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xbf16> to tensor<2x4x8x4xbf16>
    %extracted_slice_61 = tensor.extract_slice %transposed_54[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xbf16> to tensor<2x4x8x4xbf16>
    %155 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_61 : tensor<2x4x8x4xbf16>) outs(%50 : tensor<2x4x8x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %232 = arith.negf %in : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x4xbf16>
    %concat_62 = tensor.concat dim(3) %155, %extracted_slice_60 : (tensor<2x4x8x4xbf16>, tensor<2x4x8x4xbf16>) -> tensor<2x4x8x8xbf16>
    %156 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat_59 : tensor<8x8xf32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.sin %in : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %157 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%156 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %158 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_62, %157 : tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %159 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154, %158 : tensor<2x4x8x8xbf16>, tensor<2x4x8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %160 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%37 : tensor<4xf32>) outs(%34 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.cmpf one, %in, %cst : f32
      cf.assert %232, "unimplemented: tensor with zero element"
      %233 = arith.divf %cst_0, %in : f32
      linalg.yield %233 : f32
    } -> tensor<4xf32>
    %161 = linalg.generic {indexing_maps = [#map5, #map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %160 : tensor<8x1xf32>, tensor<4xf32>) outs(%43 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<8x4xf32>
    %concat_63 = tensor.concat dim(1) %161, %161 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %162 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat_63 : tensor<8x8xf32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.cos %in : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %163 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%162 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %164 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_56, %163 : tensor<2x2x8x8xbf16>, tensor<8x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x2x8x8xbf16>
    %extracted_slice_64 = tensor.extract_slice %transposed_56[0, 0, 0, 0] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xbf16> to tensor<2x2x8x4xbf16>
    %extracted_slice_65 = tensor.extract_slice %transposed_56[0, 0, 0, 4] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xbf16> to tensor<2x2x8x4xbf16>
    %165 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_65 : tensor<2x2x8x4xbf16>) outs(%61 : tensor<2x2x8x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %232 = arith.negf %in : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x2x8x4xbf16>
    %concat_66 = tensor.concat dim(3) %165, %extracted_slice_64 : (tensor<2x2x8x4xbf16>, tensor<2x2x8x4xbf16>) -> tensor<2x2x8x8xbf16>
    %166 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat_63 : tensor<8x8xf32>) outs(%45 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.sin %in : f32
      linalg.yield %232 : f32
    } -> tensor<8x8xf32>
    %167 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%166 : tensor<8x8xf32>) outs(%47 : tensor<8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8xbf16>
    %168 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_66, %167 : tensor<2x2x8x8xbf16>, tensor<8x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x2x8x8xbf16>
    %169 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%164, %168 : tensor<2x2x8x8xbf16>, tensor<2x2x8x8xbf16>) outs(%31 : tensor<2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x2x8x8xbf16>
    %170 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%169 : tensor<2x2x8x8xbf16>) outs(%67 : tensor<2x2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x8x8xbf16>
    %collapsed_67 = tensor.collapse_shape %170 [[0], [1, 2], [3], [4]] : tensor<2x2x2x8x8xbf16> into tensor<2x4x8x8xbf16>
    %171 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_58 : tensor<2x2x8x8xbf16>) outs(%67 : tensor<2x2x2x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x8x8xbf16>
    %transposed_68 = linalg.transpose ins(%collapsed_67 : tensor<2x4x8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_69 = tensor.collapse_shape %159 [[0, 1], [2], [3]] : tensor<2x4x8x8xbf16> into tensor<8x8x8xbf16>
    %collapsed_70 = tensor.collapse_shape %transposed_68 [[0, 1], [2], [3]] : tensor<2x4x8x8xbf16> into tensor<8x8x8xbf16>
    %172 = linalg.batch_matmul ins(%collapsed_69, %collapsed_70 : tensor<8x8x8xbf16>, tensor<8x8x8xbf16>) outs(%71 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %173 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<8x8x8xf32>) outs(%73 : tensor<8x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8x8xbf16>
    %expanded_71 = tensor.expand_shape %173 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xbf16> into tensor<2x4x8x8xbf16>
    %174 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_71 : tensor<2x4x8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %232 = arith.truncf %cst_6 : f64 to bf16
      %233 = arith.mulf %in, %232 : bf16
      linalg.yield %233 : bf16
    } -> tensor<2x4x8x8xbf16>
    %175 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%174, %81 : tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %176 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%175 : tensor<2x4x8x8xbf16>) outs(%83 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x8xf32>
    %177:2 = linalg.generic {indexing_maps = [#map7, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%176 : tensor<2x4x8x8xf32>) outs(%88, %86 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_88: i64):
      %232 = linalg.index 3 : index
      %233 = arith.index_cast %232 : index to i64
      %234 = arith.maximumf %in, %out : f32
      %235 = arith.cmpf ogt, %in, %out : f32
      %236 = arith.select %235, %233, %out_88 : i64
      linalg.yield %234, %236 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_72 = tensor.expand_shape %177#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %178 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%176, %expanded_72 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%83 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.subf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x8xf32>
    %179 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%178 : tensor<2x4x8x8xf32>) outs(%83 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.exp %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x8xf32>
    %180 = linalg.generic {indexing_maps = [#map7, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%179 : tensor<2x4x8x8xf32>) outs(%93 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x1xf32>
    %181 = linalg.generic {indexing_maps = [#map7, #map14, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%179, %180 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%83 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.divf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x4x8x8xf32>
    %182 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%181 : tensor<2x4x8x8xf32>) outs(%30 : tensor<2x4x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x4x8x8xbf16>
    %collapsed_73 = tensor.collapse_shape %182 [[0, 1], [2], [3]] : tensor<2x4x8x8xbf16> into tensor<8x8x8xbf16>
    %collapsed_74 = tensor.collapse_shape %171 [[0, 1, 2], [3], [4]] : tensor<2x2x2x8x8xbf16> into tensor<8x8x8xbf16>
    %183 = linalg.batch_matmul ins(%collapsed_73, %collapsed_74 : tensor<8x8x8xbf16>, tensor<8x8x8xbf16>) outs(%71 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %184 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<8x8x8xf32>) outs(%73 : tensor<8x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<8x8x8xbf16>
    %expanded_75 = tensor.expand_shape %184 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xbf16> into tensor<2x4x8x8xbf16>
    %transposed_76 = linalg.transpose ins(%expanded_75 : tensor<2x4x8x8xbf16>) outs(%99 : tensor<2x8x4x8xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_77 = linalg.transpose ins(%arg15 : tensor<32x32xbf16>) outs(%16 : tensor<32x32xbf16>) permutation = [1, 0] 
    %collapsed_78 = tensor.collapse_shape %transposed_76 [[0, 1], [2, 3]] : tensor<2x8x4x8xbf16> into tensor<16x32xbf16>
    %185 = linalg.matmul ins(%collapsed_78, %transposed_77 : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%18 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %186 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%185 : tensor<16x32xf32>) outs(%20 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x32xbf16>
    %expanded_79 = tensor.expand_shape %186 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xbf16> into tensor<2x8x32xbf16>
    %187 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %expanded_79 : tensor<2x8x32xbf16>, tensor<2x8x32xbf16>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    %188 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<2x8x32xbf16>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %189 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %190 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%189 : tensor<2x8x32xf32>) outs(%4 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %191 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_8 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %192 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_7 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x8x1xf32>
    %193 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %194 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188, %193 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %195 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg11 : tensor<32xbf16>) outs(%10 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<32xf32>
    %196 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%195 : tensor<32xf32>) outs(%10 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %cst : f32
      linalg.yield %232 : f32
    } -> tensor<32xf32>
    %197 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%194, %196 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %198 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<2x8x32xf32>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    %transposed_80 = linalg.transpose ins(%arg18 : tensor<64x32xbf16>) outs(%114 : tensor<32x64xbf16>) permutation = [1, 0] 
    %collapsed_81 = tensor.collapse_shape %198 [[0, 1], [2]] : tensor<2x8x32xbf16> into tensor<16x32xbf16>
    %199 = linalg.matmul ins(%collapsed_81, %transposed_80 : tensor<16x32xbf16>, tensor<32x64xbf16>) outs(%116 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %200 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%199 : tensor<16x64xf32>) outs(%118 : tensor<16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x64xbf16>
    %expanded_82 = tensor.expand_shape %200 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xbf16> into tensor<2x8x64xbf16>
    %201 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_82 : tensor<2x8x64xbf16>) outs(%120 : tensor<2x8x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x8x64xf32>
    %202 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201 : tensor<2x8x64xf32>) outs(%120 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.negf %in : f32
      %233 = math.exp %232 : f32
      %234 = arith.addf %233, %cst_0 : f32
      %235 = arith.divf %cst_0, %234 : f32
      linalg.yield %235 : f32
    } -> tensor<2x8x64xf32>
    %203 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201, %202 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%120 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x64xf32>
    %204 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<2x8x64xf32>) outs(%124 : tensor<2x8x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x64xbf16>
    %transposed_83 = linalg.transpose ins(%arg16 : tensor<64x32xbf16>) outs(%114 : tensor<32x64xbf16>) permutation = [1, 0] 
    %205 = linalg.matmul ins(%collapsed_81, %transposed_83 : tensor<16x32xbf16>, tensor<32x64xbf16>) outs(%116 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %206 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%205 : tensor<16x64xf32>) outs(%118 : tensor<16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x64xbf16>
    %expanded_84 = tensor.expand_shape %206 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xbf16> into tensor<2x8x64xbf16>
    %207 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%204, %expanded_84 : tensor<2x8x64xbf16>, tensor<2x8x64xbf16>) outs(%124 : tensor<2x8x64xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.mulf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x64xbf16>
    %transposed_85 = linalg.transpose ins(%arg17 : tensor<32x64xbf16>) outs(%129 : tensor<64x32xbf16>) permutation = [1, 0] 
    %collapsed_86 = tensor.collapse_shape %207 [[0, 1], [2]] : tensor<2x8x64xbf16> into tensor<16x64xbf16>
    %208 = linalg.matmul ins(%collapsed_86, %transposed_85 : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%18 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %209 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%208 : tensor<16x32xf32>) outs(%20 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<16x32xbf16>
    %expanded_87 = tensor.expand_shape %209 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xbf16> into tensor<2x8x32xbf16>
    %210 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187, %expanded_87 : tensor<2x8x32xbf16>, tensor<2x8x32xbf16>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: bf16, %in_88: bf16, %out: bf16):
      %232 = arith.addf %in, %in_88 : bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    %211 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210 : tensor<2x8x32xbf16>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %232 = arith.extf %in : bf16 to f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %212 = tensor.empty() : tensor<2x8x32xf64>
    %213 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211 : tensor<2x8x32xf32>) outs(%212 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %232 = arith.extf %in : f32 to f64
      linalg.yield %232 : f64
    } -> tensor<2x8x32xf64>
    %214 = tensor.empty() : tensor<2x8x1xf64>
    %215 = linalg.fill ins(%cst_2 : f64) outs(%214 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %216 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%213 : tensor<2x8x32xf64>) outs(%215 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x8x1xf64>
    %217 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<2x8x1xf64>) outs(%214 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x8x1xf64>
    %218 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%213, %217 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%212 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_88: f64, %out: f64):
      %232 = arith.subf %in, %in_88 : f64
      linalg.yield %232 : f64
    } -> tensor<2x8x32xf64>
    %219 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218, %218 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%212 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_88: f64, %out: f64):
      %232 = arith.mulf %in, %in_88 : f64
      linalg.yield %232 : f64
    } -> tensor<2x8x32xf64>
    %220 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%219 : tensor<2x8x32xf64>) outs(%215 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x8x1xf64>
    %221 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<2x8x1xf64>) outs(%214 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x8x1xf64>
    %222 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%221 : tensor<2x8x1xf64>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %232 = arith.truncf %in : f64 to f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %223 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%211 : tensor<2x8x32xf32>) outs(%4 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %224 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%223 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_8 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %225 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_5 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x8x1xf32>
    %226 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%225 : tensor<2x8x1xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x1xf32>
    %227 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211, %224 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.subf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %228 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%227, %226 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: f32, %out: f32):
      %232 = arith.mulf %in, %in_88 : f32
      linalg.yield %232 : f32
    } -> tensor<2x8x32xf32>
    %229 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%228, %arg19 : tensor<2x8x32xf32>, tensor<32xbf16>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: bf16, %out: f32):
      %232 = arith.extf %in_88 : bf16 to f32
      %233 = arith.mulf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x8x32xf32>
    %230 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%229, %arg20 : tensor<2x8x32xf32>, tensor<32xbf16>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_88: bf16, %out: f32):
      %232 = arith.extf %in_88 : bf16 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x8x32xf32>
    %231 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%230 : tensor<2x8x32xf32>) outs(%14 : tensor<2x8x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %232 = arith.truncf %in : f32 to bf16
      linalg.yield %232 : bf16
    } -> tensor<2x8x32xbf16>
    return %231 : tensor<2x8x32xbf16>
  }
}
