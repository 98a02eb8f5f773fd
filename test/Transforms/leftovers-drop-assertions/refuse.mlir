// An assertion that does not say that an index is one of its tensor is an error: it cannot be dropped.
// RUN: not block-opt %s --split-input-file --leftovers-drop-assertions 2>&1 | FileCheck %s
// CHECK-COUNT-7: error: no code for an assertion, other than that an index is one of the tensor that it reads
// CHECK-NOT: error:
// A bound that is not the size of the tensor.
func.func @other_size(%x: tensor<8xf32>, %at: index) -> f32 {
  %c9 = arith.constant 9 : index
  %ok = arith.cmpi slt, %at, %c9 : index
  cf.assert %ok, "nine"
  %0 = tensor.extract %x[%at] : tensor<8xf32>
  return %0 : f32
}

// -----

// An index that nothing is read at.
func.func @no_read(%x: tensor<8xf32>, %at: index) {
  %c8 = arith.constant 8 : index
  %ok = arith.cmpi slt, %at, %c8 : index
  cf.assert %ok, "unread"
  return
}

// -----

// One index too many.
func.func @equal(%x: tensor<8xf32>, %at: index) -> f32 {
  %c8 = arith.constant 8 : index
  %ok = arith.cmpi sle, %at, %c8 : index
  cf.assert %ok, "one too many"
  %0 = tensor.extract %x[%at] : tensor<8xf32>
  return %0 : f32
}

// -----

// A truth value of any origin.
func.func @given(%ok: i1, %x: tensor<8xf32>, %at: index) -> f32 {
  cf.assert %ok, "given"
  %0 = tensor.extract %x[%at] : tensor<8xf32>
  return %0 : f32
}

// -----

// A bound of another dimension than the index's.
func.func @other_dim(%x: tensor<4x8xf32>, %at: index, %b: index) -> f32 {
  %c8 = arith.constant 8 : index
  %ok = arith.cmpi slt, %at, %c8 : index
  cf.assert %ok, "of the other dimension"
  %0 = tensor.extract %x[%at, %b] : tensor<4x8xf32>
  return %0 : f32
}

// -----

// A tensor of rank 0 has no index.
func.func @rank0(%x: tensor<f16>, %at: index) -> f16 {
  %c1 = arith.constant 1 : index
  %ok = arith.cmpi slt, %at, %c1 : index
  cf.assert %ok, "of no dimension"
  %0 = tensor.extract %x[] : tensor<f16>
  return %0 : f16
}

// -----

// The first index is one of the tensor, too.
func.func @first(%x: tensor<8xf32>, %at: index) -> f32 {
  %c0 = arith.constant 0 : index
  %ok = arith.cmpi sgt, %at, %c0 : index
  cf.assert %ok, "not the first"
  %0 = tensor.extract %x[%at] : tensor<8xf32>
  return %0 : f32
}
