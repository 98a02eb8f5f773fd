// A step is no model: its ops become launches where it is named.
// RUN: block-opt %s --block-form-leftovers | FileCheck %s --check-prefix=MODEL
// RUN: block-opt %s --block-form-leftovers=function=main_step | FileCheck %s
// RUN: block-opt %s "--block-to-gpu=chip=sm_90a function=main" | FileCheck %s --check-prefix=ALONE
// RUN: not block-opt %s --block-form-leftovers=function=gone 2>&1 | FileCheck %s --check-prefix=GONE

// MODEL-LABEL: @main(
// MODEL: block.kernel "elements"
// MODEL-LABEL: @main_step(
// MODEL-NOT: block.kernel
// MODEL: arith.mulf %{{.*}} : tensor<3xf32>

// A model is lowered without the steps beside it.
// ALONE-NOT: @main_step
// ALONE: @main(
// ALONE-NOT: @main_step

// CHECK-LABEL: @main(
// CHECK: block.kernel "elements"
// CHECK-LABEL: @main_step(
// CHECK: block.kernel "elements"

// GONE: error: expected a function 'gone', got main, main_step

func.func @main(%x: tensor<3xf32> {block.input = "x"}, %y: tensor<3xf32> {block.param = "y"}) -> (tensor<3xf32> {block.output = "z"}) {
  %z = arith.mulf %x, %y : tensor<3xf32>
  return %z : tensor<3xf32>
}

func.func @main_step(%x: tensor<3xf32> {block.input = "x"}, %y: tensor<3xf32> {block.param = "y"}, %d: tensor<3xf32> {block.input = "grad.z"})
    -> (tensor<3xf32> {block.output = "z"}, tensor<3xf32> {block.grad = "y"}) {
  %z = arith.mulf %x, %y : tensor<3xf32>
  %g = arith.mulf %x, %d : tensor<3xf32>
  return %z, %g : tensor<3xf32>, tensor<3xf32>
}
