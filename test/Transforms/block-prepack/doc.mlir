// A folded norm and two projections, for the documentation of the pass.
// RUN: block-opt %s --block-prepack | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<1x5x8xf32> {block.input = "hidden_states"}
// CHECK-NEXT: %arg1: tensor<24x8xf32> {block.param = "packed.q.weight"}
// CHECK-NEXT: %arg2: tensor<8x24xf32> {block.param = "packed.o.weight"}
// CHECK-NEXT: %[[Y:.*]] = block.linear %arg0, %arg1 :
// CHECK-NEXT: %[[Z:.*]] = block.linear %[[Y]], %arg2 :
// CHECK-NEXT: return %[[Z]]
// CHECK: func.func @prepack(
// CHECK-SAME: %arg0: tensor<8xf32> {block.param = "norm.weight"}
// CHECK-NEXT: %arg1: tensor<16x8xf32> {block.param = "q.weight"}
// CHECK-NEXT: %arg2: tensor<8x8xf32> {block.param = "k.weight"}
// CHECK-NEXT: %arg3: tensor<8x24xf32> {block.param = "o.weight"}
// CHECK-NEXT: -> (tensor<24x8xf32> {block.output = "packed.q.weight"}, tensor<8x24xf32> {block.output = "packed.o.weight"})
// CHECK-NEXT: %[[Q:.*]] = block.fold_gain %arg1, %arg0
// CHECK-NEXT: %[[K:.*]] = block.fold_gain %arg2, %arg0
// CHECK-NEXT: %[[QK:.*]] = tensor.concat dim(0) %[[Q]], %[[K]] :
// CHECK-NEXT: return %[[QK]], %arg3 :
func.func @main(
    %x: tensor<1x5x8xf32> {block.input = "hidden_states"},
    %gain: tensor<8xf32> {block.param = "norm.weight"},
    %q: tensor<16x8xf32> {block.param = "q.weight"},
    %k: tensor<8x8xf32> {block.param = "k.weight"},
    %o: tensor<8x24xf32> {block.param = "o.weight"}) -> tensor<1x5x8xf32> {
  %qg = block.fold_gain %q, %gain {form = #block.norm<kind = rms, eps = 1.0e-6>}
      : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16x8xf32>
  %kg = block.fold_gain %k, %gain {form = #block.norm<kind = rms, eps = 1.0e-6>}
      : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %qk = tensor.concat dim(0) %qg, %kg : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<24x8xf32>
  %y = block.linear %x, %qk : (tensor<1x5x8xf32>, tensor<24x8xf32>) -> tensor<1x5x24xf32>
  %z = block.linear %y, %o : (tensor<1x5x24xf32>, tensor<8x24xf32>) -> tensor<1x5x8xf32>
  return %z : tensor<1x5x8xf32>
}
