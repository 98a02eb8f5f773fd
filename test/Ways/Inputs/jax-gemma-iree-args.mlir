#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> (d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map18 = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
module @jit_gemma {
  func.func public @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<64x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x64xf32>, %arg5: tensor<32x2x8xf32>, %arg6: tensor<4x8x32xf32>, %arg7: tensor<32x4x8xf32>, %arg8: tensor<32x64xf32>, %arg9: tensor<32x2x8xf32>) -> tensor<2x8x32xf32> {
    %cst = arith.constant 5.000000e-01 : f32
    %cst_0 = arith.constant 0.797884583 : f32
    %cst_1 = arith.constant 4.471500e-02 : f32
    %cst_2 = arith.constant 0xFF800000 : f32
    %cst_3 = arith.constant -1.000000e+10 : f32
    %cst_4 = arith.constant 3.000000e+01 : f32
    %cst_5 = arith.constant 2.82842708 : f32
    %cst_6 = arith.constant 1.000000e+04 : f32
    %cst_7 = arith.constant 8.000000e+00 : f32
    %c2_i32 = arith.constant 2 : i32
    %cst_8 = arith.constant 9.99999997E-7 : f32
    %cst_9 = arith.constant 3.200000e+01 : f32
    %cst_10 = arith.constant 0.000000e+00 : f32
    %cst_11 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<32xf32>) outs(%0 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %cst_11 : f32
      linalg.yield %205 : f32
    } -> tensor<32xf32>
    %2 = tensor.empty() : tensor<2x8x32xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%2 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.mulf %in, %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x32xf32>
    %4 = tensor.empty() : tensor<2x8xf32>
    %5 = linalg.fill ins(%cst_10 : f32) outs(%4 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x8x32xf32>) outs(%5 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %out, %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x8xf32>
    %expanded = tensor.expand_shape %6 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %7 = tensor.empty() : tensor<2x8x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xf32>) outs(%7 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.divf %in, %cst_9 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x1xf32>
    %9 = tensor.empty() : tensor<2x8x1xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x8x1xf32>) outs(%9 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %cst_8 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x1xf32>
    %11 = tensor.empty() : tensor<2x8x1xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x8x1xf32>) outs(%11 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.rsqrt %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x1xf32>
    %13 = tensor.empty() : tensor<2x8x32xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x8x1xf32>) outs(%13 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %15 = tensor.empty() : tensor<2x8x32xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%15 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x32xf32>
    %17 = tensor.empty() : tensor<2x8x32xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<32xf32>) outs(%17 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %19 = tensor.empty() : tensor<2x8x32xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %18 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%19 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x32xf32>
    %collapsed = tensor.collapse_shape %20 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %collapsed_12 = tensor.collapse_shape %arg7 [[0], [1, 2]] : tensor<32x4x8xf32> into tensor<32x32xf32>
    %21 = tensor.empty() : tensor<16x32xf32>
    %22 = linalg.fill ins(%cst_10 : f32) outs(%21 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %23 = linalg.matmul ins(%collapsed, %collapsed_12 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%22 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_13 = tensor.expand_shape %23 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %collapsed_14 = tensor.collapse_shape %arg5 [[0], [1, 2]] : tensor<32x2x8xf32> into tensor<32x16xf32>
    %24 = tensor.empty() : tensor<16x16xf32>
    %25 = linalg.fill ins(%cst_10 : f32) outs(%24 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %26 = linalg.matmul ins(%collapsed, %collapsed_14 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%25 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_15 = tensor.expand_shape %26 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %collapsed_16 = tensor.collapse_shape %arg9 [[0], [1, 2]] : tensor<32x2x8xf32> into tensor<32x16xf32>
    %27 = tensor.empty() : tensor<16x16xf32>
    %28 = linalg.fill ins(%cst_10 : f32) outs(%27 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %29 = linalg.matmul ins(%collapsed, %collapsed_16 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%28 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_17 = tensor.expand_shape %29 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %30 = tensor.empty() : tensor<4xi32>
    %31 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%30 : tensor<4xi32>) {
    ^bb0(%out: i32):
      %205 = linalg.index 0 : index
      %206 = arith.index_cast %205 : index to i32
      linalg.yield %206 : i32
    } -> tensor<4xi32>
    %32 = tensor.empty() : tensor<4xi32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%31 : tensor<4xi32>) outs(%32 : tensor<4xi32>) {
    ^bb0(%in: i32, %out: i32):
      %205 = arith.muli %in, %c2_i32 : i32
      linalg.yield %205 : i32
    } -> tensor<4xi32>
    %34 = tensor.empty() : tensor<4xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%33 : tensor<4xi32>) outs(%34 : tensor<4xf32>) {
    ^bb0(%in: i32, %out: f32):
      %205 = arith.sitofp %in : i32 to f32
      linalg.yield %205 : f32
    } -> tensor<4xf32>
    %36 = tensor.empty() : tensor<4xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%35 : tensor<4xf32>) outs(%36 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.divf %in, %cst_7 : f32
      linalg.yield %205 : f32
    } -> tensor<4xf32>
    %38 = tensor.empty() : tensor<4xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%37 : tensor<4xf32>) outs(%38 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.powf %cst_6, %in : f32
      linalg.yield %205 : f32
    } -> tensor<4xf32>
    %40 = tensor.empty() : tensor<4xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%39 : tensor<4xf32>) outs(%40 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.divf %cst_11, %in : f32
      linalg.yield %205 : f32
    } -> tensor<4xf32>
    %42 = tensor.empty() : tensor<8xi32>
    %43 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%42 : tensor<8xi32>) {
    ^bb0(%out: i32):
      %205 = linalg.index 0 : index
      %206 = arith.index_cast %205 : index to i32
      linalg.yield %206 : i32
    } -> tensor<8xi32>
    %44 = tensor.empty() : tensor<8xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%43 : tensor<8xi32>) outs(%44 : tensor<8xf32>) {
    ^bb0(%in: i32, %out: f32):
      %205 = arith.sitofp %in : i32 to f32
      linalg.yield %205 : f32
    } -> tensor<8xf32>
    %expanded_18 = tensor.expand_shape %45 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %46 = tensor.empty() : tensor<8x4xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_18 : tensor<8x1xf32>) outs(%46 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %48 = tensor.empty() : tensor<8x4xf32>
    %49 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<4xf32>) outs(%48 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %50 = tensor.empty() : tensor<8x4xf32>
    %51 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%47, %49 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%50 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<8x4xf32>
    %52 = tensor.empty() : tensor<8x4xf32>
    %53 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<8x4xf32>) outs(%52 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.cos %in : f32
      linalg.yield %205 : f32
    } -> tensor<8x4xf32>
    %54 = tensor.empty() : tensor<8x4xf32>
    %55 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<8x4xf32>) outs(%54 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.sin %in : f32
      linalg.yield %205 : f32
    } -> tensor<8x4xf32>
    %extracted_slice = tensor.extract_slice %expanded_13[0, 0, 0, 0] [2, 8, 4, 4] [1, 1, 1, 1] : tensor<2x8x4x8xf32> to tensor<2x8x4x4xf32>
    %extracted_slice_19 = tensor.extract_slice %expanded_13[0, 0, 0, 4] [2, 8, 4, 4] [1, 1, 1, 1] : tensor<2x8x4x8xf32> to tensor<2x8x4x4xf32>
    %56 = tensor.empty() : tensor<2x8x4x4xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<8x4xf32>) outs(%56 : tensor<2x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x4x4xf32>
    %58 = tensor.empty() : tensor<2x8x4x4xf32>
    %59 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %57 : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) outs(%58 : tensor<2x8x4x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x4x4xf32>
    %60 = tensor.empty() : tensor<2x8x4x4xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<8x4xf32>) outs(%60 : tensor<2x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x4x4xf32>
    %62 = tensor.empty() : tensor<2x8x4x4xf32>
    %63 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_19, %61 : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) outs(%62 : tensor<2x8x4x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x4x4xf32>
    %64 = tensor.empty() : tensor<2x8x4x4xf32>
    %65 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %63 : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) outs(%64 : tensor<2x8x4x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.subf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x4x4xf32>
    %66 = tensor.empty() : tensor<2x8x4x4xf32>
    %67 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_19, %57 : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) outs(%66 : tensor<2x8x4x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x4x4xf32>
    %68 = tensor.empty() : tensor<2x8x4x4xf32>
    %69 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %61 : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) outs(%68 : tensor<2x8x4x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x4x4xf32>
    %70 = tensor.empty() : tensor<2x8x4x4xf32>
    %71 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %69 : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) outs(%70 : tensor<2x8x4x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.addf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x4x4xf32>
    %72 = tensor.empty() : tensor<2x8x4x8xf32>
    %inserted_slice = tensor.insert_slice %65 into %72[0, 0, 0, 0] [2, 8, 4, 4] [1, 1, 1, 1] : tensor<2x8x4x4xf32> into tensor<2x8x4x8xf32>
    %inserted_slice_20 = tensor.insert_slice %71 into %inserted_slice[0, 0, 0, 4] [2, 8, 4, 4] [1, 1, 1, 1] : tensor<2x8x4x4xf32> into tensor<2x8x4x8xf32>
    %extracted_slice_21 = tensor.extract_slice %expanded_15[0, 0, 0, 0] [2, 8, 2, 4] [1, 1, 1, 1] : tensor<2x8x2x8xf32> to tensor<2x8x2x4xf32>
    %extracted_slice_22 = tensor.extract_slice %expanded_15[0, 0, 0, 4] [2, 8, 2, 4] [1, 1, 1, 1] : tensor<2x8x2x8xf32> to tensor<2x8x2x4xf32>
    %73 = tensor.empty() : tensor<2x8x2x4xf32>
    %74 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<8x4xf32>) outs(%73 : tensor<2x8x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x4xf32>
    %75 = tensor.empty() : tensor<2x8x2x4xf32>
    %76 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_21, %74 : tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) outs(%75 : tensor<2x8x2x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x2x4xf32>
    %77 = tensor.empty() : tensor<2x8x2x4xf32>
    %78 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<8x4xf32>) outs(%77 : tensor<2x8x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x4xf32>
    %79 = tensor.empty() : tensor<2x8x2x4xf32>
    %80 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_22, %78 : tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) outs(%79 : tensor<2x8x2x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x2x4xf32>
    %81 = tensor.empty() : tensor<2x8x2x4xf32>
    %82 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %80 : tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) outs(%81 : tensor<2x8x2x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.subf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x2x4xf32>
    %83 = tensor.empty() : tensor<2x8x2x4xf32>
    %84 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_22, %74 : tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) outs(%83 : tensor<2x8x2x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x2x4xf32>
    %85 = tensor.empty() : tensor<2x8x2x4xf32>
    %86 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_21, %78 : tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) outs(%85 : tensor<2x8x2x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x2x4xf32>
    %87 = tensor.empty() : tensor<2x8x2x4xf32>
    %88 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %86 : tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) outs(%87 : tensor<2x8x2x4xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.addf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x2x4xf32>
    %89 = tensor.empty() : tensor<2x8x2x8xf32>
    %inserted_slice_23 = tensor.insert_slice %82 into %89[0, 0, 0, 0] [2, 8, 2, 4] [1, 1, 1, 1] : tensor<2x8x2x4xf32> into tensor<2x8x2x8xf32>
    %inserted_slice_24 = tensor.insert_slice %88 into %inserted_slice_23[0, 0, 0, 4] [2, 8, 2, 4] [1, 1, 1, 1] : tensor<2x8x2x4xf32> into tensor<2x8x2x8xf32>
    %90 = tensor.empty() : tensor<2x8x2x2x8xf32>
    %91 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_24 : tensor<2x8x2x8xf32>) outs(%90 : tensor<2x8x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x2x8xf32>
    %collapsed_25 = tensor.collapse_shape %91 [[0], [1], [2, 3], [4]] : tensor<2x8x2x2x8xf32> into tensor<2x8x4x8xf32>
    %92 = tensor.empty() : tensor<2x8x2x2x8xf32>
    %93 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<2x8x2x8xf32>) outs(%92 : tensor<2x8x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x2x8xf32>
    %collapsed_26 = tensor.collapse_shape %93 [[0], [1], [2, 3], [4]] : tensor<2x8x2x2x8xf32> into tensor<2x8x4x8xf32>
    %94 = tensor.empty() : tensor<8x8xi32>
    %95 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%94 : tensor<8x8xi32>) {
    ^bb0(%out: i32):
      %205 = linalg.index 0 : index
      %206 = arith.index_cast %205 : index to i32
      linalg.yield %206 : i32
    } -> tensor<8x8xi32>
    %96 = tensor.empty() : tensor<8x8xi32>
    %97 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%96 : tensor<8x8xi32>) {
    ^bb0(%out: i32):
      %205 = linalg.index 1 : index
      %206 = arith.index_cast %205 : index to i32
      linalg.yield %206 : i32
    } -> tensor<8x8xi32>
    %98 = tensor.empty() : tensor<8x8xi1>
    %99 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%95, %97 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%98 : tensor<8x8xi1>) {
    ^bb0(%in: i32, %in_42: i32, %out: i1):
      %205 = arith.cmpi sge, %in, %in_42 : i32
      linalg.yield %205 : i1
    } -> tensor<8x8xi1>
    %100 = tensor.empty() : tensor<2x4x8x8xf32>
    %101 = linalg.generic {indexing_maps = [#map12, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_20 : tensor<2x8x4x8xf32>) outs(%100 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %102 = tensor.empty() : tensor<2x4x8x8xf32>
    %103 = linalg.generic {indexing_maps = [#map13, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_25 : tensor<2x8x4x8xf32>) outs(%102 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_27 = tensor.collapse_shape %101 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_28 = tensor.collapse_shape %103 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %104 = tensor.empty() : tensor<8x8x8xf32>
    %105 = linalg.fill ins(%cst_10 : f32) outs(%104 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %106 = linalg.batch_matmul ins(%collapsed_27, %collapsed_28 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%105 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_29 = tensor.expand_shape %106 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %107 = tensor.empty() : tensor<2x4x8x8xf32>
    %108 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x4x8x8xf32>) outs(%107 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.divf %in, %cst_5 : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8x8xf32>
    %109 = tensor.empty() : tensor<2x4x8x8xf32>
    %110 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108 : tensor<2x4x8x8xf32>) outs(%109 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.divf %in, %cst_4 : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8x8xf32>
    %111 = tensor.empty() : tensor<2x4x8x8xf32>
    %112 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110 : tensor<2x4x8x8xf32>) outs(%111 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.tanh %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8x8xf32>
    %113 = tensor.empty() : tensor<2x4x8x8xf32>
    %114 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<2x4x8x8xf32>) outs(%113 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.mulf %in, %cst_4 : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8x8xf32>
    %115 = tensor.empty() : tensor<2x4x8x8xi1>
    %116 = linalg.generic {indexing_maps = [#map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99 : tensor<8x8xi1>) outs(%115 : tensor<2x4x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x4x8x8xi1>
    %117 = tensor.empty() : tensor<2x4x8x8xf32>
    %118 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %114 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>) outs(%117 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_42: f32, %out: f32):
      %205 = arith.select %in, %in_42, %cst_3 : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8x8xf32>
    %119 = tensor.empty() : tensor<2x4x8xf32>
    %120 = linalg.fill ins(%cst_2 : f32) outs(%119 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %121 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%118 : tensor<2x4x8x8xf32>) outs(%120 : tensor<2x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.maximumf %out, %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8xf32>
    %122 = tensor.empty() : tensor<2x4x8x8xf32>
    %123 = linalg.generic {indexing_maps = [#map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121 : tensor<2x4x8xf32>) outs(%122 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %124 = tensor.empty() : tensor<2x4x8x8xf32>
    %125 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118, %123 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%124 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.subf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8x8xf32>
    %126 = tensor.empty() : tensor<2x4x8x8xf32>
    %127 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125 : tensor<2x4x8x8xf32>) outs(%126 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.exp %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8x8xf32>
    %128 = tensor.empty() : tensor<2x4x8xf32>
    %129 = linalg.fill ins(%cst_10 : f32) outs(%128 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %130 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%127 : tensor<2x4x8x8xf32>) outs(%129 : tensor<2x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %out, %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8xf32>
    %131 = tensor.empty() : tensor<2x4x8x8xf32>
    %132 = linalg.generic {indexing_maps = [#map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<2x4x8xf32>) outs(%131 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %133 = tensor.empty() : tensor<2x4x8x8xf32>
    %134 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %132 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%133 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.divf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x4x8x8xf32>
    %135 = tensor.empty() : tensor<2x4x8x8xf32>
    %136 = linalg.generic {indexing_maps = [#map13, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_26 : tensor<2x8x4x8xf32>) outs(%135 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %137 = tensor.empty() : tensor<2x4x8x8xf32>
    %138 = linalg.generic {indexing_maps = [#map16, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<2x4x8x8xf32>) outs(%137 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_30 = tensor.collapse_shape %136 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_31 = tensor.collapse_shape %138 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %139 = tensor.empty() : tensor<8x8x8xf32>
    %140 = linalg.fill ins(%cst_10 : f32) outs(%139 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %141 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%140 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_32 = tensor.expand_shape %141 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %142 = tensor.empty() : tensor<2x8x4x8xf32>
    %143 = linalg.generic {indexing_maps = [#map17, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<2x4x8x8xf32>) outs(%142 : tensor<2x8x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x4x8xf32>
    %144 = tensor.empty() : tensor<2x8x8x4xf32>
    %145 = linalg.generic {indexing_maps = [#map16, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%143 : tensor<2x8x4x8xf32>) outs(%144 : tensor<2x8x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x8x4xf32>
    %collapsed_33 = tensor.collapse_shape %145 [[0, 1], [2, 3]] : tensor<2x8x8x4xf32> into tensor<16x32xf32>
    %146 = tensor.empty() : tensor<8x4x32xf32>
    %147 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<4x8x32xf32>) outs(%146 : tensor<8x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x32xf32>
    %collapsed_34 = tensor.collapse_shape %147 [[0, 1], [2]] : tensor<8x4x32xf32> into tensor<32x32xf32>
    %148 = tensor.empty() : tensor<16x32xf32>
    %149 = linalg.fill ins(%cst_10 : f32) outs(%148 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %150 = linalg.matmul ins(%collapsed_33, %collapsed_34 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%149 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_35 = tensor.expand_shape %150 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %151 = tensor.empty() : tensor<2x8x32xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_35 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%151 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.addf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x32xf32>
    %153 = tensor.empty() : tensor<32xf32>
    %154 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<32xf32>) outs(%153 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %cst_11 : f32
      linalg.yield %205 : f32
    } -> tensor<32xf32>
    %155 = tensor.empty() : tensor<2x8x32xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<2x8x32xf32>) outs(%155 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.mulf %in, %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x32xf32>
    %157 = tensor.empty() : tensor<2x8xf32>
    %158 = linalg.fill ins(%cst_10 : f32) outs(%157 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%156 : tensor<2x8x32xf32>) outs(%158 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %out, %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x8xf32>
    %expanded_36 = tensor.expand_shape %159 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %160 = tensor.empty() : tensor<2x8x1xf32>
    %161 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<2x8x1xf32>) outs(%160 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.divf %in, %cst_9 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x1xf32>
    %162 = tensor.empty() : tensor<2x8x1xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<2x8x1xf32>) outs(%162 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %cst_8 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x1xf32>
    %164 = tensor.empty() : tensor<2x8x1xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<2x8x1xf32>) outs(%164 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.rsqrt %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x1xf32>
    %166 = tensor.empty() : tensor<2x8x32xf32>
    %167 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<2x8x1xf32>) outs(%166 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %168 = tensor.empty() : tensor<2x8x32xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %167 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%168 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x32xf32>
    %170 = tensor.empty() : tensor<2x8x32xf32>
    %171 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<32xf32>) outs(%170 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %172 = tensor.empty() : tensor<2x8x32xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %171 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%172 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_37 = tensor.collapse_shape %173 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %174 = tensor.empty() : tensor<16x64xf32>
    %175 = linalg.fill ins(%cst_10 : f32) outs(%174 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %176 = linalg.matmul ins(%collapsed_37, %arg4 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%175 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_38 = tensor.expand_shape %176 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %177 = tensor.empty() : tensor<2x8x64xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38 : tensor<2x8x64xf32>) outs(%177 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.mulf %in, %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %179 = tensor.empty() : tensor<2x8x64xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %expanded_38 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%179 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %181 = tensor.empty() : tensor<2x8x64xf32>
    %182 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<2x8x64xf32>) outs(%181 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.mulf %in, %cst_1 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %183 = tensor.empty() : tensor<2x8x64xf32>
    %184 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38, %182 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%183 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.addf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %185 = tensor.empty() : tensor<2x8x64xf32>
    %186 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184 : tensor<2x8x64xf32>) outs(%185 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.mulf %in, %cst_0 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %187 = tensor.empty() : tensor<2x8x64xf32>
    %188 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%186 : tensor<2x8x64xf32>) outs(%187 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.tanh %in : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %189 = tensor.empty() : tensor<2x8x64xf32>
    %190 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188 : tensor<2x8x64xf32>) outs(%189 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %cst_11 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %191 = tensor.empty() : tensor<2x8x64xf32>
    %192 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190 : tensor<2x8x64xf32>) outs(%191 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.mulf %in, %cst : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %193 = tensor.empty() : tensor<2x8x64xf32>
    %194 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38, %192 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%193 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %195 = tensor.empty() : tensor<16x64xf32>
    %196 = linalg.fill ins(%cst_10 : f32) outs(%195 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %197 = linalg.matmul ins(%collapsed_37, %arg8 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%196 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_39 = tensor.expand_shape %197 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %198 = tensor.empty() : tensor<2x8x64xf32>
    %199 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%194, %expanded_39 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%198 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.mulf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_40 = tensor.collapse_shape %199 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %200 = tensor.empty() : tensor<16x32xf32>
    %201 = linalg.fill ins(%cst_10 : f32) outs(%200 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %202 = linalg.matmul ins(%collapsed_40, %arg1 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%201 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_41 = tensor.expand_shape %202 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %203 = tensor.empty() : tensor<2x8x32xf32>
    %204 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %expanded_41 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%203 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %205 = arith.addf %in, %in_42 : f32
      linalg.yield %205 : f32
    } -> tensor<2x8x32xf32>
    return %204 : tensor<2x8x32xf32>
  }
}

