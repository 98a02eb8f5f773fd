module {
  func.func @main(%arg0: tensor<2x3x16x16xf32>, %arg1: tensor<1x1x32xf32>, %arg2: tensor<1x16x32xf32>, %arg3: tensor<32x3x4x4xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32x32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<32x32xf32>, %arg16: tensor<32xf32>, %arg17: tensor<64x32xf32>, %arg18: tensor<64xf32>, %arg19: tensor<32x64xf32>, %arg20: tensor<32xf32>, %arg21: tensor<32xf32>, %arg22: tensor<32xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32xf32>, %arg25: tensor<32x32xf32>, %arg26: tensor<32xf32>, %arg27: tensor<32x32xf32>, %arg28: tensor<32xf32>, %arg29: tensor<32x32xf32>, %arg30: tensor<32xf32>, %arg31: tensor<32x32xf32>, %arg32: tensor<32xf32>, %arg33: tensor<64x32xf32>, %arg34: tensor<64xf32>, %arg35: tensor<32x64xf32>, %arg36: tensor<32xf32>, %arg37: tensor<32xf32>, %arg38: tensor<32xf32>, %arg39: tensor<5x32xf32>, %arg40: tensor<5xf32>) -> tensor<2x5xf32> {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = tosa.const_shape  {values = dense<[2, 32, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = tosa.const_shape  {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %4 = tosa.const_shape  {values = dense<32> : tensor<2xindex>} : () -> !tosa.shape<2>
    %5 = tosa.const_shape  {values = dense<[1, 32, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %6 = tosa.const_shape  {values = dense<[1, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %7 = tosa.const_shape  {values = dense<[2, 16, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.const_shape  {values = dense<[2, 16, 4, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %9 = tosa.const_shape  {values = dense<[8, 16, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %10 = tosa.const_shape  {values = dense<[8, 8, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %11 = tosa.const_shape  {values = dense<[2, 4, 16, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %12 = tosa.const_shape  {values = dense<[8, 16, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %13 = tosa.const_shape  {values = dense<[2, 4, 16, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %14 = tosa.const_shape  {values = dense<[1, 32, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %15 = tosa.const_shape  {values = dense<[32, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %16 = tosa.const_shape  {values = dense<[1, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %17 = tosa.const_shape  {values = dense<[2, 16, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %18 = tosa.const_shape  {values = dense<[1, 64, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %19 = tosa.const_shape  {values = dense<[2, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %20 = tosa.const_shape  {values = dense<[1, 2, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %21 = tosa.const_shape  {values = dense<[1, 32, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %22 = tosa.const_shape  {values = dense<[2, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %23 = tosa.const_shape  {values = dense<[1, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %24 = "tosa.const"() <{values = dense<3.125000e-02> : tensor<1x1x1xf64>}> : () -> tensor<1x1x1xf64>
    %25 = "tosa.const"() <{values = dense<3.125000e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %26 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %27 = "tosa.const"() <{values = dense<0.353553385> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %28 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %29 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %30 = "tosa.const"() <{values = dense<0.707106769> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %31 = "tosa.const"() <{values = dense<6.250000e-02> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %32 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x3x16x16xf32>) -> tensor<2x16x16x3xf32>
    %33 = tosa.transpose %arg3 {perms = array<i32: 0, 2, 3, 1>} : (tensor<32x3x4x4xf32>) -> tensor<32x4x4x3xf32>
    %34 = tosa.conv2d %32, %33, %arg4, %0, %0 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 4, 4>} : (tensor<2x16x16x3xf32>, tensor<32x4x4x3xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x4x32xf32>
    %35 = tosa.transpose %34 {perms = array<i32: 0, 3, 1, 2>} : (tensor<2x4x4x32xf32>) -> tensor<2x32x4x4xf32>
    %36 = tosa.reshape %35, %1 : (tensor<2x32x4x4xf32>, !tosa.shape<3>) -> tensor<2x32x16xf32>
    %37 = tosa.transpose %36 {perms = array<i32: 0, 2, 1>} : (tensor<2x32x16xf32>) -> tensor<2x16x32xf32>
    %38 = tosa.add %37, %arg2 : (tensor<2x16x32xf32>, tensor<1x16x32xf32>) -> tensor<2x16x32xf32>
    %39 = tosa.cast %38 : (tensor<2x16x32xf32>) -> tensor<2x16x32xf64>
    %40 = tosa.reduce_sum %39 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %41 = tosa.mul %40, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %42 = tosa.sub %39, %41 : (tensor<2x16x32xf64>, tensor<2x16x1xf64>) -> tensor<2x16x32xf64>
    %43 = tosa.mul %42, %42, %2 : (tensor<2x16x32xf64>, tensor<2x16x32xf64>, tensor<1xi8>) -> tensor<2x16x32xf64>
    %44 = tosa.reduce_sum %43 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %45 = tosa.mul %44, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %46 = tosa.cast %45 : (tensor<2x16x1xf64>) -> tensor<2x16x1xf32>
    %47 = tosa.reduce_sum %38 {axis = 2 : i32} : (tensor<2x16x32xf32>) -> tensor<2x16x1xf32>
    %48 = tosa.mul %47, %25, %2 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x16x1xf32>
    %49 = tosa.add %46, %26 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>) -> tensor<2x16x1xf32>
    %50 = tosa.rsqrt %49 : (tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %51 = tosa.sub %38, %48 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>) -> tensor<2x16x32xf32>
    %52 = tosa.mul %51, %50, %2 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %53 = tosa.reshape %arg5, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %54 = tosa.mul %52, %53, %2 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %55 = tosa.reshape %arg6, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %56 = tosa.add %54, %55 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>) -> tensor<2x16x32xf32>
    %57 = tosa.transpose %arg9 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %58 = tosa.reshape %56, %5 : (tensor<2x16x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %59 = tosa.reshape %57, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %60 = tosa.matmul %58, %59, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %61 = tosa.reshape %60, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %62 = tosa.reshape %arg10, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %63 = tosa.add %61, %62 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %64 = tosa.transpose %arg11 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %65 = tosa.reshape %64, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %66 = tosa.matmul %58, %65, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %67 = tosa.reshape %66, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %68 = tosa.reshape %arg12, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %69 = tosa.add %67, %68 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %70 = tosa.transpose %arg13 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %71 = tosa.reshape %70, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %72 = tosa.matmul %58, %71, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %73 = tosa.reshape %72, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %74 = tosa.reshape %arg14, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %75 = tosa.add %73, %74 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %76 = tosa.reshape %63, %8 : (tensor<32x32xf32>, !tosa.shape<4>) -> tensor<2x16x4x8xf32>
    %77 = tosa.transpose %76 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
    %78 = tosa.reshape %69, %8 : (tensor<32x32xf32>, !tosa.shape<4>) -> tensor<2x16x4x8xf32>
    %79 = tosa.reshape %75, %8 : (tensor<32x32xf32>, !tosa.shape<4>) -> tensor<2x16x4x8xf32>
    %80 = tosa.transpose %79 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
    %81 = tosa.transpose %78 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x16x4x8xf32>) -> tensor<2x4x8x16xf32>
    %82 = tosa.reshape %77, %9 : (tensor<2x4x16x8xf32>, !tosa.shape<3>) -> tensor<8x16x8xf32>
    %83 = tosa.reshape %81, %10 : (tensor<2x4x8x16xf32>, !tosa.shape<3>) -> tensor<8x8x16xf32>
    %84 = tosa.matmul %82, %83, %0, %0 : (tensor<8x16x8xf32>, tensor<8x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x16x16xf32>
    %85 = tosa.reshape %84, %11 : (tensor<8x16x16xf32>, !tosa.shape<4>) -> tensor<2x4x16x16xf32>
    %86 = tosa.mul %85, %27, %2 : (tensor<2x4x16x16xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x16x16xf32>
    %87 = tosa.reduce_max %86 {axis = 3 : i32} : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x1xf32>
    %88 = tosa.sub %86, %87 : (tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %89 = tosa.exp %88 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %90 = tosa.reduce_sum %89 {axis = 3 : i32} : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x1xf32>
    %91 = tosa.reciprocal %90 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %92 = tosa.mul %89, %91, %2 : (tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<1xi8>) -> tensor<2x4x16x16xf32>
    %93 = tosa.reshape %92, %12 : (tensor<2x4x16x16xf32>, !tosa.shape<3>) -> tensor<8x16x16xf32>
    %94 = tosa.reshape %80, %9 : (tensor<2x4x16x8xf32>, !tosa.shape<3>) -> tensor<8x16x8xf32>
    %95 = tosa.matmul %93, %94, %0, %0 : (tensor<8x16x16xf32>, tensor<8x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x16x8xf32>
    %96 = tosa.reshape %95, %13 : (tensor<8x16x8xf32>, !tosa.shape<4>) -> tensor<2x4x16x8xf32>
    %97 = tosa.transpose %96 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %98 = tosa.transpose %arg15 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %99 = tosa.reshape %97, %5 : (tensor<2x16x4x8xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %100 = tosa.reshape %98, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %101 = tosa.matmul %99, %100, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %102 = tosa.reshape %101, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %103 = tosa.reshape %arg16, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %104 = tosa.add %102, %103 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %105 = tosa.reshape %104, %7 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<2x16x32xf32>
    %106 = tosa.add %38, %105 : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %107 = tosa.cast %106 : (tensor<2x16x32xf32>) -> tensor<2x16x32xf64>
    %108 = tosa.reduce_sum %107 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %109 = tosa.mul %108, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %110 = tosa.sub %107, %109 : (tensor<2x16x32xf64>, tensor<2x16x1xf64>) -> tensor<2x16x32xf64>
    %111 = tosa.mul %110, %110, %2 : (tensor<2x16x32xf64>, tensor<2x16x32xf64>, tensor<1xi8>) -> tensor<2x16x32xf64>
    %112 = tosa.reduce_sum %111 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %113 = tosa.mul %112, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %114 = tosa.cast %113 : (tensor<2x16x1xf64>) -> tensor<2x16x1xf32>
    %115 = tosa.reduce_sum %106 {axis = 2 : i32} : (tensor<2x16x32xf32>) -> tensor<2x16x1xf32>
    %116 = tosa.mul %115, %25, %2 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x16x1xf32>
    %117 = tosa.add %114, %26 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>) -> tensor<2x16x1xf32>
    %118 = tosa.rsqrt %117 : (tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %119 = tosa.sub %106, %116 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>) -> tensor<2x16x32xf32>
    %120 = tosa.mul %119, %118, %2 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %121 = tosa.reshape %arg7, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %122 = tosa.mul %120, %121, %2 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %123 = tosa.reshape %arg8, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %124 = tosa.add %122, %123 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>) -> tensor<2x16x32xf32>
    %125 = tosa.transpose %arg17 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %126 = tosa.reshape %124, %5 : (tensor<2x16x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %127 = tosa.reshape %125, %14 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %128 = tosa.matmul %126, %127, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x64xf32>
    %129 = tosa.reshape %128, %15 : (tensor<1x32x64xf32>, !tosa.shape<2>) -> tensor<32x64xf32>
    %130 = tosa.reshape %arg18, %16 : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
    %131 = tosa.add %129, %130 : (tensor<32x64xf32>, tensor<1x64xf32>) -> tensor<32x64xf32>
    %132 = tosa.reshape %131, %17 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<2x16x64xf32>
    %133 = tosa.mul %132, %30, %2 : (tensor<2x16x64xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x16x64xf32>
    %134 = tosa.erf %133 : (tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
    %135 = tosa.add %134, %28 : (tensor<2x16x64xf32>, tensor<1x1x1xf32>) -> tensor<2x16x64xf32>
    %136 = tosa.mul %29, %135, %2 : (tensor<1x1x1xf32>, tensor<2x16x64xf32>, tensor<1xi8>) -> tensor<2x16x64xf32>
    %137 = tosa.mul %132, %136, %2 : (tensor<2x16x64xf32>, tensor<2x16x64xf32>, tensor<1xi8>) -> tensor<2x16x64xf32>
    %138 = tosa.transpose %arg19 {perms = array<i32: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %139 = tosa.reshape %137, %14 : (tensor<2x16x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %140 = tosa.reshape %138, %18 : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
    %141 = tosa.matmul %139, %140, %0, %0 : (tensor<1x32x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %142 = tosa.reshape %141, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %143 = tosa.reshape %arg20, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %144 = tosa.add %142, %143 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %145 = tosa.reshape %144, %7 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<2x16x32xf32>
    %146 = tosa.add %106, %145 : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %147 = tosa.cast %146 : (tensor<2x16x32xf32>) -> tensor<2x16x32xf64>
    %148 = tosa.reduce_sum %147 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %149 = tosa.mul %148, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %150 = tosa.sub %147, %149 : (tensor<2x16x32xf64>, tensor<2x16x1xf64>) -> tensor<2x16x32xf64>
    %151 = tosa.mul %150, %150, %2 : (tensor<2x16x32xf64>, tensor<2x16x32xf64>, tensor<1xi8>) -> tensor<2x16x32xf64>
    %152 = tosa.reduce_sum %151 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %153 = tosa.mul %152, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %154 = tosa.cast %153 : (tensor<2x16x1xf64>) -> tensor<2x16x1xf32>
    %155 = tosa.reduce_sum %146 {axis = 2 : i32} : (tensor<2x16x32xf32>) -> tensor<2x16x1xf32>
    %156 = tosa.mul %155, %25, %2 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x16x1xf32>
    %157 = tosa.add %154, %26 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>) -> tensor<2x16x1xf32>
    %158 = tosa.rsqrt %157 : (tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %159 = tosa.sub %146, %156 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>) -> tensor<2x16x32xf32>
    %160 = tosa.mul %159, %158, %2 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %161 = tosa.reshape %arg21, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %162 = tosa.mul %160, %161, %2 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %163 = tosa.reshape %arg22, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %164 = tosa.add %162, %163 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>) -> tensor<2x16x32xf32>
    %165 = tosa.transpose %arg25 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %166 = tosa.reshape %164, %5 : (tensor<2x16x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %167 = tosa.reshape %165, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %168 = tosa.matmul %166, %167, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %169 = tosa.reshape %168, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %170 = tosa.reshape %arg26, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %171 = tosa.add %169, %170 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %172 = tosa.transpose %arg27 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %173 = tosa.reshape %172, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %174 = tosa.matmul %166, %173, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %175 = tosa.reshape %174, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %176 = tosa.reshape %arg28, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %177 = tosa.add %175, %176 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %178 = tosa.transpose %arg29 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %179 = tosa.reshape %178, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %180 = tosa.matmul %166, %179, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %181 = tosa.reshape %180, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %182 = tosa.reshape %arg30, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %183 = tosa.add %181, %182 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %184 = tosa.reshape %171, %8 : (tensor<32x32xf32>, !tosa.shape<4>) -> tensor<2x16x4x8xf32>
    %185 = tosa.transpose %184 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
    %186 = tosa.reshape %177, %8 : (tensor<32x32xf32>, !tosa.shape<4>) -> tensor<2x16x4x8xf32>
    %187 = tosa.reshape %183, %8 : (tensor<32x32xf32>, !tosa.shape<4>) -> tensor<2x16x4x8xf32>
    %188 = tosa.transpose %187 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
    %189 = tosa.transpose %186 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x16x4x8xf32>) -> tensor<2x4x8x16xf32>
    %190 = tosa.reshape %185, %9 : (tensor<2x4x16x8xf32>, !tosa.shape<3>) -> tensor<8x16x8xf32>
    %191 = tosa.reshape %189, %10 : (tensor<2x4x8x16xf32>, !tosa.shape<3>) -> tensor<8x8x16xf32>
    %192 = tosa.matmul %190, %191, %0, %0 : (tensor<8x16x8xf32>, tensor<8x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x16x16xf32>
    %193 = tosa.reshape %192, %11 : (tensor<8x16x16xf32>, !tosa.shape<4>) -> tensor<2x4x16x16xf32>
    %194 = tosa.mul %193, %27, %2 : (tensor<2x4x16x16xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x16x16xf32>
    %195 = tosa.reduce_max %194 {axis = 3 : i32} : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x1xf32>
    %196 = tosa.sub %194, %195 : (tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %197 = tosa.exp %196 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %198 = tosa.reduce_sum %197 {axis = 3 : i32} : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x1xf32>
    %199 = tosa.reciprocal %198 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %200 = tosa.mul %197, %199, %2 : (tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<1xi8>) -> tensor<2x4x16x16xf32>
    %201 = tosa.reshape %200, %12 : (tensor<2x4x16x16xf32>, !tosa.shape<3>) -> tensor<8x16x16xf32>
    %202 = tosa.reshape %188, %9 : (tensor<2x4x16x8xf32>, !tosa.shape<3>) -> tensor<8x16x8xf32>
    %203 = tosa.matmul %201, %202, %0, %0 : (tensor<8x16x16xf32>, tensor<8x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x16x8xf32>
    %204 = tosa.reshape %203, %13 : (tensor<8x16x8xf32>, !tosa.shape<4>) -> tensor<2x4x16x8xf32>
    %205 = tosa.transpose %204 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %206 = tosa.transpose %arg31 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %207 = tosa.reshape %205, %5 : (tensor<2x16x4x8xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %208 = tosa.reshape %206, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %209 = tosa.matmul %207, %208, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %210 = tosa.reshape %209, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %211 = tosa.reshape %arg32, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %212 = tosa.add %210, %211 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %213 = tosa.reshape %212, %7 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<2x16x32xf32>
    %214 = tosa.add %146, %213 : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %215 = tosa.cast %214 : (tensor<2x16x32xf32>) -> tensor<2x16x32xf64>
    %216 = tosa.reduce_sum %215 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %217 = tosa.mul %216, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %218 = tosa.sub %215, %217 : (tensor<2x16x32xf64>, tensor<2x16x1xf64>) -> tensor<2x16x32xf64>
    %219 = tosa.mul %218, %218, %2 : (tensor<2x16x32xf64>, tensor<2x16x32xf64>, tensor<1xi8>) -> tensor<2x16x32xf64>
    %220 = tosa.reduce_sum %219 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %221 = tosa.mul %220, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %222 = tosa.cast %221 : (tensor<2x16x1xf64>) -> tensor<2x16x1xf32>
    %223 = tosa.reduce_sum %214 {axis = 2 : i32} : (tensor<2x16x32xf32>) -> tensor<2x16x1xf32>
    %224 = tosa.mul %223, %25, %2 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x16x1xf32>
    %225 = tosa.add %222, %26 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>) -> tensor<2x16x1xf32>
    %226 = tosa.rsqrt %225 : (tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %227 = tosa.sub %214, %224 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>) -> tensor<2x16x32xf32>
    %228 = tosa.mul %227, %226, %2 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %229 = tosa.reshape %arg23, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %230 = tosa.mul %228, %229, %2 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %231 = tosa.reshape %arg24, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %232 = tosa.add %230, %231 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>) -> tensor<2x16x32xf32>
    %233 = tosa.transpose %arg33 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %234 = tosa.reshape %232, %5 : (tensor<2x16x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %235 = tosa.reshape %233, %14 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %236 = tosa.matmul %234, %235, %0, %0 : (tensor<1x32x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x64xf32>
    %237 = tosa.reshape %236, %15 : (tensor<1x32x64xf32>, !tosa.shape<2>) -> tensor<32x64xf32>
    %238 = tosa.reshape %arg34, %16 : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
    %239 = tosa.add %237, %238 : (tensor<32x64xf32>, tensor<1x64xf32>) -> tensor<32x64xf32>
    %240 = tosa.reshape %239, %17 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<2x16x64xf32>
    %241 = tosa.mul %240, %30, %2 : (tensor<2x16x64xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x16x64xf32>
    %242 = tosa.erf %241 : (tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
    %243 = tosa.add %242, %28 : (tensor<2x16x64xf32>, tensor<1x1x1xf32>) -> tensor<2x16x64xf32>
    %244 = tosa.mul %29, %243, %2 : (tensor<1x1x1xf32>, tensor<2x16x64xf32>, tensor<1xi8>) -> tensor<2x16x64xf32>
    %245 = tosa.mul %240, %244, %2 : (tensor<2x16x64xf32>, tensor<2x16x64xf32>, tensor<1xi8>) -> tensor<2x16x64xf32>
    %246 = tosa.transpose %arg35 {perms = array<i32: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %247 = tosa.reshape %245, %14 : (tensor<2x16x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %248 = tosa.reshape %246, %18 : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
    %249 = tosa.matmul %247, %248, %0, %0 : (tensor<1x32x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32xf32>
    %250 = tosa.reshape %249, %4 : (tensor<1x32x32xf32>, !tosa.shape<2>) -> tensor<32x32xf32>
    %251 = tosa.reshape %arg36, %6 : (tensor<32xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %252 = tosa.add %250, %251 : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    %253 = tosa.reshape %252, %7 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<2x16x32xf32>
    %254 = tosa.add %214, %253 : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %255 = tosa.cast %254 : (tensor<2x16x32xf32>) -> tensor<2x16x32xf64>
    %256 = tosa.reduce_sum %255 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %257 = tosa.mul %256, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %258 = tosa.sub %255, %257 : (tensor<2x16x32xf64>, tensor<2x16x1xf64>) -> tensor<2x16x32xf64>
    %259 = tosa.mul %258, %258, %2 : (tensor<2x16x32xf64>, tensor<2x16x32xf64>, tensor<1xi8>) -> tensor<2x16x32xf64>
    %260 = tosa.reduce_sum %259 {axis = 2 : i32} : (tensor<2x16x32xf64>) -> tensor<2x16x1xf64>
    %261 = tosa.mul %260, %24, %2 : (tensor<2x16x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x16x1xf64>
    %262 = tosa.cast %261 : (tensor<2x16x1xf64>) -> tensor<2x16x1xf32>
    %263 = tosa.reduce_sum %254 {axis = 2 : i32} : (tensor<2x16x32xf32>) -> tensor<2x16x1xf32>
    %264 = tosa.mul %263, %25, %2 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x16x1xf32>
    %265 = tosa.add %262, %26 : (tensor<2x16x1xf32>, tensor<1x1x1xf32>) -> tensor<2x16x1xf32>
    %266 = tosa.rsqrt %265 : (tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %267 = tosa.sub %254, %264 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>) -> tensor<2x16x32xf32>
    %268 = tosa.mul %267, %266, %2 : (tensor<2x16x32xf32>, tensor<2x16x1xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %269 = tosa.reshape %arg37, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %270 = tosa.mul %268, %269, %2 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x16x32xf32>
    %271 = tosa.reshape %arg38, %3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %272 = tosa.add %270, %271 : (tensor<2x16x32xf32>, tensor<1x1x32xf32>) -> tensor<2x16x32xf32>
    %273 = tosa.reduce_sum %272 {axis = 1 : i32} : (tensor<2x16x32xf32>) -> tensor<2x1x32xf32>
    %274 = tosa.reshape %273, %19 : (tensor<2x1x32xf32>, !tosa.shape<2>) -> tensor<2x32xf32>
    %275 = tosa.mul %274, %31, %2 : (tensor<2x32xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x32xf32>
    %276 = tosa.transpose %arg39 {perms = array<i32: 1, 0>} : (tensor<5x32xf32>) -> tensor<32x5xf32>
    %277 = tosa.reshape %275, %20 : (tensor<2x32xf32>, !tosa.shape<3>) -> tensor<1x2x32xf32>
    %278 = tosa.reshape %276, %21 : (tensor<32x5xf32>, !tosa.shape<3>) -> tensor<1x32x5xf32>
    %279 = tosa.matmul %277, %278, %0, %0 : (tensor<1x2x32xf32>, tensor<1x32x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x5xf32>
    %280 = tosa.reshape %279, %22 : (tensor<1x2x5xf32>, !tosa.shape<2>) -> tensor<2x5xf32>
    %281 = tosa.reshape %arg40, %23 : (tensor<5xf32>, !tosa.shape<2>) -> tensor<1x5xf32>
    %282 = tosa.add %280, %281 : (tensor<2x5xf32>, tensor<1x5xf32>) -> tensor<2x5xf32>
    return %282 : tensor<2x5xf32>
  }
}
