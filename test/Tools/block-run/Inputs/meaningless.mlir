func.func @main() -> tensor<2xf32> {
  %c = arith.constant 1.0 : f32
  %t = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<2xf32>
  return %t : tensor<2xf32>
}
