// Numbers are rounded up, too: both bounds are 0, so that both are one relu.
// RUN: block-opt %s --block-raise -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=3 --baseline=%s | FileCheck %s --check-prefix=SAME
// CHECK: %[[Y:.*]] = block.activation %arg0 {kind = #block.activation<relu>}
// CHECK: return %[[Y]], %[[Y]]
// SAME: PASS out0
// SAME: PASS out1
func.func @main(%x: tensor<1x2x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %below = "tosa.const"() <{values = dense<-0.5> : tensor<1x2x4xf32>}> : () -> tensor<1x2x4xf32>
  %0 = tosa.ceil %below : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %1 = tosa.maximum %x, %0 : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %half = arith.constant dense<-0.75> : tensor<1x2x4xf32>
  %2 = math.ceil %half : tensor<1x2x4xf32>
  %3 = arith.maximumf %2, %x : tensor<1x2x4xf32>
  return %1, %3 : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}
