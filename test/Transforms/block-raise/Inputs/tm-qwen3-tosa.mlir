// Qwen 3 in TOSA: norms of queries and keys within heads, tables as arguments with a dimension of size 1 in front, repeated
// key heads by tiles, gate and up projection as one, a reciprocal behind the softmax.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.attention{{.*}}rope_cos
// CHECK-NEXT: kv_heads = 2{{.*}}qk_norm{{.*}}#block.rope<style = half, dim = 8>
// CHECK-NEXT: causal = true
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.mlp{{.*}}#block.activation<silu>
// CHECK: block.residual
module {
  func.func @main(%arg0: tensor<1x6x32xf32>, %arg1: tensor<1x6x8xf32>, %arg2: tensor<1x6x8xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<16x32xf32>, %arg6: tensor<16x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>, %arg10: tensor<32xf32>, %arg11: tensor<96x32xf32>, %arg12: tensor<32x48xf32>) -> tensor<1x6x32xf32> {
    %0 = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %1 = tosa.pow %arg0, %0 : (tensor<1x6x32xf32>, tensor<1x1x1xf32>) -> tensor<1x6x32xf32>
    %2 = tosa.reduce_sum %1 {axis = 2 : i32} : (tensor<1x6x32xf32>) -> tensor<1x6x1xf32>
    %3 = "tosa.const"() <{values = dense<3.125000000e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = tosa.mul %2, %3, %4 : (tensor<1x6x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x1xf32>
    %6 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %7 = tosa.add %5, %6 : (tensor<1x6x1xf32>, tensor<1x1x1xf32>) -> tensor<1x6x1xf32>
    %8 = tosa.rsqrt %7 : (tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %9 = tosa.const_shape {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %10 = tosa.reshape %arg3, %9 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %arg0, %8, %11 : (tensor<1x6x32xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x32xf32>
    %13 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = tosa.mul %10, %12, %13 : (tensor<1x1x32xf32>, tensor<1x6x32xf32>, tensor<1xi8>) -> tensor<1x6x32xf32>
    %15 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %16 = tosa.reshape %14, %15 : (tensor<1x6x32xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %17 = tosa.transpose %arg4 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %18 = tosa.const_shape {values = dense<[1, 32, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %19 = tosa.reshape %17, %18 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %20 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %21 = tosa.matmul %16, %19, %20, %20 : (tensor<1x6x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x32xf32>
    %22 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %23 = tosa.reshape %21, %22 : (tensor<1x6x32xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %24 = tosa.const_shape {values = dense<[1, 6, 4, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %25 = tosa.reshape %23, %24 : (tensor<1x6x32xf32>, !tosa.shape<4>) -> tensor<1x6x4x8xf32>
    %26 = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %27 = tosa.pow %25, %26 : (tensor<1x6x4x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x4x8xf32>
    %28 = tosa.reduce_sum %27 {axis = 3 : i32} : (tensor<1x6x4x8xf32>) -> tensor<1x6x4x1xf32>
    %29 = "tosa.const"() <{values = dense<1.250000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %30 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %31 = tosa.mul %28, %29, %30 : (tensor<1x6x4x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x4x1xf32>
    %32 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %33 = tosa.add %31, %32 : (tensor<1x6x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x4x1xf32>
    %34 = tosa.rsqrt %33 : (tensor<1x6x4x1xf32>) -> tensor<1x6x4x1xf32>
    %35 = tosa.const_shape {values = dense<[1, 1, 1, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %36 = tosa.reshape %arg8, %35 : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x1x1x8xf32>
    %37 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %38 = tosa.mul %25, %34, %37 : (tensor<1x6x4x8xf32>, tensor<1x6x4x1xf32>, tensor<1xi8>) -> tensor<1x6x4x8xf32>
    %39 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = tosa.mul %36, %38, %39 : (tensor<1x1x1x8xf32>, tensor<1x6x4x8xf32>, tensor<1xi8>) -> tensor<1x6x4x8xf32>
    %41 = tosa.transpose %40 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x6x4x8xf32>) -> tensor<1x4x6x8xf32>
    %42 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %43 = tosa.reshape %14, %42 : (tensor<1x6x32xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %44 = tosa.transpose %arg5 {perms = array<i32: 1, 0>} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %45 = tosa.const_shape {values = dense<[1, 32, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %46 = tosa.reshape %44, %45 : (tensor<32x16xf32>, !tosa.shape<3>) -> tensor<1x32x16xf32>
    %47 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %48 = tosa.matmul %43, %46, %47, %47 : (tensor<1x6x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x16xf32>
    %49 = tosa.const_shape {values = dense<[1, 6, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %50 = tosa.reshape %48, %49 : (tensor<1x6x16xf32>, !tosa.shape<3>) -> tensor<1x6x16xf32>
    %51 = tosa.const_shape {values = dense<[1, 6, 2, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %52 = tosa.reshape %50, %51 : (tensor<1x6x16xf32>, !tosa.shape<4>) -> tensor<1x6x2x8xf32>
    %53 = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %54 = tosa.pow %52, %53 : (tensor<1x6x2x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x2x8xf32>
    %55 = tosa.reduce_sum %54 {axis = 3 : i32} : (tensor<1x6x2x8xf32>) -> tensor<1x6x2x1xf32>
    %56 = "tosa.const"() <{values = dense<1.250000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = tosa.mul %55, %56, %57 : (tensor<1x6x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x2x1xf32>
    %59 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %60 = tosa.add %58, %59 : (tensor<1x6x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x2x1xf32>
    %61 = tosa.rsqrt %60 : (tensor<1x6x2x1xf32>) -> tensor<1x6x2x1xf32>
    %62 = tosa.const_shape {values = dense<[1, 1, 1, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %63 = tosa.reshape %arg9, %62 : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x1x1x8xf32>
    %64 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %65 = tosa.mul %52, %61, %64 : (tensor<1x6x2x8xf32>, tensor<1x6x2x1xf32>, tensor<1xi8>) -> tensor<1x6x2x8xf32>
    %66 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %67 = tosa.mul %63, %65, %66 : (tensor<1x1x1x8xf32>, tensor<1x6x2x8xf32>, tensor<1xi8>) -> tensor<1x6x2x8xf32>
    %68 = tosa.transpose %67 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x6x2x8xf32>) -> tensor<1x2x6x8xf32>
    %69 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %70 = tosa.reshape %14, %69 : (tensor<1x6x32xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %71 = tosa.transpose %arg6 {perms = array<i32: 1, 0>} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %72 = tosa.const_shape {values = dense<[1, 32, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %73 = tosa.reshape %71, %72 : (tensor<32x16xf32>, !tosa.shape<3>) -> tensor<1x32x16xf32>
    %74 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %75 = tosa.matmul %70, %73, %74, %74 : (tensor<1x6x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x16xf32>
    %76 = tosa.const_shape {values = dense<[1, 6, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %77 = tosa.reshape %75, %76 : (tensor<1x6x16xf32>, !tosa.shape<3>) -> tensor<1x6x16xf32>
    %78 = tosa.const_shape {values = dense<[1, 6, 2, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %79 = tosa.reshape %77, %78 : (tensor<1x6x16xf32>, !tosa.shape<4>) -> tensor<1x6x2x8xf32>
    %80 = tosa.transpose %79 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x6x2x8xf32>) -> tensor<1x2x6x8xf32>
    %81 = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %82 = tosa.const_shape {values = dense<[1, 4, 6, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %83 = tosa.slice %41, %81, %82 : (tensor<1x4x6x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x6x4xf32>
    %84 = tosa.const_shape {values = dense<[0, 0, 0, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %85 = tosa.const_shape {values = dense<[1, 4, 6, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %86 = tosa.slice %41, %84, %85 : (tensor<1x4x6x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x6x4xf32>
    %87 = tosa.const_shape {values = dense<[1, 1, 6, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %88 = tosa.reshape %arg1, %87 : (tensor<1x6x8xf32>, !tosa.shape<4>) -> tensor<1x1x6x8xf32>
    %89 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %90 = tosa.mul %41, %88, %89 : (tensor<1x4x6x8xf32>, tensor<1x1x6x8xf32>, tensor<1xi8>) -> tensor<1x4x6x8xf32>
    %91 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %92 = tosa.negate %86, %91, %91 : (tensor<1x4x6x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x6x4xf32>
    %93 = tosa.concat %92, %83 {axis = 3 : i32} : (tensor<1x4x6x4xf32>, tensor<1x4x6x4xf32>) -> tensor<1x4x6x8xf32>
    %94 = tosa.const_shape {values = dense<[1, 1, 6, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %95 = tosa.reshape %arg2, %94 : (tensor<1x6x8xf32>, !tosa.shape<4>) -> tensor<1x1x6x8xf32>
    %96 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %97 = tosa.mul %93, %95, %96 : (tensor<1x4x6x8xf32>, tensor<1x1x6x8xf32>, tensor<1xi8>) -> tensor<1x4x6x8xf32>
    %98 = tosa.add %90, %97 : (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
    %99 = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %100 = tosa.const_shape {values = dense<[1, 2, 6, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %101 = tosa.slice %68, %99, %100 : (tensor<1x2x6x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x6x4xf32>
    %102 = tosa.const_shape {values = dense<[0, 0, 0, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %103 = tosa.const_shape {values = dense<[1, 2, 6, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %104 = tosa.slice %68, %102, %103 : (tensor<1x2x6x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x6x4xf32>
    %105 = tosa.const_shape {values = dense<[1, 1, 6, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %106 = tosa.reshape %arg1, %105 : (tensor<1x6x8xf32>, !tosa.shape<4>) -> tensor<1x1x6x8xf32>
    %107 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %108 = tosa.mul %68, %106, %107 : (tensor<1x2x6x8xf32>, tensor<1x1x6x8xf32>, tensor<1xi8>) -> tensor<1x2x6x8xf32>
    %109 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %110 = tosa.negate %104, %109, %109 : (tensor<1x2x6x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x6x4xf32>
    %111 = tosa.concat %110, %101 {axis = 3 : i32} : (tensor<1x2x6x4xf32>, tensor<1x2x6x4xf32>) -> tensor<1x2x6x8xf32>
    %112 = tosa.const_shape {values = dense<[1, 1, 6, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %113 = tosa.reshape %arg2, %112 : (tensor<1x6x8xf32>, !tosa.shape<4>) -> tensor<1x1x6x8xf32>
    %114 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %115 = tosa.mul %111, %113, %114 : (tensor<1x2x6x8xf32>, tensor<1x1x6x8xf32>, tensor<1xi8>) -> tensor<1x2x6x8xf32>
    %116 = tosa.add %108, %115 : (tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x6x8xf32>
    %117 = tosa.const_shape {values = dense<[4, 6, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %118 = tosa.reshape %98, %117 : (tensor<1x4x6x8xf32>, !tosa.shape<3>) -> tensor<4x6x8xf32>
    %119 = tosa.const_shape {values = dense<[1, 2, 1, 6, 8]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %120 = tosa.reshape %116, %119 : (tensor<1x2x6x8xf32>, !tosa.shape<5>) -> tensor<1x2x1x6x8xf32>
    %121 = tosa.const_shape {values = dense<[1, 1, 2, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %122 = tosa.tile %120, %121 : (tensor<1x2x1x6x8xf32>, !tosa.shape<5>) -> tensor<1x2x2x6x8xf32>
    %123 = tosa.const_shape {values = dense<[4, 6, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %124 = tosa.reshape %122, %123 : (tensor<1x2x2x6x8xf32>, !tosa.shape<3>) -> tensor<4x6x8xf32>
    %125 = tosa.transpose %124 {perms = array<i32: 0, 2, 1>} : (tensor<4x6x8xf32>) -> tensor<4x8x6xf32>
    %126 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %127 = tosa.matmul %118, %125, %126, %126 : (tensor<4x6x8xf32>, tensor<4x8x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x6x6xf32>
    %128 = tosa.const_shape {values = dense<[1, 4, 6, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %129 = tosa.reshape %127, %128 : (tensor<4x6x6xf32>, !tosa.shape<4>) -> tensor<1x4x6x6xf32>
    %130 = "tosa.const"() <{values = dense<0.353553385> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %131 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %132 = tosa.mul %129, %130, %131 : (tensor<1x4x6x6xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x6x6xf32>
    %133 = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>}> : () -> tensor<6xi64>
    %134 = tosa.cast %133 : (tensor<6xi64>) -> tensor<6xi32>
    %135 = tosa.const_shape {values = dense<[6, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %136 = tosa.reshape %134, %135 : (tensor<6xi32>, !tosa.shape<2>) -> tensor<6x1xi32>
    %137 = tosa.const_shape {values = dense<[1, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %138 = tosa.reshape %134, %137 : (tensor<6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %139 = tosa.greater_equal %136, %138 : (tensor<6x1xi32>, tensor<1x6xi32>) -> tensor<6x6xi1>
    %140 = tosa.logical_not %139 : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %141 = "tosa.const"() <{values = dense<-3.40282347E+38> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %142 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %143 = tosa.const_shape {values = dense<[1, 1, 6, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %144 = tosa.reshape %140, %143 : (tensor<6x6xi1>, !tosa.shape<4>) -> tensor<1x1x6x6xi1>
    %145 = tosa.select %144, %141, %142 : (tensor<1x1x6x6xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x6x6xf32>
    %146 = tosa.add %132, %145 : (tensor<1x4x6x6xf32>, tensor<1x1x6x6xf32>) -> tensor<1x4x6x6xf32>
    %147 = tosa.reduce_max %146 {axis = 3 : i32} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x1xf32>
    %148 = tosa.sub %146, %147 : (tensor<1x4x6x6xf32>, tensor<1x4x6x1xf32>) -> tensor<1x4x6x6xf32>
    %149 = tosa.exp %148 : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    %150 = tosa.reduce_sum %149 {axis = 3 : i32} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x1xf32>
    %151 = tosa.reciprocal %150 : (tensor<1x4x6x1xf32>) -> tensor<1x4x6x1xf32>
    %152 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %153 = tosa.mul %149, %151, %152 : (tensor<1x4x6x6xf32>, tensor<1x4x6x1xf32>, tensor<1xi8>) -> tensor<1x4x6x6xf32>
    %154 = tosa.const_shape {values = dense<[4, 6, 6]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %155 = tosa.reshape %153, %154 : (tensor<1x4x6x6xf32>, !tosa.shape<3>) -> tensor<4x6x6xf32>
    %156 = tosa.const_shape {values = dense<[1, 2, 1, 6, 8]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %157 = tosa.reshape %80, %156 : (tensor<1x2x6x8xf32>, !tosa.shape<5>) -> tensor<1x2x1x6x8xf32>
    %158 = tosa.const_shape {values = dense<[1, 1, 2, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %159 = tosa.tile %157, %158 : (tensor<1x2x1x6x8xf32>, !tosa.shape<5>) -> tensor<1x2x2x6x8xf32>
    %160 = tosa.const_shape {values = dense<[4, 6, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %161 = tosa.reshape %159, %160 : (tensor<1x2x2x6x8xf32>, !tosa.shape<3>) -> tensor<4x6x8xf32>
    %162 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %163 = tosa.matmul %155, %161, %162, %162 : (tensor<4x6x6xf32>, tensor<4x6x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x6x8xf32>
    %164 = tosa.const_shape {values = dense<[1, 4, 6, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %165 = tosa.reshape %163, %164 : (tensor<4x6x8xf32>, !tosa.shape<4>) -> tensor<1x4x6x8xf32>
    %166 = tosa.transpose %165 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x4x6x8xf32>) -> tensor<1x6x4x8xf32>
    %167 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %168 = tosa.reshape %166, %167 : (tensor<1x6x4x8xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %169 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %170 = tosa.reshape %168, %169 : (tensor<1x6x32xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %171 = tosa.transpose %arg7 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %172 = tosa.const_shape {values = dense<[1, 32, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %173 = tosa.reshape %171, %172 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %174 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %175 = tosa.matmul %170, %173, %174, %174 : (tensor<1x6x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x32xf32>
    %176 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %177 = tosa.reshape %175, %176 : (tensor<1x6x32xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %178 = tosa.add %arg0, %177 : (tensor<1x6x32xf32>, tensor<1x6x32xf32>) -> tensor<1x6x32xf32>
    %179 = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %180 = tosa.pow %178, %179 : (tensor<1x6x32xf32>, tensor<1x1x1xf32>) -> tensor<1x6x32xf32>
    %181 = tosa.reduce_sum %180 {axis = 2 : i32} : (tensor<1x6x32xf32>) -> tensor<1x6x1xf32>
    %182 = "tosa.const"() <{values = dense<3.125000000e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %183 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %184 = tosa.mul %181, %182, %183 : (tensor<1x6x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x1xf32>
    %185 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %186 = tosa.add %184, %185 : (tensor<1x6x1xf32>, tensor<1x1x1xf32>) -> tensor<1x6x1xf32>
    %187 = tosa.rsqrt %186 : (tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %188 = tosa.const_shape {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %189 = tosa.reshape %arg10, %188 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %190 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %191 = tosa.mul %178, %187, %190 : (tensor<1x6x32xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x32xf32>
    %192 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %193 = tosa.mul %189, %191, %192 : (tensor<1x1x32xf32>, tensor<1x6x32xf32>, tensor<1xi8>) -> tensor<1x6x32xf32>
    %194 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %195 = tosa.reshape %193, %194 : (tensor<1x6x32xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %196 = tosa.transpose %arg11 {perms = array<i32: 1, 0>} : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %197 = tosa.const_shape {values = dense<[1, 32, 96]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %198 = tosa.reshape %196, %197 : (tensor<32x96xf32>, !tosa.shape<3>) -> tensor<1x32x96xf32>
    %199 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %200 = tosa.matmul %195, %198, %199, %199 : (tensor<1x6x32xf32>, tensor<1x32x96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x96xf32>
    %201 = tosa.const_shape {values = dense<[1, 6, 96]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %202 = tosa.reshape %200, %201 : (tensor<1x6x96xf32>, !tosa.shape<3>) -> tensor<1x6x96xf32>
    %203 = tosa.const_shape {values = dense<0> : tensor<3xindex>} : () -> !tosa.shape<3>
    %204 = tosa.const_shape {values = dense<[1, 6, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %205 = tosa.slice %202, %203, %204 : (tensor<1x6x96xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x6x48xf32>
    %206 = tosa.const_shape {values = dense<[0, 0, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %207 = tosa.const_shape {values = dense<[1, 6, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %208 = tosa.slice %202, %206, %207 : (tensor<1x6x96xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x6x48xf32>
    %209 = tosa.sigmoid %205 : (tensor<1x6x48xf32>) -> tensor<1x6x48xf32>
    %210 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %211 = tosa.mul %205, %209, %210 : (tensor<1x6x48xf32>, tensor<1x6x48xf32>, tensor<1xi8>) -> tensor<1x6x48xf32>
    %212 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %213 = tosa.mul %211, %208, %212 : (tensor<1x6x48xf32>, tensor<1x6x48xf32>, tensor<1xi8>) -> tensor<1x6x48xf32>
    %214 = tosa.const_shape {values = dense<[1, 6, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %215 = tosa.reshape %213, %214 : (tensor<1x6x48xf32>, !tosa.shape<3>) -> tensor<1x6x48xf32>
    %216 = tosa.transpose %arg12 {perms = array<i32: 1, 0>} : (tensor<32x48xf32>) -> tensor<48x32xf32>
    %217 = tosa.const_shape {values = dense<[1, 48, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %218 = tosa.reshape %216, %217 : (tensor<48x32xf32>, !tosa.shape<3>) -> tensor<1x48x32xf32>
    %219 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %220 = tosa.matmul %215, %218, %219, %219 : (tensor<1x6x48xf32>, tensor<1x48x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x32xf32>
    %221 = tosa.const_shape {values = dense<[1, 6, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %222 = tosa.reshape %220, %221 : (tensor<1x6x32xf32>, !tosa.shape<3>) -> tensor<1x6x32xf32>
    %223 = tosa.add %178, %222 : (tensor<1x6x32xf32>, tensor<1x6x32xf32>) -> tensor<1x6x32xf32>
    return %223 : tensor<1x6x32xf32>
  }
}
