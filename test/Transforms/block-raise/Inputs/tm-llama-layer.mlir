// One layer of a Llama cut out of its model: cosines, sines and the additive mask are arguments with a batch; two heads
// read one key head after a broadcast; the square is a power.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.attention{{.*}}score_bias{{.*}}rope_cos
// CHECK-NEXT: kv_heads = 2{{.*}}#block.rope<style = half, dim = 8>
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.mlp{{.*}}#block.activation<silu>
// CHECK: block.residual
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<2x1x8x8xf32>, %arg2: tensor<2x8x8xf32>, %arg3: tensor<2x8x8xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<16x32xf32>, %arg7: tensor<16x32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<48x32xf32>, %arg11: tensor<48x32xf32>, %arg12: tensor<32x48xf32>) -> tensor<2x8x32xf32> {
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 3.200000e+01 : f32
    %cst_2 = arith.constant 9.9999999999999995E-7 : f64
    %cst_3 = arith.constant 0.353553385 : f32
    %cst_4 = arith.constant 0xFF800000 : f32
    %cst_5 = arith.constant 0 : i64
    %cst_6 = arith.constant 1.000000e+00 : f32
    %two = arith.constant 2 : i64
    %0 = tensor.empty() : tensor<2x8x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.fpowi %in0, %two : f32, i64
      linalg.yield %r : f32
    } -> tensor<2x8x32xf32>
    %2 = tensor.empty() : tensor<2x8x1xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x8x32xf32>) outs(%3 : tensor<2x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_2 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x32xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4, %8 : tensor<32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x32xf32>
    %10 = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %11 = tensor.empty() : tensor<32x32xf32>
    %12 = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%11 : tensor<32x32xf32>) permutation = [1, 0]
    %13 = tensor.empty() : tensor<16x32xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %15 = linalg.matmul ins(%10, %12 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%14 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %16 = tensor.expand_shape %15 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %17 = tensor.expand_shape %16 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %18 = tensor.empty() : tensor<2x4x8x8xf32>
    %19 = linalg.transpose ins(%17 : tensor<2x8x4x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3]
    %20 = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %21 = tensor.empty() : tensor<32x16xf32>
    %22 = linalg.transpose ins(%arg6 : tensor<16x32xf32>) outs(%21 : tensor<32x16xf32>) permutation = [1, 0]
    %23 = tensor.empty() : tensor<16x16xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %25 = linalg.matmul ins(%20, %22 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%24 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %26 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
    %27 = tensor.expand_shape %26 [[0], [1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<2x8x16xf32> into tensor<2x8x2x8xf32>
    %28 = tensor.empty() : tensor<2x2x8x8xf32>
    %29 = linalg.transpose ins(%27 : tensor<2x8x2x8xf32>) outs(%28 : tensor<2x2x8x8xf32>) permutation = [0, 2, 1, 3]
    %30 = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %31 = linalg.transpose ins(%arg7 : tensor<16x32xf32>) outs(%21 : tensor<32x16xf32>) permutation = [1, 0]
    %32 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %33 = linalg.matmul ins(%30, %31 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%32 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %34 = tensor.expand_shape %33 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
    %35 = tensor.expand_shape %34 [[0], [1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<2x8x16xf32> into tensor<2x8x2x8xf32>
    %36 = linalg.transpose ins(%35 : tensor<2x8x2x8xf32>) outs(%28 : tensor<2x2x8x8xf32>) permutation = [0, 2, 1, 3]
    %37 = tensor.expand_shape %arg2 [[0], [1, 2], [3]] output_shape [2, 1, 8, 8] : tensor<2x8x8xf32> into tensor<2x1x8x8xf32>
    %38 = tensor.expand_shape %arg3 [[0], [1, 2], [3]] output_shape [2, 1, 8, 8] : tensor<2x8x8xf32> into tensor<2x1x8x8xf32>
    %39 = tensor.extract_slice %19[0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %40 = tensor.extract_slice %19[0, 0, 0, 4] [2, 4, 8, 4] [1, 1, 1, 1] : tensor<2x4x8x8xf32> to tensor<2x4x8x4xf32>
    %41 = tensor.empty() : tensor<2x4x8x4xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x4x8x4xf32>) outs(%41 : tensor<2x4x8x4xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.negf %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x4xf32>
    %43 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %37 : tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x8xf32>
    %44 = tensor.concat dim(3) %42, %39 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %38 : tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x8xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %45 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x8xf32>
    %47 = tensor.extract_slice %29[0, 0, 0, 0] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xf32> to tensor<2x2x8x4xf32>
    %48 = tensor.extract_slice %29[0, 0, 0, 4] [2, 2, 8, 4] [1, 1, 1, 1] : tensor<2x2x8x8xf32> to tensor<2x2x8x4xf32>
    %49 = tensor.empty() : tensor<2x2x8x4xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x2x8x4xf32>) outs(%49 : tensor<2x2x8x4xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.negf %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x8x4xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %37 : tensor<2x2x8x8xf32>, tensor<2x1x8x8xf32>) outs(%28 : tensor<2x2x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x8x8xf32>
    %52 = tensor.concat dim(3) %50, %47 : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x8xf32>
    %53 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %38 : tensor<2x2x8x8xf32>, tensor<2x1x8x8xf32>) outs(%28 : tensor<2x2x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x8x8xf32>
    %54 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %53 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%28 : tensor<2x2x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x2x8x8xf32>
    %55 = tensor.expand_shape %54 [[0], [1], [2, 3], [4]] output_shape [2, 2, 1, 8, 8] : tensor<2x2x8x8xf32> into tensor<2x2x1x8x8xf32>
    %56 = tensor.empty() : tensor<2x2x2x8x8xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<2x2x1x8x8xf32>) outs(%56 : tensor<2x2x2x8x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<2x2x2x8x8xf32>
    %58 = tensor.collapse_shape %57 [[0], [1, 2], [3], [4]] : tensor<2x2x2x8x8xf32> into tensor<2x4x8x8xf32>
    %59 = tensor.expand_shape %36 [[0], [1], [2, 3], [4]] output_shape [2, 2, 1, 8, 8] : tensor<2x2x8x8xf32> into tensor<2x2x1x8x8xf32>
    %60 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<2x2x1x8x8xf32>) outs(%56 : tensor<2x2x2x8x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<2x2x2x8x8xf32>
    %61 = tensor.collapse_shape %60 [[0], [1, 2], [3], [4]] : tensor<2x2x2x8x8xf32> into tensor<2x4x8x8xf32>
    %62 = linalg.transpose ins(%58 : tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) permutation = [0, 1, 3, 2]
    %63 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %64 = tensor.collapse_shape %62 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %65 = tensor.empty() : tensor<8x8x8xf32>
    %66 = linalg.fill ins(%cst_0 : f32) outs(%65 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %67 = linalg.batch_matmul ins(%63, %64 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%66 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %68 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %69 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.mulf %in0, %cst_3 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x8xf32>
    %70 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %arg1 : tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x8xf32>
    %71 = tensor.empty() : tensor<2x4x8xf32>
    %72 = linalg.fill ins(%cst_4 : f32) outs(%71 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %73 = tensor.empty() : tensor<2x4x8xi64>
    %74 = linalg.fill ins(%cst_5 : i64) outs(%73 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %75:2 = linalg.generic {indexing_maps = [#map3, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<2x4x8x8xf32>) outs(%72, %74 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %out_0 : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %76 = tensor.expand_shape %75#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %76 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x8xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<2x4x8x8xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x8xf32>
    %79 = tensor.empty() : tensor<2x4x8x1xf32>
    %80 = linalg.fill ins(%cst_0 : f32) outs(%79 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%78 : tensor<2x4x8x8xf32>) outs(%80 : tensor<2x4x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x1xf32>
    %82 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %81 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%18 : tensor<2x4x8x8xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x8x8xf32>
    %83 = tensor.collapse_shape %82 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %84 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %85 = linalg.fill ins(%cst_0 : f32) outs(%65 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %86 = linalg.batch_matmul ins(%83, %84 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%85 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %87 = tensor.expand_shape %86 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %88 = tensor.empty() : tensor<2x8x4x8xf32>
    %89 = linalg.transpose ins(%87 : tensor<2x4x8x8xf32>) outs(%88 : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3]
    %90 = tensor.collapse_shape %89 [[0], [1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<2x8x32xf32>
    %91 = tensor.collapse_shape %90 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %92 = linalg.transpose ins(%arg8 : tensor<32x32xf32>) outs(%11 : tensor<32x32xf32>) permutation = [1, 0]
    %93 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %94 = linalg.matmul ins(%91, %92 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%93 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %95 = tensor.expand_shape %94 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %95 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x32xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.fpowi %in0, %two : f32, i64
      linalg.yield %r : f32
    } -> tensor<2x8x32xf32>
    %98 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%97 : tensor<2x8x32xf32>) outs(%98 : tensor<2x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_2 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x8x1xf32>) outs(%2 : tensor<2x8x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %102 : tensor<2x8x32xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x32xf32>
    %104 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9, %103 : tensor<32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x32xf32>
    %105 = tensor.collapse_shape %104 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %106 = tensor.empty() : tensor<32x48xf32>
    %107 = linalg.transpose ins(%arg10 : tensor<48x32xf32>) outs(%106 : tensor<32x48xf32>) permutation = [1, 0]
    %108 = tensor.empty() : tensor<16x48xf32>
    %109 = linalg.fill ins(%cst_0 : f32) outs(%108 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %110 = linalg.matmul ins(%105, %107 : tensor<16x32xf32>, tensor<32x48xf32>) outs(%109 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %111 = tensor.expand_shape %110 [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
    %112 = tensor.empty() : tensor<2x8x48xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<2x8x48xf32>) outs(%112 : tensor<2x8x48xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %a = arith.negf %in0 : f32
      %b = math.exp %a : f32
      %c = arith.addf %b, %cst_6 : f32
      %r = arith.divf %cst_6, %c : f32
      linalg.yield %r : f32
    } -> tensor<2x8x48xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %111 : tensor<2x8x48xf32>, tensor<2x8x48xf32>) outs(%112 : tensor<2x8x48xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x48xf32>
    %115 = tensor.collapse_shape %104 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %116 = linalg.transpose ins(%arg11 : tensor<48x32xf32>) outs(%106 : tensor<32x48xf32>) permutation = [1, 0]
    %117 = linalg.fill ins(%cst_0 : f32) outs(%108 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %118 = linalg.matmul ins(%115, %116 : tensor<16x32xf32>, tensor<32x48xf32>) outs(%117 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %119 = tensor.expand_shape %118 [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114, %119 : tensor<2x8x48xf32>, tensor<2x8x48xf32>) outs(%112 : tensor<2x8x48xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x48xf32>
    %121 = tensor.collapse_shape %120 [[0, 1], [2]] : tensor<2x8x48xf32> into tensor<16x48xf32>
    %122 = tensor.empty() : tensor<48x32xf32>
    %123 = linalg.transpose ins(%arg12 : tensor<32x48xf32>) outs(%122 : tensor<48x32xf32>) permutation = [1, 0]
    %124 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %125 = linalg.matmul ins(%121, %123 : tensor<16x48xf32>, tensor<48x32xf32>) outs(%124 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %126 = tensor.expand_shape %125 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %126 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x32xf32>
    return %127 : tensor<2x8x32xf32>
  }
}
