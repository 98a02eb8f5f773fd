module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<32x64xf32>, %arg11: tensor<64x32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32x32xf32>, %arg15: tensor<32x32xf32>, %arg16: tensor<32x32xf32>, %arg17: tensor<32x32xf32>, %arg18: tensor<8xf32>, %arg19: tensor<8xf32>, %arg20: tensor<64x32xf32>, %arg21: tensor<32x64xf32>, %arg22: tensor<64x32xf32>, %arg23: tensor<32xf32>, %arg24: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %0 = "tosa.const"() <{values = dense<0xFF800000> : tensor<8x8xf32>}> : () -> tensor<8x8xf32>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.const_shape  {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %3 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = tosa.const_shape  {values = dense<[1, 16, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %5 = tosa.const_shape  {values = dense<[1, 32, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %6 = tosa.const_shape  {values = dense<[2, 8, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[2, 8, 4, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %8 = tosa.const_shape  {values = dense<[1, 1, 1, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %9 = "tosa.const"() <{values = dense<[0, 2, 4, 6]> : tensor<4xi64>}> : () -> tensor<4xi64>
    %10 = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64>}> : () -> tensor<8xi64>
    %11 = tosa.const_shape  {values = dense<[8, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %12 = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %13 = tosa.const_shape  {values = dense<[1, 1, 8, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %14 = tosa.const_shape  {values = dense<[2, 4, 8, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %15 = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %16 = tosa.const_shape  {values = dense<[0, 0, 0, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %17 = tosa.const_shape  {values = dense<8> : tensor<3xindex>} : () -> !tosa.shape<3>
    %18 = tosa.const_shape  {values = dense<[2, 4, 8, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %19 = tosa.const_shape  {values = dense<[1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %20 = tosa.const_shape  {values = dense<[1, 32, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %21 = tosa.const_shape  {values = dense<[2, 8, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %22 = tosa.const_shape  {values = dense<[1, 16, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %23 = tosa.const_shape  {values = dense<[1, 64, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %24 = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %25 = "tosa.const"() <{values = dense<3.125000e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %26 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %27 = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %28 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %29 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %30 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
    %31 = "tosa.const"() <{values = dense<1.000000e+04> : tensor<1xf32>}> : () -> tensor<1xf32>
    %32 = "tosa.const"() <{values = dense<0.353553385> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %33 = "tosa.const"() <{values = dense<1> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
    %34 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %35 = "tosa.const"() <{values = dense<3.125000e-02> : tensor<1x1x1xf64>}> : () -> tensor<1x1x1xf64>
    %36 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %37 = tosa.pow %arg0, %24 : (tensor<2x8x32xf32>, tensor<1x1x1xf32>) -> tensor<2x8x32xf32>
    %38 = tosa.reduce_sum %37 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %39 = tosa.mul %38, %25, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %40 = tosa.add %39, %26 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %41 = tosa.rsqrt %40 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %42 = tosa.mul %arg0, %41, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %43 = tosa.reshape %arg1, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %44 = tosa.mul %42, %43, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %45 = tosa.transpose %arg3 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %46 = tosa.reshape %44, %4 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %47 = tosa.reshape %45, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %48 = tosa.matmul %46, %47, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %49 = tosa.transpose %arg4 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %50 = tosa.reshape %49, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %51 = tosa.matmul %46, %50, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %52 = tosa.transpose %arg5 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %53 = tosa.reshape %52, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %54 = tosa.matmul %46, %53, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %55 = tosa.reshape %48, %7 : (tensor<1x16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %56 = tosa.transpose %55 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %57 = tosa.reshape %51, %7 : (tensor<1x16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %58 = tosa.transpose %57 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %59 = tosa.reshape %54, %7 : (tensor<1x16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %60 = tosa.transpose %59 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %61 = tosa.pow %56, %27 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<2x4x8x8xf32>
    %62 = tosa.reduce_sum %61 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %63 = tosa.mul %62, %28, %1 : (tensor<2x4x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x1xf32>
    %64 = tosa.add %63, %29 : (tensor<2x4x8x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x4x8x1xf32>
    %65 = tosa.rsqrt %64 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %66 = tosa.mul %56, %65, %1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %67 = tosa.reshape %arg7, %8 : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x1x1x8xf32>
    %68 = tosa.mul %66, %67, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x1x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %69 = tosa.pow %58, %27 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<2x4x8x8xf32>
    %70 = tosa.reduce_sum %69 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %71 = tosa.mul %70, %28, %1 : (tensor<2x4x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x1xf32>
    %72 = tosa.add %71, %29 : (tensor<2x4x8x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x4x8x1xf32>
    %73 = tosa.rsqrt %72 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %74 = tosa.mul %58, %73, %1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %75 = tosa.reshape %arg8, %8 : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x1x1x8xf32>
    %76 = tosa.mul %74, %75, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x1x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %77 = tosa.cast %9 : (tensor<4xi64>) -> tensor<4xf32>
    %78 = tosa.mul %77, %30, %1 : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    %79 = tosa.pow %31, %78 : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
    %80 = tosa.reciprocal %79 : (tensor<4xf32>) -> tensor<4xf32>
    %81 = tosa.cast %10 : (tensor<8xi64>) -> tensor<8xf32>
    %82 = tosa.reshape %81, %11 : (tensor<8xf32>, !tosa.shape<2>) -> tensor<8x1xf32>
    %83 = tosa.reshape %80, %12 : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
    %84 = tosa.mul %82, %83, %1 : (tensor<8x1xf32>, tensor<1x4xf32>, tensor<1xi8>) -> tensor<8x4xf32>
    %85 = tosa.concat %84, %84 {axis = 1 : i32} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %86 = tosa.cos %85 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %87 = tosa.reshape %86, %13 : (tensor<8x8xf32>, !tosa.shape<4>) -> tensor<1x1x8x8xf32>
    %88 = tosa.mul %68, %87, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %89 = tosa.slice %68, %15, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %90 = tosa.slice %68, %16, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %91 = tosa.negate %90, %3, %3 : (tensor<2x4x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x8x4xf32>
    %92 = tosa.concat %91, %89 {axis = 3 : i32} : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %93 = tosa.sin %85 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %94 = tosa.reshape %93, %13 : (tensor<8x8xf32>, !tosa.shape<4>) -> tensor<1x1x8x8xf32>
    %95 = tosa.mul %92, %94, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %96 = tosa.add %88, %95 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %97 = tosa.mul %76, %87, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %98 = tosa.slice %76, %15, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %99 = tosa.slice %76, %16, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %100 = tosa.negate %99, %3, %3 : (tensor<2x4x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x8x4xf32>
    %101 = tosa.concat %100, %98 {axis = 3 : i32} : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %102 = tosa.mul %101, %94, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %103 = tosa.add %97, %102 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %104 = tosa.transpose %103 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %105 = tosa.reshape %96, %17 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %106 = tosa.reshape %104, %17 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %107 = tosa.matmul %105, %106, %3, %3 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %108 = tosa.reshape %107, %18 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %109 = tosa.mul %108, %32, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %110 = tosa.reshape %10, %19 : (tensor<8xi64>, !tosa.shape<2>) -> tensor<1x8xi64>
    %111 = tosa.reshape %10, %11 : (tensor<8xi64>, !tosa.shape<2>) -> tensor<8x1xi64>
    %112 = tosa.cast %111 : (tensor<8x1xi64>) -> tensor<8x1xi32>
    %113 = tosa.cast %110 : (tensor<1x8xi64>) -> tensor<1x8xi32>
    %114 = tosa.sub %113, %112 : (tensor<1x8xi32>, tensor<8x1xi32>) -> tensor<8x8xi32>
    %115 = tosa.cast %114 : (tensor<8x8xi32>) -> tensor<8x8xi64>
    %116 = tosa.greater_equal %115, %33 : (tensor<8x8xi64>, tensor<1x1xi64>) -> tensor<8x8xi1>
    %117 = tosa.select %116, %0, %34 : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<1x1xf32>) -> tensor<8x8xf32>
    %118 = tosa.reshape %117, %13 : (tensor<8x8xf32>, !tosa.shape<4>) -> tensor<1x1x8x8xf32>
    %119 = tosa.add %109, %118 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<2x4x8x8xf32>
    %120 = tosa.reduce_max %119 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %121 = tosa.sub %119, %120 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %122 = tosa.exp %121 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %123 = tosa.reduce_sum %122 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %124 = tosa.reciprocal %123 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %125 = tosa.mul %122, %124, %1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %126 = tosa.reshape %125, %17 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %127 = tosa.reshape %60, %17 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %128 = tosa.matmul %126, %127, %3, %3 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %129 = tosa.reshape %128, %18 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %130 = tosa.transpose %129 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %131 = tosa.transpose %arg6 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %132 = tosa.reshape %130, %4 : (tensor<2x8x4x8xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %133 = tosa.reshape %131, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %134 = tosa.matmul %132, %133, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %135 = tosa.reshape %134, %6 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %136 = tosa.add %arg0, %135 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %137 = tosa.pow %136, %24 : (tensor<2x8x32xf32>, tensor<1x1x1xf32>) -> tensor<2x8x32xf32>
    %138 = tosa.reduce_sum %137 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %139 = tosa.mul %138, %25, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %140 = tosa.add %139, %26 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %141 = tosa.rsqrt %140 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %142 = tosa.mul %136, %141, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %143 = tosa.reshape %arg2, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %144 = tosa.mul %142, %143, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %145 = tosa.transpose %arg11 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %146 = tosa.reshape %144, %4 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %147 = tosa.reshape %145, %20 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %148 = tosa.matmul %146, %147, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %149 = tosa.reshape %148, %21 : (tensor<1x16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %150 = tosa.sigmoid %149 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %151 = tosa.mul %149, %150, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %152 = tosa.transpose %arg9 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %153 = tosa.reshape %152, %20 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %154 = tosa.matmul %146, %153, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %155 = tosa.reshape %154, %21 : (tensor<1x16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %156 = tosa.mul %151, %155, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %157 = tosa.transpose %arg10 {perms = array<i32: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %158 = tosa.reshape %156, %22 : (tensor<2x8x64xf32>, !tosa.shape<3>) -> tensor<1x16x64xf32>
    %159 = tosa.reshape %157, %23 : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
    %160 = tosa.matmul %158, %159, %3, %3 : (tensor<1x16x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %161 = tosa.reshape %160, %6 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %162 = tosa.add %136, %161 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %163 = tosa.pow %162, %24 : (tensor<2x8x32xf32>, tensor<1x1x1xf32>) -> tensor<2x8x32xf32>
    %164 = tosa.reduce_sum %163 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %165 = tosa.mul %164, %25, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %166 = tosa.add %165, %26 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %167 = tosa.rsqrt %166 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %168 = tosa.mul %162, %167, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %169 = tosa.reshape %arg12, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %170 = tosa.mul %168, %169, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %171 = tosa.transpose %arg14 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %172 = tosa.reshape %170, %4 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %173 = tosa.reshape %171, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %174 = tosa.matmul %172, %173, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %175 = tosa.transpose %arg15 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %176 = tosa.reshape %175, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %177 = tosa.matmul %172, %176, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %178 = tosa.transpose %arg16 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %179 = tosa.reshape %178, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %180 = tosa.matmul %172, %179, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %181 = tosa.reshape %174, %7 : (tensor<1x16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %182 = tosa.transpose %181 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %183 = tosa.reshape %177, %7 : (tensor<1x16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %184 = tosa.transpose %183 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %185 = tosa.reshape %180, %7 : (tensor<1x16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %186 = tosa.transpose %185 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %187 = tosa.pow %182, %27 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<2x4x8x8xf32>
    %188 = tosa.reduce_sum %187 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %189 = tosa.mul %188, %28, %1 : (tensor<2x4x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x1xf32>
    %190 = tosa.add %189, %29 : (tensor<2x4x8x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x4x8x1xf32>
    %191 = tosa.rsqrt %190 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %192 = tosa.mul %182, %191, %1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %193 = tosa.reshape %arg18, %8 : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x1x1x8xf32>
    %194 = tosa.mul %192, %193, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x1x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %195 = tosa.pow %184, %27 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<2x4x8x8xf32>
    %196 = tosa.reduce_sum %195 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %197 = tosa.mul %196, %28, %1 : (tensor<2x4x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x1xf32>
    %198 = tosa.add %197, %29 : (tensor<2x4x8x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x4x8x1xf32>
    %199 = tosa.rsqrt %198 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %200 = tosa.mul %184, %199, %1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %201 = tosa.reshape %arg19, %8 : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x1x1x8xf32>
    %202 = tosa.mul %200, %201, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x1x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %203 = tosa.mul %194, %87, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %204 = tosa.slice %194, %15, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %205 = tosa.slice %194, %16, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %206 = tosa.negate %205, %3, %3 : (tensor<2x4x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x8x4xf32>
    %207 = tosa.concat %206, %204 {axis = 3 : i32} : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %208 = tosa.mul %207, %94, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %209 = tosa.add %203, %208 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %210 = tosa.mul %202, %87, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %211 = tosa.slice %202, %15, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %212 = tosa.slice %202, %16, %14 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %213 = tosa.negate %212, %3, %3 : (tensor<2x4x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x8x4xf32>
    %214 = tosa.concat %213, %211 {axis = 3 : i32} : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %215 = tosa.mul %214, %94, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %216 = tosa.add %210, %215 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %217 = tosa.transpose %216 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %218 = tosa.reshape %209, %17 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %219 = tosa.reshape %217, %17 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %220 = tosa.matmul %218, %219, %3, %3 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %221 = tosa.reshape %220, %18 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %222 = tosa.mul %221, %32, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %223 = tosa.add %222, %118 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<2x4x8x8xf32>
    %224 = tosa.reduce_max %223 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %225 = tosa.sub %223, %224 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %226 = tosa.exp %225 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %227 = tosa.reduce_sum %226 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %228 = tosa.reciprocal %227 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %229 = tosa.mul %226, %228, %1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %230 = tosa.reshape %229, %17 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %231 = tosa.reshape %186, %17 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %232 = tosa.matmul %230, %231, %3, %3 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %233 = tosa.reshape %232, %18 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %234 = tosa.transpose %233 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %235 = tosa.transpose %arg17 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %236 = tosa.reshape %234, %4 : (tensor<2x8x4x8xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %237 = tosa.reshape %235, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %238 = tosa.matmul %236, %237, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %239 = tosa.reshape %238, %6 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %240 = tosa.add %162, %239 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %241 = tosa.pow %240, %24 : (tensor<2x8x32xf32>, tensor<1x1x1xf32>) -> tensor<2x8x32xf32>
    %242 = tosa.reduce_sum %241 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %243 = tosa.mul %242, %25, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %244 = tosa.add %243, %26 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %245 = tosa.rsqrt %244 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %246 = tosa.mul %240, %245, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %247 = tosa.reshape %arg13, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %248 = tosa.mul %246, %247, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %249 = tosa.transpose %arg22 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %250 = tosa.reshape %248, %4 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %251 = tosa.reshape %249, %20 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %252 = tosa.matmul %250, %251, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %253 = tosa.reshape %252, %21 : (tensor<1x16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %254 = tosa.sigmoid %253 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %255 = tosa.mul %253, %254, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %256 = tosa.transpose %arg20 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %257 = tosa.reshape %256, %20 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %258 = tosa.matmul %250, %257, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %259 = tosa.reshape %258, %21 : (tensor<1x16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %260 = tosa.mul %255, %259, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %261 = tosa.transpose %arg21 {perms = array<i32: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %262 = tosa.reshape %260, %22 : (tensor<2x8x64xf32>, !tosa.shape<3>) -> tensor<1x16x64xf32>
    %263 = tosa.reshape %261, %23 : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
    %264 = tosa.matmul %262, %263, %3, %3 : (tensor<1x16x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %265 = tosa.reshape %264, %6 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %266 = tosa.add %240, %265 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %267 = tosa.cast %266 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %268 = tosa.reduce_sum %267 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %269 = tosa.mul %268, %35, %1 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %270 = tosa.sub %267, %269 : (tensor<2x8x32xf64>, tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %271 = tosa.mul %270, %270, %1 : (tensor<2x8x32xf64>, tensor<2x8x32xf64>, tensor<1xi8>) -> tensor<2x8x32xf64>
    %272 = tosa.reduce_sum %271 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %273 = tosa.mul %272, %35, %1 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %274 = tosa.cast %273 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %275 = tosa.reduce_sum %266 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %276 = tosa.mul %275, %25, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %277 = tosa.add %274, %36 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %278 = tosa.rsqrt %277 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %279 = tosa.sub %266, %276 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %280 = tosa.mul %279, %278, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %281 = tosa.reshape %arg23, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %282 = tosa.mul %280, %281, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %283 = tosa.reshape %arg24, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %284 = tosa.add %282, %283 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    return %284 : tensor<2x8x32xf32>
  }
}
