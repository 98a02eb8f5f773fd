// One result per op, in the order of numpy_ops.py.
func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<1x3x4xf32>, %m: tensor<2x4x5xf32>, %i: tensor<2x6xi32>, %image: tensor<1x5x6x3xf32>, %filter: tensor<2x3x2x3xf32>, %bias: tensor<2xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>,
        tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>,
        tensor<2x3x4xf32>, tensor<2x3x4xi32>, tensor<2x3x4xf32>, tensor<2x1x4xf32>, tensor<2x3x1xf32>,
        tensor<2x3x1xf32>, tensor<2x3xi32>, tensor<2x3x5xf32>, tensor<2x6x4xf32>, tensor<4x2x3xf32>,
        tensor<6x4xf32>, tensor<2x2x3xf32>, tensor<2x3x8xf32>, tensor<2x6x4xf32>, tensor<2x3x7xf32>,
        tensor<2x3x4xf32>, tensor<2x3x4xi32>, tensor<1x4x3x2xf32>) {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.add %x, %y : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = tosa.sub %x, %y : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = tosa.mul %x, %y, %shift : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
  %3 = tosa.negate %x, %zero, %zero : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
  %4 = tosa.exp %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %5 = tosa.tanh %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %6 = tosa.sigmoid %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %7 = tosa.reciprocal %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %8 = tosa.maximum %x, %y : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  %abs = tosa.abs %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %9 = tosa.rsqrt %abs : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %10 = tosa.clamp %x {max_val = 0.5 : f32, min_val = -0.25 : f32} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %11 = tosa.greater %x, %y : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xi1>
  %truth = tosa.cast %11 : (tensor<2x3x4xi1>) -> tensor<2x3x4xi32>
  %12 = tosa.select %11, %x, %y : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  %13 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %14 = tosa.reduce_max %x {axis = 2 : i32} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %15 = tosa.reduce_product %x {axis = 2 : i32} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %16 = tosa.argmax %x {axis = 2 : i32} : (tensor<2x3x4xf32>) -> tensor<2x3xi32>
  %17 = tosa.matmul %x, %m, %zero, %zero : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
  %18 = tosa.gather %x, %i : (tensor<2x3x4xf32>, tensor<2x6xi32>) -> tensor<2x6x4xf32>
  %19 = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %s20 = tosa.const_shape {values = dense<[-1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %20 = tosa.reshape %x, %s20 : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
  %start = tosa.const_shape {values = dense<[0, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %size = tosa.const_shape {values = dense<[2, 2, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %21 = tosa.slice %x, %start, %size : (tensor<2x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x2x3xf32>
  %22 = tosa.concat %x, %0 {axis = 2 : i32} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
  %times = tosa.const_shape {values = dense<[1, 2, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %23 = tosa.tile %x, %times : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<2x6x4xf32>
  %around = tosa.const_shape {values = dense<[0, 0, 0, 0, 1, 2]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %24 = tosa.pad %x, %around, %zero : (tensor<2x3x4xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<2x3x7xf32>
  %25 = tosa.reverse %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %26 = tosa.cast %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xi32>
  %27 = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x5x6x3xf32>, tensor<2x3x2x3xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x3x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %truth, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27
    : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>,
      tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>,
      tensor<2x3x4xf32>, tensor<2x3x4xi32>, tensor<2x3x4xf32>, tensor<2x1x4xf32>, tensor<2x3x1xf32>,
      tensor<2x3x1xf32>, tensor<2x3xi32>, tensor<2x3x5xf32>, tensor<2x6x4xf32>, tensor<4x2x3xf32>,
      tensor<6x4xf32>, tensor<2x2x3xf32>, tensor<2x3x8xf32>, tensor<2x6x4xf32>, tensor<2x3x7xf32>,
      tensor<2x3x4xf32>, tensor<2x3x4xi32>, tensor<1x4x3x2xf32>
}
