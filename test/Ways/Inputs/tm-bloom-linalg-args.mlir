#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map10 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> ()>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<64x32xf32>, %arg14: tensor<64xf32>, %arg15: tensor<32x64xf32>, %arg16: tensor<32xf32>, %arg17: tensor<32xf32>, %arg18: tensor<32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>, %arg21: tensor<32x32xf32>, %arg22: tensor<32xf32>, %arg23: tensor<32x32xf32>, %arg24: tensor<32xf32>, %arg25: tensor<32x32xf32>, %arg26: tensor<32xf32>, %arg27: tensor<32x32xf32>, %arg28: tensor<32xf32>, %arg29: tensor<64x32xf32>, %arg30: tensor<64xf32>, %arg31: tensor<32x64xf32>, %arg32: tensor<32xf32>, %arg33: tensor<32xf32>, %arg34: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<8x8xi1>
    %cst_4 = arith.constant dense_resource<torch_tensor_4_torch.float32_1> : tensor<4xf32>
    %cst_5 = arith.constant 0.79788456080286541 : f64
    %cst_6 = arith.constant 4.471500e-02 : f64
    %cst_7 = arith.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_8 = arith.constant 0.35355339059327379 : f64
    %cst_9 = arith.constant 1.000000e-05 : f64
    %cst_10 = arith.constant 3.200000e+01 : f64
    %cst_11 = arith.constant 3.200000e+01 : f32
    %cst_12 = arith.constant 5.000000e-01 : f32
    %cst_13 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8x32xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %2 = tensor.empty() : tensor<2x8x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.subf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.mulf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %10 = tensor.empty() : tensor<2x8x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_9 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %17 = tensor.empty() : tensor<2x8x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.subf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %22 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %23 = tensor.empty() : tensor<16x32xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%25, %arg6 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %transposed_14 = linalg.transpose ins(%arg7 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %27 = linalg.matmul ins(%collapsed, %transposed_14 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%27, %arg8 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %transposed_15 = linalg.transpose ins(%arg9 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %29 = linalg.matmul ins(%collapsed, %transposed_15 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%29, %arg10 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded = tensor.expand_shape %26 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %31 = tensor.empty() : tensor<2x4x8x8xf32>
    %transposed_16 = linalg.transpose ins(%expanded : tensor<2x8x4x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_17 = tensor.expand_shape %28 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_18 = tensor.expand_shape %30 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<2x8x4x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_20 = linalg.transpose ins(%expanded_17 : tensor<2x8x4x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_21 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_22 = tensor.collapse_shape %transposed_20 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %32 = tensor.empty() : tensor<8x8x8xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %34 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%33 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_23 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<2x4x8x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_8 : f64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x4x8x8xf32>
    %36 = tensor.empty() : tensor<8xi64>
    %37 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%36 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %179 = linalg.index 0 : index
      %180 = arith.index_cast %179 : index to i64
      linalg.yield %180 : i64
    } -> tensor<8xi64>
    %expanded_24 = tensor.expand_shape %37 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_25 = tensor.expand_shape %37 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %38 = tensor.empty() : tensor<8x8xi64>
    %39 = linalg.generic {indexing_maps = [#map7, #map8, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_24, %expanded_25 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%38 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_69: i64, %out: i64):
      %179 = arith.subi %in, %in_69 : i64
      linalg.yield %179 : i64
    } -> tensor<8x8xi64>
    %40 = tensor.empty() : tensor<8x8xi1>
    %41 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<8x8xi64>) outs(%40 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %179 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %179 : i1
    } -> tensor<8x8xi1>
    %42 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%41, %cst_3 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%40 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_69: i1, %out: i1):
      %179 = arith.andi %in, %in_69 : i1
      linalg.yield %179 : i1
    } -> tensor<8x8xi1>
    %expanded_26 = tensor.expand_shape %cst_7 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %43 = tensor.empty() : tensor<4x8x8xf32>
    %44 = linalg.generic {indexing_maps = [#map9, #map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_26, %39 : tensor<4x1x1xf32>, tensor<8x8xi64>) outs(%43 : tensor<4x8x8xf32>) {
    ^bb0(%in: f32, %in_69: i64, %out: f32):
      %179 = arith.sitofp %in_69 : i64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x8x8xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %44 : tensor<2x4x8x8xf32>, tensor<4x8x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<8x8xi1>) outs(%40 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %179 = arith.xori %in, %true : i1
      linalg.yield %179 : i1
    } -> tensor<8x8xi1>
    %47 = linalg.generic {indexing_maps = [#map12, #map13, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %cst_2, %45 : tensor<8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_69: f32, %in_70: f32, %out: f32):
      %179 = arith.select %in, %in_69, %in_70 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %48 = tensor.empty() : tensor<2x4x8xi64>
    %49 = linalg.fill ins(%c0_i64 : i64) outs(%48 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %50 = tensor.empty() : tensor<2x4x8xf32>
    %51 = linalg.fill ins(%cst_1 : f32) outs(%50 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %52:2 = linalg.generic {indexing_maps = [#map5, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<2x4x8x8xf32>) outs(%51, %49 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_69: i64):
      %179 = linalg.index 3 : index
      %180 = arith.index_cast %179 : index to i64
      %181 = arith.maximumf %in, %out : f32
      %182 = arith.cmpf ogt, %in, %out : f32
      %183 = arith.select %182, %180, %out_69 : i64
      linalg.yield %181, %183 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_27 = tensor.expand_shape %52#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map15, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %expanded_27 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.subf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<2x4x8x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.exp %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %55 = tensor.empty() : tensor<2x4x8x1xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%54 : tensor<2x4x8x8xf32>) outs(%56 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x1xf32>
    %58 = linalg.generic {indexing_maps = [#map5, #map15, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %57 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.divf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_28 = tensor.collapse_shape %58 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_29 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %59 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%33 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_30 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %60 = tensor.empty() : tensor<2x8x4x8xf32>
    %transposed_31 = linalg.transpose ins(%expanded_30 : tensor<2x4x8x8xf32>) outs(%60 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_32 = tensor.collapse_shape %transposed_31 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_33 = linalg.transpose ins(%arg11 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %61 = linalg.matmul ins(%collapsed_32, %transposed_33 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%61, %arg12 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_34 = tensor.expand_shape %62 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_34 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%64 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %67 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %66 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.subf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %67 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.mulf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %69 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%68 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_9 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %73 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.subf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %75 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %arg3 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %arg4 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_35 = tensor.collapse_shape %79 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %80 = tensor.empty() : tensor<32x64xf32>
    %transposed_36 = linalg.transpose ins(%arg13 : tensor<64x32xf32>) outs(%80 : tensor<32x64xf32>) permutation = [1, 0] 
    %81 = tensor.empty() : tensor<16x64xf32>
    %82 = linalg.fill ins(%cst_0 : f32) outs(%81 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %83 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%82 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %84 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%83, %arg14 : tensor<16x64xf32>, tensor<64xf32>) outs(%81 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x64xf32>
    %expanded_37 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %85 = tensor.empty() : tensor<2x8x64xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.mulf %in, %cst_12 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_6 : f64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x64xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37, %88 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x64xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.tanh %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %cst_13 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %92 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_38 = tensor.collapse_shape %93 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %94 = tensor.empty() : tensor<64x32xf32>
    %transposed_39 = linalg.transpose ins(%arg15 : tensor<32x64xf32>) outs(%94 : tensor<64x32xf32>) permutation = [1, 0] 
    %95 = linalg.matmul ins(%collapsed_38, %transposed_39 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %96 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%95, %arg16 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_40 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %expanded_40 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %99 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %101 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %100 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.subf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %101 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.mulf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %103 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%102 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%97 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_9 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %107 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.subf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %109 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %arg17 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %arg18 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_41 = tensor.collapse_shape %113 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_42 = linalg.transpose ins(%arg21 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %114 = linalg.matmul ins(%collapsed_41, %transposed_42 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %115 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%114, %arg22 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %transposed_43 = linalg.transpose ins(%arg23 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %116 = linalg.matmul ins(%collapsed_41, %transposed_43 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %117 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%116, %arg24 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %transposed_44 = linalg.transpose ins(%arg25 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %118 = linalg.matmul ins(%collapsed_41, %transposed_44 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%118, %arg26 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_45 = tensor.expand_shape %115 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_46 = linalg.transpose ins(%expanded_45 : tensor<2x8x4x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_47 = tensor.expand_shape %117 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %expanded_48 = tensor.expand_shape %119 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %transposed_49 = linalg.transpose ins(%expanded_48 : tensor<2x8x4x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_50 = linalg.transpose ins(%expanded_47 : tensor<2x8x4x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_51 = tensor.collapse_shape %transposed_46 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_52 = tensor.collapse_shape %transposed_50 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %120 = linalg.batch_matmul ins(%collapsed_51, %collapsed_52 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%33 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_53 = tensor.expand_shape %120 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %121 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_53 : tensor<2x4x8x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_8 : f64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_54 = tensor.expand_shape %cst_4 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %122 = linalg.generic {indexing_maps = [#map9, #map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_54, %39 : tensor<4x1x1xf32>, tensor<8x8xi64>) outs(%43 : tensor<4x8x8xf32>) {
    ^bb0(%in: f32, %in_69: i64, %out: f32):
      %179 = arith.sitofp %in_69 : i64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x8x8xf32>
    %123 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121, %122 : tensor<2x4x8x8xf32>, tensor<4x8x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %124 = linalg.generic {indexing_maps = [#map12, #map13, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %cst_2, %123 : tensor<8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_69: f32, %in_70: f32, %out: f32):
      %179 = arith.select %in, %in_69, %in_70 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %125:2 = linalg.generic {indexing_maps = [#map5, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%124 : tensor<2x4x8x8xf32>) outs(%51, %49 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_69: i64):
      %179 = linalg.index 3 : index
      %180 = arith.index_cast %179 : index to i64
      %181 = arith.maximumf %in, %out : f32
      %182 = arith.cmpf ogt, %in, %out : f32
      %183 = arith.select %182, %180, %out_69 : i64
      linalg.yield %181, %183 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_55 = tensor.expand_shape %125#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %126 = linalg.generic {indexing_maps = [#map5, #map15, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124, %expanded_55 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.subf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %127 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126 : tensor<2x4x8x8xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.exp %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %128 = linalg.generic {indexing_maps = [#map5, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%127 : tensor<2x4x8x8xf32>) outs(%56 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x1xf32>
    %129 = linalg.generic {indexing_maps = [#map5, #map15, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %128 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%31 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.divf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_56 = tensor.collapse_shape %129 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_57 = tensor.collapse_shape %transposed_49 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %130 = linalg.batch_matmul ins(%collapsed_56, %collapsed_57 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%33 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_58 = tensor.expand_shape %130 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %transposed_59 = linalg.transpose ins(%expanded_58 : tensor<2x4x8x8xf32>) outs(%60 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_60 = tensor.collapse_shape %transposed_59 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %transposed_61 = linalg.transpose ins(%arg27 : tensor<32x32xf32>) outs(%22 : tensor<32x32xf32>) permutation = [1, 0] 
    %131 = linalg.matmul ins(%collapsed_60, %transposed_61 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %132 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%131, %arg28 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_62 = tensor.expand_shape %132 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %expanded_62 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %135 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%134 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %136 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %137 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %136 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.subf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %138 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %137 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.mulf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %139 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%138 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %140 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %141 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%133 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_9 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %146 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %143 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.subf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %147 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %145 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %148 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %arg19 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %149 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %arg20 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_63 = tensor.collapse_shape %149 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %transposed_64 = linalg.transpose ins(%arg29 : tensor<64x32xf32>) outs(%80 : tensor<32x64xf32>) permutation = [1, 0] 
    %150 = linalg.matmul ins(%collapsed_63, %transposed_64 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%82 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %151 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%150, %arg30 : tensor<16x64xf32>, tensor<64xf32>) outs(%81 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x64xf32>
    %expanded_65 = tensor.expand_shape %151 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_65 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.mulf %in, %cst_12 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %153 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_65 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %154 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_6 : f64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x64xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_65, %154 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %156 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.mulf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x64xf32>
    %157 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.tanh %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %158 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %cst_13 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %159 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %158 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%85 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_66 = tensor.collapse_shape %159 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %transposed_67 = linalg.transpose ins(%arg31 : tensor<32x64xf32>) outs(%94 : tensor<64x32xf32>) permutation = [1, 0] 
    %160 = linalg.matmul ins(%collapsed_66, %transposed_67 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%24 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %161 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%160, %arg32 : tensor<16x32xf32>, tensor<32xf32>) outs(%23 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<16x32xf32>
    %expanded_68 = tensor.expand_shape %161 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %162 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %expanded_68 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %163 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %179 = arith.extf %in : f32 to f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %164 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%163 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %165 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %166 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163, %165 : tensor<2x8x32xf64>, tensor<2x8x1xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.subf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %167 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %166 : tensor<2x8x32xf64>, tensor<2x8x32xf64>) outs(%0 : tensor<2x8x32xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %179 = arith.mulf %in, %in_69 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x32xf64>
    %168 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%167 : tensor<2x8x32xf64>) outs(%3 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.addf %in, %out : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %169 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<2x8x1xf64>) outs(%2 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %179 = arith.divf %in, %cst_10 : f64
      linalg.yield %179 : f64
    } -> tensor<2x8x1xf64>
    %170 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<2x8x1xf64>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %179 = arith.truncf %in : f64 to f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %171 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%162 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %172 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_11 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %173 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_9 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<2x8x1xf32>
    %174 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x1xf32>
    %175 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %172 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.subf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %176 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %174 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %177 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176, %arg33 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.mulf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    %178 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %arg34 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %179 = arith.addf %in, %in_69 : f32
      linalg.yield %179 : f32
    } -> tensor<2x8x32xf32>
    return %178 : tensor<2x8x32xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.float32_1: "0x040000000000803E0000803D0000803C0000803B",
      torch_tensor_4_torch.float32: "0x040000000000803E0000803D0000803C0000803B"
    }
  }
#-}
