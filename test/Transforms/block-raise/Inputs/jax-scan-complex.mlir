// Two layers that JAX scans over, with queries and keys rotated as complex numbers.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.{{[a-z_]*}}matmul --implicit-check-not=tosa. \
// RUN:   --implicit-check-not=math.exp --implicit-check-not=stablehlo.
// RUN: block-run %t.mlir --engine=reference --seed=7 --baseline=%s
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.attention
// CHECK-NEXT: {heads = 2, rope = #block.rope<style = interleaved, dim = 8>{{.*}}causal = true
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.mlp{{.*}}#block.activation<silu>
// CHECK: block.residual
// CHECK: block.layer
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.attention
// CHECK-NEXT: {heads = 2, rope = #block.rope<style = interleaved, dim = 8>{{.*}}causal = true
// CHECK: block.residual
// CHECK: block.norm{{.*}}kind = rms
// CHECK: block.mlp{{.*}}#block.activation<silu>
// CHECK: block.residual
module @jit_scan attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x24x16xf32>, %arg1: tensor<2x16x24xf32>, %arg2: tensor<2x16xf32>, %arg3: tensor<2x16xf32>, %arg4: tensor<2x16x16xf32>, %arg5: tensor<2x16x16xf32>, %arg6: tensor<2x16x16xf32>, %arg7: tensor<2x16x24xf32>, %arg8: tensor<2x16x16xf32>, %arg9: tensor<2x5x16xf32>) -> (tensor<2x5x16xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:11 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %arg2, %iterArg_2 = %arg3, %iterArg_3 = %arg4, %iterArg_4 = %arg5, %iterArg_5 = %arg6, %iterArg_6 = %arg7, %iterArg_7 = %arg8, %iterArg_8 = %c, %iterArg_9 = %arg9) : tensor<2x24x16xf32>, tensor<2x16x24xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x24xf32>, tensor<2x16x16xf32>, tensor<i32>, tensor<2x5x16xf32>
    cond {
      %c_10 = stablehlo.constant dense<2> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_8, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_8) : (tensor<2x24x16xf32>, tensor<i32>) -> tensor<24x16xf32>
      %2 = func.call @dynamic_index_in_dim_0(%iterArg_0, %iterArg_8) : (tensor<2x16x24xf32>, tensor<i32>) -> tensor<16x24xf32>
      %3 = func.call @dynamic_index_in_dim_1(%iterArg_1, %iterArg_8) : (tensor<2x16xf32>, tensor<i32>) -> tensor<16xf32>
      %4 = func.call @dynamic_index_in_dim_1(%iterArg_2, %iterArg_8) : (tensor<2x16xf32>, tensor<i32>) -> tensor<16xf32>
      %5 = func.call @dynamic_index_in_dim_2(%iterArg_3, %iterArg_8) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %6 = func.call @dynamic_index_in_dim_2(%iterArg_4, %iterArg_8) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %7 = func.call @dynamic_index_in_dim_2(%iterArg_5, %iterArg_8) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %8 = func.call @dynamic_index_in_dim_0(%iterArg_6, %iterArg_8) : (tensor<2x16x24xf32>, tensor<i32>) -> tensor<16x24xf32>
      %9 = func.call @dynamic_index_in_dim_2(%iterArg_7, %iterArg_8) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %10 = func.call @closed_call(%iterArg_9, %1, %2, %3, %4, %5, %6, %7, %8, %9) : (tensor<2x5x16xf32>, tensor<24x16xf32>, tensor<16x24xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x24xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg_8, %c_10 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %11, %10 : tensor<2x24x16xf32>, tensor<2x16x24xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x24xf32>, tensor<2x16x16xf32>, tensor<i32>, tensor<2x5x16xf32>
    }
    return %0#10 : tensor<2x5x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x24x16xf32>, %arg1: tensor<i32>) -> tensor<24x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 24, 16] : (tensor<2x24x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x24x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x24x16xf32>) -> tensor<24x16xf32>
    return %1 : tensor<24x16xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x16x24xf32>, %arg1: tensor<i32>) -> tensor<16x24xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 24] : (tensor<2x16x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x24xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x24xf32>) -> tensor<16x24xf32>
    return %1 : tensor<16x24xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<2x16xf32>, %arg1: tensor<i32>) -> tensor<16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 16] : (tensor<2x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<2x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<2x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x5x16xf32>, %arg1: tensor<24x16xf32>, %arg2: tensor<16x24xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x24xf32>, %arg9: tensor<16x16xf32>) -> tensor<2x5x16xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.add %3, %2 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.divide %4, %5 : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.power %7, %6 : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.divide %9, %8 : tensor<4xf32>
    %11 = stablehlo.iota dim = 0 : tensor<5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<5x4xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<5x4xf32>
    %17 = stablehlo.cosine %16 : tensor<5x4xf32>
    %18 = stablehlo.sine %16 : tensor<5x4xf32>
    %19 = stablehlo.multiply %arg0, %arg0 : tensor<2x5x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_5 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %23 = stablehlo.divide %21, %22 : tensor<2x5x1xf32>
    %cst_6 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %25 = stablehlo.add %23, %24 : tensor<2x5x1xf32>
    %26 = stablehlo.rsqrt %25 : tensor<2x5x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %28 = stablehlo.multiply %arg0, %27 : tensor<2x5x16xf32>
    %29 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %31 = stablehlo.multiply %28, %30 : tensor<2x5x16xf32>
    %32 = stablehlo.dot_general %31, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %33 = stablehlo.reshape %32 : (tensor<2x5x16xf32>) -> tensor<2x5x2x8xf32>
    %34 = stablehlo.reshape %33 : (tensor<2x5x2x8xf32>) -> tensor<2x5x2x4x2xf32>
    %35 = stablehlo.slice %34 [0:2, 0:5, 0:2, 0:4, 0:1] : (tensor<2x5x2x4x2xf32>) -> tensor<2x5x2x4x1xf32>
    %36 = stablehlo.reshape %35 : (tensor<2x5x2x4x1xf32>) -> tensor<2x5x2x4xf32>
    %37 = stablehlo.slice %34 [0:2, 0:5, 0:2, 0:4, 1:2] : (tensor<2x5x2x4x2xf32>) -> tensor<2x5x2x4x1xf32>
    %38 = stablehlo.reshape %37 : (tensor<2x5x2x4x1xf32>) -> tensor<2x5x2x4xf32>
    %39 = stablehlo.complex %36, %38 : tensor<2x5x2x4xcomplex<f32>>
    %40 = stablehlo.complex %17, %18 : tensor<5x4xcomplex<f32>>
    %41 = stablehlo.broadcast_in_dim %40, dims = [1, 3] : (tensor<5x4xcomplex<f32>>) -> tensor<1x5x1x4xcomplex<f32>>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x5x1x4xcomplex<f32>>) -> tensor<2x5x2x4xcomplex<f32>>
    %43 = stablehlo.multiply %39, %42 : tensor<2x5x2x4xcomplex<f32>>
    %44 = stablehlo.real %43 : (tensor<2x5x2x4xcomplex<f32>>) -> tensor<2x5x2x4xf32>
    %45 = stablehlo.imag %43 : (tensor<2x5x2x4xcomplex<f32>>) -> tensor<2x5x2x4xf32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x4x1xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x4x1xf32>
    %48 = stablehlo.concatenate %46, %47, dim = 4 : (tensor<2x5x2x4x1xf32>, tensor<2x5x2x4x1xf32>) -> tensor<2x5x2x4x2xf32>
    %49 = stablehlo.reshape %48 : (tensor<2x5x2x4x2xf32>) -> tensor<2x5x2x8xf32>
    %50 = stablehlo.dot_general %31, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %51 = stablehlo.reshape %50 : (tensor<2x5x16xf32>) -> tensor<2x5x2x8xf32>
    %52 = stablehlo.reshape %51 : (tensor<2x5x2x8xf32>) -> tensor<2x5x2x4x2xf32>
    %53 = stablehlo.slice %52 [0:2, 0:5, 0:2, 0:4, 0:1] : (tensor<2x5x2x4x2xf32>) -> tensor<2x5x2x4x1xf32>
    %54 = stablehlo.reshape %53 : (tensor<2x5x2x4x1xf32>) -> tensor<2x5x2x4xf32>
    %55 = stablehlo.slice %52 [0:2, 0:5, 0:2, 0:4, 1:2] : (tensor<2x5x2x4x2xf32>) -> tensor<2x5x2x4x1xf32>
    %56 = stablehlo.reshape %55 : (tensor<2x5x2x4x1xf32>) -> tensor<2x5x2x4xf32>
    %57 = stablehlo.complex %54, %56 : tensor<2x5x2x4xcomplex<f32>>
    %58 = stablehlo.complex %17, %18 : tensor<5x4xcomplex<f32>>
    %59 = stablehlo.broadcast_in_dim %58, dims = [1, 3] : (tensor<5x4xcomplex<f32>>) -> tensor<1x5x1x4xcomplex<f32>>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<1x5x1x4xcomplex<f32>>) -> tensor<2x5x2x4xcomplex<f32>>
    %61 = stablehlo.multiply %57, %60 : tensor<2x5x2x4xcomplex<f32>>
    %62 = stablehlo.real %61 : (tensor<2x5x2x4xcomplex<f32>>) -> tensor<2x5x2x4xf32>
    %63 = stablehlo.imag %61 : (tensor<2x5x2x4xcomplex<f32>>) -> tensor<2x5x2x4xf32>
    %64 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x4x1xf32>
    %65 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x4x1xf32>
    %66 = stablehlo.concatenate %64, %65, dim = 4 : (tensor<2x5x2x4x1xf32>, tensor<2x5x2x4x1xf32>) -> tensor<2x5x2x4x2xf32>
    %67 = stablehlo.reshape %66 : (tensor<2x5x2x4x2xf32>) -> tensor<2x5x2x8xf32>
    %68 = stablehlo.dot_general %31, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %69 = stablehlo.reshape %68 : (tensor<2x5x16xf32>) -> tensor<2x5x2x8xf32>
    %70 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2, 4] : (tensor<2x5x2x8xf32>) -> tensor<2x5x2x1x8xf32>
    %71 = stablehlo.reshape %70 : (tensor<2x5x2x1x8xf32>) -> tensor<2x5x2x8xf32>
    %72 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 4] : (tensor<2x5x2x8xf32>) -> tensor<2x5x2x1x8xf32>
    %73 = stablehlo.reshape %72 : (tensor<2x5x2x1x8xf32>) -> tensor<2x5x2x8xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %74 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %75 = call @tril(%74) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %76 = stablehlo.dot_general %49, %71, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x8xf32>, tensor<2x5x2x8xf32>) -> tensor<2x2x5x5xf32>
    %cst_7 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %78 = stablehlo.multiply %76, %77 : tensor<2x2x5x5xf32>
    %cst_8 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %79 = call @_where(%75, %78, %cst_8) : (tensor<5x5xi1>, tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %82 = stablehlo.maximum %81, %80 : tensor<2x2x5xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %85 = stablehlo.subtract %79, %84 : tensor<2x2x5x5xf32>
    %86 = stablehlo.exponential %85 : tensor<2x2x5x5xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %90 = stablehlo.divide %86, %89 : tensor<2x2x5x5xf32>
    %91 = stablehlo.dot_general %73, %90, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x8xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x8x5xf32>
    %92 = stablehlo.transpose %91, dims = [0, 3, 1, 2] : (tensor<2x2x8x5xf32>) -> tensor<2x5x2x8xf32>
    %93 = stablehlo.reshape %92 : (tensor<2x5x2x8xf32>) -> tensor<2x5x16xf32>
    %94 = stablehlo.dot_general %93, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %95 = stablehlo.add %arg0, %94 : tensor<2x5x16xf32>
    %96 = stablehlo.multiply %95, %95 : tensor<2x5x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.reduce(%96 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %100 = stablehlo.divide %98, %99 : tensor<2x5x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %102 = stablehlo.add %100, %101 : tensor<2x5x1xf32>
    %103 = stablehlo.rsqrt %102 : tensor<2x5x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %105 = stablehlo.multiply %95, %104 : tensor<2x5x16xf32>
    %106 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %108 = stablehlo.multiply %105, %107 : tensor<2x5x16xf32>
    %109 = stablehlo.dot_general %108, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x24xf32>) -> tensor<2x5x24xf32>
    %110 = call @silu(%109) : (tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
    %111 = stablehlo.dot_general %108, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x24xf32>) -> tensor<2x5x24xf32>
    %112 = stablehlo.multiply %110, %111 : tensor<2x5x24xf32>
    %113 = stablehlo.dot_general %112, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x24xf32>, tensor<24x16xf32>) -> tensor<2x5x16xf32>
    %114 = stablehlo.add %95, %113 : tensor<2x5x16xf32>
    return %114 : tensor<2x5x16xf32>
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
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x2x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
    return %2 : tensor<2x2x5x5xf32>
  }
  func.func private @silu(%arg0: tensor<2x5x24xf32>) -> tensor<2x5x24xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x5x24xf32>
    %1 = stablehlo.exponential %0 : tensor<2x5x24xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x24xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x5x24xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x24xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x5x24xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x5x24xf32>
    return %6 : tensor<2x5x24xf32>
  }
}
