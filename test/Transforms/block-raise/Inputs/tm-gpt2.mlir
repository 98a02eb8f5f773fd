// A GPT-2 layer as torch-mlir prints it: projections stored [in, out], one for queries, keys and values; variance in f64;
// the mask is a select of zero and -inf that is added; gelu one operation at a time.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.attention
// CHECK-NEXT: causal = true
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.mlp{{.*}}#block.activation<gelu_tanh>
// CHECK: block.residual
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x9x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x96xf32>, %arg4: tensor<96xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32x64xf32>, %arg10: tensor<64xf32>, %arg11: tensor<64x32xf32>, %arg12: tensor<32xf32>) -> tensor<2x9x32xf32> {
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 3.200000e+01 : f64
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant 3.200000e+01 : f32
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 2.82842708 : f32
    %cst_6 = arith.constant 0 : i64
    %cst_7 = arith.constant 0xFF800000 : f32
    %cst_8 = arith.constant 4.471500e-02 : f64
    %cst_9 = arith.constant 0.79788456080286541 : f64
    %cst_10 = arith.constant 1.000000e+00 : f32
    %cst_11 = arith.constant 5.000000e-01 : f32
    %three = arith.constant 3 : i64
    %0 = tensor.empty() : tensor<2x9x32xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in0: f32, %out: f64):
      %r = arith.extf %in0 : f32 to f64
      linalg.yield %r : f64
    } -> tensor<2x9x32xf64>
    %2 = tensor.empty() : tensor<2x9x1xf64>
    %3 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<2x9x1xf64>) -> tensor<2x9x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x9x32xf64>) outs(%3 : tensor<2x9x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x9x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x9x1xf64>) outs(%2 : tensor<2x9x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_1 : f64
      linalg.yield %r : f64
    } -> tensor<2x9x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x9x32xf64>, tensor<2x9x1xf64>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.subf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x9x32xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x9x32xf64>, tensor<2x9x32xf64>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.mulf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x9x32xf64>
    %8 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<2x9x1xf64>) -> tensor<2x9x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x9x32xf64>) outs(%8 : tensor<2x9x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x9x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x9x1xf64>) outs(%2 : tensor<2x9x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_1 : f64
      linalg.yield %r : f64
    } -> tensor<2x9x1xf64>
    %11 = tensor.empty() : tensor<2x9x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x9x1xf64>) outs(%11 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f64, %out: f32):
      %r = arith.truncf %in0 : f64 to f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %13 = linalg.fill ins(%cst_2 : f32) outs(%11 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x9x32xf32>) outs(%13 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x9x1xf32>) outs(%11 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_3 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x9x1xf32>) outs(%11 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_4 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x9x1xf32>) outs(%11 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %18 = tensor.empty() : tensor<2x9x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %15 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %17 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %23 = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %24 = tensor.empty() : tensor<18x96xf32>
    %25 = linalg.fill ins(%cst_2 : f32) outs(%24 : tensor<18x96xf32>) -> tensor<18x96xf32>
    %26 = linalg.matmul ins(%23, %arg3 : tensor<18x32xf32>, tensor<32x96xf32>) outs(%25 : tensor<18x96xf32>) -> tensor<18x96xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%26, %arg4 : tensor<18x96xf32>, tensor<96xf32>) outs(%24 : tensor<18x96xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<18x96xf32>
    %28 = tensor.expand_shape %27 [[0, 1], [2]] output_shape [2, 9, 96] : tensor<18x96xf32> into tensor<2x9x96xf32>
    %29 = tensor.extract_slice %28[0, 0, 0] [2, 9, 32] [1, 1, 1] : tensor<2x9x96xf32> to tensor<2x9x32xf32>
    %30 = tensor.expand_shape %29 [[0], [1], [2, 3]] output_shape [2, 9, 4, 8] : tensor<2x9x32xf32> into tensor<2x9x4x8xf32>
    %31 = tensor.empty() : tensor<2x4x9x8xf32>
    %32 = linalg.transpose ins(%30 : tensor<2x9x4x8xf32>) outs(%31 : tensor<2x4x9x8xf32>) permutation = [0, 2, 1, 3]
    %33 = tensor.extract_slice %28[0, 0, 32] [2, 9, 32] [1, 1, 1] : tensor<2x9x96xf32> to tensor<2x9x32xf32>
    %34 = tensor.expand_shape %33 [[0], [1], [2, 3]] output_shape [2, 9, 4, 8] : tensor<2x9x32xf32> into tensor<2x9x4x8xf32>
    %35 = linalg.transpose ins(%34 : tensor<2x9x4x8xf32>) outs(%31 : tensor<2x4x9x8xf32>) permutation = [0, 2, 1, 3]
    %36 = tensor.extract_slice %28[0, 0, 64] [2, 9, 32] [1, 1, 1] : tensor<2x9x96xf32> to tensor<2x9x32xf32>
    %37 = tensor.expand_shape %36 [[0], [1], [2, 3]] output_shape [2, 9, 4, 8] : tensor<2x9x32xf32> into tensor<2x9x4x8xf32>
    %38 = linalg.transpose ins(%37 : tensor<2x9x4x8xf32>) outs(%31 : tensor<2x4x9x8xf32>) permutation = [0, 2, 1, 3]
    %39 = tensor.empty() : tensor<2x4x8x9xf32>
    %40 = linalg.transpose ins(%35 : tensor<2x4x9x8xf32>) outs(%39 : tensor<2x4x8x9xf32>) permutation = [0, 1, 3, 2]
    %41 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<2x4x9x8xf32> into tensor<8x9x8xf32>
    %42 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<2x4x8x9xf32> into tensor<8x8x9xf32>
    %43 = tensor.empty() : tensor<8x9x9xf32>
    %44 = linalg.fill ins(%cst_2 : f32) outs(%43 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %45 = linalg.batch_matmul ins(%41, %42 : tensor<8x9x8xf32>, tensor<8x8x9xf32>) outs(%44 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %46 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [2, 4, 9, 9] : tensor<8x9x9xf32> into tensor<2x4x9x9xf32>
    %47 = tensor.empty() : tensor<2x4x9x9xf32>
    %48 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x4x9x9xf32>) outs(%47 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_5 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %49 = tensor.empty() : tensor<9xi64>
    %50 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%49 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<9xi64>
    %51 = tensor.expand_shape %50 [[0, 1]] output_shape [1, 9] : tensor<9xi64> into tensor<1x9xi64>
    %52 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%49 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %r = arith.index_cast %i : index to i64
      linalg.yield %r : i64
    } -> tensor<9xi64>
    %53 = tensor.expand_shape %52 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %54 = tensor.empty() : tensor<9x9xi64>
    %55 = linalg.generic {indexing_maps = [#map7, #map8, #map3], iterator_types = ["parallel", "parallel"]} ins(%51, %53 : tensor<1x9xi64>, tensor<9x1xi64>) outs(%54 : tensor<9x9xi64>) {
    ^bb0(%in0: i64, %in1: i64, %out: i64):
      %r = arith.subi %in0, %in1 : i64
      linalg.yield %r : i64
    } -> tensor<9x9xi64>
    %56 = tensor.empty() : tensor<9x9xi1>
    %57 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<9x9xi64>) outs(%56 : tensor<9x9xi1>) {
    ^bb0(%in0: i64, %out: i1):
      %r = arith.cmpi sle, %in0, %cst_6 : i64
      linalg.yield %r : i1
    } -> tensor<9x9xi1>
    %58 = tensor.expand_shape %57 [[0, 1, 2], [3]] output_shape [1, 1, 9, 9] : tensor<9x9xi1> into tensor<1x1x9x9xi1>
    %59 = tensor.empty() : tensor<1x1x9x9xf32>
    %60 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x1x9x9xi1>) outs(%59 : tensor<1x1x9x9xf32>) {
    ^bb0(%in0: i1, %out: f32):
      %r = arith.select %in0, %cst_2, %cst_7 : f32
      linalg.yield %r : f32
    } -> tensor<1x1x9x9xf32>
    %61 = linalg.generic {indexing_maps = [#map5, #map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %60 : tensor<2x4x9x9xf32>, tensor<1x1x9x9xf32>) outs(%47 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %62 = tensor.empty() : tensor<2x4x9xf32>
    %63 = linalg.fill ins(%cst_7 : f32) outs(%62 : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
    %64 = tensor.empty() : tensor<2x4x9xi64>
    %65 = linalg.fill ins(%cst_6 : i64) outs(%64 : tensor<2x4x9xi64>) -> tensor<2x4x9xi64>
    %66:2 = linalg.generic {indexing_maps = [#map5, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<2x4x9x9xf32>) outs(%63, %65 : tensor<2x4x9xf32>, tensor<2x4x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %out_0 : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<2x4x9xf32>, tensor<2x4x9xi64>)
    %67 = tensor.expand_shape %66#0 [[0], [1], [2, 3]] output_shape [2, 4, 9, 1] : tensor<2x4x9xf32> into tensor<2x4x9x1xf32>
    %68 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %67 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%47 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<2x4x9x9xf32>) outs(%47 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %70 = tensor.empty() : tensor<2x4x9x1xf32>
    %71 = linalg.fill ins(%cst_2 : f32) outs(%70 : tensor<2x4x9x1xf32>) -> tensor<2x4x9x1xf32>
    %72 = linalg.generic {indexing_maps = [#map5, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<2x4x9x9xf32>) outs(%71 : tensor<2x4x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x1xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %72 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%47 : tensor<2x4x9x9xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x4x9x9xf32>
    %74 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<2x4x9x9xf32> into tensor<8x9x9xf32>
    %75 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<2x4x9x8xf32> into tensor<8x9x8xf32>
    %76 = tensor.empty() : tensor<8x9x8xf32>
    %77 = linalg.fill ins(%cst_2 : f32) outs(%76 : tensor<8x9x8xf32>) -> tensor<8x9x8xf32>
    %78 = linalg.batch_matmul ins(%74, %75 : tensor<8x9x9xf32>, tensor<8x9x8xf32>) outs(%77 : tensor<8x9x8xf32>) -> tensor<8x9x8xf32>
    %79 = tensor.expand_shape %78 [[0, 1], [2], [3]] output_shape [2, 4, 9, 8] : tensor<8x9x8xf32> into tensor<2x4x9x8xf32>
    %80 = tensor.empty() : tensor<2x9x4x8xf32>
    %81 = linalg.transpose ins(%79 : tensor<2x4x9x8xf32>) outs(%80 : tensor<2x9x4x8xf32>) permutation = [0, 2, 1, 3]
    %82 = tensor.collapse_shape %81 [[0], [1], [2, 3]] : tensor<2x9x4x8xf32> into tensor<2x9x32xf32>
    %83 = tensor.collapse_shape %82 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %84 = tensor.empty() : tensor<18x32xf32>
    %85 = linalg.fill ins(%cst_2 : f32) outs(%84 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %86 = linalg.matmul ins(%83, %arg5 : tensor<18x32xf32>, tensor<32x32xf32>) outs(%85 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %87 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%86, %arg6 : tensor<18x32xf32>, tensor<32xf32>) outs(%84 : tensor<18x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<18x32xf32>
    %88 = tensor.expand_shape %87 [[0, 1], [2]] output_shape [2, 9, 32] : tensor<18x32xf32> into tensor<2x9x32xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %arg0 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in0: f32, %out: f64):
      %r = arith.extf %in0 : f32 to f64
      linalg.yield %r : f64
    } -> tensor<2x9x32xf64>
    %91 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<2x9x1xf64>) -> tensor<2x9x1xf64>
    %92 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%90 : tensor<2x9x32xf64>) outs(%91 : tensor<2x9x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x9x1xf64>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x9x1xf64>) outs(%2 : tensor<2x9x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_1 : f64
      linalg.yield %r : f64
    } -> tensor<2x9x1xf64>
    %94 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %93 : tensor<2x9x32xf64>, tensor<2x9x1xf64>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.subf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x9x32xf64>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %94 : tensor<2x9x32xf64>, tensor<2x9x32xf64>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in0: f64, %in1: f64, %out: f64):
      %r = arith.mulf %in0, %in1 : f64
      linalg.yield %r : f64
    } -> tensor<2x9x32xf64>
    %96 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<2x9x1xf64>) -> tensor<2x9x1xf64>
    %97 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<2x9x32xf64>) outs(%96 : tensor<2x9x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.addf %in0, %out : f64
      linalg.yield %r : f64
    } -> tensor<2x9x1xf64>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x9x1xf64>) outs(%2 : tensor<2x9x1xf64>) {
    ^bb0(%in0: f64, %out: f64):
      %r = arith.divf %in0, %cst_1 : f64
      linalg.yield %r : f64
    } -> tensor<2x9x1xf64>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x9x1xf64>) outs(%11 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f64, %out: f32):
      %r = arith.truncf %in0 : f64 to f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %100 = linalg.fill ins(%cst_2 : f32) outs(%11 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89 : tensor<2x9x32xf32>) outs(%100 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x9x1xf32>) outs(%11 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.divf %in0, %cst_3 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x9x1xf32>) outs(%11 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_4 : f64 to f32
      %r = arith.addf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x9x1xf32>) outs(%11 : tensor<2x9x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x1xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %102 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %104 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %arg7 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %arg8 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    %109 = tensor.collapse_shape %108 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %110 = tensor.empty() : tensor<18x64xf32>
    %111 = linalg.fill ins(%cst_2 : f32) outs(%110 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %112 = linalg.matmul ins(%109, %arg9 : tensor<18x32xf32>, tensor<32x64xf32>) outs(%111 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %113 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%112, %arg10 : tensor<18x64xf32>, tensor<64xf32>) outs(%110 : tensor<18x64xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<18x64xf32>
    %114 = tensor.expand_shape %113 [[0, 1], [2]] output_shape [2, 9, 64] : tensor<18x64xf32> into tensor<2x9x64xf32>
    %115 = tensor.empty() : tensor<2x9x64xf32>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<2x9x64xf32>) outs(%115 : tensor<2x9x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.fpowi %in0, %three : f32, i64
      linalg.yield %r : f32
    } -> tensor<2x9x64xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<2x9x64xf32>) outs(%115 : tensor<2x9x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_8 : f64 to f32
      %r = arith.mulf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x64xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114, %117 : tensor<2x9x64xf32>, tensor<2x9x64xf32>) outs(%115 : tensor<2x9x64xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x64xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<2x9x64xf32>) outs(%115 : tensor<2x9x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %k = arith.truncf %cst_9 : f64 to f32
      %r = arith.mulf %in0, %k : f32
      linalg.yield %r : f32
    } -> tensor<2x9x64xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<2x9x64xf32>) outs(%115 : tensor<2x9x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = math.tanh %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x64xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<2x9x64xf32>) outs(%115 : tensor<2x9x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %cst_10 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x64xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<2x9x64xf32>) outs(%115 : tensor<2x9x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.mulf %in0, %cst_11 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x64xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %121 : tensor<2x9x64xf32>, tensor<2x9x64xf32>) outs(%115 : tensor<2x9x64xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x64xf32>
    %124 = tensor.collapse_shape %123 [[0, 1], [2]] : tensor<2x9x64xf32> into tensor<18x64xf32>
    %125 = linalg.fill ins(%cst_2 : f32) outs(%84 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %126 = linalg.matmul ins(%124, %arg11 : tensor<18x64xf32>, tensor<64x32xf32>) outs(%125 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %127 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%126, %arg12 : tensor<18x32xf32>, tensor<32xf32>) outs(%84 : tensor<18x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<18x32xf32>
    %128 = tensor.expand_shape %127 [[0, 1], [2]] output_shape [2, 9, 32] : tensor<18x32xf32> into tensor<2x9x32xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %128 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%18 : tensor<2x9x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x9x32xf32>
    return %129 : tensor<2x9x32xf32>
  }
}
