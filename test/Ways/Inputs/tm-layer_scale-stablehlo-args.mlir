module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32x32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<64x32xf32>, %arg16: tensor<64xf32>, %arg17: tensor<32x64xf32>, %arg18: tensor<32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>, %arg21: tensor<32xf32>, %arg22: tensor<32xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32xf32>, %arg25: tensor<32x32xf32>, %arg26: tensor<32xf32>, %arg27: tensor<32x32xf32>, %arg28: tensor<32xf32>, %arg29: tensor<32x32xf32>, %arg30: tensor<32xf32>, %arg31: tensor<32x32xf32>, %arg32: tensor<32xf32>, %arg33: tensor<64x32xf32>, %arg34: tensor<64xf32>, %arg35: tensor<32x64xf32>, %arg36: tensor<32xf32>, %arg37: tensor<32xf32>, %arg38: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<2x8x64xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<2x8x64xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<2x8x64xf32>
    %cst_5 = stablehlo.constant dense<-4.000000e+00> : tensor<2x8x64xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<2x8x64xf32>
    %cst_7 = stablehlo.constant dense<-2.72614237E-10> : tensor<2x8x64xf32>
    %cst_8 = stablehlo.constant dense<2.77068146E-8> : tensor<2x8x64xf32>
    %cst_9 = stablehlo.constant dense<-2.10102394E-6> : tensor<2x8x64xf32>
    %cst_10 = stablehlo.constant dense<-5.69250624E-5> : tensor<2x8x64xf32>
    %cst_11 = stablehlo.constant dense<-7.34990637E-4> : tensor<2x8x64xf32>
    %cst_12 = stablehlo.constant dense<-2.954600e-03> : tensor<2x8x64xf32>
    %cst_13 = stablehlo.constant dense<-0.0160960332> : tensor<2x8x64xf32>
    %cst_14 = stablehlo.constant dense<-1.45660715E-5> : tensor<2x8x64xf32>
    %cst_15 = stablehlo.constant dense<-2.13374049E-4> : tensor<2x8x64xf32>
    %cst_16 = stablehlo.constant dense<-0.00168282702> : tensor<2x8x64xf32>
    %cst_17 = stablehlo.constant dense<-0.00737332925> : tensor<2x8x64xf32>
    %cst_18 = stablehlo.constant dense<-0.0142647391> : tensor<2x8x64xf32>
    %cst_19 = stablehlo.constant dense<-1.000000e+00> : tensor<2x8x64xf32>
    %cst_20 = arith.constant dense<32> : tensor<1xi64>
    %cst_21 = arith.constant dense<1.000000e-05> : tensor<1xf64>
    %cst_22 = arith.constant dense<1> : tensor<1xi64>
    %cst_23 = arith.constant dense<0.35355339059327379> : tensor<1xf64>
    %0 = stablehlo.convert %arg0 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %2 = stablehlo.reshape %1 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %3 = stablehlo.convert %cst_20 : (tensor<1xi64>) -> tensor<1xf64>
    %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f64>) -> tensor<2x8x1xf64>
    %6 = stablehlo.divide %2, %5 : tensor<2x8x1xf64>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %8 = stablehlo.subtract %0, %7 : tensor<2x8x32xf64>
    %9 = stablehlo.multiply %8, %8 : tensor<2x8x32xf64>
    %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %11 = stablehlo.reshape %10 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %12 = stablehlo.divide %11, %5 : tensor<2x8x1xf64>
    %13 = stablehlo.convert %12 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %14 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %15 = stablehlo.reshape %14 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %16 = stablehlo.convert %cst_20 : (tensor<1xi64>) -> tensor<1xf32>
    %17 = stablehlo.reshape %16 : (tensor<1xf32>) -> tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x8x1xf32>
    %20 = stablehlo.convert %cst_21 : (tensor<1xf64>) -> tensor<1xf32>
    %21 = stablehlo.reshape %20 : (tensor<1xf32>) -> tensor<f32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %23 = stablehlo.add %13, %22 : tensor<2x8x1xf32>
    %24 = stablehlo.rsqrt %23 : tensor<2x8x1xf32>
    %25 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %26 = stablehlo.subtract %arg0, %25 : tensor<2x8x32xf32>
    %27 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<2x8x32xf32>
    %29 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %30 = stablehlo.multiply %28, %29 : tensor<2x8x32xf32>
    %31 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %32 = stablehlo.add %30, %31 : tensor<2x8x32xf32>
    %33 = stablehlo.reshape %32 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %34 = stablehlo.transpose %arg7, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %35 = stablehlo.dot_general %33, %34, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %36 = stablehlo.convert %cst_22 : (tensor<1xi64>) -> tensor<1xf32>
    %37 = stablehlo.reshape %36 : (tensor<1xf32>) -> tensor<f32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %39 = stablehlo.multiply %35, %38 : tensor<16x32xf32>
    %40 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %41 = stablehlo.multiply %arg8, %40 : tensor<32xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %43 = stablehlo.add %39, %42 : tensor<16x32xf32>
    %44 = stablehlo.reshape %43 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %45 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %46 = stablehlo.dot_general %33, %45, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %47 = stablehlo.multiply %46, %38 : tensor<16x32xf32>
    %48 = stablehlo.multiply %arg10, %40 : tensor<32xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %50 = stablehlo.add %47, %49 : tensor<16x32xf32>
    %51 = stablehlo.reshape %50 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %52 = stablehlo.transpose %arg11, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %53 = stablehlo.dot_general %33, %52, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %54 = stablehlo.multiply %53, %38 : tensor<16x32xf32>
    %55 = stablehlo.multiply %arg12, %40 : tensor<32xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %57 = stablehlo.add %54, %56 : tensor<16x32xf32>
    %58 = stablehlo.reshape %57 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %59 = stablehlo.reshape %44 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %60 = stablehlo.transpose %59, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %61 = stablehlo.reshape %51 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %62 = stablehlo.transpose %61, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %63 = stablehlo.reshape %58 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %64 = stablehlo.transpose %63, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %65 = stablehlo.transpose %62, dims = [0, 1, 3, 2] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %66 = stablehlo.reshape %60 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %67 = stablehlo.reshape %65 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %69 = stablehlo.dot_general %66, %68, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %70 = stablehlo.reshape %69 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %71 = stablehlo.convert %cst_23 : (tensor<1xf64>) -> tensor<1xf32>
    %72 = stablehlo.reshape %71 : (tensor<1xf32>) -> tensor<f32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %74 = stablehlo.multiply %70, %73 : tensor<2x4x8x8xf32>
    %75 = stablehlo.reduce(%74 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %76 = stablehlo.reshape %75 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %78 = stablehlo.subtract %74, %77 : tensor<2x4x8x8xf32>
    %79 = stablehlo.exponential %78 : tensor<2x4x8x8xf32>
    %80 = stablehlo.reduce(%79 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %81 = stablehlo.reshape %80 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %83 = stablehlo.divide %79, %82 : tensor<2x4x8x8xf32>
    %84 = stablehlo.reshape %83 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %85 = stablehlo.reshape %64 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %87 = stablehlo.dot_general %84, %86, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %88 = stablehlo.reshape %87 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %89 = stablehlo.transpose %88, dims = [0, 2, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %90 = stablehlo.reshape %89 : (tensor<2x8x4x8xf32>) -> tensor<2x8x32xf32>
    %91 = stablehlo.reshape %90 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %92 = stablehlo.transpose %arg13, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %93 = stablehlo.dot_general %91, %92, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %94 = stablehlo.multiply %93, %38 : tensor<16x32xf32>
    %95 = stablehlo.multiply %arg14, %40 : tensor<32xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %97 = stablehlo.add %94, %96 : tensor<16x32xf32>
    %98 = stablehlo.reshape %97 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %99 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %100 = stablehlo.multiply %98, %99 : tensor<2x8x32xf32>
    %101 = stablehlo.add %arg0, %100 : tensor<2x8x32xf32>
    %102 = stablehlo.convert %101 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %103 = stablehlo.reduce(%102 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %104 = stablehlo.reshape %103 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %105 = stablehlo.divide %104, %5 : tensor<2x8x1xf64>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %107 = stablehlo.subtract %102, %106 : tensor<2x8x32xf64>
    %108 = stablehlo.multiply %107, %107 : tensor<2x8x32xf64>
    %109 = stablehlo.reduce(%108 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %110 = stablehlo.reshape %109 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %111 = stablehlo.divide %110, %5 : tensor<2x8x1xf64>
    %112 = stablehlo.convert %111 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %113 = stablehlo.reduce(%101 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %114 = stablehlo.reshape %113 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %115 = stablehlo.divide %114, %18 : tensor<2x8x1xf32>
    %116 = stablehlo.add %112, %22 : tensor<2x8x1xf32>
    %117 = stablehlo.rsqrt %116 : tensor<2x8x1xf32>
    %118 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %119 = stablehlo.subtract %101, %118 : tensor<2x8x32xf32>
    %120 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %121 = stablehlo.multiply %119, %120 : tensor<2x8x32xf32>
    %122 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %123 = stablehlo.multiply %121, %122 : tensor<2x8x32xf32>
    %124 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %125 = stablehlo.add %123, %124 : tensor<2x8x32xf32>
    %126 = stablehlo.reshape %125 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %127 = stablehlo.transpose %arg15, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %128 = stablehlo.dot_general %126, %127, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %129 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %130 = stablehlo.multiply %128, %129 : tensor<16x64xf32>
    %131 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %132 = stablehlo.multiply %arg16, %131 : tensor<64xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %134 = stablehlo.add %130, %133 : tensor<16x64xf32>
    %135 = stablehlo.reshape %134 : (tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %136 = stablehlo.multiply %135, %cst_4 : tensor<2x8x64xf32>
    %137 = stablehlo.rsqrt %cst_3 : tensor<2x8x64xf32>
    %138 = stablehlo.multiply %135, %137 : tensor<2x8x64xf32>
    %139 = stablehlo.clamp %cst_5, %138, %cst_6 : tensor<2x8x64xf32>
    %140 = stablehlo.multiply %139, %139 : tensor<2x8x64xf32>
    %141 = stablehlo.multiply %cst_7, %140 : tensor<2x8x64xf32>
    %142 = stablehlo.add %141, %cst_8 : tensor<2x8x64xf32>
    %143 = stablehlo.multiply %142, %140 : tensor<2x8x64xf32>
    %144 = stablehlo.add %143, %cst_9 : tensor<2x8x64xf32>
    %145 = stablehlo.multiply %144, %140 : tensor<2x8x64xf32>
    %146 = stablehlo.add %145, %cst_10 : tensor<2x8x64xf32>
    %147 = stablehlo.multiply %146, %140 : tensor<2x8x64xf32>
    %148 = stablehlo.add %147, %cst_11 : tensor<2x8x64xf32>
    %149 = stablehlo.multiply %148, %140 : tensor<2x8x64xf32>
    %150 = stablehlo.add %149, %cst_12 : tensor<2x8x64xf32>
    %151 = stablehlo.multiply %150, %140 : tensor<2x8x64xf32>
    %152 = stablehlo.add %151, %cst_13 : tensor<2x8x64xf32>
    %153 = stablehlo.multiply %cst_14, %140 : tensor<2x8x64xf32>
    %154 = stablehlo.add %153, %cst_15 : tensor<2x8x64xf32>
    %155 = stablehlo.multiply %154, %140 : tensor<2x8x64xf32>
    %156 = stablehlo.add %155, %cst_16 : tensor<2x8x64xf32>
    %157 = stablehlo.multiply %156, %140 : tensor<2x8x64xf32>
    %158 = stablehlo.add %157, %cst_17 : tensor<2x8x64xf32>
    %159 = stablehlo.multiply %158, %140 : tensor<2x8x64xf32>
    %160 = stablehlo.add %159, %cst_18 : tensor<2x8x64xf32>
    %161 = stablehlo.multiply %139, %152 : tensor<2x8x64xf32>
    %162 = stablehlo.divide %161, %160 : tensor<2x8x64xf32>
    %163 = stablehlo.clamp %cst_19, %162, %cst_2 : tensor<2x8x64xf32>
    %164 = stablehlo.add %163, %cst_2 : tensor<2x8x64xf32>
    %165 = stablehlo.multiply %164, %136 : tensor<2x8x64xf32>
    %166 = stablehlo.reshape %165 : (tensor<2x8x64xf32>) -> tensor<16x64xf32>
    %167 = stablehlo.transpose %arg17, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %168 = stablehlo.dot_general %166, %167, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %169 = stablehlo.multiply %168, %38 : tensor<16x32xf32>
    %170 = stablehlo.multiply %arg18, %40 : tensor<32xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %172 = stablehlo.add %169, %171 : tensor<16x32xf32>
    %173 = stablehlo.reshape %172 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %174 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %175 = stablehlo.multiply %173, %174 : tensor<2x8x32xf32>
    %176 = stablehlo.add %101, %175 : tensor<2x8x32xf32>
    %177 = stablehlo.convert %176 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %178 = stablehlo.reduce(%177 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %179 = stablehlo.reshape %178 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %180 = stablehlo.divide %179, %5 : tensor<2x8x1xf64>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %182 = stablehlo.subtract %177, %181 : tensor<2x8x32xf64>
    %183 = stablehlo.multiply %182, %182 : tensor<2x8x32xf64>
    %184 = stablehlo.reduce(%183 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %185 = stablehlo.reshape %184 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %186 = stablehlo.divide %185, %5 : tensor<2x8x1xf64>
    %187 = stablehlo.convert %186 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %188 = stablehlo.reduce(%176 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %189 = stablehlo.reshape %188 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %190 = stablehlo.divide %189, %18 : tensor<2x8x1xf32>
    %191 = stablehlo.add %187, %22 : tensor<2x8x1xf32>
    %192 = stablehlo.rsqrt %191 : tensor<2x8x1xf32>
    %193 = stablehlo.broadcast_in_dim %190, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %194 = stablehlo.subtract %176, %193 : tensor<2x8x32xf32>
    %195 = stablehlo.broadcast_in_dim %192, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %196 = stablehlo.multiply %194, %195 : tensor<2x8x32xf32>
    %197 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %198 = stablehlo.multiply %196, %197 : tensor<2x8x32xf32>
    %199 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %200 = stablehlo.add %198, %199 : tensor<2x8x32xf32>
    %201 = stablehlo.reshape %200 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %202 = stablehlo.transpose %arg25, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %203 = stablehlo.dot_general %201, %202, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %204 = stablehlo.multiply %203, %38 : tensor<16x32xf32>
    %205 = stablehlo.multiply %arg26, %40 : tensor<32xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %207 = stablehlo.add %204, %206 : tensor<16x32xf32>
    %208 = stablehlo.reshape %207 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %209 = stablehlo.transpose %arg27, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %210 = stablehlo.dot_general %201, %209, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %211 = stablehlo.multiply %210, %38 : tensor<16x32xf32>
    %212 = stablehlo.multiply %arg28, %40 : tensor<32xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %214 = stablehlo.add %211, %213 : tensor<16x32xf32>
    %215 = stablehlo.reshape %214 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %216 = stablehlo.transpose %arg29, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %217 = stablehlo.dot_general %201, %216, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %218 = stablehlo.multiply %217, %38 : tensor<16x32xf32>
    %219 = stablehlo.multiply %arg30, %40 : tensor<32xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %221 = stablehlo.add %218, %220 : tensor<16x32xf32>
    %222 = stablehlo.reshape %221 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %223 = stablehlo.reshape %208 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %224 = stablehlo.transpose %223, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %225 = stablehlo.reshape %215 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %226 = stablehlo.transpose %225, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %227 = stablehlo.reshape %222 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %228 = stablehlo.transpose %227, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %229 = stablehlo.transpose %226, dims = [0, 1, 3, 2] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %230 = stablehlo.reshape %224 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %231 = stablehlo.reshape %229 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %232 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %233 = stablehlo.dot_general %230, %232, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %234 = stablehlo.reshape %233 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %235 = stablehlo.multiply %234, %73 : tensor<2x4x8x8xf32>
    %236 = stablehlo.reduce(%235 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %237 = stablehlo.reshape %236 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %239 = stablehlo.subtract %235, %238 : tensor<2x4x8x8xf32>
    %240 = stablehlo.exponential %239 : tensor<2x4x8x8xf32>
    %241 = stablehlo.reduce(%240 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %242 = stablehlo.reshape %241 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %244 = stablehlo.divide %240, %243 : tensor<2x4x8x8xf32>
    %245 = stablehlo.reshape %244 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %246 = stablehlo.reshape %228 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %248 = stablehlo.dot_general %245, %247, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %249 = stablehlo.reshape %248 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %250 = stablehlo.transpose %249, dims = [0, 2, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %251 = stablehlo.reshape %250 : (tensor<2x8x4x8xf32>) -> tensor<2x8x32xf32>
    %252 = stablehlo.reshape %251 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %253 = stablehlo.transpose %arg31, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %254 = stablehlo.dot_general %252, %253, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %255 = stablehlo.multiply %254, %38 : tensor<16x32xf32>
    %256 = stablehlo.multiply %arg32, %40 : tensor<32xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %258 = stablehlo.add %255, %257 : tensor<16x32xf32>
    %259 = stablehlo.reshape %258 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %260 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %261 = stablehlo.multiply %259, %260 : tensor<2x8x32xf32>
    %262 = stablehlo.add %176, %261 : tensor<2x8x32xf32>
    %263 = stablehlo.convert %262 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %264 = stablehlo.reduce(%263 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %265 = stablehlo.reshape %264 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %266 = stablehlo.divide %265, %5 : tensor<2x8x1xf64>
    %267 = stablehlo.broadcast_in_dim %266, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %268 = stablehlo.subtract %263, %267 : tensor<2x8x32xf64>
    %269 = stablehlo.multiply %268, %268 : tensor<2x8x32xf64>
    %270 = stablehlo.reduce(%269 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %271 = stablehlo.reshape %270 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %272 = stablehlo.divide %271, %5 : tensor<2x8x1xf64>
    %273 = stablehlo.convert %272 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %274 = stablehlo.reduce(%262 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %275 = stablehlo.reshape %274 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %276 = stablehlo.divide %275, %18 : tensor<2x8x1xf32>
    %277 = stablehlo.add %273, %22 : tensor<2x8x1xf32>
    %278 = stablehlo.rsqrt %277 : tensor<2x8x1xf32>
    %279 = stablehlo.broadcast_in_dim %276, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %280 = stablehlo.subtract %262, %279 : tensor<2x8x32xf32>
    %281 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %282 = stablehlo.multiply %280, %281 : tensor<2x8x32xf32>
    %283 = stablehlo.broadcast_in_dim %arg23, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %284 = stablehlo.multiply %282, %283 : tensor<2x8x32xf32>
    %285 = stablehlo.broadcast_in_dim %arg24, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %286 = stablehlo.add %284, %285 : tensor<2x8x32xf32>
    %287 = stablehlo.reshape %286 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %288 = stablehlo.transpose %arg33, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %289 = stablehlo.dot_general %287, %288, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %290 = stablehlo.multiply %289, %129 : tensor<16x64xf32>
    %291 = stablehlo.multiply %arg34, %131 : tensor<64xf32>
    %292 = stablehlo.broadcast_in_dim %291, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %293 = stablehlo.add %290, %292 : tensor<16x64xf32>
    %294 = stablehlo.reshape %293 : (tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %295 = stablehlo.multiply %294, %cst_4 : tensor<2x8x64xf32>
    %296 = stablehlo.multiply %294, %137 : tensor<2x8x64xf32>
    %297 = stablehlo.clamp %cst_5, %296, %cst_6 : tensor<2x8x64xf32>
    %298 = stablehlo.multiply %297, %297 : tensor<2x8x64xf32>
    %299 = stablehlo.multiply %cst_7, %298 : tensor<2x8x64xf32>
    %300 = stablehlo.add %299, %cst_8 : tensor<2x8x64xf32>
    %301 = stablehlo.multiply %300, %298 : tensor<2x8x64xf32>
    %302 = stablehlo.add %301, %cst_9 : tensor<2x8x64xf32>
    %303 = stablehlo.multiply %302, %298 : tensor<2x8x64xf32>
    %304 = stablehlo.add %303, %cst_10 : tensor<2x8x64xf32>
    %305 = stablehlo.multiply %304, %298 : tensor<2x8x64xf32>
    %306 = stablehlo.add %305, %cst_11 : tensor<2x8x64xf32>
    %307 = stablehlo.multiply %306, %298 : tensor<2x8x64xf32>
    %308 = stablehlo.add %307, %cst_12 : tensor<2x8x64xf32>
    %309 = stablehlo.multiply %308, %298 : tensor<2x8x64xf32>
    %310 = stablehlo.add %309, %cst_13 : tensor<2x8x64xf32>
    %311 = stablehlo.multiply %cst_14, %298 : tensor<2x8x64xf32>
    %312 = stablehlo.add %311, %cst_15 : tensor<2x8x64xf32>
    %313 = stablehlo.multiply %312, %298 : tensor<2x8x64xf32>
    %314 = stablehlo.add %313, %cst_16 : tensor<2x8x64xf32>
    %315 = stablehlo.multiply %314, %298 : tensor<2x8x64xf32>
    %316 = stablehlo.add %315, %cst_17 : tensor<2x8x64xf32>
    %317 = stablehlo.multiply %316, %298 : tensor<2x8x64xf32>
    %318 = stablehlo.add %317, %cst_18 : tensor<2x8x64xf32>
    %319 = stablehlo.multiply %297, %310 : tensor<2x8x64xf32>
    %320 = stablehlo.divide %319, %318 : tensor<2x8x64xf32>
    %321 = stablehlo.clamp %cst_19, %320, %cst_2 : tensor<2x8x64xf32>
    %322 = stablehlo.add %321, %cst_2 : tensor<2x8x64xf32>
    %323 = stablehlo.multiply %322, %295 : tensor<2x8x64xf32>
    %324 = stablehlo.reshape %323 : (tensor<2x8x64xf32>) -> tensor<16x64xf32>
    %325 = stablehlo.transpose %arg35, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %326 = stablehlo.dot_general %324, %325, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %327 = stablehlo.multiply %326, %38 : tensor<16x32xf32>
    %328 = stablehlo.multiply %arg36, %40 : tensor<32xf32>
    %329 = stablehlo.broadcast_in_dim %328, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %330 = stablehlo.add %327, %329 : tensor<16x32xf32>
    %331 = stablehlo.reshape %330 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %332 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %333 = stablehlo.multiply %331, %332 : tensor<2x8x32xf32>
    %334 = stablehlo.add %262, %333 : tensor<2x8x32xf32>
    %335 = stablehlo.convert %334 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %336 = stablehlo.reduce(%335 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %337 = stablehlo.reshape %336 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %338 = stablehlo.divide %337, %5 : tensor<2x8x1xf64>
    %339 = stablehlo.broadcast_in_dim %338, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %340 = stablehlo.subtract %335, %339 : tensor<2x8x32xf64>
    %341 = stablehlo.multiply %340, %340 : tensor<2x8x32xf64>
    %342 = stablehlo.reduce(%341 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %343 = stablehlo.reshape %342 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %344 = stablehlo.divide %343, %5 : tensor<2x8x1xf64>
    %345 = stablehlo.convert %344 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %346 = stablehlo.reduce(%334 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %347 = stablehlo.reshape %346 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %348 = stablehlo.divide %347, %18 : tensor<2x8x1xf32>
    %349 = stablehlo.add %345, %22 : tensor<2x8x1xf32>
    %350 = stablehlo.rsqrt %349 : tensor<2x8x1xf32>
    %351 = stablehlo.broadcast_in_dim %348, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %352 = stablehlo.subtract %334, %351 : tensor<2x8x32xf32>
    %353 = stablehlo.broadcast_in_dim %350, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %354 = stablehlo.multiply %352, %353 : tensor<2x8x32xf32>
    %355 = stablehlo.broadcast_in_dim %arg37, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %356 = stablehlo.multiply %354, %355 : tensor<2x8x32xf32>
    %357 = stablehlo.broadcast_in_dim %arg38, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %358 = stablehlo.add %356, %357 : tensor<2x8x32xf32>
    return %358 : tensor<2x8x32xf32>
  }
}
