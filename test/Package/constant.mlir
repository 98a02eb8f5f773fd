// What a kernel reads has to be made by a kernel, or be an argument.
// RUN: not block-translate --block-to-package --chip=sm_80 %s -o %t.pbk 2>&1 | FileCheck %s
// CHECK: constant.mlir:[[@LINE+3]]:8: error: no GPU code for 'tile.launch' of what no kernel makes and no argument is
func.func @main(%x: tensor<1x2x8xf32> {block.input = "x"}) -> (tensor<1x2x8xf32> {block.output = "y"}) {
  %c = arith.constant dense<1.000000e+00> : tensor<1x2x8xf32>
  %y = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>, %b = %c : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %sum = block.residual %a, %b : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %sum : tensor<1x2x8xf32>
  }
  return %y : tensor<1x2x8xf32>
}
