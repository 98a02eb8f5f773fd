module {
  func.func @main(%arg0: tensor<2x8xi64>, %arg1: tensor<2x8xi64>, %arg2: tensor<2x8xi64>, %arg3: tensor<61x32xf32>, %arg4: tensor<8x32xf32>, %arg5: tensor<2x32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32x32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<32x32xf32>, %arg17: tensor<32xf32>, %arg18: tensor<32x32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<64x32xf32>, %arg21: tensor<64xf32>, %arg22: tensor<32x64xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32xf32>, %arg25: tensor<32xf32>, %arg26: tensor<32xf32>, %arg27: tensor<32xf32>, %arg28: tensor<32x32xf32>, %arg29: tensor<32xf32>, %arg30: tensor<32x32xf32>, %arg31: tensor<32xf32>, %arg32: tensor<32x32xf32>, %arg33: tensor<32xf32>, %arg34: tensor<32x32xf32>, %arg35: tensor<32xf32>, %arg36: tensor<64x32xf32>, %arg37: tensor<64xf32>, %arg38: tensor<32x64xf32>, %arg39: tensor<32xf32>, %arg40: tensor<32x32xf32>, %arg41: tensor<32xf32>, %arg42: tensor<3x32xf32>, %arg43: tensor<3xf32>) -> tensor<2x8x3xf32> {
    %0 = tosa.const_shape  {values = dense<[1, 61, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %1 = tosa.const_shape  {values = dense<[1, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.const_shape  {values = dense<[2, 8, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %3 = tosa.const_shape  {values = dense<[1, 8, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = tosa.const_shape  {values = dense<[1, 2, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %6 = tosa.const_shape  {values = dense<[2, 1, 1, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %7 = tosa.const_shape  {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.const_shape  {values = dense<[16, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %9 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %10 = tosa.const_shape  {values = dense<[1, 16, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %11 = tosa.const_shape  {values = dense<[1, 32, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %12 = tosa.const_shape  {values = dense<[1, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %13 = tosa.const_shape  {values = dense<[2, 8, 4, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %14 = tosa.const_shape  {values = dense<8> : tensor<3xindex>} : () -> !tosa.shape<3>
    %15 = tosa.const_shape  {values = dense<[2, 4, 8, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %16 = tosa.const_shape  {values = dense<[1, 32, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %17 = tosa.const_shape  {values = dense<[16, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %18 = tosa.const_shape  {values = dense<[1, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %19 = tosa.const_shape  {values = dense<[2, 8, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %20 = tosa.const_shape  {values = dense<[1, 16, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %21 = tosa.const_shape  {values = dense<[1, 64, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %22 = tosa.const_shape  {values = dense<[1, 32, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %23 = tosa.const_shape  {values = dense<[16, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %24 = tosa.const_shape  {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %25 = tosa.const_shape  {values = dense<[2, 8, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %26 = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : () -> tensor<1x8xi64>
    %27 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %28 = "tosa.const"() <{values = dense<-1.000000e+04> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %29 = "tosa.const"() <{values = dense<3.125000e-02> : tensor<1x1x1xf64>}> : () -> tensor<1x1x1xf64>
    %30 = "tosa.const"() <{values = dense<3.125000e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %31 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %32 = "tosa.const"() <{values = dense<0.353553385> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %33 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %34 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %35 = "tosa.const"() <{values = dense<0.707106769> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %36 = tosa.reshape %arg3, %0 : (tensor<61x32xf32>, !tosa.shape<3>) -> tensor<1x61x32xf32>
    %37 = tosa.reshape %arg0, %1 : (tensor<2x8xi64>, !tosa.shape<2>) -> tensor<1x16xi64>
    %38 = tosa.cast %37 : (tensor<1x16xi64>) -> tensor<1x16xi32>
    %39 = tosa.gather %36, %38 : (tensor<1x61x32xf32>, tensor<1x16xi32>) -> tensor<1x16x32xf32>
    %40 = tosa.reshape %39, %2 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %41 = tosa.reshape %arg4, %3 : (tensor<8x32xf32>, !tosa.shape<3>) -> tensor<1x8x32xf32>
    %42 = tosa.cast %26 : (tensor<1x8xi64>) -> tensor<1x8xi32>
    %43 = tosa.gather %41, %42 : (tensor<1x8x32xf32>, tensor<1x8xi32>) -> tensor<1x8x32xf32>
    %44 = tosa.add %40, %43 : (tensor<2x8x32xf32>, tensor<1x8x32xf32>) -> tensor<2x8x32xf32>
    %45 = tosa.reshape %arg5, %5 : (tensor<2x32xf32>, !tosa.shape<3>) -> tensor<1x2x32xf32>
    %46 = tosa.reshape %arg2, %1 : (tensor<2x8xi64>, !tosa.shape<2>) -> tensor<1x16xi64>
    %47 = tosa.cast %46 : (tensor<1x16xi64>) -> tensor<1x16xi32>
    %48 = tosa.gather %45, %47 : (tensor<1x2x32xf32>, tensor<1x16xi32>) -> tensor<1x16x32xf32>
    %49 = tosa.reshape %48, %2 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %50 = tosa.add %44, %49 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %51 = tosa.reshape %arg1, %6 : (tensor<2x8xi64>, !tosa.shape<4>) -> tensor<2x1x1x8xi64>
    %52 = tosa.cast %51 : (tensor<2x1x1x8xi64>) -> tensor<2x1x1x8xf32>
    %53 = tosa.sub %27, %52 : (tensor<1x1x1x1xf32>, tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32>
    %54 = tosa.mul %53, %28, %4 : (tensor<2x1x1x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x8xf32>
    %55 = tosa.cast %50 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %56 = tosa.reduce_sum %55 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %57 = tosa.mul %56, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %58 = tosa.sub %55, %57 : (tensor<2x8x32xf64>, tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %59 = tosa.mul %58, %58, %4 : (tensor<2x8x32xf64>, tensor<2x8x32xf64>, tensor<1xi8>) -> tensor<2x8x32xf64>
    %60 = tosa.reduce_sum %59 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %61 = tosa.mul %60, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %62 = tosa.cast %61 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %63 = tosa.reduce_sum %50 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %64 = tosa.mul %63, %30, %4 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %65 = tosa.add %62, %31 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %66 = tosa.rsqrt %65 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %67 = tosa.sub %50, %64 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %68 = tosa.mul %67, %66, %4 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %69 = tosa.reshape %arg6, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %70 = tosa.mul %68, %69, %4 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %71 = tosa.reshape %arg7, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %72 = tosa.add %70, %71 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    %73 = tosa.transpose %arg12 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %74 = tosa.reshape %72, %10 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %75 = tosa.reshape %73, %11 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %76 = tosa.matmul %74, %75, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %77 = tosa.reshape %76, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %78 = tosa.reshape %arg13, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %79 = tosa.add %77, %78 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %80 = tosa.transpose %arg14 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %81 = tosa.reshape %80, %11 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %82 = tosa.matmul %74, %81, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %83 = tosa.reshape %82, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %84 = tosa.reshape %arg15, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %85 = tosa.add %83, %84 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %86 = tosa.transpose %arg16 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %87 = tosa.reshape %86, %11 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %88 = tosa.matmul %74, %87, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %89 = tosa.reshape %88, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %90 = tosa.reshape %arg17, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %91 = tosa.add %89, %90 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %92 = tosa.reshape %79, %13 : (tensor<16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %93 = tosa.transpose %92 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %94 = tosa.reshape %85, %13 : (tensor<16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %95 = tosa.reshape %91, %13 : (tensor<16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %96 = tosa.transpose %95 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %97 = tosa.transpose %94 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %98 = tosa.reshape %93, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %99 = tosa.reshape %97, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %100 = tosa.matmul %98, %99, %9, %9 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %101 = tosa.reshape %100, %15 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %102 = tosa.mul %101, %32, %4 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %103 = tosa.add %102, %54 : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
    %104 = tosa.reduce_max %103 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %105 = tosa.sub %103, %104 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %106 = tosa.exp %105 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %107 = tosa.reduce_sum %106 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %108 = tosa.reciprocal %107 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %109 = tosa.mul %106, %108, %4 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %110 = tosa.reshape %109, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %111 = tosa.reshape %96, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %112 = tosa.matmul %110, %111, %9, %9 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %113 = tosa.reshape %112, %15 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %114 = tosa.transpose %113 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %115 = tosa.transpose %arg18 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %116 = tosa.reshape %114, %10 : (tensor<2x8x4x8xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %117 = tosa.reshape %115, %11 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %118 = tosa.matmul %116, %117, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %119 = tosa.reshape %118, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %120 = tosa.reshape %arg19, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %121 = tosa.add %119, %120 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %122 = tosa.reshape %121, %2 : (tensor<16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %123 = tosa.add %72, %122 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %124 = tosa.cast %123 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %125 = tosa.reduce_sum %124 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %126 = tosa.mul %125, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %127 = tosa.sub %124, %126 : (tensor<2x8x32xf64>, tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %128 = tosa.mul %127, %127, %4 : (tensor<2x8x32xf64>, tensor<2x8x32xf64>, tensor<1xi8>) -> tensor<2x8x32xf64>
    %129 = tosa.reduce_sum %128 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %130 = tosa.mul %129, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %131 = tosa.cast %130 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %132 = tosa.reduce_sum %123 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %133 = tosa.mul %132, %30, %4 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %134 = tosa.add %131, %31 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %135 = tosa.rsqrt %134 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %136 = tosa.sub %123, %133 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %137 = tosa.mul %136, %135, %4 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %138 = tosa.reshape %arg8, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %139 = tosa.mul %137, %138, %4 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %140 = tosa.reshape %arg9, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %141 = tosa.add %139, %140 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    %142 = tosa.transpose %arg20 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %143 = tosa.reshape %141, %10 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %144 = tosa.reshape %142, %16 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %145 = tosa.matmul %143, %144, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %146 = tosa.reshape %145, %17 : (tensor<1x16x64xf32>, !tosa.shape<2>) -> tensor<16x64xf32>
    %147 = tosa.reshape %arg21, %18 : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
    %148 = tosa.add %146, %147 : (tensor<16x64xf32>, tensor<1x64xf32>) -> tensor<16x64xf32>
    %149 = tosa.reshape %148, %19 : (tensor<16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %150 = tosa.mul %149, %35, %4 : (tensor<2x8x64xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %151 = tosa.erf %150 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %152 = tosa.add %151, %33 : (tensor<2x8x64xf32>, tensor<1x1x1xf32>) -> tensor<2x8x64xf32>
    %153 = tosa.mul %34, %152, %4 : (tensor<1x1x1xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %154 = tosa.mul %149, %153, %4 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %155 = tosa.transpose %arg22 {perms = array<i32: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %156 = tosa.reshape %154, %20 : (tensor<2x8x64xf32>, !tosa.shape<3>) -> tensor<1x16x64xf32>
    %157 = tosa.reshape %155, %21 : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
    %158 = tosa.matmul %156, %157, %9, %9 : (tensor<1x16x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %159 = tosa.reshape %158, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %160 = tosa.reshape %arg23, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %161 = tosa.add %159, %160 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %162 = tosa.reshape %161, %2 : (tensor<16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %163 = tosa.add %141, %162 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %164 = tosa.cast %163 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %165 = tosa.reduce_sum %164 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %166 = tosa.mul %165, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %167 = tosa.sub %164, %166 : (tensor<2x8x32xf64>, tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %168 = tosa.mul %167, %167, %4 : (tensor<2x8x32xf64>, tensor<2x8x32xf64>, tensor<1xi8>) -> tensor<2x8x32xf64>
    %169 = tosa.reduce_sum %168 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %170 = tosa.mul %169, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %171 = tosa.cast %170 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %172 = tosa.reduce_sum %163 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %173 = tosa.mul %172, %30, %4 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %174 = tosa.add %171, %31 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %175 = tosa.rsqrt %174 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %176 = tosa.sub %163, %173 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %177 = tosa.mul %176, %175, %4 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %178 = tosa.reshape %arg10, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %179 = tosa.mul %177, %178, %4 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %180 = tosa.reshape %arg11, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %181 = tosa.add %179, %180 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    %182 = tosa.transpose %arg28 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %183 = tosa.reshape %181, %10 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %184 = tosa.reshape %182, %11 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %185 = tosa.matmul %183, %184, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %186 = tosa.reshape %185, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %187 = tosa.reshape %arg29, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %188 = tosa.add %186, %187 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %189 = tosa.transpose %arg30 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %190 = tosa.reshape %189, %11 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %191 = tosa.matmul %183, %190, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %192 = tosa.reshape %191, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %193 = tosa.reshape %arg31, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %194 = tosa.add %192, %193 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %195 = tosa.transpose %arg32 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %196 = tosa.reshape %195, %11 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %197 = tosa.matmul %183, %196, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %198 = tosa.reshape %197, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %199 = tosa.reshape %arg33, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %200 = tosa.add %198, %199 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %201 = tosa.reshape %188, %13 : (tensor<16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %202 = tosa.transpose %201 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %203 = tosa.reshape %194, %13 : (tensor<16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %204 = tosa.reshape %200, %13 : (tensor<16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %205 = tosa.transpose %204 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %206 = tosa.transpose %203 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %207 = tosa.reshape %202, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %208 = tosa.reshape %206, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %209 = tosa.matmul %207, %208, %9, %9 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %210 = tosa.reshape %209, %15 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %211 = tosa.mul %210, %32, %4 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %212 = tosa.add %211, %54 : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
    %213 = tosa.reduce_max %212 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %214 = tosa.sub %212, %213 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %215 = tosa.exp %214 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %216 = tosa.reduce_sum %215 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %217 = tosa.reciprocal %216 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %218 = tosa.mul %215, %217, %4 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %219 = tosa.reshape %218, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %220 = tosa.reshape %205, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %221 = tosa.matmul %219, %220, %9, %9 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %222 = tosa.reshape %221, %15 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %223 = tosa.transpose %222 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %224 = tosa.transpose %arg34 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %225 = tosa.reshape %223, %10 : (tensor<2x8x4x8xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %226 = tosa.reshape %224, %11 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %227 = tosa.matmul %225, %226, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %228 = tosa.reshape %227, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %229 = tosa.reshape %arg35, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %230 = tosa.add %228, %229 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %231 = tosa.reshape %230, %2 : (tensor<16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %232 = tosa.add %181, %231 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %233 = tosa.cast %232 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %234 = tosa.reduce_sum %233 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %235 = tosa.mul %234, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %236 = tosa.sub %233, %235 : (tensor<2x8x32xf64>, tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %237 = tosa.mul %236, %236, %4 : (tensor<2x8x32xf64>, tensor<2x8x32xf64>, tensor<1xi8>) -> tensor<2x8x32xf64>
    %238 = tosa.reduce_sum %237 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %239 = tosa.mul %238, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %240 = tosa.cast %239 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %241 = tosa.reduce_sum %232 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %242 = tosa.mul %241, %30, %4 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %243 = tosa.add %240, %31 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %244 = tosa.rsqrt %243 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %245 = tosa.sub %232, %242 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %246 = tosa.mul %245, %244, %4 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %247 = tosa.reshape %arg24, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %248 = tosa.mul %246, %247, %4 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %249 = tosa.reshape %arg25, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %250 = tosa.add %248, %249 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    %251 = tosa.transpose %arg36 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %252 = tosa.reshape %250, %10 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %253 = tosa.reshape %251, %16 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %254 = tosa.matmul %252, %253, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %255 = tosa.reshape %254, %17 : (tensor<1x16x64xf32>, !tosa.shape<2>) -> tensor<16x64xf32>
    %256 = tosa.reshape %arg37, %18 : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
    %257 = tosa.add %255, %256 : (tensor<16x64xf32>, tensor<1x64xf32>) -> tensor<16x64xf32>
    %258 = tosa.reshape %257, %19 : (tensor<16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %259 = tosa.mul %258, %35, %4 : (tensor<2x8x64xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %260 = tosa.erf %259 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %261 = tosa.add %260, %33 : (tensor<2x8x64xf32>, tensor<1x1x1xf32>) -> tensor<2x8x64xf32>
    %262 = tosa.mul %34, %261, %4 : (tensor<1x1x1xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %263 = tosa.mul %258, %262, %4 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %264 = tosa.transpose %arg38 {perms = array<i32: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %265 = tosa.reshape %263, %20 : (tensor<2x8x64xf32>, !tosa.shape<3>) -> tensor<1x16x64xf32>
    %266 = tosa.reshape %264, %21 : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
    %267 = tosa.matmul %265, %266, %9, %9 : (tensor<1x16x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %268 = tosa.reshape %267, %8 : (tensor<1x16x32xf32>, !tosa.shape<2>) -> tensor<16x32xf32>
    %269 = tosa.reshape %arg39, %12 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %270 = tosa.add %268, %269 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
    %271 = tosa.reshape %270, %2 : (tensor<16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %272 = tosa.add %250, %271 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %273 = tosa.cast %272 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %274 = tosa.reduce_sum %273 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %275 = tosa.mul %274, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %276 = tosa.sub %273, %275 : (tensor<2x8x32xf64>, tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %277 = tosa.mul %276, %276, %4 : (tensor<2x8x32xf64>, tensor<2x8x32xf64>, tensor<1xi8>) -> tensor<2x8x32xf64>
    %278 = tosa.reduce_sum %277 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %279 = tosa.mul %278, %29, %4 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %280 = tosa.cast %279 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %281 = tosa.reduce_sum %272 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %282 = tosa.mul %281, %30, %4 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %283 = tosa.add %280, %31 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %284 = tosa.rsqrt %283 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %285 = tosa.sub %272, %282 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %286 = tosa.mul %285, %284, %4 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %287 = tosa.reshape %arg26, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %288 = tosa.mul %286, %287, %4 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %289 = tosa.reshape %arg27, %7 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %290 = tosa.add %288, %289 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    %291 = tosa.transpose %arg42 {perms = array<i32: 1, 0>} : (tensor<3x32xf32>) -> tensor<32x3xf32>
    %292 = tosa.reshape %290, %10 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %293 = tosa.reshape %291, %22 : (tensor<32x3xf32>, !tosa.shape<3>) -> tensor<1x32x3xf32>
    %294 = tosa.matmul %292, %293, %9, %9 : (tensor<1x16x32xf32>, tensor<1x32x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x3xf32>
    %295 = tosa.reshape %294, %23 : (tensor<1x16x3xf32>, !tosa.shape<2>) -> tensor<16x3xf32>
    %296 = tosa.reshape %arg43, %24 : (tensor<3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    %297 = tosa.add %295, %296 : (tensor<16x3xf32>, tensor<1x3xf32>) -> tensor<16x3xf32>
    %298 = tosa.reshape %297, %25 : (tensor<16x3xf32>, !tosa.shape<3>) -> tensor<2x8x3xf32>
    return %298 : tensor<2x8x3xf32>
  }
}
