// Weights that are computed by the same ops have one kernel, whatever they are computed from; of one matrix twice is not of two.
// RUN: block-opt %s --block-form-kernels --convert-block-kernels-to-cpu="cpu=x86-64-v3" | FileCheck %s

// CHECK: plan.launch @kernels::@[[TWO:weights_[0-9]+]](%q, %p) ->
// CHECK-NEXT: plan.launch @kernels::@[[ONE:weights_[0-9]+]](%p) ->
// CHECK-NEXT: plan.launch @kernels::@[[TWO]](%s, %r) ->
// CHECK-NEXT: plan.launch @kernels::@[[FAR:weights_[0-9]+]](%s, %r) ->
// CHECK-NEXT: }
// CHECK-DAG: func.func @[[TWO]](
// CHECK-DAG: func.func @[[ONE]](
// CHECK-DAG: func.func @[[FAR]](
// CHECK-NOT: func.func @weights_

func.func @main(%x: tensor<1x4x64xf32> {block.input = "x"}, %y: tensor<1x4x32xf32> {block.input = "y"},
    %p: tensor<16x64xf32> {block.param = "p"}, %q: tensor<16x64xf32> {block.param = "q"},
    %r: tensor<16x64xf32> {block.param = "r"}, %s: tensor<16x64xf32> {block.param = "s"})
    -> (tensor<1x4x32xf32>, tensor<1x4x32xf32>, tensor<1x4x32xf32>, tensor<1x4x32xf32>) {
  %two = tensor.concat dim(0) %p, %q : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  %one = tensor.concat dim(0) %p, %p : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  %others = tensor.concat dim(0) %r, %s : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  %low = tensor.extract_slice %r[0, 32] [16, 32] [1, 1] : tensor<16x64xf32> to tensor<16x32xf32>
  %high = tensor.extract_slice %s[0, 32] [16, 32] [1, 1] : tensor<16x64xf32> to tensor<16x32xf32>
  %far = tensor.concat dim(0) %low, %high : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
  %a = block.linear %x, %two : (tensor<1x4x64xf32>, tensor<32x64xf32>) -> tensor<1x4x32xf32>
  %b = block.linear %x, %one : (tensor<1x4x64xf32>, tensor<32x64xf32>) -> tensor<1x4x32xf32>
  %c = block.linear %x, %others : (tensor<1x4x64xf32>, tensor<32x64xf32>) -> tensor<1x4x32xf32>
  %d = block.linear %y, %far : (tensor<1x4x32xf32>, tensor<32x32xf32>) -> tensor<1x4x32xf32>
  return %a, %b, %c, %d : tensor<1x4x32xf32>, tensor<1x4x32xf32>, tensor<1x4x32xf32>, tensor<1x4x32xf32>
}
