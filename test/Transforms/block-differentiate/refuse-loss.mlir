// A loss is a result of one f32 number; without a word about it, it is named loss.
// RUN: block-opt %s --block-differentiate --verify-diagnostics --split-input-file
// RUN: not block-opt %s --block-differentiate="wrt=inputs" --split-input-file 2>&1 | FileCheck %s --check-prefix=INPUTS
// RUN: not block-opt %s --block-differentiate="loss=y" --split-input-file 2>&1 | FileCheck %s --check-prefix=NAME

// INPUTS: expected wrt to name arguments of floats, got "inputs", of which there are none
// NAME: expected the loss "y" to be a tensor<f32>, got 'tensor<8xf32>'
// NAME: expected a result named "y" for loss=y; loss=sum needs none

// expected-error @+1 {{expected a result named "loss" for loss=cross-entropy; loss=sum needs none}}
func.func @main(%w: tensor<8xf32> {block.param = "w"}) -> (tensor<8xf32> {block.output = "y"}) {
  return %w : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected the loss "loss" to be a tensor<f32>, got 'tensor<8xf32>'}}
func.func @main(%w: tensor<8xf32> {block.param = "w"}) -> (tensor<8xf32> {block.output = "loss"}) {
  return %w : tensor<8xf32>
}
