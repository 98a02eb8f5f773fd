// GPT-NeoX: both branches read one stream, the fused projection is cut within heads, a part of each head is rotated by
// tables that are arguments.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.attention
// CHECK-NEXT: rope_cos{{.*}}#block.rope<style = half, dim = 8>
// CHECK-NEXT: causal = true
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.mlp{{.*}}#block.activation<gelu_erf>
// CHECK: block.residual
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1) -> (0, d1)>
#map9 = affine_map<(d0, d1) -> (d0, 0)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<96x32xf32>, %arg6: tensor<96xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<64xf32>, %arg11: tensor<32x64xf32>, %arg12: tensor<32xf32>, %arg13: tensor<6x8xf32>, %arg14: tensor<6x8xf32>) -> tensor<2x6x32xf32> {
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 3.200000e+01 : f32
    %cst_2 = arith.constant 1.000000e-05 : f64
    %cst_3 = arith.constant 2.500000e-01 : f32
    %cst_4 = arith.constant 0 : i64
    %cst_5 = arith.constant -3.40282347E+38 : f32
    %cst_6 = arith.constant 0xFF800000 : f32
    %cst_7 = arith.constant 1.000000e+00 : f32
    %cst_8 = arith.constant 5.000000e-01 : f32
    %cst_9 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<2x6x1xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%1 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %4 = tensor.empty() : tensor<2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %3 : tensor<2x6x32xf32>, tensor<2x6x1xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x6x32xf32>) outs(%7 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_2 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %3 : tensor<2x6x32xf32>, tensor<2x6x1xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %11 : tensor<2x6x32xf32>, tensor<2x6x1xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %arg1 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %arg2 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %16 = tensor.collapse_shape %15 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %17 = tensor.empty() : tensor<32x96xf32>
    %18 = linalg.transpose ins(%arg5 : tensor<96x32xf32>) outs(%17 : tensor<32x96xf32>) permutation = [1, 0]
    %19 = tensor.empty() : tensor<12x96xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<12x96xf32>) -> tensor<12x96xf32>
    %21 = linalg.matmul ins(%16, %18 : tensor<12x32xf32>, tensor<32x96xf32>) outs(%20 : tensor<12x96xf32>) -> tensor<12x96xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%21, %arg6 : tensor<12x96xf32>, tensor<96xf32>) outs(%19 : tensor<12x96xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<12x96xf32>
    %23 = tensor.expand_shape %22 [[0, 1], [2]] output_shape [2, 6, 96] : tensor<12x96xf32> into tensor<2x6x96xf32>
    %24 = tensor.expand_shape %23 [[0], [1], [2, 3]] output_shape [2, 6, 2, 48] : tensor<2x6x96xf32> into tensor<2x6x2x48xf32>
    %25 = tensor.extract_slice %24[0, 0, 0, 0] [2, 6, 2, 16] [1, 1, 1, 1] : tensor<2x6x2x48xf32> to tensor<2x6x2x16xf32>
    %26 = tensor.empty() : tensor<2x2x6x16xf32>
    %27 = linalg.transpose ins(%25 : tensor<2x6x2x16xf32>) outs(%26 : tensor<2x2x6x16xf32>) permutation = [0, 2, 1, 3]
    %28 = tensor.extract_slice %24[0, 0, 0, 16] [2, 6, 2, 16] [1, 1, 1, 1] : tensor<2x6x2x48xf32> to tensor<2x6x2x16xf32>
    %29 = linalg.transpose ins(%28 : tensor<2x6x2x16xf32>) outs(%26 : tensor<2x2x6x16xf32>) permutation = [0, 2, 1, 3]
    %30 = tensor.extract_slice %24[0, 0, 0, 32] [2, 6, 2, 16] [1, 1, 1, 1] : tensor<2x6x2x48xf32> to tensor<2x6x2x16xf32>
    %31 = linalg.transpose ins(%30 : tensor<2x6x2x16xf32>) outs(%26 : tensor<2x2x6x16xf32>) permutation = [0, 2, 1, 3]
    %32 = tensor.expand_shape %arg13 [[0, 1, 2], [3]] output_shape [1, 1, 6, 8] : tensor<6x8xf32> into tensor<1x1x6x8xf32>
    %33 = tensor.expand_shape %arg14 [[0, 1, 2], [3]] output_shape [1, 1, 6, 8] : tensor<6x8xf32> into tensor<1x1x6x8xf32>
    %34 = tensor.extract_slice %27[0, 0, 0, 0] [2, 2, 6, 8] [1, 1, 1, 1] : tensor<2x2x6x16xf32> to tensor<2x2x6x8xf32>
    %35 = tensor.extract_slice %34[0, 0, 0, 0] [2, 2, 6, 4] [1, 1, 1, 1] : tensor<2x2x6x8xf32> to tensor<2x2x6x4xf32>
    %36 = tensor.extract_slice %34[0, 0, 0, 4] [2, 2, 6, 4] [1, 1, 1, 1] : tensor<2x2x6x8xf32> to tensor<2x2x6x4xf32>
    %37 = tensor.empty() : tensor<2x2x6x4xf32>
    %38 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<2x2x6x4xf32>) outs(%37 : tensor<2x2x6x4xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.negf %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x4xf32>
    %39 = tensor.empty() : tensor<2x2x6x8xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %32 : tensor<2x2x6x8xf32>, tensor<1x1x6x8xf32>) outs(%39 : tensor<2x2x6x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x8xf32>
    %41 = tensor.concat dim(3) %38, %35 : (tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>) -> tensor<2x2x6x8xf32>
    %42 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %33 : tensor<2x2x6x8xf32>, tensor<1x1x6x8xf32>) outs(%39 : tensor<2x2x6x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x8xf32>
    %43 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %42 : tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) outs(%39 : tensor<2x2x6x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x8xf32>
    %44 = tensor.extract_slice %27[0, 0, 0, 8] [2, 2, 6, 8] [1, 1, 1, 1] : tensor<2x2x6x16xf32> to tensor<2x2x6x8xf32>
    %45 = tensor.concat dim(3) %43, %44 : (tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x6x16xf32>
    %46 = tensor.extract_slice %29[0, 0, 0, 0] [2, 2, 6, 8] [1, 1, 1, 1] : tensor<2x2x6x16xf32> to tensor<2x2x6x8xf32>
    %47 = tensor.extract_slice %46[0, 0, 0, 0] [2, 2, 6, 4] [1, 1, 1, 1] : tensor<2x2x6x8xf32> to tensor<2x2x6x4xf32>
    %48 = tensor.extract_slice %46[0, 0, 0, 4] [2, 2, 6, 4] [1, 1, 1, 1] : tensor<2x2x6x8xf32> to tensor<2x2x6x4xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x2x6x4xf32>) outs(%37 : tensor<2x2x6x4xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.negf %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x4xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %32 : tensor<2x2x6x8xf32>, tensor<1x1x6x8xf32>) outs(%39 : tensor<2x2x6x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x8xf32>
    %51 = tensor.concat dim(3) %49, %47 : (tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>) -> tensor<2x2x6x8xf32>
    %52 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %33 : tensor<2x2x6x8xf32>, tensor<1x1x6x8xf32>) outs(%39 : tensor<2x2x6x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x8xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %52 : tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) outs(%39 : tensor<2x2x6x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x8xf32>
    %54 = tensor.extract_slice %29[0, 0, 0, 8] [2, 2, 6, 8] [1, 1, 1, 1] : tensor<2x2x6x16xf32> to tensor<2x2x6x8xf32>
    %55 = tensor.concat dim(3) %53, %54 : (tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x6x16xf32>
    %56 = tensor.empty() : tensor<2x2x16x6xf32>
    %57 = linalg.transpose ins(%55 : tensor<2x2x6x16xf32>) outs(%56 : tensor<2x2x16x6xf32>) permutation = [0, 1, 3, 2]
    %58 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<2x2x6x16xf32> into tensor<4x6x16xf32>
    %59 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<2x2x16x6xf32> into tensor<4x16x6xf32>
    %60 = tensor.empty() : tensor<4x6x6xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %62 = linalg.batch_matmul ins(%58, %59 : tensor<4x6x16xf32>, tensor<4x16x6xf32>) outs(%61 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %63 = tensor.expand_shape %62 [[0, 1], [2], [3]] output_shape [2, 2, 6, 6] : tensor<4x6x6xf32> into tensor<2x2x6x6xf32>
    %64 = tensor.empty() : tensor<2x2x6x6xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<2x2x6x6xf32>) outs(%64 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.mulf %in0, %cst_3 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %66 = tensor.empty() : tensor<6xi64>
    %67 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%66 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<6xi64>
    %68 = tensor.expand_shape %67 [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
    %69 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%66 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<6xi64>
    %70 = tensor.expand_shape %69 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %71 = tensor.empty() : tensor<6x6xi64>
    %72 = linalg.generic {indexing_maps = [#map8, #map9, #map3], iterator_types = ["parallel", "parallel"]} ins(%68, %70 : tensor<1x6xi64>, tensor<6x1xi64>) outs(%71 : tensor<6x6xi64>) {
    ^bb0(%in0: i64, %in1: i64, %out: i64):
      %r = arith.subi %in0, %in1 : i64
      linalg.yield %r : i64
    } -> tensor<6x6xi64>
    %73 = tensor.empty() : tensor<6x6xi1>
    %74 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%72 : tensor<6x6xi64>) outs(%73 : tensor<6x6xi1>) {
    ^bb0(%in0: i64, %out: i1):
      %r = arith.cmpi sle, %in0, %cst_4 : i64
      linalg.yield %r : i1
    } -> tensor<6x6xi1>
    %75 = tensor.expand_shape %74 [[0, 1, 2], [3]] output_shape [1, 1, 6, 6] : tensor<6x6xi1> into tensor<1x1x6x6xi1>
    %76 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %65 : tensor<1x1x6x6xi1>, tensor<2x2x6x6xf32>) outs(%64 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: i1, %in1: f32, %out: f32):
      %r = arith.select %in0, %in1, %cst_5 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %77 = tensor.empty() : tensor<2x2x6xf32>
    %78 = linalg.fill ins(%cst_6 : f32) outs(%77 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %79 = tensor.empty() : tensor<2x2x6xi64>
    %80 = linalg.fill ins(%cst_4 : i64) outs(%79 : tensor<2x2x6xi64>) -> tensor<2x2x6xi64>
    %81:2 = linalg.generic {indexing_maps = [#map5, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%76 : tensor<2x2x6x6xf32>) outs(%78, %80 : tensor<2x2x6xf32>, tensor<2x2x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %out_0 : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<2x2x6xf32>, tensor<2x2x6xi64>)
    %82 = tensor.expand_shape %81#0 [[0], [1], [2, 3]] output_shape [2, 2, 6, 1] : tensor<2x2x6xf32> into tensor<2x2x6x1xf32>
    %83 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %82 : tensor<2x2x6x6xf32>, tensor<2x2x6x1xf32>) outs(%64 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<2x2x6x6xf32>) outs(%64 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %85 = tensor.empty() : tensor<2x2x6x1xf32>
    %86 = linalg.fill ins(%cst_0 : f32) outs(%85 : tensor<2x2x6x1xf32>) -> tensor<2x2x6x1xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84 : tensor<2x2x6x6xf32>) outs(%86 : tensor<2x2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x1xf32>
    %88 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %87 : tensor<2x2x6x6xf32>, tensor<2x2x6x1xf32>) outs(%64 : tensor<2x2x6x6xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x6x6xf32>
    %89 = tensor.collapse_shape %88 [[0, 1], [2], [3]] : tensor<2x2x6x6xf32> into tensor<4x6x6xf32>
    %90 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x2x6x16xf32> into tensor<4x6x16xf32>
    %91 = tensor.empty() : tensor<4x6x16xf32>
    %92 = linalg.fill ins(%cst_0 : f32) outs(%91 : tensor<4x6x16xf32>) -> tensor<4x6x16xf32>
    %93 = linalg.batch_matmul ins(%89, %90 : tensor<4x6x6xf32>, tensor<4x6x16xf32>) outs(%92 : tensor<4x6x16xf32>) -> tensor<4x6x16xf32>
    %94 = tensor.expand_shape %93 [[0, 1], [2], [3]] output_shape [2, 2, 6, 16] : tensor<4x6x16xf32> into tensor<2x2x6x16xf32>
    %95 = tensor.empty() : tensor<2x6x2x16xf32>
    %96 = linalg.transpose ins(%94 : tensor<2x2x6x16xf32>) outs(%95 : tensor<2x6x2x16xf32>) permutation = [0, 2, 1, 3]
    %97 = tensor.collapse_shape %96 [[0], [1], [2, 3]] : tensor<2x6x2x16xf32> into tensor<2x6x32xf32>
    %98 = tensor.collapse_shape %97 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %99 = tensor.empty() : tensor<32x32xf32>
    %100 = linalg.transpose ins(%arg7 : tensor<32x32xf32>) outs(%99 : tensor<32x32xf32>) permutation = [1, 0]
    %101 = tensor.empty() : tensor<12x32xf32>
    %102 = linalg.fill ins(%cst_0 : f32) outs(%101 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %103 = linalg.matmul ins(%98, %100 : tensor<12x32xf32>, tensor<32x32xf32>) outs(%102 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %104 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%103, %arg8 : tensor<12x32xf32>, tensor<32xf32>) outs(%101 : tensor<12x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<12x32xf32>
    %105 = tensor.expand_shape %104 [[0, 1], [2]] output_shape [2, 6, 32] : tensor<12x32xf32> into tensor<2x6x32xf32>
    %106 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%106 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %108 : tensor<2x6x32xf32>, tensor<2x6x1xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %109 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %111 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%110 : tensor<2x6x32xf32>) outs(%111 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_2 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %115 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x1xf32>
    %116 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %108 : tensor<2x6x32xf32>, tensor<2x6x1xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %115 : tensor<2x6x32xf32>, tensor<2x6x1xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %arg4 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %120 = tensor.collapse_shape %119 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %121 = tensor.empty() : tensor<32x64xf32>
    %122 = linalg.transpose ins(%arg9 : tensor<64x32xf32>) outs(%121 : tensor<32x64xf32>) permutation = [1, 0]
    %123 = tensor.empty() : tensor<12x64xf32>
    %124 = linalg.fill ins(%cst_0 : f32) outs(%123 : tensor<12x64xf32>) -> tensor<12x64xf32>
    %125 = linalg.matmul ins(%120, %122 : tensor<12x32xf32>, tensor<32x64xf32>) outs(%124 : tensor<12x64xf32>) -> tensor<12x64xf32>
    %126 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%125, %arg10 : tensor<12x64xf32>, tensor<64xf32>) outs(%123 : tensor<12x64xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<12x64xf32>
    %127 = tensor.expand_shape %126 [[0, 1], [2]] output_shape [2, 6, 64] : tensor<12x64xf32> into tensor<2x6x64xf32>
    %128 = tensor.empty() : tensor<2x6x64xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x6x64xf32>) outs(%128 : tensor<2x6x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %a = arith.divf %in0, %cst_9 : f32
      %b = math.erf %a : f32
      %c = arith.addf %b, %cst_7 : f32
      %d = arith.mulf %c, %cst_8 : f32
      %r = arith.mulf %in0, %d : f32
      linalg.yield %r : f32
    } -> tensor<2x6x64xf32>
    %130 = tensor.collapse_shape %129 [[0, 1], [2]] : tensor<2x6x64xf32> into tensor<12x64xf32>
    %131 = tensor.empty() : tensor<64x32xf32>
    %132 = linalg.transpose ins(%arg11 : tensor<32x64xf32>) outs(%131 : tensor<64x32xf32>) permutation = [1, 0]
    %133 = linalg.fill ins(%cst_0 : f32) outs(%101 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %134 = linalg.matmul ins(%130, %132 : tensor<12x64xf32>, tensor<64x32xf32>) outs(%133 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %135 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%134, %arg12 : tensor<12x32xf32>, tensor<32xf32>) outs(%101 : tensor<12x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<12x32xf32>
    %136 = tensor.expand_shape %135 [[0, 1], [2]] output_shape [2, 6, 32] : tensor<12x32xf32> into tensor<2x6x32xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %105 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%4 : tensor<2x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x6x32xf32>
    return %138 : tensor<2x6x32xf32>
  }
}
