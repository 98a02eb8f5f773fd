module {
  func.func @main(%arg0: tensor<2x8xi64>, %arg1: tensor<61x32xf32>, %arg2: tensor<8x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<96x32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<32x64xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<96x32xf32>, %arg16: tensor<32x32xf32>, %arg17: tensor<64x32xf32>, %arg18: tensor<32x64xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>, %arg21: tensor<61x32xf32>) -> tensor<2x8x61xf32> {
    %c = stablehlo.constant dense<0> : tensor<8x8xi64>
    %c_0 = stablehlo.constant dense<0> : tensor<8xi64>
    %c_1 = stablehlo.constant dense<1> : tensor<8xi64>
    %c_2 = stablehlo.constant dense<8> : tensor<i64>
    %c_3 = stablehlo.constant dense<1> : tensor<i64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x4x8x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_6 = stablehlo.constant dense<true> : tensor<8x8xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %c_8 = stablehlo.constant dense<true> : tensor<i1>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<2x8x64xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<2x8x64xf32>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<2x8x64xf32>
    %cst_12 = stablehlo.constant dense<-4.000000e+00> : tensor<2x8x64xf32>
    %cst_13 = stablehlo.constant dense<4.000000e+00> : tensor<2x8x64xf32>
    %cst_14 = stablehlo.constant dense<-2.72614237E-10> : tensor<2x8x64xf32>
    %cst_15 = stablehlo.constant dense<2.77068146E-8> : tensor<2x8x64xf32>
    %cst_16 = stablehlo.constant dense<-2.10102394E-6> : tensor<2x8x64xf32>
    %cst_17 = stablehlo.constant dense<-5.69250624E-5> : tensor<2x8x64xf32>
    %cst_18 = stablehlo.constant dense<-7.34990637E-4> : tensor<2x8x64xf32>
    %cst_19 = stablehlo.constant dense<-2.954600e-03> : tensor<2x8x64xf32>
    %cst_20 = stablehlo.constant dense<-0.0160960332> : tensor<2x8x64xf32>
    %cst_21 = stablehlo.constant dense<-1.45660715E-5> : tensor<2x8x64xf32>
    %cst_22 = stablehlo.constant dense<-2.13374049E-4> : tensor<2x8x64xf32>
    %cst_23 = stablehlo.constant dense<-0.00168282702> : tensor<2x8x64xf32>
    %cst_24 = stablehlo.constant dense<-0.00737332925> : tensor<2x8x64xf32>
    %cst_25 = stablehlo.constant dense<-0.0142647391> : tensor<2x8x64xf32>
    %cst_26 = stablehlo.constant dense<-1.000000e+00> : tensor<2x8x64xf32>
    %cst_27 = arith.constant dense<32> : tensor<1xi64>
    %cst_28 = arith.constant dense<1.000000e-05> : tensor<1xf64>
    %cst_29 = arith.constant dense<0.59460355750136051> : tensor<1xf64>
    %cst_30 = arith.constant dense<0xFFF0000000000000> : tensor<1xf64>
    %0 = "stablehlo.gather"(%arg1, %arg0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<61x32xf32>, tensor<2x8xi64>) -> tensor<2x8x32xf32>
    %1 = stablehlo.convert %0 : tensor<2x8x32xf32>
    %2 = stablehlo.convert %c_3 : (tensor<i64>) -> tensor<f64>
    %3 = stablehlo.convert %c_2 : (tensor<i64>) -> tensor<f64>
    %4 = stablehlo.divide %3, %2 : tensor<f64>
    %5 = stablehlo.ceil %4 : tensor<f64>
    %6 = stablehlo.convert %5 : (tensor<f64>) -> tensor<i64>
    %7 = stablehlo.reshape %6 : (tensor<i64>) -> tensor<1xi64>
    %8 = stablehlo.dynamic_iota %7, dim = 0 : (tensor<1xi64>) -> tensor<8xi64>
    %9 = stablehlo.multiply %8, %c_1 : tensor<8xi64>
    %10 = stablehlo.add %9, %c_0 : tensor<8xi64>
    %11 = "stablehlo.gather"(%arg2, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<8x32xf32>, tensor<8xi64>) -> tensor<8x32xf32>
    %12 = stablehlo.convert %11 : tensor<8x32xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<8x32xf32>) -> tensor<2x8x32xf32>
    %14 = stablehlo.add %1, %13 : tensor<2x8x32xf32>
    %15 = stablehlo.convert %14 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %16 = stablehlo.reduce(%15 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %17 = stablehlo.reshape %16 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %18 = stablehlo.convert %cst_27 : (tensor<1xi64>) -> tensor<1xf64>
    %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f64>) -> tensor<2x8x1xf64>
    %21 = stablehlo.divide %17, %20 : tensor<2x8x1xf64>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %23 = stablehlo.subtract %15, %22 : tensor<2x8x32xf64>
    %24 = stablehlo.multiply %23, %23 : tensor<2x8x32xf64>
    %25 = stablehlo.reduce(%24 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %26 = stablehlo.reshape %25 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %27 = stablehlo.divide %26, %20 : tensor<2x8x1xf64>
    %28 = stablehlo.convert %27 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %29 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %30 = stablehlo.reshape %29 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %31 = stablehlo.convert %cst_27 : (tensor<1xi64>) -> tensor<1xf32>
    %32 = stablehlo.reshape %31 : (tensor<1xf32>) -> tensor<f32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %34 = stablehlo.divide %30, %33 : tensor<2x8x1xf32>
    %35 = stablehlo.convert %cst_28 : (tensor<1xf64>) -> tensor<1xf32>
    %36 = stablehlo.reshape %35 : (tensor<1xf32>) -> tensor<f32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %38 = stablehlo.add %28, %37 : tensor<2x8x1xf32>
    %39 = stablehlo.rsqrt %38 : tensor<2x8x1xf32>
    %40 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %41 = stablehlo.subtract %14, %40 : tensor<2x8x32xf32>
    %42 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %43 = stablehlo.multiply %41, %42 : tensor<2x8x32xf32>
    %44 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<2x8x32xf32>
    %46 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %47 = stablehlo.add %45, %46 : tensor<2x8x32xf32>
    %48 = stablehlo.transpose %arg7, dims = [1, 0] : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %49 = stablehlo.reshape %47 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %50 = stablehlo.dot_general %49, %48, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x96xf32>) -> tensor<16x96xf32>
    %51 = stablehlo.reshape %50 : (tensor<16x96xf32>) -> tensor<2x8x96xf32>
    %52 = stablehlo.slice %51 [0:2, 0:8, 0:32] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %53 = stablehlo.slice %51 [0:2, 0:8, 32:64] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %54 = stablehlo.slice %51 [0:2, 0:8, 64:96] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %55 = stablehlo.reshape %52 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %56 = stablehlo.transpose %55, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %57 = stablehlo.reshape %53 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %58 = stablehlo.transpose %57, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %59 = stablehlo.reshape %54 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %60 = stablehlo.transpose %59, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %61 = stablehlo.convert %cst_29 : (tensor<1xf64>) -> tensor<1xf32>
    %62 = stablehlo.reshape %61 : (tensor<1xf32>) -> tensor<f32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %64 = stablehlo.multiply %56, %63 : tensor<2x4x8x8xf32>
    %65 = stablehlo.reshape %10 : (tensor<8xi64>) -> tensor<1x8xi64>
    %66 = stablehlo.reshape %10 : (tensor<8xi64>) -> tensor<8x1xi64>
    %67 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<1x8xi64>) -> tensor<8x8xi64>
    %68 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<8x1xi64>) -> tensor<8x8xi64>
    %69 = stablehlo.subtract %67, %68 : tensor<8x8xi64>
    %70 = stablehlo.compare LE, %69, %c, SIGNED : (tensor<8x8xi64>, tensor<8x8xi64>) -> tensor<8x8xi1>
    %71 = stablehlo.and %70, %c_6 : tensor<8x8xi1>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %73 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %74 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %75 = stablehlo.select %72, %73, %74 : tensor<8x8xi1>, tensor<8x8xf32>
    %76 = stablehlo.transpose %58, dims = [0, 1, 3, 2] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %77 = stablehlo.multiply %76, %63 : tensor<2x4x8x8xf32>
    %78 = stablehlo.reshape %64 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %79 = stablehlo.reshape %77 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %81 = stablehlo.dot_general %78, %80, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %82 = stablehlo.reshape %81 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %83 = stablehlo.broadcast_in_dim %75, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
    %84 = stablehlo.add %82, %83 : tensor<2x4x8x8xf32>
    %85 = stablehlo.reduce(%84 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %86 = stablehlo.reshape %85 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %88 = stablehlo.subtract %84, %87 : tensor<2x4x8x8xf32>
    %89 = stablehlo.exponential %88 : tensor<2x4x8x8xf32>
    %90 = stablehlo.reduce(%89 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %91 = stablehlo.reshape %90 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %93 = stablehlo.divide %89, %92 : tensor<2x4x8x8xf32>
    %94 = stablehlo.convert %cst_30 : tensor<1xf64>
    %95 = stablehlo.reshape %94 : (tensor<1xf64>) -> tensor<f64>
    %96 = stablehlo.convert %95 : (tensor<f64>) -> tensor<f32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %98 = stablehlo.compare EQ, %84, %97, FLOAT : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
    %99 = stablehlo.reduce(%98 init: %c_8) applies stablehlo.and across dimensions = [3] : (tensor<2x4x8x8xi1>, tensor<i1>) -> tensor<2x4x8xi1>
    %100 = stablehlo.reshape %99 : (tensor<2x4x8xi1>) -> tensor<2x4x8x1xi1>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xi1>) -> tensor<2x4x8x8xi1>
    %102 = stablehlo.broadcast_in_dim %cst, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %103 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %104 = stablehlo.select %101, %102, %103 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    %105 = stablehlo.reshape %104 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %106 = stablehlo.reshape %60 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %108 = stablehlo.dot_general %105, %107, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %109 = stablehlo.reshape %108 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %110 = stablehlo.transpose %109, dims = [2, 0, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<8x2x4x8xf32>
    %111 = stablehlo.transpose %110, dims = [1, 2, 0, 3] : (tensor<8x2x4x8xf32>) -> tensor<2x4x8x8xf32>
    %112 = stablehlo.transpose %111, dims = [0, 2, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %113 = stablehlo.reshape %112 : (tensor<2x8x4x8xf32>) -> tensor<2x8x32xf32>
    %114 = stablehlo.transpose %arg8, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %115 = stablehlo.reshape %113 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %116 = stablehlo.broadcast_in_dim %114, dims = [1, 2] : (tensor<32x32xf32>) -> tensor<2x32x32xf32>
    %117 = stablehlo.reshape %116 : (tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %119 = stablehlo.dot_general %115, %118, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x8x32xf32>, tensor<2x32x32xf32>) -> tensor<2x8x32xf32>
    %120 = stablehlo.reshape %119 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %121 = stablehlo.add %14, %120 : tensor<2x8x32xf32>
    %122 = stablehlo.convert %121 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %123 = stablehlo.reduce(%122 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %124 = stablehlo.reshape %123 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %125 = stablehlo.divide %124, %20 : tensor<2x8x1xf64>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %127 = stablehlo.subtract %122, %126 : tensor<2x8x32xf64>
    %128 = stablehlo.multiply %127, %127 : tensor<2x8x32xf64>
    %129 = stablehlo.reduce(%128 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %130 = stablehlo.reshape %129 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %131 = stablehlo.divide %130, %20 : tensor<2x8x1xf64>
    %132 = stablehlo.convert %131 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %133 = stablehlo.reduce(%121 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %134 = stablehlo.reshape %133 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %135 = stablehlo.divide %134, %33 : tensor<2x8x1xf32>
    %136 = stablehlo.add %132, %37 : tensor<2x8x1xf32>
    %137 = stablehlo.rsqrt %136 : tensor<2x8x1xf32>
    %138 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %139 = stablehlo.subtract %121, %138 : tensor<2x8x32xf32>
    %140 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %141 = stablehlo.multiply %139, %140 : tensor<2x8x32xf32>
    %142 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %143 = stablehlo.multiply %141, %142 : tensor<2x8x32xf32>
    %144 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %145 = stablehlo.add %143, %144 : tensor<2x8x32xf32>
    %146 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %147 = stablehlo.reshape %145 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %148 = stablehlo.dot_general %147, %146, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %149 = stablehlo.reshape %148 : (tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %150 = stablehlo.multiply %149, %cst_11 : tensor<2x8x64xf32>
    %151 = stablehlo.rsqrt %cst_10 : tensor<2x8x64xf32>
    %152 = stablehlo.multiply %149, %151 : tensor<2x8x64xf32>
    %153 = stablehlo.clamp %cst_12, %152, %cst_13 : tensor<2x8x64xf32>
    %154 = stablehlo.multiply %153, %153 : tensor<2x8x64xf32>
    %155 = stablehlo.multiply %cst_14, %154 : tensor<2x8x64xf32>
    %156 = stablehlo.add %155, %cst_15 : tensor<2x8x64xf32>
    %157 = stablehlo.multiply %156, %154 : tensor<2x8x64xf32>
    %158 = stablehlo.add %157, %cst_16 : tensor<2x8x64xf32>
    %159 = stablehlo.multiply %158, %154 : tensor<2x8x64xf32>
    %160 = stablehlo.add %159, %cst_17 : tensor<2x8x64xf32>
    %161 = stablehlo.multiply %160, %154 : tensor<2x8x64xf32>
    %162 = stablehlo.add %161, %cst_18 : tensor<2x8x64xf32>
    %163 = stablehlo.multiply %162, %154 : tensor<2x8x64xf32>
    %164 = stablehlo.add %163, %cst_19 : tensor<2x8x64xf32>
    %165 = stablehlo.multiply %164, %154 : tensor<2x8x64xf32>
    %166 = stablehlo.add %165, %cst_20 : tensor<2x8x64xf32>
    %167 = stablehlo.multiply %cst_21, %154 : tensor<2x8x64xf32>
    %168 = stablehlo.add %167, %cst_22 : tensor<2x8x64xf32>
    %169 = stablehlo.multiply %168, %154 : tensor<2x8x64xf32>
    %170 = stablehlo.add %169, %cst_23 : tensor<2x8x64xf32>
    %171 = stablehlo.multiply %170, %154 : tensor<2x8x64xf32>
    %172 = stablehlo.add %171, %cst_24 : tensor<2x8x64xf32>
    %173 = stablehlo.multiply %172, %154 : tensor<2x8x64xf32>
    %174 = stablehlo.add %173, %cst_25 : tensor<2x8x64xf32>
    %175 = stablehlo.multiply %153, %166 : tensor<2x8x64xf32>
    %176 = stablehlo.divide %175, %174 : tensor<2x8x64xf32>
    %177 = stablehlo.clamp %cst_26, %176, %cst_9 : tensor<2x8x64xf32>
    %178 = stablehlo.add %177, %cst_9 : tensor<2x8x64xf32>
    %179 = stablehlo.multiply %178, %150 : tensor<2x8x64xf32>
    %180 = stablehlo.transpose %arg10, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %181 = stablehlo.reshape %179 : (tensor<2x8x64xf32>) -> tensor<16x64xf32>
    %182 = stablehlo.dot_general %181, %180, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %183 = stablehlo.reshape %182 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %184 = stablehlo.add %121, %183 : tensor<2x8x32xf32>
    %185 = stablehlo.convert %184 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %186 = stablehlo.reduce(%185 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %187 = stablehlo.reshape %186 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %188 = stablehlo.divide %187, %20 : tensor<2x8x1xf64>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %190 = stablehlo.subtract %185, %189 : tensor<2x8x32xf64>
    %191 = stablehlo.multiply %190, %190 : tensor<2x8x32xf64>
    %192 = stablehlo.reduce(%191 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %193 = stablehlo.reshape %192 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %194 = stablehlo.divide %193, %20 : tensor<2x8x1xf64>
    %195 = stablehlo.convert %194 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %196 = stablehlo.reduce(%184 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %197 = stablehlo.reshape %196 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %198 = stablehlo.divide %197, %33 : tensor<2x8x1xf32>
    %199 = stablehlo.add %195, %37 : tensor<2x8x1xf32>
    %200 = stablehlo.rsqrt %199 : tensor<2x8x1xf32>
    %201 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %202 = stablehlo.subtract %184, %201 : tensor<2x8x32xf32>
    %203 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %204 = stablehlo.multiply %202, %203 : tensor<2x8x32xf32>
    %205 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %206 = stablehlo.multiply %204, %205 : tensor<2x8x32xf32>
    %207 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %208 = stablehlo.add %206, %207 : tensor<2x8x32xf32>
    %209 = stablehlo.transpose %arg15, dims = [1, 0] : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %210 = stablehlo.reshape %208 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %211 = stablehlo.dot_general %210, %209, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x96xf32>) -> tensor<16x96xf32>
    %212 = stablehlo.reshape %211 : (tensor<16x96xf32>) -> tensor<2x8x96xf32>
    %213 = stablehlo.slice %212 [0:2, 0:8, 0:32] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %214 = stablehlo.slice %212 [0:2, 0:8, 32:64] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %215 = stablehlo.slice %212 [0:2, 0:8, 64:96] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %216 = stablehlo.reshape %213 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %217 = stablehlo.transpose %216, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %218 = stablehlo.reshape %214 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %219 = stablehlo.transpose %218, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %220 = stablehlo.reshape %215 : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %221 = stablehlo.transpose %220, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %222 = stablehlo.multiply %217, %63 : tensor<2x4x8x8xf32>
    %223 = stablehlo.transpose %219, dims = [0, 1, 3, 2] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %224 = stablehlo.multiply %223, %63 : tensor<2x4x8x8xf32>
    %225 = stablehlo.reshape %222 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %226 = stablehlo.reshape %224 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %228 = stablehlo.dot_general %225, %227, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %229 = stablehlo.reshape %228 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %230 = stablehlo.add %229, %83 : tensor<2x4x8x8xf32>
    %231 = stablehlo.reduce(%230 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %232 = stablehlo.reshape %231 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %234 = stablehlo.subtract %230, %233 : tensor<2x4x8x8xf32>
    %235 = stablehlo.exponential %234 : tensor<2x4x8x8xf32>
    %236 = stablehlo.reduce(%235 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %237 = stablehlo.reshape %236 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %239 = stablehlo.divide %235, %238 : tensor<2x4x8x8xf32>
    %240 = stablehlo.compare EQ, %230, %97, FLOAT : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
    %241 = stablehlo.reduce(%240 init: %c_8) applies stablehlo.and across dimensions = [3] : (tensor<2x4x8x8xi1>, tensor<i1>) -> tensor<2x4x8xi1>
    %242 = stablehlo.reshape %241 : (tensor<2x4x8xi1>) -> tensor<2x4x8x1xi1>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xi1>) -> tensor<2x4x8x8xi1>
    %244 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %245 = stablehlo.select %243, %102, %244 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    %246 = stablehlo.reshape %245 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %247 = stablehlo.reshape %221 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %248 = stablehlo.broadcast_in_dim %247, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %249 = stablehlo.dot_general %246, %248, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %250 = stablehlo.reshape %249 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %251 = stablehlo.transpose %250, dims = [2, 0, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<8x2x4x8xf32>
    %252 = stablehlo.transpose %251, dims = [1, 2, 0, 3] : (tensor<8x2x4x8xf32>) -> tensor<2x4x8x8xf32>
    %253 = stablehlo.transpose %252, dims = [0, 2, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %254 = stablehlo.reshape %253 : (tensor<2x8x4x8xf32>) -> tensor<2x8x32xf32>
    %255 = stablehlo.transpose %arg16, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %256 = stablehlo.reshape %254 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %257 = stablehlo.broadcast_in_dim %255, dims = [1, 2] : (tensor<32x32xf32>) -> tensor<2x32x32xf32>
    %258 = stablehlo.reshape %257 : (tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [0, 1, 2] : (tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %260 = stablehlo.dot_general %256, %259, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x8x32xf32>, tensor<2x32x32xf32>) -> tensor<2x8x32xf32>
    %261 = stablehlo.reshape %260 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %262 = stablehlo.add %184, %261 : tensor<2x8x32xf32>
    %263 = stablehlo.convert %262 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %264 = stablehlo.reduce(%263 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %265 = stablehlo.reshape %264 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %266 = stablehlo.divide %265, %20 : tensor<2x8x1xf64>
    %267 = stablehlo.broadcast_in_dim %266, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %268 = stablehlo.subtract %263, %267 : tensor<2x8x32xf64>
    %269 = stablehlo.multiply %268, %268 : tensor<2x8x32xf64>
    %270 = stablehlo.reduce(%269 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %271 = stablehlo.reshape %270 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %272 = stablehlo.divide %271, %20 : tensor<2x8x1xf64>
    %273 = stablehlo.convert %272 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %274 = stablehlo.reduce(%262 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %275 = stablehlo.reshape %274 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %276 = stablehlo.divide %275, %33 : tensor<2x8x1xf32>
    %277 = stablehlo.add %273, %37 : tensor<2x8x1xf32>
    %278 = stablehlo.rsqrt %277 : tensor<2x8x1xf32>
    %279 = stablehlo.broadcast_in_dim %276, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %280 = stablehlo.subtract %262, %279 : tensor<2x8x32xf32>
    %281 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %282 = stablehlo.multiply %280, %281 : tensor<2x8x32xf32>
    %283 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %284 = stablehlo.multiply %282, %283 : tensor<2x8x32xf32>
    %285 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %286 = stablehlo.add %284, %285 : tensor<2x8x32xf32>
    %287 = stablehlo.transpose %arg17, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %288 = stablehlo.reshape %286 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %289 = stablehlo.dot_general %288, %287, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %290 = stablehlo.reshape %289 : (tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %291 = stablehlo.multiply %290, %cst_11 : tensor<2x8x64xf32>
    %292 = stablehlo.multiply %290, %151 : tensor<2x8x64xf32>
    %293 = stablehlo.clamp %cst_12, %292, %cst_13 : tensor<2x8x64xf32>
    %294 = stablehlo.multiply %293, %293 : tensor<2x8x64xf32>
    %295 = stablehlo.multiply %cst_14, %294 : tensor<2x8x64xf32>
    %296 = stablehlo.add %295, %cst_15 : tensor<2x8x64xf32>
    %297 = stablehlo.multiply %296, %294 : tensor<2x8x64xf32>
    %298 = stablehlo.add %297, %cst_16 : tensor<2x8x64xf32>
    %299 = stablehlo.multiply %298, %294 : tensor<2x8x64xf32>
    %300 = stablehlo.add %299, %cst_17 : tensor<2x8x64xf32>
    %301 = stablehlo.multiply %300, %294 : tensor<2x8x64xf32>
    %302 = stablehlo.add %301, %cst_18 : tensor<2x8x64xf32>
    %303 = stablehlo.multiply %302, %294 : tensor<2x8x64xf32>
    %304 = stablehlo.add %303, %cst_19 : tensor<2x8x64xf32>
    %305 = stablehlo.multiply %304, %294 : tensor<2x8x64xf32>
    %306 = stablehlo.add %305, %cst_20 : tensor<2x8x64xf32>
    %307 = stablehlo.multiply %cst_21, %294 : tensor<2x8x64xf32>
    %308 = stablehlo.add %307, %cst_22 : tensor<2x8x64xf32>
    %309 = stablehlo.multiply %308, %294 : tensor<2x8x64xf32>
    %310 = stablehlo.add %309, %cst_23 : tensor<2x8x64xf32>
    %311 = stablehlo.multiply %310, %294 : tensor<2x8x64xf32>
    %312 = stablehlo.add %311, %cst_24 : tensor<2x8x64xf32>
    %313 = stablehlo.multiply %312, %294 : tensor<2x8x64xf32>
    %314 = stablehlo.add %313, %cst_25 : tensor<2x8x64xf32>
    %315 = stablehlo.multiply %293, %306 : tensor<2x8x64xf32>
    %316 = stablehlo.divide %315, %314 : tensor<2x8x64xf32>
    %317 = stablehlo.clamp %cst_26, %316, %cst_9 : tensor<2x8x64xf32>
    %318 = stablehlo.add %317, %cst_9 : tensor<2x8x64xf32>
    %319 = stablehlo.multiply %318, %291 : tensor<2x8x64xf32>
    %320 = stablehlo.transpose %arg18, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %321 = stablehlo.reshape %319 : (tensor<2x8x64xf32>) -> tensor<16x64xf32>
    %322 = stablehlo.dot_general %321, %320, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %323 = stablehlo.reshape %322 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %324 = stablehlo.add %262, %323 : tensor<2x8x32xf32>
    %325 = stablehlo.convert %324 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %326 = stablehlo.reduce(%325 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %327 = stablehlo.reshape %326 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %328 = stablehlo.divide %327, %20 : tensor<2x8x1xf64>
    %329 = stablehlo.broadcast_in_dim %328, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %330 = stablehlo.subtract %325, %329 : tensor<2x8x32xf64>
    %331 = stablehlo.multiply %330, %330 : tensor<2x8x32xf64>
    %332 = stablehlo.reduce(%331 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf64>, tensor<f64>) -> tensor<2x8xf64>
    %333 = stablehlo.reshape %332 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %334 = stablehlo.divide %333, %20 : tensor<2x8x1xf64>
    %335 = stablehlo.convert %334 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %336 = stablehlo.reduce(%324 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %337 = stablehlo.reshape %336 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %338 = stablehlo.divide %337, %33 : tensor<2x8x1xf32>
    %339 = stablehlo.add %335, %37 : tensor<2x8x1xf32>
    %340 = stablehlo.rsqrt %339 : tensor<2x8x1xf32>
    %341 = stablehlo.broadcast_in_dim %338, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %342 = stablehlo.subtract %324, %341 : tensor<2x8x32xf32>
    %343 = stablehlo.broadcast_in_dim %340, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %344 = stablehlo.multiply %342, %343 : tensor<2x8x32xf32>
    %345 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %346 = stablehlo.multiply %344, %345 : tensor<2x8x32xf32>
    %347 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %348 = stablehlo.add %346, %347 : tensor<2x8x32xf32>
    %349 = stablehlo.transpose %arg21, dims = [1, 0] : (tensor<61x32xf32>) -> tensor<32x61xf32>
    %350 = stablehlo.reshape %348 : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %351 = stablehlo.dot_general %350, %349, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x61xf32>) -> tensor<16x61xf32>
    %352 = stablehlo.reshape %351 : (tensor<16x61xf32>) -> tensor<2x8x61xf32>
    return %352 : tensor<2x8x61xf32>
  }
}
