// bf16 as torch-mlir prints it: products in f32 and cut, biases added in f32, norms and softmax in f32 between casts, the
// gain in bf16.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.attention{{.*}}causal = true
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.mlp{{.*}}#block.activation<silu>
// CHECK: block.residual
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map11 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x6x32xbf16>, %arg1: tensor<32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32xbf16>, %arg7: tensor<64x32xbf16>, %arg8: tensor<64xbf16>, %arg9: tensor<32x64xbf16>) -> tensor<1x6x32xbf16> {
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 3.200000e+01 : f32
    %cst_2 = arith.constant 9.9999999999999995E-7 : f64
    %cst_3 = arith.constant 2.500000e-01 : bf16
    %cst_4 = arith.constant 0 : i64
    %cst_5 = arith.constant 0.000000e+00 : bf16
    %cst_6 = arith.constant -3.389530e+38 : bf16
    %cst_7 = arith.constant 0xFF800000 : f32
    %cst_8 = arith.constant 1.000000e+00 : f32
    %two = arith.constant 2 : i64
    %0 = tensor.empty() : tensor<1x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x6x32xbf16>) outs(%0 : tensor<1x6x32xf32>) {
    ^bb0(%in0: bf16, %out: f32):
      %r = arith.extf %in0 : bf16 to f32
      linalg.yield %r : f32
    } -> tensor<1x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x6x32xf32>) outs(%0 : tensor<1x6x32xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.fpowi %in0, %two : f32, i64
      linalg.yield %r : f32
    } -> tensor<1x6x32xf32>
    %3 = tensor.empty() : tensor<1x6x1xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x6x32xf32>) outs(%4 : tensor<1x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x6x1xf32>) outs(%3 : tensor<1x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x6x1xf32>) outs(%3 : tensor<1x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_2 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<1x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x6x1xf32>) outs(%3 : tensor<1x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<1x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x6x32xf32>, tensor<1x6x1xf32>) outs(%0 : tensor<1x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x6x32xf32>
    %10 = tensor.empty() : tensor<1x6x32xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x6x32xf32>) outs(%10 : tensor<1x6x32xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x6x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<32xbf16>, tensor<1x6x32xbf16>) outs(%10 : tensor<1x6x32xbf16>) {
    ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
      %r = arith.mulf %in0, %in1 : bf16
      linalg.yield %r : bf16
    } -> tensor<1x6x32xbf16>
    %13 = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x6x32xbf16> into tensor<6x32xbf16>
    %14 = tensor.empty() : tensor<32x32xbf16>
    %15 = linalg.transpose ins(%arg2 : tensor<32x32xbf16>) outs(%14 : tensor<32x32xbf16>) permutation = [1, 0]
    %16 = tensor.empty() : tensor<6x32xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %18 = linalg.matmul ins(%13, %15 : tensor<6x32xbf16>, tensor<32x32xbf16>) outs(%17 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %19 = tensor.empty() : tensor<6x32xbf16>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<6x32xf32>) outs(%19 : tensor<6x32xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<6x32xbf16>
    %21 = tensor.expand_shape %20 [[0, 1], [2]] output_shape [1, 6, 32] : tensor<6x32xbf16> into tensor<1x6x32xbf16>
    %22 = tensor.expand_shape %21 [[0], [1], [2, 3]] output_shape [1, 6, 2, 16] : tensor<1x6x32xbf16> into tensor<1x6x2x16xbf16>
    %23 = tensor.empty() : tensor<1x2x6x16xbf16>
    %24 = linalg.transpose ins(%22 : tensor<1x6x2x16xbf16>) outs(%23 : tensor<1x2x6x16xbf16>) permutation = [0, 2, 1, 3]
    %25 = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x6x32xbf16> into tensor<6x32xbf16>
    %26 = linalg.transpose ins(%arg3 : tensor<32x32xbf16>) outs(%14 : tensor<32x32xbf16>) permutation = [1, 0]
    %27 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %28 = linalg.matmul ins(%25, %26 : tensor<6x32xbf16>, tensor<32x32xbf16>) outs(%27 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<6x32xf32>) outs(%19 : tensor<6x32xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<6x32xbf16>
    %30 = tensor.expand_shape %29 [[0, 1], [2]] output_shape [1, 6, 32] : tensor<6x32xbf16> into tensor<1x6x32xbf16>
    %31 = tensor.expand_shape %30 [[0], [1], [2, 3]] output_shape [1, 6, 2, 16] : tensor<1x6x32xbf16> into tensor<1x6x2x16xbf16>
    %32 = linalg.transpose ins(%31 : tensor<1x6x2x16xbf16>) outs(%23 : tensor<1x2x6x16xbf16>) permutation = [0, 2, 1, 3]
    %33 = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x6x32xbf16> into tensor<6x32xbf16>
    %34 = linalg.transpose ins(%arg4 : tensor<32x32xbf16>) outs(%14 : tensor<32x32xbf16>) permutation = [1, 0]
    %35 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %36 = linalg.matmul ins(%33, %34 : tensor<6x32xbf16>, tensor<32x32xbf16>) outs(%35 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<6x32xf32>) outs(%19 : tensor<6x32xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<6x32xbf16>
    %38 = tensor.expand_shape %37 [[0, 1], [2]] output_shape [1, 6, 32] : tensor<6x32xbf16> into tensor<1x6x32xbf16>
    %39 = tensor.expand_shape %38 [[0], [1], [2, 3]] output_shape [1, 6, 2, 16] : tensor<1x6x32xbf16> into tensor<1x6x2x16xbf16>
    %40 = linalg.transpose ins(%39 : tensor<1x6x2x16xbf16>) outs(%23 : tensor<1x2x6x16xbf16>) permutation = [0, 2, 1, 3]
    %41 = tensor.empty() : tensor<1x2x16x6xbf16>
    %42 = linalg.transpose ins(%32 : tensor<1x2x6x16xbf16>) outs(%41 : tensor<1x2x16x6xbf16>) permutation = [0, 1, 3, 2]
    %43 = tensor.collapse_shape %24 [[0, 1], [2], [3]] : tensor<1x2x6x16xbf16> into tensor<2x6x16xbf16>
    %44 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x16x6xbf16> into tensor<2x16x6xbf16>
    %45 = tensor.empty() : tensor<2x6x6xf32>
    %46 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %47 = linalg.batch_matmul ins(%43, %44 : tensor<2x6x16xbf16>, tensor<2x16x6xbf16>) outs(%46 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %48 = tensor.empty() : tensor<2x6x6xbf16>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<2x6x6xf32>) outs(%48 : tensor<2x6x6xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<2x6x6xbf16>
    %50 = tensor.expand_shape %49 [[0, 1], [2], [3]] output_shape [1, 2, 6, 6] : tensor<2x6x6xbf16> into tensor<1x2x6x6xbf16>
    %51 = tensor.empty() : tensor<1x2x6x6xbf16>
    %52 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x2x6x6xbf16>) outs(%51 : tensor<1x2x6x6xbf16>) {
    ^bb0(%in0: bf16, %out: bf16):
      %r = arith.mulf %in0, %cst_3 : bf16
      linalg.yield %r : bf16
    } -> tensor<1x2x6x6xbf16>
    %53 = tensor.empty() : tensor<6xi64>
    %54 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%53 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<6xi64>
    %55 = tensor.expand_shape %54 [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
    %56 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%53 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<6xi64>
    %57 = tensor.expand_shape %56 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %58 = tensor.empty() : tensor<6x6xi64>
    %59 = linalg.generic {indexing_maps = [#map6, #map7, #map3], iterator_types = ["parallel", "parallel"]} ins(%55, %57 : tensor<1x6xi64>, tensor<6x1xi64>) outs(%58 : tensor<6x6xi64>) {
    ^bb0(%in0: i64, %in1: i64, %out: i64):
      %r = arith.subi %in0, %in1 : i64
      linalg.yield %r : i64
    } -> tensor<6x6xi64>
    %60 = tensor.empty() : tensor<6x6xi1>
    %61 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<6x6xi64>) outs(%60 : tensor<6x6xi1>) {
    ^bb0(%in0: i64, %out: i1):
      %r = arith.cmpi sle, %in0, %cst_4 : i64
      linalg.yield %r : i1
    } -> tensor<6x6xi1>
    %62 = tensor.expand_shape %61 [[0, 1, 2], [3]] output_shape [1, 1, 6, 6] : tensor<6x6xi1> into tensor<1x1x6x6xi1>
    %63 = tensor.empty() : tensor<1x1x6x6xbf16>
    %64 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x1x6x6xi1>) outs(%63 : tensor<1x1x6x6xbf16>) {
    ^bb0(%in0: i1, %out: bf16):
      %r = arith.select %in0, %cst_5, %cst_6 : bf16
      linalg.yield %r : bf16
    } -> tensor<1x1x6x6xbf16>
    %65 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %64 : tensor<1x2x6x6xbf16>, tensor<1x1x6x6xbf16>) outs(%51 : tensor<1x2x6x6xbf16>) {
    ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
      %r = arith.addf %in0, %in1 : bf16
      linalg.yield %r : bf16
    } -> tensor<1x2x6x6xbf16>
    %66 = tensor.empty() : tensor<1x2x6x6xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x2x6x6xbf16>) outs(%66 : tensor<1x2x6x6xf32>) {
    ^bb0(%in0: bf16, %out: f32):
      %r = arith.extf %in0 : bf16 to f32
      linalg.yield %r : f32
    } -> tensor<1x2x6x6xf32>
    %68 = tensor.empty() : tensor<1x2x6xf32>
    %69 = linalg.fill ins(%cst_7 : f32) outs(%68 : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %70 = tensor.empty() : tensor<1x2x6xi64>
    %71 = linalg.fill ins(%cst_4 : i64) outs(%70 : tensor<1x2x6xi64>) -> tensor<1x2x6xi64>
    %72:2 = linalg.generic {indexing_maps = [#map4, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x2x6x6xf32>) outs(%69, %71 : tensor<1x2x6xf32>, tensor<1x2x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %out_0 : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<1x2x6xf32>, tensor<1x2x6xi64>)
    %73 = tensor.expand_shape %72#0 [[0], [1], [2, 3]] output_shape [1, 2, 6, 1] : tensor<1x2x6xf32> into tensor<1x2x6x1xf32>
    %74 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %73 : tensor<1x2x6x6xf32>, tensor<1x2x6x1xf32>) outs(%66 : tensor<1x2x6x6xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x2x6x6xf32>
    %75 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<1x2x6x6xf32>) outs(%66 : tensor<1x2x6x6xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<1x2x6x6xf32>
    %76 = tensor.empty() : tensor<1x2x6x1xf32>
    %77 = linalg.fill ins(%cst_0 : f32) outs(%76 : tensor<1x2x6x1xf32>) -> tensor<1x2x6x1xf32>
    %78 = linalg.generic {indexing_maps = [#map4, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%75 : tensor<1x2x6x6xf32>) outs(%77 : tensor<1x2x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x2x6x1xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %78 : tensor<1x2x6x6xf32>, tensor<1x2x6x1xf32>) outs(%66 : tensor<1x2x6x6xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x2x6x6xf32>
    %80 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x2x6x6xf32>) outs(%51 : tensor<1x2x6x6xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x2x6x6xbf16>
    %81 = tensor.collapse_shape %80 [[0, 1], [2], [3]] : tensor<1x2x6x6xbf16> into tensor<2x6x6xbf16>
    %82 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x2x6x16xbf16> into tensor<2x6x16xbf16>
    %83 = tensor.empty() : tensor<2x6x16xf32>
    %84 = linalg.fill ins(%cst_0 : f32) outs(%83 : tensor<2x6x16xf32>) -> tensor<2x6x16xf32>
    %85 = linalg.batch_matmul ins(%81, %82 : tensor<2x6x6xbf16>, tensor<2x6x16xbf16>) outs(%84 : tensor<2x6x16xf32>) -> tensor<2x6x16xf32>
    %86 = tensor.empty() : tensor<2x6x16xbf16>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x6x16xf32>) outs(%86 : tensor<2x6x16xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<2x6x16xbf16>
    %88 = tensor.expand_shape %87 [[0, 1], [2], [3]] output_shape [1, 2, 6, 16] : tensor<2x6x16xbf16> into tensor<1x2x6x16xbf16>
    %89 = tensor.empty() : tensor<1x6x2x16xbf16>
    %90 = linalg.transpose ins(%88 : tensor<1x2x6x16xbf16>) outs(%89 : tensor<1x6x2x16xbf16>) permutation = [0, 2, 1, 3]
    %91 = tensor.collapse_shape %90 [[0], [1], [2, 3]] : tensor<1x6x2x16xbf16> into tensor<1x6x32xbf16>
    %92 = tensor.collapse_shape %91 [[0, 1], [2]] : tensor<1x6x32xbf16> into tensor<6x32xbf16>
    %93 = linalg.transpose ins(%arg5 : tensor<32x32xbf16>) outs(%14 : tensor<32x32xbf16>) permutation = [1, 0]
    %94 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %95 = linalg.matmul ins(%92, %93 : tensor<6x32xbf16>, tensor<32x32xbf16>) outs(%94 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %96 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<6x32xf32>) outs(%19 : tensor<6x32xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<6x32xbf16>
    %97 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [1, 6, 32] : tensor<6x32xbf16> into tensor<1x6x32xbf16>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %97 : tensor<1x6x32xbf16>, tensor<1x6x32xbf16>) outs(%10 : tensor<1x6x32xbf16>) {
    ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
      %r = arith.addf %in0, %in1 : bf16
      linalg.yield %r : bf16
    } -> tensor<1x6x32xbf16>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x6x32xbf16>) outs(%0 : tensor<1x6x32xf32>) {
    ^bb0(%in0: bf16, %out: f32):
      %r = arith.extf %in0 : bf16 to f32
      linalg.yield %r : f32
    } -> tensor<1x6x32xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x6x32xf32>) outs(%0 : tensor<1x6x32xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.fpowi %in0, %two : f32, i64
      linalg.yield %r : f32
    } -> tensor<1x6x32xf32>
    %101 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%100 : tensor<1x6x32xf32>) outs(%101 : tensor<1x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x6x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<1x6x1xf32>) outs(%3 : tensor<1x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x6x1xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<1x6x1xf32>) outs(%3 : tensor<1x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_2 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<1x6x1xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x6x1xf32>) outs(%3 : tensor<1x6x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<1x6x1xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %105 : tensor<1x6x32xf32>, tensor<1x6x1xf32>) outs(%0 : tensor<1x6x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x6x32xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x6x32xf32>) outs(%10 : tensor<1x6x32xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x6x32xbf16>
    %108 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6, %107 : tensor<32xbf16>, tensor<1x6x32xbf16>) outs(%10 : tensor<1x6x32xbf16>) {
    ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
      %r = arith.mulf %in0, %in1 : bf16
      linalg.yield %r : bf16
    } -> tensor<1x6x32xbf16>
    %109 = tensor.collapse_shape %108 [[0, 1], [2]] : tensor<1x6x32xbf16> into tensor<6x32xbf16>
    %110 = tensor.empty() : tensor<32x64xbf16>
    %111 = linalg.transpose ins(%arg7 : tensor<64x32xbf16>) outs(%110 : tensor<32x64xbf16>) permutation = [1, 0]
    %112 = tensor.empty() : tensor<6x64xf32>
    %113 = linalg.fill ins(%cst_0 : f32) outs(%112 : tensor<6x64xf32>) -> tensor<6x64xf32>
    %114 = linalg.matmul ins(%109, %111 : tensor<6x32xbf16>, tensor<32x64xbf16>) outs(%113 : tensor<6x64xf32>) -> tensor<6x64xf32>
    %115 = tensor.empty() : tensor<64xf32>
    %116 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg8 : tensor<64xbf16>) outs(%115 : tensor<64xf32>) {
    ^bb0(%in0: bf16, %out: f32):
      %r = arith.extf %in0 : bf16 to f32
      linalg.yield %r : f32
    } -> tensor<64xf32>
    %117 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel"]} ins(%114, %116 : tensor<6x64xf32>, tensor<64xf32>) outs(%112 : tensor<6x64xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<6x64xf32>
    %118 = tensor.empty() : tensor<6x64xbf16>
    %119 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%117 : tensor<6x64xf32>) outs(%118 : tensor<6x64xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<6x64xbf16>
    %120 = tensor.expand_shape %119 [[0, 1], [2]] output_shape [1, 6, 64] : tensor<6x64xbf16> into tensor<1x6x64xbf16>
    %121 = tensor.empty() : tensor<1x6x64xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<1x6x64xbf16>) outs(%121 : tensor<1x6x64xf32>) {
    ^bb0(%in0: bf16, %out: f32):
      %r = arith.extf %in0 : bf16 to f32
      linalg.yield %r : f32
    } -> tensor<1x6x64xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x6x64xf32>) outs(%121 : tensor<1x6x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %a = arith.negf %in0 : f32
      %b = math.exp %a : f32
      %c = arith.addf %b, %cst_8 : f32
      %d = arith.divf %cst_8, %c : f32
      %r = arith.mulf %in0, %d : f32
      linalg.yield %r : f32
    } -> tensor<1x6x64xf32>
    %124 = tensor.empty() : tensor<1x6x64xbf16>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<1x6x64xf32>) outs(%124 : tensor<1x6x64xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x6x64xbf16>
    %126 = tensor.collapse_shape %125 [[0, 1], [2]] : tensor<1x6x64xbf16> into tensor<6x64xbf16>
    %127 = tensor.empty() : tensor<64x32xbf16>
    %128 = linalg.transpose ins(%arg9 : tensor<32x64xbf16>) outs(%127 : tensor<64x32xbf16>) permutation = [1, 0]
    %129 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %130 = linalg.matmul ins(%126, %128 : tensor<6x64xbf16>, tensor<64x32xbf16>) outs(%129 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %131 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%130 : tensor<6x32xf32>) outs(%19 : tensor<6x32xbf16>) {
    ^bb0(%in0: f32, %out: bf16):
      %r = arith.truncf %in0 : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<6x32xbf16>
    %132 = tensor.expand_shape %131 [[0, 1], [2]] output_shape [1, 6, 32] : tensor<6x32xbf16> into tensor<1x6x32xbf16>
    %133 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %132 : tensor<1x6x32xbf16>, tensor<1x6x32xbf16>) outs(%10 : tensor<1x6x32xbf16>) {
    ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
      %r = arith.addf %in0, %in1 : bf16
      linalg.yield %r : bf16
    } -> tensor<1x6x32xbf16>
    return %133 : tensor<1x6x32xbf16>
  }
}
