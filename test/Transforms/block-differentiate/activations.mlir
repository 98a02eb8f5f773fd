// Every activation and gate has its derivative.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK: PASS u
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x", block.init = #block.init<kind = normal, std = 2.0>},
    %u: tensor<2x5x8xf32> {block.input = "u"})
    -> (tensor<2x5x8xf32> {block.output = "a_identity"}, tensor<2x5x8xf32> {block.output = "a_relu"}, tensor<2x5x8xf32> {block.output = "a_relu_squared"}, tensor<2x5x8xf32> {block.output = "a_gelu_erf"}, tensor<2x5x8xf32> {block.output = "a_gelu_tanh"}, tensor<2x5x8xf32> {block.output = "a_quick_gelu"}, tensor<2x5x8xf32> {block.output = "a_silu"}, tensor<2x5x8xf32> {block.output = "a_sigmoid"}, tensor<2x5x8xf32> {block.output = "a_tanh"}, tensor<2x5x8xf32> {block.output = "a_leaky_relu"}, tensor<2x5x8xf32> {block.output = "a_hardswish"}, tensor<2x5x8xf32> {block.output = "a_mish"}, tensor<2x5x8xf32> {block.output = "a_softplus"}, tensor<2x5x8xf32> {block.output = "g_identity"}, tensor<2x5x8xf32> {block.output = "g_relu"}, tensor<2x5x8xf32> {block.output = "g_relu_squared"}, tensor<2x5x8xf32> {block.output = "g_gelu_erf"}, tensor<2x5x8xf32> {block.output = "g_gelu_tanh"}, tensor<2x5x8xf32> {block.output = "g_quick_gelu"}, tensor<2x5x8xf32> {block.output = "g_silu"}, tensor<2x5x8xf32> {block.output = "g_sigmoid"}, tensor<2x5x8xf32> {block.output = "g_tanh"}, tensor<2x5x8xf32> {block.output = "g_leaky_relu"}, tensor<2x5x8xf32> {block.output = "g_hardswish"}, tensor<2x5x8xf32> {block.output = "g_mish"}, tensor<2x5x8xf32> {block.output = "g_softplus"}) {
  %a_identity = block.activation %x {kind = #block.activation<identity>} : tensor<2x5x8xf32>
  %a_relu = block.activation %x {kind = #block.activation<relu>} : tensor<2x5x8xf32>
  %a_relu_squared = block.activation %x {kind = #block.activation<relu_squared>} : tensor<2x5x8xf32>
  %a_gelu_erf = block.activation %x {kind = #block.activation<gelu_erf>} : tensor<2x5x8xf32>
  %a_gelu_tanh = block.activation %x {kind = #block.activation<gelu_tanh>} : tensor<2x5x8xf32>
  %a_quick_gelu = block.activation %x {kind = #block.activation<quick_gelu>} : tensor<2x5x8xf32>
  %a_silu = block.activation %x {kind = #block.activation<silu>} : tensor<2x5x8xf32>
  %a_sigmoid = block.activation %x {kind = #block.activation<sigmoid>} : tensor<2x5x8xf32>
  %a_tanh = block.activation %x {kind = #block.activation<tanh>} : tensor<2x5x8xf32>
  %a_leaky_relu = block.activation %x {kind = #block.activation<leaky_relu>} : tensor<2x5x8xf32>
  %a_hardswish = block.activation %x {kind = #block.activation<hardswish>} : tensor<2x5x8xf32>
  %a_mish = block.activation %x {kind = #block.activation<mish>} : tensor<2x5x8xf32>
  %a_softplus = block.activation %x {kind = #block.activation<softplus>} : tensor<2x5x8xf32>
  %g_identity = block.gate %x, %u {kind = #block.activation<identity>} : tensor<2x5x8xf32>
  %g_relu = block.gate %x, %u {kind = #block.activation<relu>} : tensor<2x5x8xf32>
  %g_relu_squared = block.gate %x, %u {kind = #block.activation<relu_squared>} : tensor<2x5x8xf32>
  %g_gelu_erf = block.gate %x, %u {kind = #block.activation<gelu_erf>} : tensor<2x5x8xf32>
  %g_gelu_tanh = block.gate %x, %u {kind = #block.activation<gelu_tanh>} : tensor<2x5x8xf32>
  %g_quick_gelu = block.gate %x, %u {kind = #block.activation<quick_gelu>} : tensor<2x5x8xf32>
  %g_silu = block.gate %x, %u {kind = #block.activation<silu>} : tensor<2x5x8xf32>
  %g_sigmoid = block.gate %x, %u {kind = #block.activation<sigmoid>} : tensor<2x5x8xf32>
  %g_tanh = block.gate %x, %u {kind = #block.activation<tanh>} : tensor<2x5x8xf32>
  %g_leaky_relu = block.gate %x, %u {kind = #block.activation<leaky_relu>} : tensor<2x5x8xf32>
  %g_hardswish = block.gate %x, %u {kind = #block.activation<hardswish>} : tensor<2x5x8xf32>
  %g_mish = block.gate %x, %u {kind = #block.activation<mish>} : tensor<2x5x8xf32>
  %g_softplus = block.gate %x, %u {kind = #block.activation<softplus>} : tensor<2x5x8xf32>
  return %a_identity, %a_relu, %a_relu_squared, %a_gelu_erf, %a_gelu_tanh, %a_quick_gelu, %a_silu, %a_sigmoid, %a_tanh, %a_leaky_relu, %a_hardswish, %a_mish, %a_softplus, %g_identity, %g_relu, %g_relu_squared, %g_gelu_erf, %g_gelu_tanh, %g_quick_gelu, %g_silu, %g_sigmoid, %g_tanh, %g_leaky_relu, %g_hardswish, %g_mish, %g_softplus : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
