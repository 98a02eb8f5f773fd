// The verifiers of reshapes look only at the low 32 bits of the dimensions that
// they list; the interpreter must not take the rest for an index.
// RUN: not block-run --engine=reference %s --function=collapse 2>&1 | FileCheck %s --check-prefix=COLLAPSE
// RUN: not block-run --engine=reference %s --function=expand 2>&1 | FileCheck %s --check-prefix=EXPAND

// COLLAPSE: error: 'tensor.collapse_shape' op expected reassociation to list dimension 0, got 9218868437227405312
func.func @collapse(%x: tensor<4x2xf32>) -> tensor<8xf32> {
  %y = "tensor.collapse_shape"(%x) <{reassociation = [[9218868437227405312, 1]]}> : (tensor<4x2xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// EXPAND: error: 'tensor.expand_shape' op expected reassociation to list dimension 1, got 4294967297
func.func @expand(%x: tensor<8xf32>) -> tensor<4x2xf32> {
  %y = "tensor.expand_shape"(%x) <{reassociation = [[0, 4294967297]], static_output_shape = array<i64: 4, 2>}> : (tensor<8xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
