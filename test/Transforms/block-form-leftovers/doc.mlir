// The mask of padded keys, from what a tokenizer gives: one launch, of which
// nothing but the sum of its ops is stored.
// RUN: block-opt %s --block-form-leftovers | FileCheck %s

// CHECK:      %[[MASK:.*]] = block.kernel "elements" (%[[IN:.*]] = %{{.*}} : tensor<2x16xi64>) -> tensor<2x1x1x16xf32> {
// CHECK-DAG:    %[[VIEW:.*]] = tensor.expand_shape %[[IN]]
// CHECK:        %[[SUM:.*]] = linalg.generic
// CHECK-NEXT:       ins(%[[VIEW]] : tensor<2x1x1x16xi64>)
// CHECK:          arith.sitofp
// CHECK-NEXT:     arith.subf
// CHECK-NEXT:     arith.mulf
// CHECK:        block.yield %[[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[MASK]]

func.func @main(%keep: tensor<2x16xi64> {block.input = "attention_mask"})
    -> (tensor<2x1x1x16xf32> {block.output = "bias"}) {
  %view = tensor.expand_shape %keep [[0], [1, 2, 3]] output_shape [2, 1, 1, 16] : tensor<2x16xi64> into tensor<2x1x1x16xi64>
  %number = tosa.cast %view : (tensor<2x1x1x16xi64>) -> tensor<2x1x1x16xf32>
  %one = arith.constant dense<1.0> : tensor<2x1x1x16xf32>
  %low = arith.constant dense<-3.40282347E+38> : tensor<2x1x1x16xf32>
  %hidden = arith.subf %one, %number : tensor<2x1x1x16xf32>
  %bias = arith.mulf %hidden, %low : tensor<2x1x1x16xf32>
  return %bias : tensor<2x1x1x16xf32>
}
