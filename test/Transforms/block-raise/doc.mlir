// A norm and an MLP in TOSA, for the documentation of the pass.
// RUN: block-opt %s --block-raise | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[Y:.*]] = block.layer "layer.0" at 0 -> tensor<1x5x8xf32> {
// CHECK: %[[N:.*]] = block.norm %arg0 gamma %arg1 {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<1x5x8xf32>{{$}}
// CHECK: %[[M:.*]] = block.mlp %[[N]] up %{{.*}} down %{{.*}} {activation = #block.activation<relu>} : tensor<1x5x8xf32>, tensor<16x8xf32>{{$}}
// CHECK: %[[R:.*]] = block.residual %arg0, %[[M]] : tensor<1x5x8xf32>{{$}}
// CHECK: block.yield %[[R]] : tensor<1x5x8xf32>
// CHECK: return %[[Y]] : tensor<1x5x8xf32>
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %gain: tensor<8xf32> {block.param = "norm.weight"},
    %up: tensor<1x8x16xf32> {block.param = "up"},
    %down: tensor<1x16x8xf32> {block.param = "down"}) -> tensor<1x5x8xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %two = "tosa.const"() <{values = dense<2.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %eighth = "tosa.const"() <{values = dense<0.125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %eps = "tosa.const"() <{values = dense<1.0e-5> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %wide = tosa.const_shape {values = dense<[1, 1, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %square = tosa.pow %x, %two : (tensor<1x5x8xf32>, tensor<1x1x1xf32>) -> tensor<1x5x8xf32>
  %sum = tosa.reduce_sum %square {axis = 2 : i32} : (tensor<1x5x8xf32>) -> tensor<1x5x1xf32>
  %mean = tosa.mul %sum, %eighth, %shift : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
  %moment = tosa.add %mean, %eps : (tensor<1x5x1xf32>, tensor<1x1x1xf32>) -> tensor<1x5x1xf32>
  %r = tosa.rsqrt %moment : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %n = tosa.mul %x, %r, %shift : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x8xf32>
  %g = tosa.reshape %gain, %wide : (tensor<8xf32>, !tosa.shape<3>) -> tensor<1x1x8xf32>
  %scaled = tosa.mul %n, %g, %shift : (tensor<1x5x8xf32>, tensor<1x1x8xf32>, tensor<1xi8>) -> tensor<1x5x8xf32>
  %h = tosa.matmul %scaled, %up, %zero, %zero : (tensor<1x5x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x16xf32>
  %a = tosa.clamp %h {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x5x16xf32>) -> tensor<1x5x16xf32>
  %y = tosa.matmul %a, %down, %zero, %zero : (tensor<1x5x16xf32>, tensor<1x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8xf32>
  %out = tosa.add %x, %y : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %out : tensor<1x5x8xf32>
}
