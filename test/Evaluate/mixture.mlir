// Block ops and others in one function: each engine evaluates its own.
// RUN: block-run %s --engine=reference --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=reference --function=upstream --seed=3 --outputs=%t.upstream.safetensors
// RUN: block-run %s --engine=reference --seed=3 --expect=%t.upstream.safetensors | FileCheck %s
// CHECK: PASS out0 f32 [2, 3, 4]
#all = affine_map<(b, t, c) -> (b, t, c)>
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %limit = arith.constant 2.0 : f32
  %a = block.activation %x {kind = #block.activation<silu>} : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x3x4xf32>
  %b = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %limit : f32
    linalg.yield %p : f32
  } -> tensor<2x3x4xf32>
  %c = tosa.tanh %b : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %d = block.residual %x, %c : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %d : tensor<2x3x4xf32>
}
func.func @upstream(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %two = "tosa.const"() <{values = dense<2.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.sigmoid %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %a = tosa.mul %x, %s, %shift : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
  %b = tosa.mul %a, %two, %shift : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
  %c = tosa.tanh %b : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %d = tosa.add %x, %c : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %d : tensor<2x3x4xf32>
}
