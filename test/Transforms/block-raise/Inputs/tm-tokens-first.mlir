// torch's encoder layer with tokens before the batch, as batch_first=False has it.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.attention
// CHECK: block.residual{{.*}}tensor<2x8x32xf32>
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.mlp{{.*}}#block.activation<relu>
// CHECK: block.residual
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<8x2x32xf32>, %arg1: tensor<96x32xf32>, %arg2: tensor<96xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<64x32xf32>, %arg6: tensor<64xf32>, %arg7: tensor<32x64xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32xf32>) -> tensor<8x2x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x4x8x8xf32>
    %cst_3 = arith.constant 0xFFF0000000000000 : f64
    %cst_4 = arith.constant 0.59460355750136051 : f64
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 3.200000e+01 : f64
    %cst_7 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<8x2x32xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<8x2x32xf32>) outs(%0 : tensor<8x2x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %86 = arith.extf %in : f32 to f64
      linalg.yield %86 : f64
    } -> tensor<8x2x32xf64>
    %2 = tensor.empty() : tensor<8x2x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<8x2x1xf64>) -> tensor<8x2x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<8x2x32xf64>) outs(%3 : tensor<8x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.addf %in, %out : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<8x2x1xf64>) outs(%2 : tensor<8x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.divf %in, %cst_6 : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<8x2x32xf64>, tensor<8x2x1xf64>) outs(%0 : tensor<8x2x32xf64>) {
    ^bb0(%in: f64, %in_40: f64, %out: f64):
      %86 = arith.subf %in, %in_40 : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x32xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<8x2x32xf64>, tensor<8x2x32xf64>) outs(%0 : tensor<8x2x32xf64>) {
    ^bb0(%in: f64, %in_40: f64, %out: f64):
      %86 = arith.mulf %in, %in_40 : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x32xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<8x2x32xf64>) outs(%3 : tensor<8x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.addf %in, %out : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<8x2x1xf64>) outs(%2 : tensor<8x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.divf %in, %cst_6 : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x1xf64>
    %10 = tensor.empty() : tensor<8x2x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<8x2x1xf64>) outs(%10 : tensor<8x2x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %86 = arith.truncf %in : f64 to f32
      linalg.yield %86 : f32
    } -> tensor<8x2x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<8x2x1xf32>) -> tensor<8x2x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<8x2x32xf32>) outs(%12 : tensor<8x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.addf %in, %out : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<8x2x1xf32>) outs(%10 : tensor<8x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.divf %in, %cst_7 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<8x2x1xf32>) outs(%10 : tensor<8x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.truncf %cst_5 : f64 to f32
      %87 = arith.addf %in, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<8x2x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<8x2x1xf32>) outs(%10 : tensor<8x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.rsqrt %in : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x1xf32>
    %17 = tensor.empty() : tensor<8x2x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<8x2x32xf32>, tensor<8x2x1xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.subf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<8x2x32xf32>, tensor<8x2x1xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.mulf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg9 : tensor<8x2x32xf32>, tensor<32xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.mulf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg10 : tensor<8x2x32xf32>, tensor<32xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.addf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<8x2x32xf32> into tensor<16x32xf32>
    %22 = tensor.empty() : tensor<32x96xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<96x32xf32>) outs(%22 : tensor<32x96xf32>) permutation = [1, 0] 
    %23 = tensor.empty() : tensor<16x96xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<16x96xf32>) -> tensor<16x96xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<16x32xf32>, tensor<32x96xf32>) outs(%24 : tensor<16x96xf32>) -> tensor<16x96xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%25, %arg2 : tensor<16x96xf32>, tensor<96xf32>) outs(%23 : tensor<16x96xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.addf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<16x96xf32>
    %expanded = tensor.expand_shape %26 [[0, 1, 2], [3, 4]] output_shape [1, 8, 2, 3, 32] : tensor<16x96xf32> into tensor<1x8x2x3x32xf32>
    %27 = tensor.empty() : tensor<3x8x2x1x32xf32>
    %transposed_8 = linalg.transpose ins(%expanded : tensor<1x8x2x3x32xf32>) outs(%27 : tensor<3x8x2x1x32xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_9 = tensor.collapse_shape %transposed_8 [[0], [1], [2, 3], [4]] : tensor<3x8x2x1x32xf32> into tensor<3x8x2x32xf32>
    %extracted_slice = tensor.extract_slice %collapsed_9[0, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %extracted_slice_10 = tensor.extract_slice %collapsed_9[1, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %extracted_slice_11 = tensor.extract_slice %collapsed_9[2, 0, 0, 0] [1, 8, 2, 32] [1, 1, 1, 1] : tensor<3x8x2x32xf32> to tensor<1x8x2x32xf32>
    %collapsed_12 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_13 = tensor.expand_shape %collapsed_12 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %28 = tensor.empty() : tensor<8x8x8xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<8x8x8xf32>) outs(%28 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %collapsed_15 = tensor.collapse_shape %extracted_slice_10 [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_16 = tensor.expand_shape %collapsed_15 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<8x8x8xf32>) outs(%28 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %collapsed_18 = tensor.collapse_shape %extracted_slice_11 [[0, 1], [2, 3]] : tensor<1x8x2x32xf32> into tensor<8x64xf32>
    %expanded_19 = tensor.expand_shape %collapsed_18 [[0], [1, 2]] output_shape [8, 8, 8] : tensor<8x64xf32> into tensor<8x8x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<8x8x8xf32>) outs(%28 : tensor<8x8x8xf32>) permutation = [1, 0, 2] 
    %expanded_21 = tensor.expand_shape %transposed_14 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %expanded_22 = tensor.expand_shape %transposed_17 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %29 = tensor.empty() : tensor<2x4x8x8xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<2x4x8x8xf32>) outs(%29 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.truncf %cst_4 : f64 to f32
      %87 = arith.mulf %in, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x8x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<2x4x8x8xf32>) outs(%29 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2] 
    %31 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_23 : tensor<2x4x8x8xf32>) outs(%29 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.truncf %cst_4 : f64 to f32
      %87 = arith.mulf %in, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_24 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_25 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %33 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%32 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_26 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %34 = tensor.empty() : tensor<2x4x8xi64>
    %35 = linalg.fill ins(%c0_i64 : i64) outs(%34 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %36 = tensor.empty() : tensor<2x4x8xf32>
    %37 = linalg.fill ins(%cst_1 : f32) outs(%36 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %38:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_26 : tensor<2x4x8x8xf32>) outs(%37, %35 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_40: i64):
      %86 = linalg.index 3 : index
      %87 = arith.index_cast %86 : index to i64
      %88 = arith.maximumf %in, %out : f32
      %89 = arith.cmpf ogt, %in, %out : f32
      %90 = arith.select %89, %87, %out_40 : i64
      linalg.yield %88, %90 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_27 = tensor.expand_shape %38#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %39 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26, %expanded_27 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%29 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.subf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x8x8xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x4x8x8xf32>) outs(%29 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.exp %in : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x8x8xf32>
    %41 = tensor.empty() : tensor<2x4x8x1xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %43 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<2x4x8x8xf32>) outs(%42 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.addf %in, %out : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x8x1xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%29 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.divf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x8x8xf32>
    %45 = tensor.empty() : tensor<2x4x8x8xi1>
    %46 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x4x8x8xf32>) outs(%45 : tensor<2x4x8x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %86 = arith.extf %in : f32 to f64
      %87 = arith.cmpf oeq, %86, %cst_3 : f64
      linalg.yield %87 : i1
    } -> tensor<2x4x8x8xi1>
    %47 = tensor.empty() : tensor<2x4x8x1xi1>
    %48 = linalg.fill ins(%true : i1) outs(%47 : tensor<2x4x8x1xi1>) -> tensor<2x4x8x1xi1>
    %49 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<2x4x8x8xi1>) outs(%48 : tensor<2x4x8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %86 = arith.andi %in, %out : i1
      linalg.yield %86 : i1
    } -> tensor<2x4x8x1xi1>
    %50 = linalg.generic {indexing_maps = [#map7, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %cst_2, %44 : tensor<2x4x8x1xi1>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%29 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_40: f32, %in_41: f32, %out: f32):
      %86 = arith.select %in, %in_40, %in_41 : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_28 = tensor.collapse_shape %50 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %51 = linalg.batch_matmul ins(%collapsed_28, %transposed_20 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%32 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_29 = tensor.expand_shape %51 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %52 = tensor.empty() : tensor<8x2x4x8xf32>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<2x4x8x8xf32>) outs(%52 : tensor<8x2x4x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0, 1], [2, 3]] : tensor<8x2x4x8xf32> into tensor<16x32xf32>
    %53 = tensor.empty() : tensor<32x32xf32>
    %transposed_32 = linalg.transpose ins(%arg3 : tensor<32x32xf32>) outs(%53 : tensor<32x32xf32>) permutation = [1, 0] 
    %54 = tensor.empty() : tensor<16x32xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %56 = linalg.matmul ins(%collapsed_31, %transposed_32 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%55 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%56, %arg4 : tensor<16x32xf32>, tensor<32xf32>) outs(%54 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.addf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<16x32xf32>
    %expanded_33 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [8, 2, 32] : tensor<16x32xf32> into tensor<8x2x32xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_33 : tensor<8x2x32xf32>, tensor<8x2x32xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.addf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<8x2x32xf32>) outs(%0 : tensor<8x2x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %86 = arith.extf %in : f32 to f64
      linalg.yield %86 : f64
    } -> tensor<8x2x32xf64>
    %60 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<8x2x32xf64>) outs(%3 : tensor<8x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.addf %in, %out : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x1xf64>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<8x2x1xf64>) outs(%2 : tensor<8x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.divf %in, %cst_6 : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x1xf64>
    %62 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %61 : tensor<8x2x32xf64>, tensor<8x2x1xf64>) outs(%0 : tensor<8x2x32xf64>) {
    ^bb0(%in: f64, %in_40: f64, %out: f64):
      %86 = arith.subf %in, %in_40 : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x32xf64>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %62 : tensor<8x2x32xf64>, tensor<8x2x32xf64>) outs(%0 : tensor<8x2x32xf64>) {
    ^bb0(%in: f64, %in_40: f64, %out: f64):
      %86 = arith.mulf %in, %in_40 : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x32xf64>
    %64 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<8x2x32xf64>) outs(%3 : tensor<8x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.addf %in, %out : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x1xf64>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<8x2x1xf64>) outs(%2 : tensor<8x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.divf %in, %cst_6 : f64
      linalg.yield %86 : f64
    } -> tensor<8x2x1xf64>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<8x2x1xf64>) outs(%10 : tensor<8x2x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %86 = arith.truncf %in : f64 to f32
      linalg.yield %86 : f32
    } -> tensor<8x2x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%58 : tensor<8x2x32xf32>) outs(%12 : tensor<8x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.addf %in, %out : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<8x2x1xf32>) outs(%10 : tensor<8x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.divf %in, %cst_7 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<8x2x1xf32>) outs(%10 : tensor<8x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.truncf %cst_5 : f64 to f32
      %87 = arith.addf %in, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<8x2x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<8x2x1xf32>) outs(%10 : tensor<8x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.rsqrt %in : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x1xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %68 : tensor<8x2x32xf32>, tensor<8x2x1xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.subf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %70 : tensor<8x2x32xf32>, tensor<8x2x1xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.mulf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %arg11 : tensor<8x2x32xf32>, tensor<32xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.mulf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %arg12 : tensor<8x2x32xf32>, tensor<32xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.addf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    %collapsed_34 = tensor.collapse_shape %74 [[0, 1], [2]] : tensor<8x2x32xf32> into tensor<16x32xf32>
    %75 = tensor.empty() : tensor<32x64xf32>
    %transposed_35 = linalg.transpose ins(%arg5 : tensor<64x32xf32>) outs(%75 : tensor<32x64xf32>) permutation = [1, 0] 
    %76 = tensor.empty() : tensor<16x64xf32>
    %77 = linalg.fill ins(%cst_0 : f32) outs(%76 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %78 = linalg.matmul ins(%collapsed_34, %transposed_35 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%77 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %79 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%78, %arg6 : tensor<16x64xf32>, tensor<64xf32>) outs(%76 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.addf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<16x64xf32>
    %expanded_36 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [8, 2, 64] : tensor<16x64xf32> into tensor<8x2x64xf32>
    %80 = tensor.empty() : tensor<8x2x64xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<8x2x64xf32>) outs(%80 : tensor<8x2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.cmpf ugt, %in, %cst_0 : f32
      %87 = arith.select %86, %in, %cst_0 : f32
      linalg.yield %87 : f32
    } -> tensor<8x2x64xf32>
    %collapsed_37 = tensor.collapse_shape %81 [[0, 1], [2]] : tensor<8x2x64xf32> into tensor<16x64xf32>
    %82 = tensor.empty() : tensor<64x32xf32>
    %transposed_38 = linalg.transpose ins(%arg7 : tensor<32x64xf32>) outs(%82 : tensor<64x32xf32>) permutation = [1, 0] 
    %83 = linalg.matmul ins(%collapsed_37, %transposed_38 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%55 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %84 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%83, %arg8 : tensor<16x32xf32>, tensor<32xf32>) outs(%54 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.addf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<16x32xf32>
    %expanded_39 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [8, 2, 32] : tensor<16x32xf32> into tensor<8x2x32xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %expanded_39 : tensor<8x2x32xf32>, tensor<8x2x32xf32>) outs(%17 : tensor<8x2x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %86 = arith.addf %in, %in_40 : f32
      linalg.yield %86 : f32
    } -> tensor<8x2x32xf32>
    return %85 : tensor<8x2x32xf32>
  }
}
