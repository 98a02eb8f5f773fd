// A layer of Gemma 2: gains of 1 + g, norms behind the branches, capped scores, a sliding window by two comparisons that is
// negated and selects the fill, rotation tables computed in the graph, one key head for all.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.attention
// CHECK-NEXT: kv_heads = 1, rope = #block.rope<style = half, dim = 8>,
// CHECK-NEXT: causal = true, window = 4, softcap = 50.0
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.mlp{{.*}}#block.activation<gelu_tanh>
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.residual
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x9x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<8x32xf32>, %arg7: tensor<8x32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<48x32xf32>, %arg10: tensor<48x32xf32>, %arg11: tensor<32x48xf32>) -> tensor<2x9x32xf32> {
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 3.200000e+01 : f32
    %cst_3 = arith.constant 9.9999999999999995E-7 : f64
    %cst_4 = arith.constant 2.000000e+00 : f32
    %cst_5 = arith.constant 8.000000e+00 : f32
    %cst_6 = arith.constant 1.000000e+04 : f32
    %cst_7 = arith.constant 0.353553385 : f32
    %cst_8 = arith.constant 5.000000e+01 : f32
    %cst_9 = arith.constant 0 : i64
    %cst_10 = arith.constant -4 : i64
    %cst_11 = arith.constant true
    %cst_12 = arith.constant -3.40282347E+38 : f32
    %cst_13 = arith.constant 0xFF800000 : f32
    %cst_14 = arith.constant 4.471500e-02 : f64
    %cst_15 = arith.constant 0.79788456080286541 : f64
    %cst_16 = arith.constant 5.000000e-01 : f32
    %three = arith.constant 3 : i64
    %0 = tensor.empty() : tensor<2x9x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %2 = tensor.empty() : tensor<2x9x1xf32>
    %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x9x32xf32>) outs(%3 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_2 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %9 = tensor.empty() : tensor<32xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %cst_0 : f32
      linalg.yield %r : f32
    } -> tensor<32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %12 = tensor.collapse_shape %11 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %13 = tensor.empty() : tensor<32x32xf32>
    %14 = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%13 : tensor<32x32xf32>) permutation = [1, 0]
    %15 = tensor.empty() : tensor<18x32xf32>
    %16 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %17 = linalg.matmul ins(%12, %14 : tensor<18x32xf32>, tensor<32x32xf32>) outs(%16 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %18 = tensor.expand_shape %17 [[0, 1], [2]] output_shape [2, 9, 32] : tensor<18x32xf32> into tensor<2x9x32xf32>
    %19 = tensor.expand_shape %18 [[0], [1], [2, 3]] output_shape [2, 9, 4, 8] : tensor<2x9x32xf32> into tensor<2x9x4x8xf32>
    %20 = tensor.empty() : tensor<2x4x9x8xf32>
    %21 = linalg.transpose ins(%19 : tensor<2x9x4x8xf32>) outs(%20 : tensor<2x4x9x8xf32>) permutation = [0, 2, 1, 3]
    %22 = tensor.collapse_shape %11 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %23 = tensor.empty() : tensor<32x8xf32>
    %24 = linalg.transpose ins(%arg6 : tensor<8x32xf32>) outs(%23 : tensor<32x8xf32>) permutation = [1, 0]
    %25 = tensor.empty() : tensor<18x8xf32>
    %26 = linalg.fill ins(%cst_1 : f32) outs(%25 : tensor<18x8xf32>) -> tensor<18x8xf32>
    %27 = linalg.matmul ins(%22, %24 : tensor<18x32xf32>, tensor<32x8xf32>) outs(%26 : tensor<18x8xf32>) -> tensor<18x8xf32>
    %28 = tensor.expand_shape %27 [[0, 1], [2]] output_shape [2, 9, 8] : tensor<18x8xf32> into tensor<2x9x8xf32>
    %29 = tensor.expand_shape %28 [[0], [1], [2, 3]] output_shape [2, 9, 1, 8] : tensor<2x9x8xf32> into tensor<2x9x1x8xf32>
    %30 = tensor.empty() : tensor<2x1x9x8xf32>
    %31 = linalg.transpose ins(%29 : tensor<2x9x1x8xf32>) outs(%30 : tensor<2x1x9x8xf32>) permutation = [0, 2, 1, 3]
    %32 = tensor.collapse_shape %11 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %33 = linalg.transpose ins(%arg7 : tensor<8x32xf32>) outs(%23 : tensor<32x8xf32>) permutation = [1, 0]
    %34 = linalg.fill ins(%cst_1 : f32) outs(%25 : tensor<18x8xf32>) -> tensor<18x8xf32>
    %35 = linalg.matmul ins(%32, %33 : tensor<18x32xf32>, tensor<32x8xf32>) outs(%34 : tensor<18x8xf32>) -> tensor<18x8xf32>
    %36 = tensor.expand_shape %35 [[0, 1], [2]] output_shape [2, 9, 8] : tensor<18x8xf32> into tensor<2x9x8xf32>
    %37 = tensor.expand_shape %36 [[0], [1], [2, 3]] output_shape [2, 9, 1, 8] : tensor<2x9x8xf32> into tensor<2x9x1x8xf32>
    %38 = linalg.transpose ins(%37 : tensor<2x9x1x8xf32>) outs(%30 : tensor<2x1x9x8xf32>) permutation = [0, 2, 1, 3]
    %39 = tensor.empty() : tensor<9xf32>
    %40 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%39 : tensor<9xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i64
      %r = arith.sitofp %j : i64 to f32
      linalg.yield %r : f32
    } -> tensor<9xf32>
    %41 = tensor.empty() : tensor<4xf32>
    %42 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%41 : tensor<4xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i64
      %f = arith.sitofp %j : i64 to f32
      %e = arith.mulf %f, %cst_4 : f32
      %d = arith.divf %e, %cst_5 : f32
      %p = math.powf %cst_6, %d : f32
      %r = arith.divf %cst_0, %p : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %43 = tensor.expand_shape %40 [[0, 1]] output_shape [9, 1] : tensor<9xf32> into tensor<9x1xf32>
    %44 = tensor.expand_shape %42 [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %45 = tensor.empty() : tensor<9x4xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%43, %44 : tensor<9x1xf32>, tensor<1x4xf32>) outs(%45 : tensor<9x4xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<9x4xf32>
    %47 = tensor.concat dim(1) %46, %46 : (tensor<9x4xf32>, tensor<9x4xf32>) -> tensor<9x8xf32>
    %48 = tensor.empty() : tensor<9x8xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<9x8xf32>) outs(%48 : tensor<9x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.cos %in0 : f32
      linalg.yield %r : f32
    } -> tensor<9x8xf32>
    %50 = tensor.expand_shape %49 [[0, 1, 2], [3]] output_shape [1, 1, 9, 8] : tensor<9x8xf32> into tensor<1x1x9x8xf32>
    %51 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<9x8xf32>) outs(%48 : tensor<9x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.sin %in0 : f32
      linalg.yield %r : f32
    } -> tensor<9x8xf32>
    %52 = tensor.expand_shape %51 [[0, 1, 2], [3]] output_shape [1, 1, 9, 8] : tensor<9x8xf32> into tensor<1x1x9x8xf32>
    %53 = tensor.extract_slice %21[0, 0, 0, 0] [2, 4, 9, 4] [1, 1, 1, 1] : tensor<2x4x9x8xf32> to tensor<2x4x9x4xf32>
    %54 = tensor.extract_slice %21[0, 0, 0, 4] [2, 4, 9, 4] [1, 1, 1, 1] : tensor<2x4x9x8xf32> to tensor<2x4x9x4xf32>
    %55 = tensor.empty() : tensor<2x4x9x4xf32>
    %56 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x4x9x4xf32>) outs(%55 : tensor<2x4x9x4xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.negf %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x4xf32>
    %57 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %50 : tensor<2x4x9x8xf32>, tensor<1x1x9x8xf32>) outs(%20 : tensor<2x4x9x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x8xf32>
    %58 = tensor.concat dim(3) %56, %53 : (tensor<2x4x9x4xf32>, tensor<2x4x9x4xf32>) -> tensor<2x4x9x8xf32>
    %59 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %52 : tensor<2x4x9x8xf32>, tensor<1x1x9x8xf32>) outs(%20 : tensor<2x4x9x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x8xf32>
    %60 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %59 : tensor<2x4x9x8xf32>, tensor<2x4x9x8xf32>) outs(%20 : tensor<2x4x9x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x8xf32>
    %61 = tensor.extract_slice %31[0, 0, 0, 0] [2, 1, 9, 4] [1, 1, 1, 1] : tensor<2x1x9x8xf32> to tensor<2x1x9x4xf32>
    %62 = tensor.extract_slice %31[0, 0, 0, 4] [2, 1, 9, 4] [1, 1, 1, 1] : tensor<2x1x9x8xf32> to tensor<2x1x9x4xf32>
    %63 = tensor.empty() : tensor<2x1x9x4xf32>
    %64 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<2x1x9x4xf32>) outs(%63 : tensor<2x1x9x4xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.negf %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x1x9x4xf32>
    %65 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %50 : tensor<2x1x9x8xf32>, tensor<1x1x9x8xf32>) outs(%30 : tensor<2x1x9x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x1x9x8xf32>
    %66 = tensor.concat dim(3) %64, %61 : (tensor<2x1x9x4xf32>, tensor<2x1x9x4xf32>) -> tensor<2x1x9x8xf32>
    %67 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %52 : tensor<2x1x9x8xf32>, tensor<1x1x9x8xf32>) outs(%30 : tensor<2x1x9x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x1x9x8xf32>
    %68 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %67 : tensor<2x1x9x8xf32>, tensor<2x1x9x8xf32>) outs(%30 : tensor<2x1x9x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x1x9x8xf32>
    %69 = tensor.expand_shape %68 [[0], [1], [2, 3], [4]] output_shape [2, 1, 1, 9, 8] : tensor<2x1x9x8xf32> into tensor<2x1x1x9x8xf32>
    %70 = tensor.empty() : tensor<2x1x4x9x8xf32>
    %71 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<2x1x1x9x8xf32>) outs(%70 : tensor<2x1x4x9x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<2x1x4x9x8xf32>
    %72 = tensor.collapse_shape %71 [[0], [1, 2], [3], [4]] : tensor<2x1x4x9x8xf32> into tensor<2x4x9x8xf32>
    %73 = tensor.expand_shape %38 [[0], [1], [2, 3], [4]] output_shape [2, 1, 1, 9, 8] : tensor<2x1x9x8xf32> into tensor<2x1x1x9x8xf32>
    %74 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<2x1x1x9x8xf32>) outs(%70 : tensor<2x1x4x9x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<2x1x4x9x8xf32>
    %75 = tensor.collapse_shape %74 [[0], [1, 2], [3], [4]] : tensor<2x1x4x9x8xf32> into tensor<2x4x9x8xf32>
    %76 = tensor.empty() : tensor<2x4x8x9xf32>
    %77 = linalg.transpose ins(%72 : tensor<2x4x9x8xf32>) outs(%76 : tensor<2x4x8x9xf32>) permutation = [0, 1, 3, 2]
    %78 = tensor.collapse_shape %60 [[0, 1], [2], [3]] : tensor<2x4x9x8xf32> into tensor<8x9x8xf32>
    %79 = tensor.collapse_shape %77 [[0, 1], [2], [3]] : tensor<2x4x8x9xf32> into tensor<8x8x9xf32>
    %80 = tensor.empty() : tensor<8x9x9xf32>
    %81 = linalg.fill ins(%cst_1 : f32) outs(%80 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %82 = linalg.batch_matmul ins(%78, %79 : tensor<8x9x8xf32>, tensor<8x8x9xf32>) outs(%81 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %83 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [2, 4, 9, 9] : tensor<8x9x9xf32> into tensor<2x4x9x9xf32>
    %84 = tensor.empty() : tensor<2x4x9x9xf32>
    %85 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<2x4x9x9xf32>) outs(%84 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.mulf %in0, %cst_7 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %86 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<2x4x9x9xf32>) outs(%84 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_8 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %87 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<2x4x9x9xf32>) outs(%84 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.tanh %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %88 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<2x4x9x9xf32>) outs(%84 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.mulf %in0, %cst_8 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %89 = tensor.empty() : tensor<9xi64>
    %90 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%89 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<9xi64>
    %91 = tensor.expand_shape %90 [[0, 1]] output_shape [1, 9] : tensor<9xi64> into tensor<1x9xi64>
    %92 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%89 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<9xi64>
    %93 = tensor.expand_shape %92 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %94 = tensor.empty() : tensor<9x9xi64>
    %95 = linalg.generic {indexing_maps = [#map5, #map4, #map6], iterator_types = ["parallel", "parallel"]} ins(%91, %93 : tensor<1x9xi64>, tensor<9x1xi64>) outs(%94 : tensor<9x9xi64>) {
    ^bb0(%in0: i64, %in1: i64, %out: i64):
      %r = arith.subi %in0, %in1 : i64
      linalg.yield %r : i64
    } -> tensor<9x9xi64>
    %96 = tensor.empty() : tensor<9x9xi1>
    %97 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<9x9xi64>) outs(%96 : tensor<9x9xi1>) {
    ^bb0(%in0: i64, %out: i1):
      %r = arith.cmpi sle, %in0, %cst_9 : i64
      linalg.yield %r : i1
    } -> tensor<9x9xi1>
    %98 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<9x9xi64>) outs(%96 : tensor<9x9xi1>) {
    ^bb0(%in0: i64, %out: i1):
      %r = arith.cmpi sgt, %in0, %cst_10 : i64
      linalg.yield %r : i1
    } -> tensor<9x9xi1>
    %99 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%97, %98 : tensor<9x9xi1>, tensor<9x9xi1>) outs(%96 : tensor<9x9xi1>) {
    ^bb0(%in0: i1, %in1: i1, %out: i1):
      %r = arith.andi %in0, %in1 : i1
      linalg.yield %r : i1
    } -> tensor<9x9xi1>
    %100 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%99 : tensor<9x9xi1>) outs(%96 : tensor<9x9xi1>) {
    ^bb0(%in0: i1, %out: i1):
      %r = arith.xori %in0, %cst_11 : i1
      linalg.yield %r : i1
    } -> tensor<9x9xi1>
    %101 = tensor.expand_shape %100 [[0, 1, 2], [3]] output_shape [1, 1, 9, 9] : tensor<9x9xi1> into tensor<1x1x9x9xi1>
    %102 = linalg.generic {indexing_maps = [#map8, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101, %88 : tensor<1x1x9x9xi1>, tensor<2x4x9x9xf32>) outs(%84 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: i1, %in1: f32, %out: f32):
      %r = arith.select %in0, %cst_12, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %103 = tensor.empty() : tensor<2x4x9xf32>
    %104 = linalg.fill ins(%cst_13 : f32) outs(%103 : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
    %105 = tensor.empty() : tensor<2x4x9xi64>
    %106 = linalg.fill ins(%cst_9 : i64) outs(%105 : tensor<2x4x9xi64>) -> tensor<2x4x9xi64>
    %107:2 = linalg.generic {indexing_maps = [#map7, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%102 : tensor<2x4x9x9xf32>) outs(%104, %106 : tensor<2x4x9xf32>, tensor<2x4x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %out_0 : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<2x4x9xf32>, tensor<2x4x9xi64>)
    %108 = tensor.expand_shape %107#0 [[0], [1], [2, 3]] output_shape [2, 4, 9, 1] : tensor<2x4x9xf32> into tensor<2x4x9x1xf32>
    %109 = linalg.generic {indexing_maps = [#map7, #map13, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102, %108 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%84 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %110 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109 : tensor<2x4x9x9xf32>) outs(%84 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %111 = tensor.empty() : tensor<2x4x9x1xf32>
    %112 = linalg.fill ins(%cst_1 : f32) outs(%111 : tensor<2x4x9x1xf32>) -> tensor<2x4x9x1xf32>
    %113 = linalg.generic {indexing_maps = [#map7, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%110 : tensor<2x4x9x9xf32>) outs(%112 : tensor<2x4x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x1xf32>
    %114 = linalg.generic {indexing_maps = [#map7, #map13, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110, %113 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%84 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %115 = tensor.collapse_shape %114 [[0, 1], [2], [3]] : tensor<2x4x9x9xf32> into tensor<8x9x9xf32>
    %116 = tensor.collapse_shape %75 [[0, 1], [2], [3]] : tensor<2x4x9x8xf32> into tensor<8x9x8xf32>
    %117 = tensor.empty() : tensor<8x9x8xf32>
    %118 = linalg.fill ins(%cst_1 : f32) outs(%117 : tensor<8x9x8xf32>) -> tensor<8x9x8xf32>
    %119 = linalg.batch_matmul ins(%115, %116 : tensor<8x9x9xf32>, tensor<8x9x8xf32>) outs(%118 : tensor<8x9x8xf32>) -> tensor<8x9x8xf32>
    %120 = tensor.expand_shape %119 [[0, 1], [2], [3]] output_shape [2, 4, 9, 8] : tensor<8x9x8xf32> into tensor<2x4x9x8xf32>
    %121 = tensor.empty() : tensor<2x9x4x8xf32>
    %122 = linalg.transpose ins(%120 : tensor<2x4x9x8xf32>) outs(%121 : tensor<2x9x4x8xf32>) permutation = [0, 2, 1, 3]
    %123 = tensor.collapse_shape %122 [[0], [1], [2, 3]] : tensor<2x9x4x8xf32> into tensor<2x9x32xf32>
    %124 = tensor.collapse_shape %123 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %125 = linalg.transpose ins(%arg8 : tensor<32x32xf32>) outs(%13 : tensor<32x32xf32>) permutation = [1, 0]
    %126 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %127 = linalg.matmul ins(%124, %125 : tensor<18x32xf32>, tensor<32x32xf32>) outs(%126 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %128 = tensor.expand_shape %127 [[0, 1], [2]] output_shape [2, 9, 32] : tensor<18x32xf32> into tensor<2x9x32xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %128 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %130 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%129 : tensor<2x9x32xf32>) outs(%130 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %132 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_2 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %134 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %136 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg2 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %cst_0 : f32
      linalg.yield %r : f32
    } -> tensor<32xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %136 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %137 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %139 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %138 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %140 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %141 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%139 : tensor<2x9x32xf32>) outs(%140 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_2 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %144 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %146 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg3 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %cst_0 : f32
      linalg.yield %r : f32
    } -> tensor<32xf32>
    %147 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145, %146 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %148 = tensor.collapse_shape %147 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %149 = tensor.empty() : tensor<32x48xf32>
    %150 = linalg.transpose ins(%arg9 : tensor<48x32xf32>) outs(%149 : tensor<32x48xf32>) permutation = [1, 0]
    %151 = tensor.empty() : tensor<18x48xf32>
    %152 = linalg.fill ins(%cst_1 : f32) outs(%151 : tensor<18x48xf32>) -> tensor<18x48xf32>
    %153 = linalg.matmul ins(%148, %150 : tensor<18x32xf32>, tensor<32x48xf32>) outs(%152 : tensor<18x48xf32>) -> tensor<18x48xf32>
    %154 = tensor.expand_shape %153 [[0, 1], [2]] output_shape [2, 9, 48] : tensor<18x48xf32> into tensor<2x9x48xf32>
    %155 = tensor.empty() : tensor<2x9x48xf32>
    %156 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.fpowi %in0, %three : f32, i64
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %157 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_14 : f64 to f32
      %r = arith.mulf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %158 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %157 : tensor<2x9x48xf32>, tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %159 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_15 : f64 to f32
      %r = arith.mulf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %160 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159 : tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.tanh %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %161 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %cst_0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %162 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.mulf %in0, %cst_16 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %163 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %161 : tensor<2x9x48xf32>, tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %164 = tensor.collapse_shape %147 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %165 = linalg.transpose ins(%arg10 : tensor<48x32xf32>) outs(%149 : tensor<32x48xf32>) permutation = [1, 0]
    %166 = linalg.fill ins(%cst_1 : f32) outs(%151 : tensor<18x48xf32>) -> tensor<18x48xf32>
    %167 = linalg.matmul ins(%164, %165 : tensor<18x32xf32>, tensor<32x48xf32>) outs(%166 : tensor<18x48xf32>) -> tensor<18x48xf32>
    %168 = tensor.expand_shape %167 [[0, 1], [2]] output_shape [2, 9, 48] : tensor<18x48xf32> into tensor<2x9x48xf32>
    %169 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163, %168 : tensor<2x9x48xf32>, tensor<2x9x48xf32>) outs(%155 : tensor<2x9x48xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x48xf32>
    %170 = tensor.collapse_shape %169 [[0, 1], [2]] : tensor<2x9x48xf32> into tensor<18x48xf32>
    %171 = tensor.empty() : tensor<48x32xf32>
    %172 = linalg.transpose ins(%arg11 : tensor<32x48xf32>) outs(%171 : tensor<48x32xf32>) permutation = [1, 0]
    %173 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %174 = linalg.matmul ins(%170, %172 : tensor<18x48xf32>, tensor<48x32xf32>) outs(%173 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %175 = tensor.expand_shape %174 [[0, 1], [2]] output_shape [2, 9, 32] : tensor<18x32xf32> into tensor<2x9x32xf32>
    %176 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %175 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %177 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %178 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%176 : tensor<2x9x32xf32>) outs(%177 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %179 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_2 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %180 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %181 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<2x9x1xf32>) outs(%2 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %182 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %181 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %183 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg4 : tensor<32xf32>) outs(%9 : tensor<32xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %cst_0 : f32
      linalg.yield %r : f32
    } -> tensor<32xf32>
    %184 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182, %183 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %185 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %184 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    return %185 : tensor<2x9x32xf32>
  }
}
