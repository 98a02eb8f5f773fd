// What has no code is an error at its op, and the module stays as it is.
// RUN: not block-opt %s --split-input-file --convert-block-kernels-to-cpu=cpu=x86-64 2>&1 | FileCheck %s
// RUN: not block-opt %S/doc.mlir --convert-block-kernels-to-cpu="cpu=x86-64 function=other" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not block-opt %S/doc.mlir --convert-block-kernels-to-cpu=cpu=x86-65 2>&1 | FileCheck %s --check-prefix=PROCESSOR
// RUN: not block-opt %S/doc.mlir --convert-block-kernels-to-cpu="cpu=x86-64 rank=1" 2>&1 | FileCheck %s --check-prefix=RANK
// FUNCTION: error: expected a function 'other', got main
// PROCESSOR: error: unknown processor 'x86-65': expected native, x86-64
// RANK: error: expected rank to be in [0, 0], got 1

// A block op outside a kernel.
func.func @main(%x: tensor<2x3x4xf32> {block.input = "x"}) -> (tensor<2x3x4xf32> {block.output = "y"}) {
  // CHECK: error: no CPU code for 'block.activation' outside a kernel
  %0 = block.activation %x {kind = #block.activation<relu>} : tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// More than one basic block.
// CHECK: error: expected a function of one basic block
func.func @main(%x: tensor<4xf32> {block.input = "x"}) -> (tensor<4xf32> {block.output = "y"}) {
  cf.br ^end(%x : tensor<4xf32>)
^end(%y: tensor<4xf32>):
  return %y : tensor<4xf32>
}

// -----

// Two models, neither of which is called main.
// CHECK: error: expected a function 'main' or a single model, got first, second: choose one by 'function='
func.func @first(%x: tensor<4xf32> {block.input = "x"}) -> (tensor<4xf32> {block.output = "y"}) {
  return %x : tensor<4xf32>
}
func.func @second(%x: tensor<4xf32> {block.input = "x"}) -> (tensor<4xf32> {block.output = "y"}) {
  return %x : tensor<4xf32>
}
