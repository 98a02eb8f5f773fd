module {
  func.func @main(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<16x32xf32>, %arg5: tensor<16x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<64x32xf32>, %arg8: tensor<32x64xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<16x32xf32>, %arg14: tensor<16x32xf32>, %arg15: tensor<32x32xf32>, %arg16: tensor<64x32xf32>, %arg17: tensor<32x64xf32>, %arg18: tensor<64x32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %0 = "tosa.const"() <{values = dense<true> : tensor<8x8xi1>}> : () -> tensor<8x8xi1>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.const_shape  {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %3 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = tosa.const_shape  {values = dense<[1, 16, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %5 = tosa.const_shape  {values = dense<[1, 32, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %6 = tosa.const_shape  {values = dense<[2, 8, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[1, 32, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.const_shape  {values = dense<[2, 8, 4, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %9 = tosa.const_shape  {values = dense<[2, 8, 2, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %10 = "tosa.const"() <{values = dense<[0, 2, 4, 6]> : tensor<4xi64>}> : () -> tensor<4xi64>
    %11 = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64>}> : () -> tensor<8xi64>
    %12 = tosa.const_shape  {values = dense<[8, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %13 = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %14 = tosa.const_shape  {values = dense<[1, 1, 8, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %15 = tosa.const_shape  {values = dense<[2, 4, 8, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %16 = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %17 = tosa.const_shape  {values = dense<[0, 0, 0, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %18 = tosa.const_shape  {values = dense<[2, 2, 8, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %19 = tosa.const_shape  {values = dense<[2, 2, 1, 8, 8]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %20 = tosa.const_shape  {values = dense<[1, 1, 2, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %21 = tosa.const_shape  {values = dense<[2, 4, 8, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %22 = tosa.const_shape  {values = dense<8> : tensor<3xindex>} : () -> !tosa.shape<3>
    %23 = tosa.const_shape  {values = dense<[1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %24 = tosa.const_shape  {values = dense<[1, 32, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %25 = tosa.const_shape  {values = dense<[2, 8, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %26 = tosa.const_shape  {values = dense<[1, 16, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %27 = tosa.const_shape  {values = dense<[1, 64, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %28 = "tosa.const"() <{values = dense<2.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %29 = "tosa.const"() <{values = dense<3.125000e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %30 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %31 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
    %32 = "tosa.const"() <{values = dense<1.000000e+04> : tensor<1xf32>}> : () -> tensor<1xf32>
    %33 = "tosa.const"() <{values = dense<0.353553385> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %34 = "tosa.const"() <{values = dense<0> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
    %35 = "tosa.const"() <{values = dense<4> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
    %36 = "tosa.const"() <{values = dense<-3.40282347E+38> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %37 = "tosa.const"() <{values = dense<3.125000e-02> : tensor<1x1x1xf64>}> : () -> tensor<1x1x1xf64>
    %38 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %39 = tosa.pow %arg0, %28 : (tensor<2x8x32xf32>, tensor<1x1x1xf32>) -> tensor<2x8x32xf32>
    %40 = tosa.reduce_sum %39 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %41 = tosa.mul %40, %29, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %42 = tosa.add %41, %30 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %43 = tosa.rsqrt %42 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %44 = tosa.mul %arg0, %43, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %45 = tosa.reshape %arg1, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %46 = tosa.mul %44, %45, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %47 = tosa.transpose %arg3 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %48 = tosa.reshape %46, %4 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %49 = tosa.reshape %47, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %50 = tosa.matmul %48, %49, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %51 = tosa.transpose %arg4 {perms = array<i32: 1, 0>} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %52 = tosa.reshape %51, %7 : (tensor<32x16xf32>, !tosa.shape<3>) -> tensor<1x32x16xf32>
    %53 = tosa.matmul %48, %52, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %54 = tosa.transpose %arg5 {perms = array<i32: 1, 0>} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %55 = tosa.reshape %54, %7 : (tensor<32x16xf32>, !tosa.shape<3>) -> tensor<1x32x16xf32>
    %56 = tosa.matmul %48, %55, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %57 = tosa.reshape %50, %8 : (tensor<1x16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %58 = tosa.transpose %57 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %59 = tosa.reshape %53, %9 : (tensor<1x16x16xf32>, !tosa.shape<4>) -> tensor<2x8x2x8xf32>
    %60 = tosa.transpose %59 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %61 = tosa.reshape %56, %9 : (tensor<1x16x16xf32>, !tosa.shape<4>) -> tensor<2x8x2x8xf32>
    %62 = tosa.transpose %61 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %63 = tosa.cast %10 : (tensor<4xi64>) -> tensor<4xf32>
    %64 = tosa.mul %63, %31, %1 : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    %65 = tosa.pow %32, %64 : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
    %66 = tosa.reciprocal %65 : (tensor<4xf32>) -> tensor<4xf32>
    %67 = tosa.cast %11 : (tensor<8xi64>) -> tensor<8xf32>
    %68 = tosa.reshape %67, %12 : (tensor<8xf32>, !tosa.shape<2>) -> tensor<8x1xf32>
    %69 = tosa.reshape %66, %13 : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
    %70 = tosa.mul %68, %69, %1 : (tensor<8x1xf32>, tensor<1x4xf32>, tensor<1xi8>) -> tensor<8x4xf32>
    %71 = tosa.concat %70, %70 {axis = 1 : i32} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %72 = tosa.cos %71 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %73 = tosa.reshape %72, %14 : (tensor<8x8xf32>, !tosa.shape<4>) -> tensor<1x1x8x8xf32>
    %74 = tosa.mul %58, %73, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %75 = tosa.slice %58, %16, %15 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %76 = tosa.slice %58, %17, %15 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %77 = tosa.negate %76, %3, %3 : (tensor<2x4x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x8x4xf32>
    %78 = tosa.concat %77, %75 {axis = 3 : i32} : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %79 = tosa.sin %71 : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %80 = tosa.reshape %79, %14 : (tensor<8x8xf32>, !tosa.shape<4>) -> tensor<1x1x8x8xf32>
    %81 = tosa.mul %78, %80, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %82 = tosa.add %74, %81 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %83 = tosa.mul %60, %73, %1 : (tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %84 = tosa.slice %60, %16, %18 : (tensor<2x2x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x8x4xf32>
    %85 = tosa.slice %60, %17, %18 : (tensor<2x2x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x8x4xf32>
    %86 = tosa.negate %85, %3, %3 : (tensor<2x2x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x2x8x4xf32>
    %87 = tosa.concat %86, %84 {axis = 3 : i32} : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x8xf32>
    %88 = tosa.mul %87, %80, %1 : (tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %89 = tosa.add %83, %88 : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %90 = tosa.reshape %89, %19 : (tensor<2x2x8x8xf32>, !tosa.shape<5>) -> tensor<2x2x1x8x8xf32>
    %91 = tosa.tile %90, %20 : (tensor<2x2x1x8x8xf32>, !tosa.shape<5>) -> tensor<2x2x2x8x8xf32>
    %92 = tosa.reshape %91, %21 : (tensor<2x2x2x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %93 = tosa.reshape %62, %19 : (tensor<2x2x8x8xf32>, !tosa.shape<5>) -> tensor<2x2x1x8x8xf32>
    %94 = tosa.tile %93, %20 : (tensor<2x2x1x8x8xf32>, !tosa.shape<5>) -> tensor<2x2x2x8x8xf32>
    %95 = tosa.transpose %92 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %96 = tosa.reshape %82, %22 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %97 = tosa.reshape %95, %22 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %98 = tosa.matmul %96, %97, %3, %3 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %99 = tosa.reshape %98, %21 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %100 = tosa.mul %99, %33, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %101 = tosa.reshape %11, %23 : (tensor<8xi64>, !tosa.shape<2>) -> tensor<1x8xi64>
    %102 = tosa.reshape %11, %12 : (tensor<8xi64>, !tosa.shape<2>) -> tensor<8x1xi64>
    %103 = tosa.cast %102 : (tensor<8x1xi64>) -> tensor<8x1xi32>
    %104 = tosa.cast %101 : (tensor<1x8xi64>) -> tensor<1x8xi32>
    %105 = tosa.sub %104, %103 : (tensor<1x8xi32>, tensor<8x1xi32>) -> tensor<8x8xi32>
    %106 = tosa.cast %105 : (tensor<8x8xi32>) -> tensor<8x8xi64>
    %107 = tosa.greater_equal %34, %106 : (tensor<1x1xi64>, tensor<8x8xi64>) -> tensor<8x8xi1>
    %108 = tosa.logical_and %107, %0 : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
    %109 = tosa.sub %103, %104 : (tensor<8x1xi32>, tensor<1x8xi32>) -> tensor<8x8xi32>
    %110 = tosa.cast %109 : (tensor<8x8xi32>) -> tensor<8x8xi64>
    %111 = tosa.greater_equal %110, %35 : (tensor<8x8xi64>, tensor<1x1xi64>) -> tensor<8x8xi1>
    %112 = tosa.logical_not %108 : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %113 = tosa.logical_or %112, %111 : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
    %114 = tosa.reshape %113, %14 : (tensor<8x8xi1>, !tosa.shape<4>) -> tensor<1x1x8x8xi1>
    %115 = tosa.select %114, %36, %100 : (tensor<1x1x8x8xi1>, tensor<1x1x1x1xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %116 = tosa.reduce_max %115 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %117 = tosa.sub %115, %116 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %118 = tosa.exp %117 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %119 = tosa.reduce_sum %118 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %120 = tosa.reciprocal %119 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %121 = tosa.mul %118, %120, %1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %122 = tosa.reshape %121, %22 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %123 = tosa.reshape %94, %22 : (tensor<2x2x2x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %124 = tosa.matmul %122, %123, %3, %3 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %125 = tosa.reshape %124, %21 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %126 = tosa.transpose %125 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %127 = tosa.transpose %arg6 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %128 = tosa.reshape %126, %4 : (tensor<2x8x4x8xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %129 = tosa.reshape %127, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %130 = tosa.matmul %128, %129, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %131 = tosa.reshape %130, %6 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %132 = tosa.add %arg0, %131 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %133 = tosa.pow %132, %28 : (tensor<2x8x32xf32>, tensor<1x1x1xf32>) -> tensor<2x8x32xf32>
    %134 = tosa.reduce_sum %133 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %135 = tosa.mul %134, %29, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %136 = tosa.add %135, %30 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %137 = tosa.rsqrt %136 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %138 = tosa.mul %132, %137, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %139 = tosa.reshape %arg2, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %140 = tosa.mul %138, %139, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %141 = tosa.transpose %arg9 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %142 = tosa.reshape %140, %4 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %143 = tosa.reshape %141, %24 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %144 = tosa.matmul %142, %143, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %145 = tosa.reshape %144, %25 : (tensor<1x16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %146 = tosa.sigmoid %145 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %147 = tosa.mul %145, %146, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %148 = tosa.transpose %arg7 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %149 = tosa.reshape %148, %24 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %150 = tosa.matmul %142, %149, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %151 = tosa.reshape %150, %25 : (tensor<1x16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %152 = tosa.mul %147, %151, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %153 = tosa.transpose %arg8 {perms = array<i32: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %154 = tosa.reshape %152, %26 : (tensor<2x8x64xf32>, !tosa.shape<3>) -> tensor<1x16x64xf32>
    %155 = tosa.reshape %153, %27 : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
    %156 = tosa.matmul %154, %155, %3, %3 : (tensor<1x16x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %157 = tosa.reshape %156, %6 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %158 = tosa.add %132, %157 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %159 = tosa.pow %158, %28 : (tensor<2x8x32xf32>, tensor<1x1x1xf32>) -> tensor<2x8x32xf32>
    %160 = tosa.reduce_sum %159 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %161 = tosa.mul %160, %29, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %162 = tosa.add %161, %30 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %163 = tosa.rsqrt %162 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %164 = tosa.mul %158, %163, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %165 = tosa.reshape %arg10, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %166 = tosa.mul %164, %165, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %167 = tosa.transpose %arg12 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %168 = tosa.reshape %166, %4 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %169 = tosa.reshape %167, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %170 = tosa.matmul %168, %169, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %171 = tosa.transpose %arg13 {perms = array<i32: 1, 0>} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %172 = tosa.reshape %171, %7 : (tensor<32x16xf32>, !tosa.shape<3>) -> tensor<1x32x16xf32>
    %173 = tosa.matmul %168, %172, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %174 = tosa.transpose %arg14 {perms = array<i32: 1, 0>} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %175 = tosa.reshape %174, %7 : (tensor<32x16xf32>, !tosa.shape<3>) -> tensor<1x32x16xf32>
    %176 = tosa.matmul %168, %175, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %177 = tosa.reshape %170, %8 : (tensor<1x16x32xf32>, !tosa.shape<4>) -> tensor<2x8x4x8xf32>
    %178 = tosa.transpose %177 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    %179 = tosa.reshape %173, %9 : (tensor<1x16x16xf32>, !tosa.shape<4>) -> tensor<2x8x2x8xf32>
    %180 = tosa.transpose %179 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %181 = tosa.reshape %176, %9 : (tensor<1x16x16xf32>, !tosa.shape<4>) -> tensor<2x8x2x8xf32>
    %182 = tosa.transpose %181 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %183 = tosa.mul %178, %73, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %184 = tosa.slice %178, %16, %15 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %185 = tosa.slice %178, %17, %15 : (tensor<2x4x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x8x4xf32>
    %186 = tosa.negate %185, %3, %3 : (tensor<2x4x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x8x4xf32>
    %187 = tosa.concat %186, %184 {axis = 3 : i32} : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %188 = tosa.mul %187, %80, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %189 = tosa.add %183, %188 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %190 = tosa.mul %180, %73, %1 : (tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %191 = tosa.slice %180, %16, %18 : (tensor<2x2x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x8x4xf32>
    %192 = tosa.slice %180, %17, %18 : (tensor<2x2x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x8x4xf32>
    %193 = tosa.negate %192, %3, %3 : (tensor<2x2x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x2x8x4xf32>
    %194 = tosa.concat %193, %191 {axis = 3 : i32} : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x8xf32>
    %195 = tosa.mul %194, %80, %1 : (tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %196 = tosa.add %190, %195 : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %197 = tosa.reshape %196, %19 : (tensor<2x2x8x8xf32>, !tosa.shape<5>) -> tensor<2x2x1x8x8xf32>
    %198 = tosa.tile %197, %20 : (tensor<2x2x1x8x8xf32>, !tosa.shape<5>) -> tensor<2x2x2x8x8xf32>
    %199 = tosa.reshape %198, %21 : (tensor<2x2x2x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %200 = tosa.reshape %182, %19 : (tensor<2x2x8x8xf32>, !tosa.shape<5>) -> tensor<2x2x1x8x8xf32>
    %201 = tosa.tile %200, %20 : (tensor<2x2x1x8x8xf32>, !tosa.shape<5>) -> tensor<2x2x2x8x8xf32>
    %202 = tosa.transpose %199 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %203 = tosa.reshape %189, %22 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %204 = tosa.reshape %202, %22 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %205 = tosa.matmul %203, %204, %3, %3 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %206 = tosa.reshape %205, %21 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %207 = tosa.mul %206, %33, %1 : (tensor<2x4x8x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %208 = tosa.select %114, %36, %207 : (tensor<1x1x8x8xi1>, tensor<1x1x1x1xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %209 = tosa.reduce_max %208 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %210 = tosa.sub %208, %209 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %211 = tosa.exp %210 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %212 = tosa.reduce_sum %211 {axis = 3 : i32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x1xf32>
    %213 = tosa.reciprocal %212 : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %214 = tosa.mul %211, %213, %1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>, tensor<1xi8>) -> tensor<2x4x8x8xf32>
    %215 = tosa.reshape %214, %22 : (tensor<2x4x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %216 = tosa.reshape %201, %22 : (tensor<2x2x2x8x8xf32>, !tosa.shape<3>) -> tensor<8x8x8xf32>
    %217 = tosa.matmul %215, %216, %3, %3 : (tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8x8xf32>
    %218 = tosa.reshape %217, %21 : (tensor<8x8x8xf32>, !tosa.shape<4>) -> tensor<2x4x8x8xf32>
    %219 = tosa.transpose %218 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %220 = tosa.transpose %arg15 {perms = array<i32: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %221 = tosa.reshape %219, %4 : (tensor<2x8x4x8xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %222 = tosa.reshape %220, %5 : (tensor<32x32xf32>, !tosa.shape<3>) -> tensor<1x32x32xf32>
    %223 = tosa.matmul %221, %222, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %224 = tosa.reshape %223, %6 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %225 = tosa.add %158, %224 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %226 = tosa.pow %225, %28 : (tensor<2x8x32xf32>, tensor<1x1x1xf32>) -> tensor<2x8x32xf32>
    %227 = tosa.reduce_sum %226 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %228 = tosa.mul %227, %29, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %229 = tosa.add %228, %30 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %230 = tosa.rsqrt %229 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %231 = tosa.mul %225, %230, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %232 = tosa.reshape %arg11, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %233 = tosa.mul %231, %232, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %234 = tosa.transpose %arg18 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %235 = tosa.reshape %233, %4 : (tensor<2x8x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %236 = tosa.reshape %234, %24 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %237 = tosa.matmul %235, %236, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %238 = tosa.reshape %237, %25 : (tensor<1x16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %239 = tosa.sigmoid %238 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %240 = tosa.mul %238, %239, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %241 = tosa.transpose %arg16 {perms = array<i32: 1, 0>} : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %242 = tosa.reshape %241, %24 : (tensor<32x64xf32>, !tosa.shape<3>) -> tensor<1x32x64xf32>
    %243 = tosa.matmul %235, %242, %3, %3 : (tensor<1x16x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x64xf32>
    %244 = tosa.reshape %243, %25 : (tensor<1x16x64xf32>, !tosa.shape<3>) -> tensor<2x8x64xf32>
    %245 = tosa.mul %240, %244, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<1xi8>) -> tensor<2x8x64xf32>
    %246 = tosa.transpose %arg17 {perms = array<i32: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %247 = tosa.reshape %245, %26 : (tensor<2x8x64xf32>, !tosa.shape<3>) -> tensor<1x16x64xf32>
    %248 = tosa.reshape %246, %27 : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
    %249 = tosa.matmul %247, %248, %3, %3 : (tensor<1x16x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
    %250 = tosa.reshape %249, %6 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
    %251 = tosa.add %225, %250 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %252 = tosa.cast %251 : (tensor<2x8x32xf32>) -> tensor<2x8x32xf64>
    %253 = tosa.reduce_sum %252 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %254 = tosa.mul %253, %37, %1 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %255 = tosa.sub %252, %254 : (tensor<2x8x32xf64>, tensor<2x8x1xf64>) -> tensor<2x8x32xf64>
    %256 = tosa.mul %255, %255, %1 : (tensor<2x8x32xf64>, tensor<2x8x32xf64>, tensor<1xi8>) -> tensor<2x8x32xf64>
    %257 = tosa.reduce_sum %256 {axis = 2 : i32} : (tensor<2x8x32xf64>) -> tensor<2x8x1xf64>
    %258 = tosa.mul %257, %37, %1 : (tensor<2x8x1xf64>, tensor<1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x1xf64>
    %259 = tosa.cast %258 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %260 = tosa.reduce_sum %251 {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
    %261 = tosa.mul %260, %29, %1 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %262 = tosa.add %259, %38 : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %263 = tosa.rsqrt %262 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %264 = tosa.sub %251, %261 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %265 = tosa.mul %264, %263, %1 : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %266 = tosa.reshape %arg19, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %267 = tosa.mul %265, %266, %1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
    %268 = tosa.reshape %arg20, %2 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %269 = tosa.add %267, %268 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    return %269 : tensor<2x8x32xf32>
  }
}
