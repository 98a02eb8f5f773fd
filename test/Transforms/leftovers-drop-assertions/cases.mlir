// Both sides of an index of an open size; comparisons stay for canonicalization.
// RUN: block-opt %s --leftovers-drop-assertions | FileCheck %s
// CHECK-LABEL: func.func @both(
// CHECK-NOT: cf.assert
// CHECK: arith.cmpi sgt, %arg1, %c-1
// CHECK-NEXT: arith.cmpi slt, %arg1, %dim
// CHECK-NEXT: tensor.extract %arg0[%arg1, %c0]
func.func @both(%x: tensor<?x8xf16>, %at: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c_1 = arith.constant -1 : index
  %size = tensor.dim %x, %c0 : tensor<?x8xf16>
  %low = arith.cmpi sgt, %at, %c_1 : index
  cf.assert %low, "low"
  %high = arith.cmpi slt, %at, %size : index
  cf.assert %high, "high"
  %element = tensor.extract %x[%at, %c0] : tensor<?x8xf16>
  return %element : f16
}
