// Nothing to raise is a remark of its own, and changes nothing.
// RUN: block-opt %s --block-raise --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// CHECK: remark: [Analysis] no-match | Category:block-raise | Function=main | Remark="found no projection, norm or attention in upstream ops"
// CHECK: return %arg0 : tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
