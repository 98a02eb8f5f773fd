#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2, d4, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<() -> ()>
#map8 = affine_map<(d0, d1, d2) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
module @jit_vit {
  func.func public @main(%arg0: tensor<2x16x16x3xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<64x32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<1x1x32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32x5xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<48x32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<1x17x32xf32>, %arg16: tensor<32x96xf32>, %arg17: tensor<96xf32>, %arg18: tensor<32x64xf32>, %arg19: tensor<64xf32>) -> tensor<2x5xf32> {
    %cst = arith.constant 5.000000e-01 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.797884583 : f32
    %cst_2 = arith.constant 4.471500e-02 : f32
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 2.82842708 : f32
    %cst_5 = arith.constant 9.99999974E-6 : f32
    %cst_6 = arith.constant 0x7FC00000 : f32
    %cst_7 = arith.constant 3.200000e+01 : f32
    %cst_8 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2], [3, 4], [5]] output_shape [2, 4, 4, 4, 4, 3] : tensor<2x16x16x3xf32> into tensor<2x4x4x4x4x3xf32>
    %0 = tensor.empty() : tensor<2x4x4x4x4x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x4x4x4x3xf32>) outs(%0 : tensor<2x4x4x4x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x4x4x4x3xf32>
    %collapsed = tensor.collapse_shape %1 [[0, 1, 2], [3, 4, 5]] : tensor<2x4x4x4x4x3xf32> into tensor<32x48xf32>
    %2 = tensor.empty() : tensor<32x32xf32>
    %3 = linalg.fill ins(%cst_8 : f32) outs(%2 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %4 = linalg.matmul ins(%collapsed, %arg13 : tensor<32x48xf32>, tensor<48x32xf32>) outs(%3 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_9 = tensor.expand_shape %4 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %5 = tensor.empty() : tensor<2x16x32xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14 : tensor<32xf32>) outs(%5 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %7 = tensor.empty() : tensor<2x16x32xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_9, %6 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%7 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x16x32xf32>
    %9 = tensor.empty() : tensor<2x1x32xf32>
    %10 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<1x1x32xf32>) outs(%9 : tensor<2x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x32xf32>
    %11 = tensor.empty() : tensor<2x17x32xf32>
    %inserted_slice = tensor.insert_slice %10 into %11[0, 0, 0] [2, 1, 32] [1, 1, 1] : tensor<2x1x32xf32> into tensor<2x17x32xf32>
    %inserted_slice_10 = tensor.insert_slice %8 into %inserted_slice[0, 1, 0] [2, 16, 32] [1, 1, 1] : tensor<2x16x32xf32> into tensor<2x17x32xf32>
    %12 = tensor.empty() : tensor<2x17x32xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg15 : tensor<1x17x32xf32>) outs(%12 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %14 = tensor.empty() : tensor<2x17x32xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%inserted_slice_10, %13 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%14 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %16 = tensor.empty() : tensor<2x17xf32>
    %17 = linalg.fill ins(%cst_8 : f32) outs(%16 : tensor<2x17xf32>) -> tensor<2x17xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x17x32xf32>) outs(%17 : tensor<2x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %out, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17xf32>
    %expanded_11 = tensor.expand_shape %18 [[0], [1, 2]] output_shape [2, 17, 1] : tensor<2x17xf32> into tensor<2x17x1xf32>
    %19 = tensor.empty() : tensor<2x17x1xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<2x17x1xf32>) outs(%19 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.divf %in, %cst_7 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %21 = tensor.empty() : tensor<2x17x32xf32>
    %22 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x17x1xf32>) outs(%21 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %23 = tensor.empty() : tensor<2x17x32xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %22 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%23 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.subf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %25 = tensor.empty() : tensor<2x17x32xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x17x32xf32>) outs(%25 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.mulf %in, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %27 = tensor.empty() : tensor<f32>
    %28 = linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%27 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_8 : f32
    } -> tensor<f32>
    %29 = tensor.empty() : tensor<f32>
    %30 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%28 : tensor<f32>) outs(%29 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.subf %cst_7, %in : f32
      linalg.yield %213 : f32
    } -> tensor<f32>
    %31 = tensor.empty() : tensor<2x17xf32>
    %32 = linalg.fill ins(%cst_8 : f32) outs(%31 : tensor<2x17xf32>) -> tensor<2x17xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%26 : tensor<2x17x32xf32>) outs(%32 : tensor<2x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %out, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17xf32>
    %expanded_12 = tensor.expand_shape %33 [[0], [1, 2]] output_shape [2, 17, 1] : tensor<2x17xf32> into tensor<2x17x1xf32>
    %34 = tensor.empty() : tensor<2x17x1xf32>
    %35 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<f32>) outs(%34 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x1xf32>
    %36 = tensor.empty() : tensor<2x17x1xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_12, %35 : tensor<2x17x1xf32>, tensor<2x17x1xf32>) outs(%36 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.divf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %38 = tensor.empty() : tensor<i1>
    %39 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%30 : tensor<f32>) outs(%38 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %213 = arith.cmpf ogt, %in, %cst_8 : f32
      linalg.yield %213 : i1
    } -> tensor<i1>
    %40 = tensor.empty() : tensor<2x17x1xf32>
    %extracted = tensor.extract %39[] : tensor<i1>
    %41 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<2x17x1xf32>) outs(%40 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.select %extracted, %in, %cst_6 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %42 = tensor.empty() : tensor<2x17x1xf32>
    %43 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<2x17x1xf32>) outs(%42 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %in, %cst_5 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %44 = tensor.empty() : tensor<2x17x1xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<2x17x1xf32>) outs(%44 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = math.sqrt %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %46 = tensor.empty() : tensor<2x17x32xf32>
    %47 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<2x17x1xf32>) outs(%46 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %48 = tensor.empty() : tensor<2x17x32xf32>
    %49 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %47 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%48 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.divf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %50 = tensor.empty() : tensor<2x17x32xf32>
    %51 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<32xf32>) outs(%50 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %52 = tensor.empty() : tensor<2x17x32xf32>
    %53 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %51 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%52 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.mulf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %54 = tensor.empty() : tensor<2x17x32xf32>
    %55 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%54 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %56 = tensor.empty() : tensor<2x17x32xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %55 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%56 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %collapsed_13 = tensor.collapse_shape %57 [[0, 1], [2]] : tensor<2x17x32xf32> into tensor<34x32xf32>
    %58 = tensor.empty() : tensor<34x96xf32>
    %59 = linalg.fill ins(%cst_8 : f32) outs(%58 : tensor<34x96xf32>) -> tensor<34x96xf32>
    %60 = linalg.matmul ins(%collapsed_13, %arg16 : tensor<34x32xf32>, tensor<32x96xf32>) outs(%59 : tensor<34x96xf32>) -> tensor<34x96xf32>
    %expanded_14 = tensor.expand_shape %60 [[0, 1], [2]] output_shape [2, 17, 96] : tensor<34x96xf32> into tensor<2x17x96xf32>
    %61 = tensor.empty() : tensor<2x17x96xf32>
    %62 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg17 : tensor<96xf32>) outs(%61 : tensor<2x17x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x96xf32>
    %63 = tensor.empty() : tensor<2x17x96xf32>
    %64 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_14, %62 : tensor<2x17x96xf32>, tensor<2x17x96xf32>) outs(%63 : tensor<2x17x96xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x96xf32>
    %extracted_slice = tensor.extract_slice %64[0, 0, 0] [2, 17, 32] [1, 1, 1] : tensor<2x17x96xf32> to tensor<2x17x32xf32>
    %extracted_slice_15 = tensor.extract_slice %64[0, 0, 32] [2, 17, 32] [1, 1, 1] : tensor<2x17x96xf32> to tensor<2x17x32xf32>
    %extracted_slice_16 = tensor.extract_slice %64[0, 0, 64] [2, 17, 32] [1, 1, 1] : tensor<2x17x96xf32> to tensor<2x17x32xf32>
    %expanded_17 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<2x17x32xf32> into tensor<2x17x4x8xf32>
    %expanded_18 = tensor.expand_shape %extracted_slice_15 [[0], [1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<2x17x32xf32> into tensor<2x17x4x8xf32>
    %expanded_19 = tensor.expand_shape %extracted_slice_16 [[0], [1], [2, 3]] output_shape [2, 17, 4, 8] : tensor<2x17x32xf32> into tensor<2x17x4x8xf32>
    %65 = tensor.empty() : tensor<2x4x17x8xf32>
    %66 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<2x17x4x8xf32>) outs(%65 : tensor<2x4x17x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x17x8xf32>
    %67 = tensor.empty() : tensor<2x4x8x17xf32>
    %68 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x17x4x8xf32>) outs(%67 : tensor<2x4x8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x17xf32>
    %collapsed_20 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<2x4x17x8xf32> into tensor<8x17x8xf32>
    %collapsed_21 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<2x4x8x17xf32> into tensor<8x8x17xf32>
    %69 = tensor.empty() : tensor<8x17x17xf32>
    %70 = linalg.fill ins(%cst_8 : f32) outs(%69 : tensor<8x17x17xf32>) -> tensor<8x17x17xf32>
    %71 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<8x17x8xf32>, tensor<8x8x17xf32>) outs(%70 : tensor<8x17x17xf32>) -> tensor<8x17x17xf32>
    %expanded_22 = tensor.expand_shape %71 [[0, 1], [2], [3]] output_shape [2, 4, 17, 17] : tensor<8x17x17xf32> into tensor<2x4x17x17xf32>
    %72 = tensor.empty() : tensor<2x4x17x17xf32>
    %73 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<2x4x17x17xf32>) outs(%72 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.divf %in, %cst_4 : f32
      linalg.yield %213 : f32
    } -> tensor<2x4x17x17xf32>
    %74 = tensor.empty() : tensor<2x4x17xf32>
    %75 = linalg.fill ins(%cst_3 : f32) outs(%74 : tensor<2x4x17xf32>) -> tensor<2x4x17xf32>
    %76 = linalg.generic {indexing_maps = [#map10, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<2x4x17x17xf32>) outs(%75 : tensor<2x4x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.maximumf %out, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x4x17xf32>
    %77 = tensor.empty() : tensor<2x4x17x17xf32>
    %78 = linalg.generic {indexing_maps = [#map12, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<2x4x17xf32>) outs(%77 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x17x17xf32>
    %79 = tensor.empty() : tensor<2x4x17x17xf32>
    %80 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %78 : tensor<2x4x17x17xf32>, tensor<2x4x17x17xf32>) outs(%79 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.subf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x4x17x17xf32>
    %81 = tensor.empty() : tensor<2x4x17x17xf32>
    %82 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<2x4x17x17xf32>) outs(%81 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = math.exp %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x4x17x17xf32>
    %83 = tensor.empty() : tensor<2x4x17xf32>
    %84 = linalg.fill ins(%cst_8 : f32) outs(%83 : tensor<2x4x17xf32>) -> tensor<2x4x17xf32>
    %85 = linalg.generic {indexing_maps = [#map10, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%82 : tensor<2x4x17x17xf32>) outs(%84 : tensor<2x4x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %out, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x4x17xf32>
    %86 = tensor.empty() : tensor<2x4x17x17xf32>
    %87 = linalg.generic {indexing_maps = [#map12, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<2x4x17xf32>) outs(%86 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x17x17xf32>
    %88 = tensor.empty() : tensor<2x4x17x17xf32>
    %89 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %87 : tensor<2x4x17x17xf32>, tensor<2x4x17x17xf32>) outs(%88 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.divf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x4x17x17xf32>
    %90 = tensor.empty() : tensor<2x4x8x17xf32>
    %91 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<2x17x4x8xf32>) outs(%90 : tensor<2x4x8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x17xf32>
    %92 = tensor.empty() : tensor<2x4x17x17xf32>
    %93 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<2x4x17x17xf32>) outs(%92 : tensor<2x4x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x17x17xf32>
    %collapsed_23 = tensor.collapse_shape %91 [[0, 1], [2], [3]] : tensor<2x4x8x17xf32> into tensor<8x8x17xf32>
    %collapsed_24 = tensor.collapse_shape %93 [[0, 1], [2], [3]] : tensor<2x4x17x17xf32> into tensor<8x17x17xf32>
    %94 = tensor.empty() : tensor<8x8x17xf32>
    %95 = linalg.fill ins(%cst_8 : f32) outs(%94 : tensor<8x8x17xf32>) -> tensor<8x8x17xf32>
    %96 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<8x8x17xf32>, tensor<8x17x17xf32>) outs(%95 : tensor<8x8x17xf32>) -> tensor<8x8x17xf32>
    %expanded_25 = tensor.expand_shape %96 [[0, 1], [2], [3]] output_shape [2, 4, 8, 17] : tensor<8x8x17xf32> into tensor<2x4x8x17xf32>
    %97 = tensor.empty() : tensor<2x17x4x8xf32>
    %98 = linalg.generic {indexing_maps = [#map14, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<2x4x8x17xf32>) outs(%97 : tensor<2x17x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x4x8xf32>
    %collapsed_26 = tensor.collapse_shape %98 [[0, 1], [2, 3]] : tensor<2x17x4x8xf32> into tensor<34x32xf32>
    %99 = tensor.empty() : tensor<34x32xf32>
    %100 = linalg.fill ins(%cst_8 : f32) outs(%99 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %101 = linalg.matmul ins(%collapsed_26, %arg11 : tensor<34x32xf32>, tensor<32x32xf32>) outs(%100 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %expanded_27 = tensor.expand_shape %101 [[0, 1], [2]] output_shape [2, 17, 32] : tensor<34x32xf32> into tensor<2x17x32xf32>
    %102 = tensor.empty() : tensor<2x17x32xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %expanded_27 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%102 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %104 = tensor.empty() : tensor<2x17x32xf32>
    %105 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<32xf32>) outs(%104 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %106 = tensor.empty() : tensor<2x17x32xf32>
    %107 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %105 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%106 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %108 = tensor.empty() : tensor<2x17xf32>
    %109 = linalg.fill ins(%cst_8 : f32) outs(%108 : tensor<2x17xf32>) -> tensor<2x17xf32>
    %110 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%107 : tensor<2x17x32xf32>) outs(%109 : tensor<2x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %out, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17xf32>
    %expanded_28 = tensor.expand_shape %110 [[0], [1, 2]] output_shape [2, 17, 1] : tensor<2x17xf32> into tensor<2x17x1xf32>
    %111 = tensor.empty() : tensor<2x17x1xf32>
    %112 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<2x17x1xf32>) outs(%111 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.divf %in, %cst_7 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %113 = tensor.empty() : tensor<2x17x32xf32>
    %114 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x17x1xf32>) outs(%113 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %115 = tensor.empty() : tensor<2x17x32xf32>
    %116 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %114 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%115 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.subf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %117 = tensor.empty() : tensor<2x17x32xf32>
    %118 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<2x17x32xf32>) outs(%117 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.mulf %in, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %119 = tensor.empty() : tensor<2x17xf32>
    %120 = linalg.fill ins(%cst_8 : f32) outs(%119 : tensor<2x17xf32>) -> tensor<2x17xf32>
    %121 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%118 : tensor<2x17x32xf32>) outs(%120 : tensor<2x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %out, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17xf32>
    %expanded_29 = tensor.expand_shape %121 [[0], [1, 2]] output_shape [2, 17, 1] : tensor<2x17xf32> into tensor<2x17x1xf32>
    %122 = tensor.empty() : tensor<2x17x1xf32>
    %123 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_29, %35 : tensor<2x17x1xf32>, tensor<2x17x1xf32>) outs(%122 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.divf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %124 = tensor.empty() : tensor<2x17x1xf32>
    %extracted_30 = tensor.extract %39[] : tensor<i1>
    %125 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<2x17x1xf32>) outs(%124 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.select %extracted_30, %in, %cst_6 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %126 = tensor.empty() : tensor<2x17x1xf32>
    %127 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x17x1xf32>) outs(%126 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %in, %cst_5 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %128 = tensor.empty() : tensor<2x17x1xf32>
    %129 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x17x1xf32>) outs(%128 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = math.sqrt %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %130 = tensor.empty() : tensor<2x17x32xf32>
    %131 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<2x17x1xf32>) outs(%130 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %132 = tensor.empty() : tensor<2x17x32xf32>
    %133 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %131 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%132 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.divf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %134 = tensor.empty() : tensor<2x17x32xf32>
    %135 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<32xf32>) outs(%134 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %136 = tensor.empty() : tensor<2x17x32xf32>
    %137 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %135 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%136 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.mulf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %138 = tensor.empty() : tensor<2x17x32xf32>
    %139 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<32xf32>) outs(%138 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %140 = tensor.empty() : tensor<2x17x32xf32>
    %141 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %139 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%140 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %collapsed_31 = tensor.collapse_shape %141 [[0, 1], [2]] : tensor<2x17x32xf32> into tensor<34x32xf32>
    %142 = tensor.empty() : tensor<34x64xf32>
    %143 = linalg.fill ins(%cst_8 : f32) outs(%142 : tensor<34x64xf32>) -> tensor<34x64xf32>
    %144 = linalg.matmul ins(%collapsed_31, %arg18 : tensor<34x32xf32>, tensor<32x64xf32>) outs(%143 : tensor<34x64xf32>) -> tensor<34x64xf32>
    %expanded_32 = tensor.expand_shape %144 [[0, 1], [2]] output_shape [2, 17, 64] : tensor<34x64xf32> into tensor<2x17x64xf32>
    %145 = tensor.empty() : tensor<2x17x64xf32>
    %146 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg19 : tensor<64xf32>) outs(%145 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x64xf32>
    %147 = tensor.empty() : tensor<2x17x64xf32>
    %148 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_32, %146 : tensor<2x17x64xf32>, tensor<2x17x64xf32>) outs(%147 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %149 = tensor.empty() : tensor<2x17x64xf32>
    %150 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x17x64xf32>) outs(%149 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.mulf %in, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %151 = tensor.empty() : tensor<2x17x64xf32>
    %152 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150, %148 : tensor<2x17x64xf32>, tensor<2x17x64xf32>) outs(%151 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.mulf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %153 = tensor.empty() : tensor<2x17x64xf32>
    %154 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<2x17x64xf32>) outs(%153 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.mulf %in, %cst_2 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %155 = tensor.empty() : tensor<2x17x64xf32>
    %156 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %154 : tensor<2x17x64xf32>, tensor<2x17x64xf32>) outs(%155 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %157 = tensor.empty() : tensor<2x17x64xf32>
    %158 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x17x64xf32>) outs(%157 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.mulf %in, %cst_1 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %159 = tensor.empty() : tensor<2x17x64xf32>
    %160 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<2x17x64xf32>) outs(%159 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = math.tanh %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %161 = tensor.empty() : tensor<2x17x64xf32>
    %162 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<2x17x64xf32>) outs(%161 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %in, %cst_0 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %163 = tensor.empty() : tensor<2x17x64xf32>
    %164 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<2x17x64xf32>) outs(%163 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.mulf %in, %cst : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %165 = tensor.empty() : tensor<2x17x64xf32>
    %166 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %164 : tensor<2x17x64xf32>, tensor<2x17x64xf32>) outs(%165 : tensor<2x17x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.mulf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x64xf32>
    %collapsed_33 = tensor.collapse_shape %166 [[0, 1], [2]] : tensor<2x17x64xf32> into tensor<34x64xf32>
    %167 = tensor.empty() : tensor<34x32xf32>
    %168 = linalg.fill ins(%cst_8 : f32) outs(%167 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %169 = linalg.matmul ins(%collapsed_33, %arg4 : tensor<34x64xf32>, tensor<64x32xf32>) outs(%168 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %expanded_34 = tensor.expand_shape %169 [[0, 1], [2]] output_shape [2, 17, 32] : tensor<34x32xf32> into tensor<2x17x32xf32>
    %170 = tensor.empty() : tensor<2x17x32xf32>
    %171 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %expanded_34 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%170 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %172 = tensor.empty() : tensor<2x17x32xf32>
    %173 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<32xf32>) outs(%172 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %174 = tensor.empty() : tensor<2x17x32xf32>
    %175 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171, %173 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%174 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %176 = tensor.empty() : tensor<2x17xf32>
    %177 = linalg.fill ins(%cst_8 : f32) outs(%176 : tensor<2x17xf32>) -> tensor<2x17xf32>
    %178 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%175 : tensor<2x17x32xf32>) outs(%177 : tensor<2x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %out, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17xf32>
    %expanded_35 = tensor.expand_shape %178 [[0], [1, 2]] output_shape [2, 17, 1] : tensor<2x17xf32> into tensor<2x17x1xf32>
    %179 = tensor.empty() : tensor<2x17x1xf32>
    %180 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x17x1xf32>) outs(%179 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.divf %in, %cst_7 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %181 = tensor.empty() : tensor<2x17x32xf32>
    %182 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<2x17x1xf32>) outs(%181 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %183 = tensor.empty() : tensor<2x17x32xf32>
    %184 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %182 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%183 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.subf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %185 = tensor.empty() : tensor<2x17x32xf32>
    %186 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184 : tensor<2x17x32xf32>) outs(%185 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.mulf %in, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %187 = tensor.empty() : tensor<2x17xf32>
    %188 = linalg.fill ins(%cst_8 : f32) outs(%187 : tensor<2x17xf32>) -> tensor<2x17xf32>
    %189 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%186 : tensor<2x17x32xf32>) outs(%188 : tensor<2x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %out, %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17xf32>
    %expanded_36 = tensor.expand_shape %189 [[0], [1, 2]] output_shape [2, 17, 1] : tensor<2x17xf32> into tensor<2x17x1xf32>
    %190 = tensor.empty() : tensor<2x17x1xf32>
    %191 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36, %35 : tensor<2x17x1xf32>, tensor<2x17x1xf32>) outs(%190 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.divf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %192 = tensor.empty() : tensor<2x17x1xf32>
    %extracted_37 = tensor.extract %39[] : tensor<i1>
    %193 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191 : tensor<2x17x1xf32>) outs(%192 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.select %extracted_37, %in, %cst_6 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %194 = tensor.empty() : tensor<2x17x1xf32>
    %195 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%193 : tensor<2x17x1xf32>) outs(%194 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = arith.addf %in, %cst_5 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %196 = tensor.empty() : tensor<2x17x1xf32>
    %197 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195 : tensor<2x17x1xf32>) outs(%196 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %213 = math.sqrt %in : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x1xf32>
    %198 = tensor.empty() : tensor<2x17x32xf32>
    %199 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<2x17x1xf32>) outs(%198 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %200 = tensor.empty() : tensor<2x17x32xf32>
    %201 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184, %199 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%200 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.divf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %202 = tensor.empty() : tensor<2x17x32xf32>
    %203 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9 : tensor<32xf32>) outs(%202 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %204 = tensor.empty() : tensor<2x17x32xf32>
    %205 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201, %203 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%204 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.mulf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %206 = tensor.empty() : tensor<2x17x32xf32>
    %207 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%206 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x17x32xf32>
    %208 = tensor.empty() : tensor<2x17x32xf32>
    %209 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205, %207 : tensor<2x17x32xf32>, tensor<2x17x32xf32>) outs(%208 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %213 = arith.addf %in, %in_40 : f32
      linalg.yield %213 : f32
    } -> tensor<2x17x32xf32>
    %extracted_slice_38 = tensor.extract_slice %209[0, 0, 0] [2, 1, 32] [1, 1, 1] : tensor<2x17x32xf32> to tensor<2x1x32xf32>
    %collapsed_39 = tensor.collapse_shape %extracted_slice_38 [[0], [1, 2]] : tensor<2x1x32xf32> into tensor<2x32xf32>
    %210 = tensor.empty() : tensor<2x5xf32>
    %211 = linalg.fill ins(%cst_8 : f32) outs(%210 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %212 = linalg.matmul ins(%collapsed_39, %arg10 : tensor<2x32xf32>, tensor<32x5xf32>) outs(%211 : tensor<2x5xf32>) -> tensor<2x5xf32>
    return %212 : tensor<2x5xf32>
  }
}

