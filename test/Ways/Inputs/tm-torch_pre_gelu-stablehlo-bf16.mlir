module {
  func.func @main(%arg0: tensor<2x8x32xbf16>, %arg1: tensor<96x32xbf16>, %arg2: tensor<96xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32xbf16>, %arg5: tensor<64x32xbf16>, %arg6: tensor<64xbf16>, %arg7: tensor<32x64xbf16>, %arg8: tensor<32xbf16>, %arg9: tensor<32xbf16>, %arg10: tensor<32xbf16>, %arg11: tensor<32xbf16>, %arg12: tensor<32xbf16>) -> tensor<2x8x32xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x4x8x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<2x8x64xbf16>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<2x8x64xbf16>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<2x8x64xbf16>
    %cst_6 = stablehlo.constant dense<-4.000000e+00> : tensor<2x8x64xf32>
    %cst_7 = stablehlo.constant dense<4.000000e+00> : tensor<2x8x64xf32>
    %cst_8 = stablehlo.constant dense<-2.72614237E-10> : tensor<2x8x64xf32>
    %cst_9 = stablehlo.constant dense<2.77068146E-8> : tensor<2x8x64xf32>
    %cst_10 = stablehlo.constant dense<-2.10102394E-6> : tensor<2x8x64xf32>
    %cst_11 = stablehlo.constant dense<-5.69250624E-5> : tensor<2x8x64xf32>
    %cst_12 = stablehlo.constant dense<-7.34990637E-4> : tensor<2x8x64xf32>
    %cst_13 = stablehlo.constant dense<-2.954600e-03> : tensor<2x8x64xf32>
    %cst_14 = stablehlo.constant dense<-0.0160960332> : tensor<2x8x64xf32>
    %cst_15 = stablehlo.constant dense<-1.45660715E-5> : tensor<2x8x64xf32>
    %cst_16 = stablehlo.constant dense<-2.13374049E-4> : tensor<2x8x64xf32>
    %cst_17 = stablehlo.constant dense<-0.00168282702> : tensor<2x8x64xf32>
    %cst_18 = stablehlo.constant dense<-0.00737332925> : tensor<2x8x64xf32>
    %cst_19 = stablehlo.constant dense<-0.0142647391> : tensor<2x8x64xf32>
    %cst_20 = stablehlo.constant dense<-1.000000e+00> : tensor<2x8x64xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<2x8x64xf32>
    %cst_22 = arith.constant dense<32> : tensor<1xi64>
    %cst_23 = arith.constant dense<1.000000e-05> : tensor<1xf64>
    %cst_24 = arith.constant dense<0.59460355750136051> : tensor<1xf64>
    %cst_25 = arith.constant dense<0xFFF0000000000000> : tensor<1xf64>
    %cst_26 = arith.constant dense<1> : tensor<1xi64>
    %0 = stablehlo.convert %arg0 : (tensor<2x8x32xbf16>) -> tensor<2x8x32xf32>
    %1 = stablehlo.convert %0 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %3 = stablehlo.reshape %2 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %4 = stablehlo.convert %cst_22 : (tensor<1xi64>) -> tensor<1xf64>
    %5 = stablehlo.reshape %4 : (tensor<1xf64>) -> tensor<f64>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f64>) -> tensor<2x8x1xf64>
    %7 = stablehlo.divide %3, %6 : tensor<2x8x1xf64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %9 = stablehlo.subtract %1, %8 : tensor<2x8x32xf64>
    %10 = stablehlo.multiply %9, %9 : tensor<2x8x32xf64>
    %11 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %12 = stablehlo.reshape %11 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %13 = stablehlo.divide %12, %6 : tensor<2x8x1xf64>
    %14 = stablehlo.convert %13 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %15 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %16 = stablehlo.reshape %15 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %17 = stablehlo.convert %cst_22 : (tensor<1xi64>) -> tensor<1xf32>
    %18 = stablehlo.reshape %17 : (tensor<1xf32>) -> tensor<f32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x8x1xf32>
    %21 = stablehlo.convert %cst_23 : (tensor<1xf64>) -> tensor<1xf32>
    %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %24 = stablehlo.add %14, %23 : tensor<2x8x1xf32>
    %25 = stablehlo.rsqrt %24 : tensor<2x8x1xf32>
    %26 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %27 = stablehlo.subtract %0, %26 : tensor<2x8x32xf32>
    %28 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %29 = stablehlo.multiply %27, %28 : tensor<2x8x32xf32>
    %30 = stablehlo.convert %arg9 : (tensor<32xbf16>) -> tensor<32xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %32 = stablehlo.multiply %29, %31 : tensor<2x8x32xf32>
    %33 = stablehlo.convert %arg10 : (tensor<32xbf16>) -> tensor<32xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %35 = stablehlo.add %32, %34 : tensor<2x8x32xf32>
    %36 = stablehlo.convert %35 : (tensor<2x8x32xf32>) -> tensor<2x8x32xbf16>
    %37 = stablehlo.transpose %36, dims = [1, 0, 2] : (tensor<2x8x32xbf16>) -> tensor<8x2x32xbf16>
    %38 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<96x32xbf16>) -> tensor<32x96xbf16>
    %39 = stablehlo.reshape %37 : (tensor<8x2x32xbf16>) -> tensor<8x2x32xbf16>
    %40 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<32x96xbf16>) -> tensor<8x32x96xbf16>
    %41 = stablehlo.reshape %40 : (tensor<8x32x96xbf16>) -> tensor<8x32x96xbf16>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<8x32x96xbf16>) -> tensor<8x32x96xbf16>
    %43 = stablehlo.dot_general %39, %42, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x2x32xbf16>, tensor<8x32x96xbf16>) -> tensor<8x2x96xbf16>
    %44 = stablehlo.reshape %43 : (tensor<8x2x96xbf16>) -> tensor<8x2x96xbf16>
    %45 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<96xbf16>) -> tensor<8x2x96xbf16>
    %46 = stablehlo.add %44, %45 : tensor<8x2x96xbf16>
    %47 = stablehlo.reshape %46 : (tensor<8x2x96xbf16>) -> tensor<8x2x3x32xbf16>
    %48 = stablehlo.reshape %47 : (tensor<8x2x3x32xbf16>) -> tensor<1x8x2x3x32xbf16>
    %49 = stablehlo.transpose %48, dims = [3, 1, 2, 0, 4] : (tensor<1x8x2x3x32xbf16>) -> tensor<3x8x2x1x32xbf16>
    %50 = stablehlo.reshape %49 : (tensor<3x8x2x1x32xbf16>) -> tensor<3x8x2x32xbf16>
    %51 = stablehlo.slice %50 [0:1, 0:8, 0:2, 0:32] : (tensor<3x8x2x32xbf16>) -> tensor<1x8x2x32xbf16>
    %52 = stablehlo.reshape %51 : (tensor<1x8x2x32xbf16>) -> tensor<8x2x32xbf16>
    %53 = stablehlo.slice %50 [1:2, 0:8, 0:2, 0:32] : (tensor<3x8x2x32xbf16>) -> tensor<1x8x2x32xbf16>
    %54 = stablehlo.reshape %53 : (tensor<1x8x2x32xbf16>) -> tensor<8x2x32xbf16>
    %55 = stablehlo.slice %50 [2:3, 0:8, 0:2, 0:32] : (tensor<3x8x2x32xbf16>) -> tensor<1x8x2x32xbf16>
    %56 = stablehlo.reshape %55 : (tensor<1x8x2x32xbf16>) -> tensor<8x2x32xbf16>
    %57 = stablehlo.reshape %52 : (tensor<8x2x32xbf16>) -> tensor<8x8x8xbf16>
    %58 = stablehlo.transpose %57, dims = [1, 0, 2] : (tensor<8x8x8xbf16>) -> tensor<8x8x8xbf16>
    %59 = stablehlo.reshape %54 : (tensor<8x2x32xbf16>) -> tensor<8x8x8xbf16>
    %60 = stablehlo.transpose %59, dims = [1, 0, 2] : (tensor<8x8x8xbf16>) -> tensor<8x8x8xbf16>
    %61 = stablehlo.reshape %56 : (tensor<8x2x32xbf16>) -> tensor<8x8x8xbf16>
    %62 = stablehlo.transpose %61, dims = [1, 0, 2] : (tensor<8x8x8xbf16>) -> tensor<8x8x8xbf16>
    %63 = stablehlo.reshape %58 : (tensor<8x8x8xbf16>) -> tensor<2x4x8x8xbf16>
    %64 = stablehlo.reshape %60 : (tensor<8x8x8xbf16>) -> tensor<2x4x8x8xbf16>
    %65 = stablehlo.reshape %62 : (tensor<8x8x8xbf16>) -> tensor<2x4x8x8xbf16>
    %66 = stablehlo.convert %63 : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xf32>
    %67 = stablehlo.convert %64 : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xf32>
    %68 = stablehlo.convert %65 : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xf32>
    %69 = stablehlo.convert %cst_24 : (tensor<1xf64>) -> tensor<1xf32>
    %70 = stablehlo.reshape %69 : (tensor<1xf32>) -> tensor<f32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %72 = stablehlo.multiply %66, %71 : tensor<2x4x8x8xf32>
    %73 = stablehlo.transpose %67, dims = [0, 1, 3, 2] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %74 = stablehlo.multiply %73, %71 : tensor<2x4x8x8xf32>
    %75 = stablehlo.reshape %72 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %76 = stablehlo.reshape %74 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %78 = stablehlo.dot_general %75, %77, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %79 = stablehlo.reshape %78 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %80 = stablehlo.reduce(%79 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %81 = stablehlo.reshape %80 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %83 = stablehlo.subtract %79, %82 : tensor<2x4x8x8xf32>
    %84 = stablehlo.exponential %83 : tensor<2x4x8x8xf32>
    %85 = stablehlo.reduce(%84 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %86 = stablehlo.reshape %85 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %88 = stablehlo.divide %84, %87 : tensor<2x4x8x8xf32>
    %89 = stablehlo.convert %cst_25 : tensor<1xf64>
    %90 = stablehlo.reshape %89 : (tensor<1xf64>) -> tensor<f64>
    %91 = stablehlo.convert %90 : (tensor<f64>) -> tensor<f32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %93 = stablehlo.compare EQ, %79, %92, FLOAT : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
    %94 = stablehlo.reduce(%93 init: %c) applies stablehlo.and across dimensions = [3] : (tensor<2x4x8x8xi1>, tensor<i1>) -> tensor<2x4x8xi1>
    %95 = stablehlo.reshape %94 : (tensor<2x4x8xi1>) -> tensor<2x4x8x1xi1>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xi1>) -> tensor<2x4x8x8xi1>
    %97 = stablehlo.broadcast_in_dim %cst, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %98 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %99 = stablehlo.select %96, %97, %98 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    %100 = stablehlo.reshape %99 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %101 = stablehlo.reshape %68 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %103 = stablehlo.dot_general %100, %102, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %104 = stablehlo.reshape %103 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %105 = stablehlo.convert %104 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xbf16>
    %106 = stablehlo.transpose %105, dims = [2, 0, 1, 3] : (tensor<2x4x8x8xbf16>) -> tensor<8x2x4x8xbf16>
    %107 = stablehlo.transpose %106, dims = [1, 2, 0, 3] : (tensor<8x2x4x8xbf16>) -> tensor<2x4x8x8xbf16>
    %108 = stablehlo.transpose %107, dims = [2, 0, 1, 3] : (tensor<2x4x8x8xbf16>) -> tensor<8x2x4x8xbf16>
    %109 = stablehlo.reshape %108 : (tensor<8x2x4x8xbf16>) -> tensor<16x32xbf16>
    %110 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %111 = stablehlo.convert %arg4 : (tensor<32xbf16>) -> tensor<32xf32>
    %112 = stablehlo.convert %109 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %113 = stablehlo.convert %110 : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %114 = stablehlo.dot_general %112, %113, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %115 = stablehlo.convert %cst_26 : (tensor<1xi64>) -> tensor<1xf32>
    %116 = stablehlo.reshape %115 : (tensor<1xf32>) -> tensor<f32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %118 = stablehlo.multiply %114, %117 : tensor<16x32xf32>
    %119 = stablehlo.broadcast_in_dim %116, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %120 = stablehlo.multiply %111, %119 : tensor<32xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %122 = stablehlo.add %118, %121 : tensor<16x32xf32>
    %123 = stablehlo.convert %122 : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %124 = stablehlo.reshape %123 : (tensor<16x32xbf16>) -> tensor<8x2x32xbf16>
    %125 = stablehlo.transpose %124, dims = [1, 0, 2] : (tensor<8x2x32xbf16>) -> tensor<2x8x32xbf16>
    %126 = stablehlo.add %arg0, %125 : tensor<2x8x32xbf16>
    %127 = stablehlo.convert %126 : (tensor<2x8x32xbf16>) -> tensor<2x8x32xf32>
    %128 = stablehlo.convert %127 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %129 = stablehlo.reduce(%128 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %130 = stablehlo.reshape %129 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %131 = stablehlo.divide %130, %6 : tensor<2x8x1xf64>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %133 = stablehlo.subtract %128, %132 : tensor<2x8x32xf64>
    %134 = stablehlo.multiply %133, %133 : tensor<2x8x32xf64>
    %135 = stablehlo.reduce(%134 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %136 = stablehlo.reshape %135 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %137 = stablehlo.divide %136, %6 : tensor<2x8x1xf64>
    %138 = stablehlo.convert %137 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %139 = stablehlo.reduce(%127 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %140 = stablehlo.reshape %139 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %141 = stablehlo.divide %140, %19 : tensor<2x8x1xf32>
    %142 = stablehlo.add %138, %23 : tensor<2x8x1xf32>
    %143 = stablehlo.rsqrt %142 : tensor<2x8x1xf32>
    %144 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %145 = stablehlo.subtract %127, %144 : tensor<2x8x32xf32>
    %146 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %147 = stablehlo.multiply %145, %146 : tensor<2x8x32xf32>
    %148 = stablehlo.convert %arg11 : (tensor<32xbf16>) -> tensor<32xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %150 = stablehlo.multiply %147, %149 : tensor<2x8x32xf32>
    %151 = stablehlo.convert %arg12 : (tensor<32xbf16>) -> tensor<32xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %153 = stablehlo.add %150, %152 : tensor<2x8x32xf32>
    %154 = stablehlo.convert %153 : (tensor<2x8x32xf32>) -> tensor<2x8x32xbf16>
    %155 = stablehlo.reshape %154 : (tensor<2x8x32xbf16>) -> tensor<16x32xbf16>
    %156 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<64x32xbf16>) -> tensor<32x64xbf16>
    %157 = stablehlo.convert %arg6 : (tensor<64xbf16>) -> tensor<64xf32>
    %158 = stablehlo.convert %155 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %159 = stablehlo.convert %156 : (tensor<32x64xbf16>) -> tensor<32x64xf32>
    %160 = stablehlo.dot_general %158, %159, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %161 = stablehlo.broadcast_in_dim %116, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %162 = stablehlo.multiply %160, %161 : tensor<16x64xf32>
    %163 = stablehlo.broadcast_in_dim %116, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %164 = stablehlo.multiply %157, %163 : tensor<64xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %166 = stablehlo.add %162, %165 : tensor<16x64xf32>
    %167 = stablehlo.convert %166 : (tensor<16x64xf32>) -> tensor<16x64xbf16>
    %168 = stablehlo.reshape %167 : (tensor<16x64xbf16>) -> tensor<2x8x64xbf16>
    %169 = stablehlo.multiply %168, %cst_5 : tensor<2x8x64xbf16>
    %170 = stablehlo.rsqrt %cst_4 : tensor<2x8x64xbf16>
    %171 = stablehlo.multiply %168, %170 : tensor<2x8x64xbf16>
    %172 = stablehlo.convert %171 : (tensor<2x8x64xbf16>) -> tensor<2x8x64xf32>
    %173 = stablehlo.clamp %cst_6, %172, %cst_7 : tensor<2x8x64xf32>
    %174 = stablehlo.multiply %173, %173 : tensor<2x8x64xf32>
    %175 = stablehlo.multiply %cst_8, %174 : tensor<2x8x64xf32>
    %176 = stablehlo.add %175, %cst_9 : tensor<2x8x64xf32>
    %177 = stablehlo.multiply %176, %174 : tensor<2x8x64xf32>
    %178 = stablehlo.add %177, %cst_10 : tensor<2x8x64xf32>
    %179 = stablehlo.multiply %178, %174 : tensor<2x8x64xf32>
    %180 = stablehlo.add %179, %cst_11 : tensor<2x8x64xf32>
    %181 = stablehlo.multiply %180, %174 : tensor<2x8x64xf32>
    %182 = stablehlo.add %181, %cst_12 : tensor<2x8x64xf32>
    %183 = stablehlo.multiply %182, %174 : tensor<2x8x64xf32>
    %184 = stablehlo.add %183, %cst_13 : tensor<2x8x64xf32>
    %185 = stablehlo.multiply %184, %174 : tensor<2x8x64xf32>
    %186 = stablehlo.add %185, %cst_14 : tensor<2x8x64xf32>
    %187 = stablehlo.multiply %cst_15, %174 : tensor<2x8x64xf32>
    %188 = stablehlo.add %187, %cst_16 : tensor<2x8x64xf32>
    %189 = stablehlo.multiply %188, %174 : tensor<2x8x64xf32>
    %190 = stablehlo.add %189, %cst_17 : tensor<2x8x64xf32>
    %191 = stablehlo.multiply %190, %174 : tensor<2x8x64xf32>
    %192 = stablehlo.add %191, %cst_18 : tensor<2x8x64xf32>
    %193 = stablehlo.multiply %192, %174 : tensor<2x8x64xf32>
    %194 = stablehlo.add %193, %cst_19 : tensor<2x8x64xf32>
    %195 = stablehlo.multiply %173, %186 : tensor<2x8x64xf32>
    %196 = stablehlo.divide %195, %194 : tensor<2x8x64xf32>
    %197 = stablehlo.clamp %cst_20, %196, %cst_21 : tensor<2x8x64xf32>
    %198 = stablehlo.convert %197 : (tensor<2x8x64xf32>) -> tensor<2x8x64xbf16>
    %199 = stablehlo.add %198, %cst_3 : tensor<2x8x64xbf16>
    %200 = stablehlo.multiply %199, %169 : tensor<2x8x64xbf16>
    %201 = stablehlo.reshape %200 : (tensor<2x8x64xbf16>) -> tensor<16x64xbf16>
    %202 = stablehlo.transpose %arg7, dims = [1, 0] : (tensor<32x64xbf16>) -> tensor<64x32xbf16>
    %203 = stablehlo.convert %arg8 : (tensor<32xbf16>) -> tensor<32xf32>
    %204 = stablehlo.convert %201 : (tensor<16x64xbf16>) -> tensor<16x64xf32>
    %205 = stablehlo.convert %202 : (tensor<64x32xbf16>) -> tensor<64x32xf32>
    %206 = stablehlo.dot_general %204, %205, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %207 = stablehlo.multiply %206, %117 : tensor<16x32xf32>
    %208 = stablehlo.multiply %203, %119 : tensor<32xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %210 = stablehlo.add %207, %209 : tensor<16x32xf32>
    %211 = stablehlo.convert %210 : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %212 = stablehlo.reshape %211 : (tensor<16x32xbf16>) -> tensor<2x8x32xbf16>
    %213 = stablehlo.add %126, %212 : tensor<2x8x32xbf16>
    return %213 : tensor<2x8x32xbf16>
  }
}
