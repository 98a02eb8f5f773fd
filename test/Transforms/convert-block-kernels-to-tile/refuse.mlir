// What has no code for a GPU is an error at its op.
// RUN: not block-opt %s --split-input-file --convert-block-kernels-to-tile=chip=sm_90a 2>&1 | FileCheck %s
// RUN: not block-opt %S/doc.mlir --convert-block-kernels-to-tile=chip=sm_12 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: {{.*}}sm_12

// A block op outside a kernel.
func.func @main(%x: tensor<2x3x4xf32> {block.input = "x"}) -> (tensor<2x3x4xf32> {block.output = "y"}) {
  // CHECK: error: no GPU code for 'block.activation' outside a kernel
  %0 = block.activation %x {kind = #block.activation<relu>} : tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
