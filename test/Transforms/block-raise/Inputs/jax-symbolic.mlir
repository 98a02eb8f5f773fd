// A layer that JAX exports with symbols for batch and length.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --dims=b=3,t=4 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.attention{{.*}}score_bias
// CHECK-NEXT: kv_heads = 1{{.*}}#block.rope<style = half, dim = 8>
// CHECK: block.residual{{.*}}tensor<?x?x16xf32>
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.mlp{{.*}}#block.activation<silu>
// CHECK: block.residual
module @jit_masked attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x16xf32>, %arg1: tensor<16x24xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16x8xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16x24xf32>, %arg8: tensor<16x8xf32>, %arg9: tensor<?x?x16xf32>, %arg10: tensor<?x?xi32>) -> (tensor<?x?x16xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg9, dim = 0 : (tensor<?x?x16xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg9, dim = 1 : (tensor<?x?x16xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg10, dim = 0 : (tensor<?x?xi32>) -> tensor<i32>
    %3 = stablehlo.get_dimension_size %arg10, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
    %4 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[1].shape = (b, t, 16),args[2].shape = (b, t). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[1].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %5 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 't'. Using the following polymorphic shapes specifications: args[1].shape = (b, t, 16),args[2].shape = (b, t). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[1].shape[0] (= {0}), 't' = {1} from specification 't' for dimension args[1].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %6 = stablehlo.compare EQ, %2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%6, %2, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[1].shape = (b, t, 16),args[2].shape = (b, t). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[1].shape[0] (= {1}), 't' = {2} from specification 't' for dimension args[1].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %7 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%7, %3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 't' (= {1}). Using the following polymorphic shapes specifications: args[1].shape = (b, t, 16),args[2].shape = (b, t). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[1].shape[0] (= {2}), 't' = {1} from specification 't' for dimension args[1].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %8 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10) : (tensor<i32>, tensor<i32>, tensor<24x16xf32>, tensor<16x24xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x8xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x24xf32>, tensor<16x8xf32>, tensor<?x?x16xf32>, tensor<?x?xi32>) -> tensor<?x?x16xf32>
    return %8 : tensor<?x?x16xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<24x16xf32>, %arg3: tensor<16x24xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16x8xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16x24xf32>, %arg10: tensor<16x8xf32>, %arg11: tensor<?x?x16xf32>, %arg12: tensor<?x?xi32>) -> (tensor<?x?x16xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %cst_1 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<8> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<16> : tensor<1xi32>
    %cst_5 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %c_7 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_8 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.iota dim = 0 : tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.add %3, %2 : tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.divide %4, %5 : tensor<4xf32>
    %7 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.power %7, %6 : tensor<4xf32>
    %9 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.divide %9, %8 : tensor<4xf32>
    %11 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.dynamic_iota %11, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %13 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.dynamic_broadcast_in_dim %cst_9, %13, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<?xf32>
    %16 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %cst_12, %16, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %18 = stablehlo.add %17, %15 : tensor<?xf32>
    %19 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %19, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %21 = stablehlo.dynamic_broadcast_in_dim %18, %20, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %22 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %23 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.concatenate %23, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %25 = stablehlo.dynamic_broadcast_in_dim %21, %24, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %26 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %26, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %22, %27, dims = [0, 1] : (tensor<1x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %29 = stablehlo.multiply %25, %28 : tensor<?x4xf32>
    %30 = stablehlo.cosine %29 : tensor<?x4xf32>
    %31 = stablehlo.sine %29 : tensor<?x4xf32>
    %32 = stablehlo.multiply %arg11, %arg11 : tensor<?x?x16xf32>
    %33 = stablehlo.reduce(%32 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<?x?x16xf32>, tensor<f32>) -> tensor<?x?xf32>
    %34 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %35 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.concatenate %34, %35, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %37 = stablehlo.dynamic_broadcast_in_dim %33, %36, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %38 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %39 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %40 = stablehlo.concatenate %38, %39, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %41 = stablehlo.dynamic_broadcast_in_dim %cst_6, %40, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %42 = stablehlo.divide %37, %41 : tensor<?x?x1xf32>
    %43 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.concatenate %43, %44, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %46 = stablehlo.dynamic_broadcast_in_dim %cst_5, %45, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %47 = stablehlo.add %42, %46 : tensor<?x?x1xf32>
    %48 = stablehlo.rsqrt %47 : tensor<?x?x1xf32>
    %49 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %51 = stablehlo.concatenate %49, %50, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %52 = stablehlo.dynamic_broadcast_in_dim %48, %51, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %53 = stablehlo.multiply %arg11, %52 : tensor<?x?x16xf32>
    %54 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %55 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %57 = stablehlo.concatenate %55, %56, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %58 = stablehlo.dynamic_broadcast_in_dim %54, %57, dims = [0, 1, 2] : (tensor<1x1x16xf32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %59 = stablehlo.multiply %53, %58 : tensor<?x?x16xf32>
    %60 = stablehlo.dot_general %59, %arg8, contracting_dims = [2] x [0] : (tensor<?x?x16xf32>, tensor<16x16xf32>) -> tensor<?x?x16xf32>
    %61 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %62 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %63 = stablehlo.concatenate %61, %62, %c_3, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %64 = stablehlo.dynamic_reshape %60, %63 : (tensor<?x?x16xf32>, tensor<4xi32>) -> tensor<?x?x2x8xf32>
    %65 = stablehlo.concatenate %c, %c, %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %66 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %67 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %68 = stablehlo.concatenate %66, %67, %c_3, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %69 = stablehlo.concatenate %c_8, %c_8, %c_8, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %70 = stablehlo.real_dynamic_slice %64, %65, %68, %69 : (tensor<?x?x2x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %71 = stablehlo.concatenate %c, %c, %c, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %72 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %73 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %74 = stablehlo.concatenate %72, %73, %c_3, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %75 = stablehlo.concatenate %c_8, %c_8, %c_8, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %76 = stablehlo.real_dynamic_slice %64, %71, %74, %75 : (tensor<?x?x2x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %77 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %78 = stablehlo.concatenate %c_8, %77, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %79 = stablehlo.dynamic_broadcast_in_dim %30, %78, dims = [1, 3] : (tensor<?x4xf32>, tensor<4xi32>) -> tensor<1x?x1x4xf32>
    %80 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %81 = stablehlo.concatenate %c_8, %80, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %82 = stablehlo.dynamic_broadcast_in_dim %31, %81, dims = [1, 3] : (tensor<?x4xf32>, tensor<4xi32>) -> tensor<1x?x1x4xf32>
    %83 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %84 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %85 = stablehlo.concatenate %83, %84, %c_3, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %86 = stablehlo.dynamic_broadcast_in_dim %79, %85, dims = [0, 1, 2, 3] : (tensor<1x?x1x4xf32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %87 = stablehlo.multiply %70, %86 : tensor<?x?x2x4xf32>
    %88 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %89 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %90 = stablehlo.concatenate %88, %89, %c_3, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %91 = stablehlo.dynamic_broadcast_in_dim %82, %90, dims = [0, 1, 2, 3] : (tensor<1x?x1x4xf32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %92 = stablehlo.multiply %76, %91 : tensor<?x?x2x4xf32>
    %93 = stablehlo.subtract %87, %92 : tensor<?x?x2x4xf32>
    %94 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %95 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %96 = stablehlo.concatenate %94, %95, %c_3, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %97 = stablehlo.dynamic_broadcast_in_dim %79, %96, dims = [0, 1, 2, 3] : (tensor<1x?x1x4xf32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %98 = stablehlo.multiply %76, %97 : tensor<?x?x2x4xf32>
    %99 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %100 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %101 = stablehlo.concatenate %99, %100, %c_3, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %102 = stablehlo.dynamic_broadcast_in_dim %82, %101, dims = [0, 1, 2, 3] : (tensor<1x?x1x4xf32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %103 = stablehlo.multiply %70, %102 : tensor<?x?x2x4xf32>
    %104 = stablehlo.add %98, %103 : tensor<?x?x2x4xf32>
    %105 = stablehlo.concatenate %93, %104, dim = 3 : (tensor<?x?x2x4xf32>, tensor<?x?x2x4xf32>) -> tensor<?x?x2x8xf32>
    %106 = stablehlo.dot_general %59, %arg6, contracting_dims = [2] x [0] : (tensor<?x?x16xf32>, tensor<16x8xf32>) -> tensor<?x?x8xf32>
    %107 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %108 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %109 = stablehlo.concatenate %107, %108, %c_8, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %110 = stablehlo.dynamic_reshape %106, %109 : (tensor<?x?x8xf32>, tensor<4xi32>) -> tensor<?x?x1x8xf32>
    %111 = stablehlo.concatenate %c, %c, %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %112 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %113 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %114 = stablehlo.concatenate %112, %113, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %115 = stablehlo.concatenate %c_8, %c_8, %c_8, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %116 = stablehlo.real_dynamic_slice %110, %111, %114, %115 : (tensor<?x?x1x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<?x?x1x4xf32>
    %117 = stablehlo.concatenate %c, %c, %c, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %118 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %119 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %120 = stablehlo.concatenate %118, %119, %c_8, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %121 = stablehlo.concatenate %c_8, %c_8, %c_8, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %122 = stablehlo.real_dynamic_slice %110, %117, %120, %121 : (tensor<?x?x1x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<?x?x1x4xf32>
    %123 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %124 = stablehlo.concatenate %c_8, %123, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %125 = stablehlo.dynamic_broadcast_in_dim %30, %124, dims = [1, 3] : (tensor<?x4xf32>, tensor<4xi32>) -> tensor<1x?x1x4xf32>
    %126 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %127 = stablehlo.concatenate %c_8, %126, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %128 = stablehlo.dynamic_broadcast_in_dim %31, %127, dims = [1, 3] : (tensor<?x4xf32>, tensor<4xi32>) -> tensor<1x?x1x4xf32>
    %129 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %130 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %131 = stablehlo.concatenate %129, %130, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %132 = stablehlo.dynamic_broadcast_in_dim %125, %131, dims = [0, 1, 2, 3] : (tensor<1x?x1x4xf32>, tensor<4xi32>) -> tensor<?x?x1x4xf32>
    %133 = stablehlo.multiply %116, %132 : tensor<?x?x1x4xf32>
    %134 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %135 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %136 = stablehlo.concatenate %134, %135, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %137 = stablehlo.dynamic_broadcast_in_dim %128, %136, dims = [0, 1, 2, 3] : (tensor<1x?x1x4xf32>, tensor<4xi32>) -> tensor<?x?x1x4xf32>
    %138 = stablehlo.multiply %122, %137 : tensor<?x?x1x4xf32>
    %139 = stablehlo.subtract %133, %138 : tensor<?x?x1x4xf32>
    %140 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %141 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %142 = stablehlo.concatenate %140, %141, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %143 = stablehlo.dynamic_broadcast_in_dim %125, %142, dims = [0, 1, 2, 3] : (tensor<1x?x1x4xf32>, tensor<4xi32>) -> tensor<?x?x1x4xf32>
    %144 = stablehlo.multiply %122, %143 : tensor<?x?x1x4xf32>
    %145 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %146 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %147 = stablehlo.concatenate %145, %146, %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %148 = stablehlo.dynamic_broadcast_in_dim %128, %147, dims = [0, 1, 2, 3] : (tensor<1x?x1x4xf32>, tensor<4xi32>) -> tensor<?x?x1x4xf32>
    %149 = stablehlo.multiply %116, %148 : tensor<?x?x1x4xf32>
    %150 = stablehlo.add %144, %149 : tensor<?x?x1x4xf32>
    %151 = stablehlo.concatenate %139, %150, dim = 3 : (tensor<?x?x1x4xf32>, tensor<?x?x1x4xf32>) -> tensor<?x?x1x8xf32>
    %152 = stablehlo.dot_general %59, %arg10, contracting_dims = [2] x [0] : (tensor<?x?x16xf32>, tensor<16x8xf32>) -> tensor<?x?x8xf32>
    %153 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %154 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %155 = stablehlo.concatenate %153, %154, %c_8, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %156 = stablehlo.dynamic_reshape %152, %155 : (tensor<?x?x8xf32>, tensor<4xi32>) -> tensor<?x?x1x8xf32>
    %157 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %158 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %159 = stablehlo.concatenate %157, %158, %c_8, %c_3, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %160 = stablehlo.dynamic_broadcast_in_dim %156, %159, dims = [0, 1, 2, 4] : (tensor<?x?x1x8xf32>, tensor<5xi32>) -> tensor<?x?x1x2x8xf32>
    %161 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %162 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %163 = stablehlo.concatenate %161, %162, %c_3, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %164 = stablehlo.dynamic_reshape %160, %163 : (tensor<?x?x1x2x8xf32>, tensor<4xi32>) -> tensor<?x?x2x8xf32>
    %165 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %166 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %167 = stablehlo.concatenate %165, %166, %c_8, %c_3, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %168 = stablehlo.dynamic_broadcast_in_dim %151, %167, dims = [0, 1, 2, 4] : (tensor<?x?x1x8xf32>, tensor<5xi32>) -> tensor<?x?x1x2x8xf32>
    %169 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %170 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %171 = stablehlo.concatenate %169, %170, %c_3, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %172 = stablehlo.dynamic_reshape %168, %171 : (tensor<?x?x1x2x8xf32>, tensor<4xi32>) -> tensor<?x?x2x8xf32>
    %173 = stablehlo.dot_general %105, %172, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<?x?x2x8xf32>, tensor<?x?x2x8xf32>) -> tensor<?x2x?x?xf32>
    %174 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %175 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %176 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %177 = stablehlo.concatenate %174, %c_3, %175, %176, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %178 = stablehlo.dynamic_broadcast_in_dim %cst_1, %177, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x?x?xf32>
    %179 = stablehlo.divide %173, %178 : tensor<?x2x?x?xf32>
    %180 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %181 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %182 = stablehlo.concatenate %180, %c_8, %c_8, %181, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %183 = stablehlo.dynamic_broadcast_in_dim %arg12, %182, dims = [0, 3] : (tensor<?x?xi32>, tensor<4xi32>) -> tensor<?x1x1x?xi32>
    %184 = stablehlo.convert %183 : (tensor<?x1x1x?xi32>) -> tensor<?x1x1x?xf32>
    %185 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %186 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %187 = stablehlo.concatenate %185, %c_8, %c_8, %186, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %188 = stablehlo.dynamic_broadcast_in_dim %cst_9, %187, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x1x1x?xf32>
    %189 = stablehlo.subtract %188, %184 : tensor<?x1x1x?xf32>
    %190 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %191 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %192 = stablehlo.concatenate %190, %c_8, %c_8, %191, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %193 = stablehlo.dynamic_broadcast_in_dim %cst_0, %192, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x1x1x?xf32>
    %194 = stablehlo.multiply %189, %193 : tensor<?x1x1x?xf32>
    %195 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %196 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %197 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %198 = stablehlo.concatenate %195, %c_3, %196, %197, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %199 = stablehlo.dynamic_broadcast_in_dim %194, %198, dims = [0, 1, 2, 3] : (tensor<?x1x1x?xf32>, tensor<4xi32>) -> tensor<?x2x?x?xf32>
    %200 = stablehlo.add %179, %199 : tensor<?x2x?x?xf32>
    %201 = stablehlo.reduce(%200 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?xf32>
    %202 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %203 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %204 = stablehlo.concatenate %202, %c_3, %203, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %205 = stablehlo.dynamic_broadcast_in_dim %cst, %204, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x2x?xf32>
    %206 = stablehlo.maximum %205, %201 : tensor<?x2x?xf32>
    %207 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %208 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %209 = stablehlo.concatenate %207, %c_3, %208, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %210 = stablehlo.dynamic_broadcast_in_dim %206, %209, dims = [0, 1, 2] : (tensor<?x2x?xf32>, tensor<4xi32>) -> tensor<?x2x?x1xf32>
    %211 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %212 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %213 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %214 = stablehlo.concatenate %211, %c_3, %212, %213, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %215 = stablehlo.dynamic_broadcast_in_dim %210, %214, dims = [0, 1, 2, 3] : (tensor<?x2x?x1xf32>, tensor<4xi32>) -> tensor<?x2x?x?xf32>
    %216 = stablehlo.subtract %200, %215 : tensor<?x2x?x?xf32>
    %217 = stablehlo.exponential %216 : tensor<?x2x?x?xf32>
    %218 = stablehlo.reduce(%217 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?xf32>
    %219 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %220 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %221 = stablehlo.concatenate %219, %c_3, %220, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %222 = stablehlo.dynamic_broadcast_in_dim %218, %221, dims = [0, 1, 2] : (tensor<?x2x?xf32>, tensor<4xi32>) -> tensor<?x2x?x1xf32>
    %223 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %224 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %225 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %226 = stablehlo.concatenate %223, %c_3, %224, %225, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %227 = stablehlo.dynamic_broadcast_in_dim %222, %226, dims = [0, 1, 2, 3] : (tensor<?x2x?x1xf32>, tensor<4xi32>) -> tensor<?x2x?x?xf32>
    %228 = stablehlo.divide %217, %227 : tensor<?x2x?x?xf32>
    %229 = stablehlo.dot_general %164, %228, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<?x?x2x8xf32>, tensor<?x2x?x?xf32>) -> tensor<?x2x8x?xf32>
    %230 = stablehlo.transpose %229, dims = [0, 3, 1, 2] : (tensor<?x2x8x?xf32>) -> tensor<?x?x2x8xf32>
    %231 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %232 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %233 = stablehlo.concatenate %231, %232, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %234 = stablehlo.dynamic_reshape %230, %233 : (tensor<?x?x2x8xf32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %235 = stablehlo.dot_general %234, %arg7, contracting_dims = [2] x [0] : (tensor<?x?x16xf32>, tensor<16x16xf32>) -> tensor<?x?x16xf32>
    %236 = stablehlo.add %arg11, %235 : tensor<?x?x16xf32>
    %237 = stablehlo.multiply %236, %236 : tensor<?x?x16xf32>
    %238 = stablehlo.reduce(%237 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<?x?x16xf32>, tensor<f32>) -> tensor<?x?xf32>
    %239 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %240 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %241 = stablehlo.concatenate %239, %240, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %242 = stablehlo.dynamic_broadcast_in_dim %238, %241, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %243 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %244 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %245 = stablehlo.concatenate %243, %244, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %246 = stablehlo.dynamic_broadcast_in_dim %cst_6, %245, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %247 = stablehlo.divide %242, %246 : tensor<?x?x1xf32>
    %248 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %249 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %250 = stablehlo.concatenate %248, %249, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %251 = stablehlo.dynamic_broadcast_in_dim %cst_5, %250, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %252 = stablehlo.add %247, %251 : tensor<?x?x1xf32>
    %253 = stablehlo.rsqrt %252 : tensor<?x?x1xf32>
    %254 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %255 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %256 = stablehlo.concatenate %254, %255, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %257 = stablehlo.dynamic_broadcast_in_dim %253, %256, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %258 = stablehlo.multiply %236, %257 : tensor<?x?x16xf32>
    %259 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %260 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %261 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %262 = stablehlo.concatenate %260, %261, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %263 = stablehlo.dynamic_broadcast_in_dim %259, %262, dims = [0, 1, 2] : (tensor<1x1x16xf32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %264 = stablehlo.multiply %258, %263 : tensor<?x?x16xf32>
    %265 = stablehlo.dot_general %264, %arg3, contracting_dims = [2] x [0] : (tensor<?x?x16xf32>, tensor<16x24xf32>) -> tensor<?x?x24xf32>
    %266 = call @silu(%arg0, %arg1, %265) : (tensor<i32>, tensor<i32>, tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
    %267 = stablehlo.dot_general %264, %arg9, contracting_dims = [2] x [0] : (tensor<?x?x16xf32>, tensor<16x24xf32>) -> tensor<?x?x24xf32>
    %268 = stablehlo.multiply %266, %267 : tensor<?x?x24xf32>
    %269 = stablehlo.dot_general %268, %arg2, contracting_dims = [2] x [0] : (tensor<?x?x24xf32>, tensor<24x16xf32>) -> tensor<?x?x16xf32>
    %270 = stablehlo.add %236, %269 : tensor<?x?x16xf32>
    return %270 : tensor<?x?x16xf32>
  }
  func.func private @silu(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<?x?x24xf32>) -> tensor<?x?x24xf32> {
    %c = stablehlo.constant dense<24> : tensor<1xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.negate %arg2 : tensor<?x?x24xf32>
    %1 = stablehlo.exponential %0 : tensor<?x?x24xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %2, %3, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %cst, %4, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x24xf32>
    %6 = stablehlo.add %5, %1 : tensor<?x?x24xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %7, %8, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %cst, %9, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x24xf32>
    %11 = stablehlo.divide %10, %6 : tensor<?x?x24xf32>
    %12 = stablehlo.multiply %arg2, %11 : tensor<?x?x24xf32>
    return %12 : tensor<?x?x24xf32>
  }
}
