module {
  func.func @main(%arg0: tensor<8x2x32xf32>, %arg1: tensor<96x32xf32>, %arg2: tensor<96xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<64x32xf32>, %arg6: tensor<64xf32>, %arg7: tensor<32x64xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32xf32>) -> tensor<8x2x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x4x8x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<8x2x64xf32>
    %cst_4 = arith.constant dense<32> : tensor<1xi64>
    %cst_5 = arith.constant dense<1.000000e-05> : tensor<1xf64>
    %cst_6 = arith.constant dense<1> : tensor<1xi64>
    %cst_7 = arith.constant dense<0.59460355750136051> : tensor<1xf64>
    %cst_8 = arith.constant dense<0xFFF0000000000000> : tensor<1xf64>
    %0 = stablehlo.convert %arg0 : (tensor<8x2x32xf32>) -> tensor<8x2x32xf64>
    %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x2x32xf64>, tensor<f64>) -> tensor<8x2xf64>
    %2 = stablehlo.reshape %1 : (tensor<8x2xf64>) -> tensor<8x2x1xf64>
    %3 = stablehlo.convert %cst_4 : (tensor<1xi64>) -> tensor<1xf64>
    %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f64>) -> tensor<8x2x1xf64>
    %6 = stablehlo.divide %2, %5 : tensor<8x2x1xf64>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<8x2x1xf64>) -> tensor<8x2x32xf64>
    %8 = stablehlo.subtract %0, %7 : tensor<8x2x32xf64>
    %9 = stablehlo.multiply %8, %8 : tensor<8x2x32xf64>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x2x32xf64>, tensor<f64>) -> tensor<8x2xf64>
    %11 = stablehlo.reshape %10 : (tensor<8x2xf64>) -> tensor<8x2x1xf64>
    %12 = stablehlo.divide %11, %5 : tensor<8x2x1xf64>
    %13 = stablehlo.convert %12 : (tensor<8x2x1xf64>) -> tensor<8x2x1xf32>
    %14 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x2x32xf32>, tensor<f32>) -> tensor<8x2xf32>
    %15 = stablehlo.reshape %14 : (tensor<8x2xf32>) -> tensor<8x2x1xf32>
    %16 = stablehlo.convert %cst_4 : (tensor<1xi64>) -> tensor<1xf32>
    %17 = stablehlo.reshape %16 : (tensor<1xf32>) -> tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<8x2x1xf32>
    %19 = stablehlo.divide %15, %18 : tensor<8x2x1xf32>
    %20 = stablehlo.convert %cst_5 : (tensor<1xf64>) -> tensor<1xf32>
    %21 = stablehlo.reshape %20 : (tensor<1xf32>) -> tensor<f32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f32>) -> tensor<8x2x1xf32>
    %23 = stablehlo.add %13, %22 : tensor<8x2x1xf32>
    %24 = stablehlo.rsqrt %23 : tensor<8x2x1xf32>
    %25 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<8x2x1xf32>) -> tensor<8x2x32xf32>
    %26 = stablehlo.subtract %arg0, %25 : tensor<8x2x32xf32>
    %27 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<8x2x1xf32>) -> tensor<8x2x32xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<8x2x32xf32>
    %29 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<32xf32>) -> tensor<8x2x32xf32>
    %30 = stablehlo.multiply %28, %29 : tensor<8x2x32xf32>
    %31 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<32xf32>) -> tensor<8x2x32xf32>
    %32 = stablehlo.add %30, %31 : tensor<8x2x32xf32>
    %33 = stablehlo.reshape %32 : (tensor<8x2x32xf32>) -> tensor<16x32xf32>
    %34 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %35 = stablehlo.dot_general %33, %34, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x96xf32>) -> tensor<16x96xf32>
    %36 = stablehlo.convert %cst_6 : (tensor<1xi64>) -> tensor<1xf32>
    %37 = stablehlo.reshape %36 : (tensor<1xf32>) -> tensor<f32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %39 = stablehlo.multiply %35, %38 : tensor<16x96xf32>
    %40 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %41 = stablehlo.multiply %arg2, %40 : tensor<96xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [1] : (tensor<96xf32>) -> tensor<16x96xf32>
    %43 = stablehlo.add %39, %42 : tensor<16x96xf32>
    %44 = stablehlo.reshape %43 : (tensor<16x96xf32>) -> tensor<8x2x96xf32>
    %45 = stablehlo.reshape %44 : (tensor<8x2x96xf32>) -> tensor<8x2x3x32xf32>
    %46 = stablehlo.reshape %45 : (tensor<8x2x3x32xf32>) -> tensor<1x8x2x3x32xf32>
    %47 = stablehlo.transpose %46, dims = [3, 1, 2, 0, 4] : (tensor<1x8x2x3x32xf32>) -> tensor<3x8x2x1x32xf32>
    %48 = stablehlo.reshape %47 : (tensor<3x8x2x1x32xf32>) -> tensor<3x8x2x32xf32>
    %49 = stablehlo.slice %48 [0:1, 0:8, 0:2, 0:32] : (tensor<3x8x2x32xf32>) -> tensor<1x8x2x32xf32>
    %50 = stablehlo.reshape %49 : (tensor<1x8x2x32xf32>) -> tensor<8x2x32xf32>
    %51 = stablehlo.slice %48 [1:2, 0:8, 0:2, 0:32] : (tensor<3x8x2x32xf32>) -> tensor<1x8x2x32xf32>
    %52 = stablehlo.reshape %51 : (tensor<1x8x2x32xf32>) -> tensor<8x2x32xf32>
    %53 = stablehlo.slice %48 [2:3, 0:8, 0:2, 0:32] : (tensor<3x8x2x32xf32>) -> tensor<1x8x2x32xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x8x2x32xf32>) -> tensor<8x2x32xf32>
    %55 = stablehlo.reshape %50 : (tensor<8x2x32xf32>) -> tensor<8x8x8xf32>
    %56 = stablehlo.transpose %55, dims = [1, 0, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %57 = stablehlo.reshape %52 : (tensor<8x2x32xf32>) -> tensor<8x8x8xf32>
    %58 = stablehlo.transpose %57, dims = [1, 0, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %59 = stablehlo.reshape %54 : (tensor<8x2x32xf32>) -> tensor<8x8x8xf32>
    %60 = stablehlo.transpose %59, dims = [1, 0, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %61 = stablehlo.reshape %56 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %62 = stablehlo.reshape %58 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %63 = stablehlo.reshape %60 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %64 = stablehlo.convert %cst_7 : (tensor<1xf64>) -> tensor<1xf32>
    %65 = stablehlo.reshape %64 : (tensor<1xf32>) -> tensor<f32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %67 = stablehlo.multiply %61, %66 : tensor<2x4x8x8xf32>
    %68 = stablehlo.transpose %62, dims = [0, 1, 3, 2] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %69 = stablehlo.multiply %68, %66 : tensor<2x4x8x8xf32>
    %70 = stablehlo.reshape %67 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %71 = stablehlo.reshape %69 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %73 = stablehlo.dot_general %70, %72, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %74 = stablehlo.reshape %73 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %75 = stablehlo.reduce(%74 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %76 = stablehlo.reshape %75 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %78 = stablehlo.subtract %74, %77 : tensor<2x4x8x8xf32>
    %79 = stablehlo.exponential %78 : tensor<2x4x8x8xf32>
    %80 = stablehlo.reduce(%79 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %81 = stablehlo.reshape %80 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %83 = stablehlo.divide %79, %82 : tensor<2x4x8x8xf32>
    %84 = stablehlo.convert %cst_8 : tensor<1xf64>
    %85 = stablehlo.reshape %84 : (tensor<1xf64>) -> tensor<f64>
    %86 = stablehlo.convert %85 : (tensor<f64>) -> tensor<f32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %88 = stablehlo.compare EQ, %74, %87, FLOAT : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
    %89 = stablehlo.reduce(%88 init: %c) applies stablehlo.and across dimensions = [3] : (tensor<2x4x8x8xi1>, tensor<i1>) -> tensor<2x4x8xi1>
    %90 = stablehlo.reshape %89 : (tensor<2x4x8xi1>) -> tensor<2x4x8x1xi1>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xi1>) -> tensor<2x4x8x8xi1>
    %92 = stablehlo.broadcast_in_dim %cst, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %93 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %94 = stablehlo.select %91, %92, %93 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    %95 = stablehlo.reshape %94 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %96 = stablehlo.reshape %63 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %98 = stablehlo.dot_general %95, %97, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %99 = stablehlo.reshape %98 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %100 = stablehlo.transpose %99, dims = [2, 0, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<8x2x4x8xf32>
    %101 = stablehlo.transpose %100, dims = [1, 2, 0, 3] : (tensor<8x2x4x8xf32>) -> tensor<2x4x8x8xf32>
    %102 = stablehlo.transpose %101, dims = [2, 0, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<8x2x4x8xf32>
    %103 = stablehlo.reshape %102 : (tensor<8x2x4x8xf32>) -> tensor<16x32xf32>
    %104 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %105 = stablehlo.dot_general %103, %104, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %106 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %107 = stablehlo.multiply %105, %106 : tensor<16x32xf32>
    %108 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %109 = stablehlo.multiply %arg4, %108 : tensor<32xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %111 = stablehlo.add %107, %110 : tensor<16x32xf32>
    %112 = stablehlo.reshape %111 : (tensor<16x32xf32>) -> tensor<8x2x32xf32>
    %113 = stablehlo.add %arg0, %112 : tensor<8x2x32xf32>
    %114 = stablehlo.convert %113 : (tensor<8x2x32xf32>) -> tensor<8x2x32xf64>
    %115 = stablehlo.reduce(%114 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x2x32xf64>, tensor<f64>) -> tensor<8x2xf64>
    %116 = stablehlo.reshape %115 : (tensor<8x2xf64>) -> tensor<8x2x1xf64>
    %117 = stablehlo.divide %116, %5 : tensor<8x2x1xf64>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<8x2x1xf64>) -> tensor<8x2x32xf64>
    %119 = stablehlo.subtract %114, %118 : tensor<8x2x32xf64>
    %120 = stablehlo.multiply %119, %119 : tensor<8x2x32xf64>
    %121 = stablehlo.reduce(%120 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x2x32xf64>, tensor<f64>) -> tensor<8x2xf64>
    %122 = stablehlo.reshape %121 : (tensor<8x2xf64>) -> tensor<8x2x1xf64>
    %123 = stablehlo.divide %122, %5 : tensor<8x2x1xf64>
    %124 = stablehlo.convert %123 : (tensor<8x2x1xf64>) -> tensor<8x2x1xf32>
    %125 = stablehlo.reduce(%113 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x2x32xf32>, tensor<f32>) -> tensor<8x2xf32>
    %126 = stablehlo.reshape %125 : (tensor<8x2xf32>) -> tensor<8x2x1xf32>
    %127 = stablehlo.divide %126, %18 : tensor<8x2x1xf32>
    %128 = stablehlo.add %124, %22 : tensor<8x2x1xf32>
    %129 = stablehlo.rsqrt %128 : tensor<8x2x1xf32>
    %130 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<8x2x1xf32>) -> tensor<8x2x32xf32>
    %131 = stablehlo.subtract %113, %130 : tensor<8x2x32xf32>
    %132 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2] : (tensor<8x2x1xf32>) -> tensor<8x2x32xf32>
    %133 = stablehlo.multiply %131, %132 : tensor<8x2x32xf32>
    %134 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<32xf32>) -> tensor<8x2x32xf32>
    %135 = stablehlo.multiply %133, %134 : tensor<8x2x32xf32>
    %136 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<32xf32>) -> tensor<8x2x32xf32>
    %137 = stablehlo.add %135, %136 : tensor<8x2x32xf32>
    %138 = stablehlo.reshape %137 : (tensor<8x2x32xf32>) -> tensor<16x32xf32>
    %139 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %140 = stablehlo.dot_general %138, %139, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %141 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %142 = stablehlo.multiply %140, %141 : tensor<16x64xf32>
    %143 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %144 = stablehlo.multiply %arg6, %143 : tensor<64xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %146 = stablehlo.add %142, %145 : tensor<16x64xf32>
    %147 = stablehlo.reshape %146 : (tensor<16x64xf32>) -> tensor<8x2x64xf32>
    %148 = stablehlo.maximum %147, %cst_3 : tensor<8x2x64xf32>
    %149 = stablehlo.reshape %148 : (tensor<8x2x64xf32>) -> tensor<16x64xf32>
    %150 = stablehlo.transpose %arg7, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %151 = stablehlo.dot_general %149, %150, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %152 = stablehlo.multiply %151, %106 : tensor<16x32xf32>
    %153 = stablehlo.multiply %arg8, %108 : tensor<32xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %155 = stablehlo.add %152, %154 : tensor<16x32xf32>
    %156 = stablehlo.reshape %155 : (tensor<16x32xf32>) -> tensor<8x2x32xf32>
    %157 = stablehlo.add %113, %156 : tensor<8x2x32xf32>
    return %157 : tensor<8x2x32xf32>
  }
}
