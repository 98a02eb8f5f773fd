// The choice of the next tokens.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @known(
// CHECK: %{{.*}} = block.sample %arg0 after %arg1 options %arg2 random %arg3 stops %arg4 padding %arg5
// CHECK-NEXT: state(%arg6, %arg7, %arg8, %arg9) :
func.func @known(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// CHECK-LABEL: func.func @open(
// CHECK: %{{.*}} = block.sample %arg0 after %arg1 options %arg2 random %arg3 stops %arg4 padding %arg5
// CHECK-NEXT: state(%arg6, %arg7, %arg8, %arg9) :
func.func @open(%logits: tensor<?x?x9xbf16>, %ids: tensor<?x?xi64>, %o: tensor<?x5xf64>, %r: tensor<?x2xi64>, %s: tensor<?xi64>, %p: tensor<1xi64>, %seen: tensor<?x9xi8>, %e: tensor<?xi64>, %n: tensor<?xi64>, %t: tensor<?xi64>) {
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<?x?x9xbf16>, tensor<?x?xi64>, tensor<?x5xf64>, tensor<?x2xi64>, tensor<?xi64>, tensor<1xi64>, tensor<?x9xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> (tensor<?x1xi64>, tensor<?x9xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  return
}
