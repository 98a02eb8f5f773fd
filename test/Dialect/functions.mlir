// Names of inputs, parameters and outputs; names of dynamic dimensions; how --seed draws.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<?x?xi64> {block.dims = ["batch", "seq"], block.input = "input_ids"},
// CHECK-NEXT: %arg1: tensor<11x8xf32> {block.init = #block.init<kind = normal, std = 0.02>, block.param = "wte.weight"})
// CHECK-NEXT: -> (tensor<?x?x8xf32> {block.output = "hidden_states"}) {
// CHECK-NEXT: %0 = block.embedding %arg0 in %arg1 : tensor<?x?xi64>, tensor<11x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<?x?x8xf32>
func.func @main(%arg0: tensor<?x?xi64> {block.dims = ["batch", "seq"], block.input = "input_ids"}, %arg1: tensor<11x8xf32> {block.init = #block.init<kind = normal, std = 2.000000e-02>, block.param = "wte.weight"}) -> (tensor<?x?x8xf32> {block.output = "hidden_states"}) {
  %0 = block.embedding %arg0 in %arg1 : (tensor<?x?xi64>, tensor<11x8xf32>) -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}
