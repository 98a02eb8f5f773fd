// A post-norm layer as the TFLite converter prints TOSA: projections as 1x1 convolutions, the scale on queries, a literal
// mask that is subtracted, norms as one factor and one offset, gelu by tanh.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.attention
// CHECK-NEXT: causal = true
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = layer
// CHECK: block.mlp{{.*}}#block.activation<gelu_tanh>
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = layer
module {
  func.func @main(%arg0: tensor<2x5x24xf32>, %arg1: tensor<24x1x1x24xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24x1x1x24xf32>, %arg4: tensor<24xf32>, %arg5: tensor<24x1x1x24xf32>, %arg6: tensor<24xf32>, %arg7: tensor<24x1x1x24xf32>, %arg8: tensor<24xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24xf32>, %arg11: tensor<48x1x1x24xf32>, %arg12: tensor<48xf32>, %arg13: tensor<24x1x1x48xf32>, %arg14: tensor<24xf32>, %arg15: tensor<24xf32>, %arg16: tensor<24xf32>) -> tensor<2x5x24xf32> {
    %0 = tosa.const_shape {values = dense<[10, 1, 1, 24]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %1 = tosa.reshape %arg0, %0 : (tensor<2x5x24xf32>, !tosa.shape<4>) -> tensor<10x1x1x24xf32>
    %2 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = tosa.conv2d %1, %arg1, %arg2, %2, %2 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<10x1x1x24xf32>, tensor<24x1x1x24xf32>, tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<10x1x1x24xf32>
    %4 = tosa.const_shape {values = dense<[2, 5, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %5 = tosa.reshape %3, %4 : (tensor<10x1x1x24xf32>, !tosa.shape<3>) -> tensor<2x5x24xf32>
    %6 = "tosa.const"() <{values = dense<0.353553385> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %7 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = tosa.mul %5, %6, %7 : (tensor<2x5x24xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %9 = tosa.const_shape {values = dense<[10, 1, 1, 24]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %10 = tosa.reshape %arg0, %9 : (tensor<2x5x24xf32>, !tosa.shape<4>) -> tensor<10x1x1x24xf32>
    %11 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %12 = tosa.conv2d %10, %arg3, %arg4, %11, %11 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<10x1x1x24xf32>, tensor<24x1x1x24xf32>, tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<10x1x1x24xf32>
    %13 = tosa.const_shape {values = dense<[2, 5, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %14 = tosa.reshape %12, %13 : (tensor<10x1x1x24xf32>, !tosa.shape<3>) -> tensor<2x5x24xf32>
    %15 = tosa.const_shape {values = dense<[10, 1, 1, 24]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %16 = tosa.reshape %arg0, %15 : (tensor<2x5x24xf32>, !tosa.shape<4>) -> tensor<10x1x1x24xf32>
    %17 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %18 = tosa.conv2d %16, %arg5, %arg6, %17, %17 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<10x1x1x24xf32>, tensor<24x1x1x24xf32>, tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<10x1x1x24xf32>
    %19 = tosa.const_shape {values = dense<[2, 5, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %20 = tosa.reshape %18, %19 : (tensor<10x1x1x24xf32>, !tosa.shape<3>) -> tensor<2x5x24xf32>
    %21 = tosa.const_shape {values = dense<[2, 5, 3, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %22 = tosa.reshape %8, %21 : (tensor<2x5x24xf32>, !tosa.shape<4>) -> tensor<2x5x3x8xf32>
    %23 = tosa.transpose %22 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x5x3x8xf32>) -> tensor<2x3x5x8xf32>
    %24 = tosa.const_shape {values = dense<[6, 5, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %25 = tosa.reshape %23, %24 : (tensor<2x3x5x8xf32>, !tosa.shape<3>) -> tensor<6x5x8xf32>
    %26 = tosa.const_shape {values = dense<[2, 5, 3, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %27 = tosa.reshape %14, %26 : (tensor<2x5x24xf32>, !tosa.shape<4>) -> tensor<2x5x3x8xf32>
    %28 = tosa.transpose %27 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x5x3x8xf32>) -> tensor<2x3x5x8xf32>
    %29 = tosa.const_shape {values = dense<[6, 5, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %30 = tosa.reshape %28, %29 : (tensor<2x3x5x8xf32>, !tosa.shape<3>) -> tensor<6x5x8xf32>
    %31 = tosa.transpose %30 {perms = array<i32: 0, 2, 1>} : (tensor<6x5x8xf32>) -> tensor<6x8x5xf32>
    %32 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %33 = tosa.matmul %25, %31, %32, %32 : (tensor<6x5x8xf32>, tensor<6x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x5xf32>
    %34 = tosa.const_shape {values = dense<[2, 3, 5, 5]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %35 = tosa.reshape %33, %34 : (tensor<6x5x5xf32>, !tosa.shape<4>) -> tensor<2x3x5x5xf32>
    %36 = "tosa.const"() <{values = dense<[[[[0.000000e+00, 1.000000e+10, 1.000000e+10, 1.000000e+10, 1.000000e+10], [0.000000e+00, 0.000000e+00, 1.000000e+10, 1.000000e+10, 1.000000e+10], [0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+10, 1.000000e+10], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+10], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x5x5xf32>}> : () -> tensor<1x1x5x5xf32>
    %37 = "tosa.const"() <{values = dense<-0.000000e+00> : tensor<2x1x5x5xf32>}> : () -> tensor<2x1x5x5xf32>
    %38 = tosa.add %36, %37 : (tensor<1x1x5x5xf32>, tensor<2x1x5x5xf32>) -> tensor<2x1x5x5xf32>
    %39 = tosa.sub %35, %38 : (tensor<2x3x5x5xf32>, tensor<2x1x5x5xf32>) -> tensor<2x3x5x5xf32>
    %40 = tosa.reduce_max %39 {axis = 3 : i32} : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x1xf32>
    %41 = tosa.sub %39, %40 : (tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x5xf32>
    %42 = tosa.exp %41 : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %43 = tosa.reduce_sum %42 {axis = 3 : i32} : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x1xf32>
    %44 = tosa.reciprocal %43 : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %45 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = tosa.mul %42, %44, %45 : (tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>, tensor<1xi8>) -> tensor<2x3x5x5xf32>
    %47 = tosa.const_shape {values = dense<[6, 5, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %48 = tosa.reshape %46, %47 : (tensor<2x3x5x5xf32>, !tosa.shape<3>) -> tensor<6x5x5xf32>
    %49 = tosa.const_shape {values = dense<[2, 5, 3, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %50 = tosa.reshape %20, %49 : (tensor<2x5x24xf32>, !tosa.shape<4>) -> tensor<2x5x3x8xf32>
    %51 = tosa.transpose %50 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x5x3x8xf32>) -> tensor<2x3x5x8xf32>
    %52 = tosa.const_shape {values = dense<[6, 5, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %53 = tosa.reshape %51, %52 : (tensor<2x3x5x8xf32>, !tosa.shape<3>) -> tensor<6x5x8xf32>
    %54 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %55 = tosa.matmul %48, %53, %54, %54 : (tensor<6x5x5xf32>, tensor<6x5x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x8xf32>
    %56 = tosa.const_shape {values = dense<[2, 3, 5, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %57 = tosa.reshape %55, %56 : (tensor<6x5x8xf32>, !tosa.shape<4>) -> tensor<2x3x5x8xf32>
    %58 = tosa.transpose %57 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x3x5x8xf32>) -> tensor<2x5x3x8xf32>
    %59 = tosa.const_shape {values = dense<[2, 5, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %60 = tosa.reshape %58, %59 : (tensor<2x5x3x8xf32>, !tosa.shape<3>) -> tensor<2x5x24xf32>
    %61 = tosa.const_shape {values = dense<[10, 1, 1, 24]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %62 = tosa.reshape %60, %61 : (tensor<2x5x24xf32>, !tosa.shape<4>) -> tensor<10x1x1x24xf32>
    %63 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %64 = tosa.conv2d %62, %arg7, %arg8, %63, %63 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<10x1x1x24xf32>, tensor<24x1x1x24xf32>, tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<10x1x1x24xf32>
    %65 = tosa.const_shape {values = dense<[2, 5, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %66 = tosa.reshape %64, %65 : (tensor<10x1x1x24xf32>, !tosa.shape<3>) -> tensor<2x5x24xf32>
    %67 = tosa.add %66, %arg0 : (tensor<2x5x24xf32>, tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
    %68 = "tosa.const"() <{values = dense<4.166666667e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %69 = tosa.reduce_sum %67 {axis = 2 : i32} : (tensor<2x5x24xf32>) -> tensor<2x5x1xf32>
    %70 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %71 = tosa.mul %69, %68, %70 : (tensor<2x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x1xf32>
    %72 = tosa.sub %67, %71 : (tensor<2x5x24xf32>, tensor<2x5x1xf32>) -> tensor<2x5x24xf32>
    %73 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %74 = tosa.mul %72, %72, %73 : (tensor<2x5x24xf32>, tensor<2x5x24xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %75 = tosa.reduce_sum %74 {axis = 2 : i32} : (tensor<2x5x24xf32>) -> tensor<2x5x1xf32>
    %76 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %77 = tosa.mul %75, %68, %76 : (tensor<2x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x1xf32>
    %78 = "tosa.const"() <{values = dense<9.99999996E-13> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %79 = tosa.add %77, %78 : (tensor<2x5x1xf32>, tensor<1x1x1xf32>) -> tensor<2x5x1xf32>
    %80 = tosa.rsqrt %79 : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %81 = tosa.const_shape {values = dense<[1, 1, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %82 = tosa.reshape %arg9, %81 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<1x1x24xf32>
    %83 = tosa.const_shape {values = dense<[1, 1, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %84 = tosa.reshape %arg10, %83 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<1x1x24xf32>
    %85 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %86 = tosa.mul %80, %82, %85 : (tensor<2x5x1xf32>, tensor<1x1x24xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %87 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %88 = tosa.mul %67, %86, %87 : (tensor<2x5x24xf32>, tensor<2x5x24xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %89 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %90 = tosa.mul %71, %86, %89 : (tensor<2x5x1xf32>, tensor<2x5x24xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %91 = tosa.sub %84, %90 : (tensor<1x1x24xf32>, tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
    %92 = tosa.add %88, %91 : (tensor<2x5x24xf32>, tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
    %93 = tosa.const_shape {values = dense<[10, 1, 1, 24]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %94 = tosa.reshape %92, %93 : (tensor<2x5x24xf32>, !tosa.shape<4>) -> tensor<10x1x1x24xf32>
    %95 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %96 = tosa.conv2d %94, %arg11, %arg12, %95, %95 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<10x1x1x24xf32>, tensor<48x1x1x24xf32>, tensor<48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<10x1x1x48xf32>
    %97 = tosa.const_shape {values = dense<[2, 5, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %98 = tosa.reshape %96, %97 : (tensor<10x1x1x48xf32>, !tosa.shape<3>) -> tensor<2x5x48xf32>
    %99 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %100 = tosa.mul %98, %98, %99 : (tensor<2x5x48xf32>, tensor<2x5x48xf32>, tensor<1xi8>) -> tensor<2x5x48xf32>
    %101 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %102 = tosa.mul %100, %98, %101 : (tensor<2x5x48xf32>, tensor<2x5x48xf32>, tensor<1xi8>) -> tensor<2x5x48xf32>
    %103 = "tosa.const"() <{values = dense<4.471500e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %104 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %105 = tosa.mul %102, %103, %104 : (tensor<2x5x48xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x48xf32>
    %106 = tosa.add %98, %105 : (tensor<2x5x48xf32>, tensor<2x5x48xf32>) -> tensor<2x5x48xf32>
    %107 = "tosa.const"() <{values = dense<0.797884583> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %108 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %109 = tosa.mul %106, %107, %108 : (tensor<2x5x48xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x48xf32>
    %110 = tosa.tanh %109 : (tensor<2x5x48xf32>) -> tensor<2x5x48xf32>
    %111 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %112 = tosa.add %110, %111 : (tensor<2x5x48xf32>, tensor<1x1x1xf32>) -> tensor<2x5x48xf32>
    %113 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %114 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %115 = tosa.mul %112, %113, %114 : (tensor<2x5x48xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x48xf32>
    %116 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %117 = tosa.mul %115, %98, %116 : (tensor<2x5x48xf32>, tensor<2x5x48xf32>, tensor<1xi8>) -> tensor<2x5x48xf32>
    %118 = tosa.const_shape {values = dense<[10, 1, 1, 48]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %119 = tosa.reshape %117, %118 : (tensor<2x5x48xf32>, !tosa.shape<4>) -> tensor<10x1x1x48xf32>
    %120 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %121 = tosa.conv2d %119, %arg13, %arg14, %120, %120 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<10x1x1x48xf32>, tensor<24x1x1x48xf32>, tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<10x1x1x24xf32>
    %122 = tosa.const_shape {values = dense<[2, 5, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %123 = tosa.reshape %121, %122 : (tensor<10x1x1x24xf32>, !tosa.shape<3>) -> tensor<2x5x24xf32>
    %124 = tosa.add %123, %92 : (tensor<2x5x24xf32>, tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
    %125 = "tosa.const"() <{values = dense<4.166666667e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %126 = tosa.reduce_sum %124 {axis = 2 : i32} : (tensor<2x5x24xf32>) -> tensor<2x5x1xf32>
    %127 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %128 = tosa.mul %126, %125, %127 : (tensor<2x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x1xf32>
    %129 = tosa.sub %124, %128 : (tensor<2x5x24xf32>, tensor<2x5x1xf32>) -> tensor<2x5x24xf32>
    %130 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %131 = tosa.mul %129, %129, %130 : (tensor<2x5x24xf32>, tensor<2x5x24xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %132 = tosa.reduce_sum %131 {axis = 2 : i32} : (tensor<2x5x24xf32>) -> tensor<2x5x1xf32>
    %133 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %134 = tosa.mul %132, %125, %133 : (tensor<2x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x1xf32>
    %135 = "tosa.const"() <{values = dense<9.99999996E-13> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %136 = tosa.add %134, %135 : (tensor<2x5x1xf32>, tensor<1x1x1xf32>) -> tensor<2x5x1xf32>
    %137 = tosa.rsqrt %136 : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %138 = tosa.const_shape {values = dense<[1, 1, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %139 = tosa.reshape %arg15, %138 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<1x1x24xf32>
    %140 = tosa.const_shape {values = dense<[1, 1, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %141 = tosa.reshape %arg16, %140 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<1x1x24xf32>
    %142 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %143 = tosa.mul %137, %139, %142 : (tensor<2x5x1xf32>, tensor<1x1x24xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %144 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %145 = tosa.mul %124, %143, %144 : (tensor<2x5x24xf32>, tensor<2x5x24xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %146 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %147 = tosa.mul %128, %143, %146 : (tensor<2x5x1xf32>, tensor<2x5x24xf32>, tensor<1xi8>) -> tensor<2x5x24xf32>
    %148 = tosa.sub %141, %147 : (tensor<1x1x24xf32>, tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
    %149 = tosa.add %145, %148 : (tensor<2x5x24xf32>, tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
    return %149 : tensor<2x5x24xf32>
  }
}
