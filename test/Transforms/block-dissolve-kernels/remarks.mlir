// Kernels are counted; a function without one is said to have none.
// RUN: block-opt %s --block-dissolve-kernels -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not=remark:
// CHECK: remark: [Passed] {{.*}} | Category:block-dissolve-kernels | Function=formed | Remark="kernels dissolved", kernels=1
// CHECK: remark: [Analysis] no-match | Category:block-dissolve-kernels | Function=plain | Remark="found no kernel"
func.func @formed(%x: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
    %1 = block.clamp %a {limit = 1.0 : f64} : tensor<1x3x4xf32>
    block.yield %1 : tensor<1x3x4xf32>
  }
  return %0 : tensor<1x3x4xf32>
}
func.func @plain(%x: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  return %x : tensor<1x3x4xf32>
}
