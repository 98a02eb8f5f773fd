// Spellings of activations: of one kind, all are one op.
// RUN: block-opt %s --block-raise | FileCheck %s

// CHECK-LABEL: func.func @main(
// The constant of another root of 2 / pi makes a function of its own.
// CHECK: math.tanh
// CHECK: %[[OTHER:.*]] = arith.mulf
// CHECK: %[[SILU:.*]] = block.activation %arg0 {kind = #block.activation<silu>}
// CHECK: %[[GELU:.*]] = block.activation %arg0 {kind = #block.activation<gelu_tanh>}
// CHECK: %[[RELU:.*]] = block.activation %arg0 {kind = #block.activation<relu>}
// CHECK: %[[SQUARE:.*]] = block.activation %arg0 {kind = #block.activation<relu_squared>}
// CHECK: return %[[SILU]], %[[SILU]], %{{.*}}, %[[GELU]], %[[GELU]], %[[GELU]], %[[RELU]], %[[RELU]], %[[SQUARE]], %{{.*}}
// CHECK-NEXT: :
func.func @main(%x: tensor<1x3x8xf32>) -> (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) {
  %one = arith.constant dense<1.0> : tensor<1x3x8xf32>
  %zero = arith.constant dense<0.0> : tensor<1x3x8xf32>
  %half = arith.constant dense<0.5> : tensor<1x3x8xf32>
  %root = arith.constant dense<0.797884583> : tensor<1x3x8xf32>
  %other = arith.constant dense<0.797724> : tensor<1x3x8xf32>
  %cubic = arith.constant dense<0.044715> : tensor<1x3x8xf32>
  %three = arith.constant dense<3> : tensor<1x3x8xi64>
  // silu
  %n = arith.negf %x : tensor<1x3x8xf32>
  %e = math.exp %n : tensor<1x3x8xf32>
  %d = arith.addf %e, %one : tensor<1x3x8xf32>
  %s0 = arith.divf %x, %d : tensor<1x3x8xf32>
  %inverse = arith.divf %one, %d : tensor<1x3x8xf32>
  %s1 = arith.mulf %inverse, %x : tensor<1x3x8xf32>
  %s2 = "block.activation"(%x) <{kind = #block.activation<silu>}> : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  // gelu by tanh
  %square = arith.mulf %x, %x : tensor<1x3x8xf32>
  %cube = arith.mulf %square, %x : tensor<1x3x8xf32>
  %third = arith.mulf %cube, %cubic : tensor<1x3x8xf32>
  %inner = arith.addf %x, %third : tensor<1x3x8xf32>
  %arg = arith.mulf %inner, %root : tensor<1x3x8xf32>
  %t = math.tanh %arg : tensor<1x3x8xf32>
  %t1 = arith.addf %t, %one : tensor<1x3x8xf32>
  %th = arith.mulf %t1, %half : tensor<1x3x8xf32>
  %g0 = arith.mulf %x, %th : tensor<1x3x8xf32>
  %hx = arith.mulf %half, %x : tensor<1x3x8xf32>
  %g1 = arith.mulf %hx, %t1 : tensor<1x3x8xf32>
  %power = math.fpowi %x, %three : tensor<1x3x8xf32>, tensor<1x3x8xi64>
  %pc = arith.mulf %cubic, %power : tensor<1x3x8xf32>
  %pr = arith.mulf %root, %pc : tensor<1x3x8xf32>
  %xr = arith.mulf %root, %x : tensor<1x3x8xf32>
  %sum = arith.addf %pr, %xr : tensor<1x3x8xf32>
  %u = math.tanh %sum : tensor<1x3x8xf32>
  %uh = arith.mulf %u, %half : tensor<1x3x8xf32>
  %uhh = arith.addf %uh, %half : tensor<1x3x8xf32>
  %g2 = arith.mulf %uhh, %x : tensor<1x3x8xf32>
  // relu and its square
  %r0 = arith.maximumf %x, %zero : tensor<1x3x8xf32>
  %positive = arith.cmpf ogt, %x, %zero : tensor<1x3x8xf32>
  %r1 = arith.select %positive, %x, %zero : tensor<1x3x8xi1>, tensor<1x3x8xf32>
  %r2 = arith.mulf %r0, %r0 : tensor<1x3x8xf32>
  // not quite gelu
  %oarg = arith.mulf %inner, %other : tensor<1x3x8xf32>
  %ot = math.tanh %oarg : tensor<1x3x8xf32>
  %ot1 = arith.addf %ot, %one : tensor<1x3x8xf32>
  %oh = arith.mulf %ot1, %hx : tensor<1x3x8xf32>
  return %s0, %s1, %s2, %g0, %g1, %g2, %r0, %r1, %r2, %oh : tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>
}
