// A pre-norm layer of JAX in bf16: softmax and norms in f32, gelu in bf16.
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
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xbf16>, %arg1: tensor<16xbf16>, %arg2: tensor<16xbf16>, %arg3: tensor<48xbf16>, %arg4: tensor<24xbf16>, %arg5: tensor<16xbf16>, %arg6: tensor<16xbf16>, %arg7: tensor<16xbf16>, %arg8: tensor<16x24xbf16>, %arg9: tensor<24x16xbf16>, %arg10: tensor<16x16xbf16>, %arg11: tensor<16x48xbf16>, %arg12: tensor<2x5x16xbf16>) -> (tensor<2x5x16xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg12 : (tensor<2x5x16xbf16>) -> tensor<2x5x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x5x1xf32>
    %5 = stablehlo.convert %4 : (tensor<2x5x1xf32>) -> tensor<2x5x1xbf16>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x5x1xbf16>) -> tensor<2x5x16xbf16>
    %7 = stablehlo.subtract %arg12, %6 : tensor<2x5x16xbf16>
    %8 = stablehlo.multiply %7, %7 : tensor<2x5x16xbf16>
    %9 = stablehlo.convert %8 : (tensor<2x5x16xbf16>) -> tensor<2x5x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %13 = stablehlo.divide %11, %12 : tensor<2x5x1xf32>
    %14 = stablehlo.convert %13 : (tensor<2x5x1xf32>) -> tensor<2x5x1xbf16>
    %15 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x5x1xbf16>) -> tensor<2x5x16xbf16>
    %16 = stablehlo.subtract %arg12, %15 : tensor<2x5x16xbf16>
    %cst_3 = stablehlo.constant dense<1.001360e-05> : tensor<bf16>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x5x1xbf16>
    %18 = stablehlo.add %14, %17 : tensor<2x5x1xbf16>
    %19 = stablehlo.sqrt %18 : tensor<2x5x1xbf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x5x1xbf16>) -> tensor<2x5x16xbf16>
    %21 = stablehlo.divide %16, %20 : tensor<2x5x16xbf16>
    %22 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x5x16xbf16>
    %24 = stablehlo.multiply %21, %23 : tensor<2x5x16xbf16>
    %25 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x5x16xbf16>
    %27 = stablehlo.add %24, %26 : tensor<2x5x16xbf16>
    %28 = stablehlo.dot_general %27, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xbf16>, tensor<16x48xbf16>) -> tensor<2x5x48xbf16>
    %29 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<48xbf16>) -> tensor<1x1x48xbf16>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x1x48xbf16>) -> tensor<2x5x48xbf16>
    %31 = stablehlo.add %28, %30 : tensor<2x5x48xbf16>
    %32 = stablehlo.slice %31 [0:2, 0:5, 0:16] : (tensor<2x5x48xbf16>) -> tensor<2x5x16xbf16>
    %33 = stablehlo.slice %31 [0:2, 0:5, 16:32] : (tensor<2x5x48xbf16>) -> tensor<2x5x16xbf16>
    %34 = stablehlo.slice %31 [0:2, 0:5, 32:48] : (tensor<2x5x48xbf16>) -> tensor<2x5x16xbf16>
    %35 = stablehlo.reshape %32 : (tensor<2x5x16xbf16>) -> tensor<2x5x2x8xbf16>
    %36 = stablehlo.reshape %33 : (tensor<2x5x16xbf16>) -> tensor<2x5x2x8xbf16>
    %37 = stablehlo.reshape %34 : (tensor<2x5x16xbf16>) -> tensor<2x5x2x8xbf16>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %38 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %39 = call @tril(%38) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %40 = stablehlo.dot_general %35, %36, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x8xbf16>, tensor<2x5x2x8xbf16>) -> tensor<2x2x5x5xbf16>
    %cst_4 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %41 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x2x5x5xbf16>
    %42 = stablehlo.multiply %40, %41 : tensor<2x2x5x5xbf16>
    %cst_5 = stablehlo.constant dense<-1.000000e+10> : tensor<f32>
    %43 = call @_where(%39, %42, %cst_5) : (tensor<5x5xi1>, tensor<2x2x5x5xbf16>, tensor<f32>) -> tensor<2x2x5x5xbf16>
    %cst_6 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %44 = stablehlo.reduce(%43 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xbf16>, tensor<bf16>) -> tensor<2x2x5xbf16>
    %cst_7 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %45 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2x2x5xbf16>
    %46 = stablehlo.maximum %45, %44 : tensor<2x2x5xbf16>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<2x2x5xbf16>) -> tensor<2x2x5x1xbf16>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xbf16>) -> tensor<2x2x5x5xbf16>
    %49 = stablehlo.subtract %43, %48 : tensor<2x2x5x5xbf16>
    %50 = stablehlo.exponential %49 : tensor<2x2x5x5xbf16>
    %51 = stablehlo.convert %50 : (tensor<2x2x5x5xbf16>) -> tensor<2x2x5x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %54 = stablehlo.convert %53 : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x1xbf16>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xbf16>) -> tensor<2x2x5x5xbf16>
    %56 = stablehlo.divide %50, %55 : tensor<2x2x5x5xbf16>
    %57 = stablehlo.dot_general %37, %56, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x8xbf16>, tensor<2x2x5x5xbf16>) -> tensor<2x2x8x5xbf16>
    %58 = stablehlo.transpose %57, dims = [0, 3, 1, 2] : (tensor<2x2x8x5xbf16>) -> tensor<2x5x2x8xbf16>
    %59 = stablehlo.reshape %58 : (tensor<2x5x2x8xbf16>) -> tensor<2x5x16xbf16>
    %60 = stablehlo.dot_general %59, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xbf16>, tensor<16x16xbf16>) -> tensor<2x5x16xbf16>
    %61 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x5x16xbf16>
    %63 = stablehlo.add %60, %62 : tensor<2x5x16xbf16>
    %64 = stablehlo.add %arg12, %63 : tensor<2x5x16xbf16>
    %65 = stablehlo.convert %64 : (tensor<2x5x16xbf16>) -> tensor<2x5x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_10 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %69 = stablehlo.divide %67, %68 : tensor<2x5x1xf32>
    %70 = stablehlo.convert %69 : (tensor<2x5x1xf32>) -> tensor<2x5x1xbf16>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<2x5x1xbf16>) -> tensor<2x5x16xbf16>
    %72 = stablehlo.subtract %64, %71 : tensor<2x5x16xbf16>
    %73 = stablehlo.multiply %72, %72 : tensor<2x5x16xbf16>
    %74 = stablehlo.convert %73 : (tensor<2x5x16xbf16>) -> tensor<2x5x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_12 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %78 = stablehlo.divide %76, %77 : tensor<2x5x1xf32>
    %79 = stablehlo.convert %78 : (tensor<2x5x1xf32>) -> tensor<2x5x1xbf16>
    %80 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<2x5x1xbf16>) -> tensor<2x5x16xbf16>
    %81 = stablehlo.subtract %64, %80 : tensor<2x5x16xbf16>
    %cst_13 = stablehlo.constant dense<1.001360e-05> : tensor<bf16>
    %82 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<2x5x1xbf16>
    %83 = stablehlo.add %79, %82 : tensor<2x5x1xbf16>
    %84 = stablehlo.sqrt %83 : tensor<2x5x1xbf16>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<2x5x1xbf16>) -> tensor<2x5x16xbf16>
    %86 = stablehlo.divide %81, %85 : tensor<2x5x16xbf16>
    %87 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x5x16xbf16>
    %89 = stablehlo.multiply %86, %88 : tensor<2x5x16xbf16>
    %90 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x5x16xbf16>
    %92 = stablehlo.add %89, %91 : tensor<2x5x16xbf16>
    %93 = stablehlo.dot_general %92, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xbf16>, tensor<16x24xbf16>) -> tensor<2x5x24xbf16>
    %94 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<24xbf16>) -> tensor<1x1x24xbf16>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<1x1x24xbf16>) -> tensor<2x5x24xbf16>
    %96 = stablehlo.add %93, %95 : tensor<2x5x24xbf16>
    %97 = stablehlo.multiply %96, %96 : tensor<2x5x24xbf16>
    %98 = stablehlo.multiply %97, %96 : tensor<2x5x24xbf16>
    %cst_14 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %99 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x5x24xbf16>
    %100 = stablehlo.multiply %99, %98 : tensor<2x5x24xbf16>
    %101 = stablehlo.add %96, %100 : tensor<2x5x24xbf16>
    %cst_15 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %102 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<2x5x24xbf16>
    %103 = stablehlo.multiply %102, %101 : tensor<2x5x24xbf16>
    %104 = stablehlo.tanh %103 : tensor<2x5x24xbf16>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %105 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<2x5x24xbf16>
    %106 = stablehlo.add %105, %104 : tensor<2x5x24xbf16>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %107 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<2x5x24xbf16>
    %108 = stablehlo.multiply %107, %106 : tensor<2x5x24xbf16>
    %109 = stablehlo.multiply %96, %108 : tensor<2x5x24xbf16>
    %110 = stablehlo.dot_general %109, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x24xbf16>, tensor<24x16xbf16>) -> tensor<2x5x16xbf16>
    %111 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x5x16xbf16>
    %113 = stablehlo.add %110, %112 : tensor<2x5x16xbf16>
    %114 = stablehlo.add %64, %113 : tensor<2x5x16xbf16>
    return %114 : tensor<2x5x16xbf16>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x2x5x5xbf16>, %arg2: tensor<f32>) -> tensor<2x2x5x5xbf16> {
    %0 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<2x2x5x5xbf16>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xbf16>
    return %3 : tensor<2x2x5x5xbf16>
  }
}
