// Numbers that are no floats have no softmax: an error at the op, in the pass and in every engine.
// RUN: block-opt %s --leftovers-decompose-aggregates --verify-diagnostics
// RUN: block-opt %s --block-form-leftovers --verify-diagnostics
// RUN: not block-run %s --engine=cpu --seed=1 2>&1 | FileCheck %s
// RUN: not block-run %s --engine=emulate --chip=sm_90a --seed=1 2>&1 | FileCheck %s
// RUN: not block-run %s --engine=reference --seed=1 2>&1 | FileCheck %s --check-prefix=REFERENCE
// CHECK: error: no code for 'linalg.softmax' of 'tensor<4x8xi32>': expected floats
// REFERENCE: error: 'linalg.softmax' op expected floats, got 'i32'

func.func @main(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %empty = tensor.empty() : tensor<4x8xi32>
  // expected-error @below {{no code for 'linalg.softmax' of 'tensor<4x8xi32>': expected floats}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xi32>) outs(%empty : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}
