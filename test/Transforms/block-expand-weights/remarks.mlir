// What was rewritten, with its numbers; what stays, and where there was nothing to rewrite, that.
// RUN: block-opt %s --block-expand-weights -o %t.mlir --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.mlir
// RUN: echo "func.func @main() { return }" | block-opt --block-expand-weights -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: [Analysis] no-match | Category:block-expand-weights |
// NONE-SAME: Remark="found no op that computes a weight"

// CHECK: remark: [Analysis] stays | Category:block-expand-weights | Remark="no upstream op reads ui8", ops=1
// CHECK-NEXT: remark: [Passed] builtin.module | Category:block-expand-weights | Remark="became upstream ops", ops=2
// CODE: linalg.generic
// CODE: linalg.generic
// CODE-NOT: linalg.generic
// CODE: block.unpack_weight
func.func @main(%w: tensor<4x8xbf16>, %g: tensor<8xf32>, %b: tensor<4x8xbf16>, %c: tensor<4x8xi8>, %s: tensor<4x2xui8>) -> (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x16xf32>) {
  %0 = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16>
  %1 = block.fold_gain %b, %g {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16>
  %2 = block.unpack_weight %c, %s {form = #block.code_form<mxfp4>, group = 8} : tensor<4x8xi8>, tensor<4x2xui8> -> tensor<4x16xf32>
  return %0, %1, %2 : tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x16xf32>
}
