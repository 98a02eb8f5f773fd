// The largest columns and their numbers: a route of plain scores, whose numbers and ties are those of the specification.
// RUN: block-opt %s --convert-stablehlo-to-upstream -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %s --engine=reference --function=ties --outputs=%t.safetensors
// RUN: %python -c "import sys; sys.path.insert(0, '%root/test/support'); import safetensors_io; print({name: value.tolist() for name, value in sorted(safetensors_io.read('%t.safetensors').items())})" | FileCheck %s --check-prefix=TIES

// CHECK-LABEL: func.func @rows(
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [1, %{{.*}}, 8]
// CHECK: %[[I:.*]], %[[W:.*]] = block.route %[[ROWS]] {form = #block.routing<chosen = 3, score = logit>}
// CHECK: %[[NARROW:.*]] = arith.trunci
// CHECK: return
func.func @rows(%x: tensor<?x8xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>) {
  %v, %i = chlo.top_k(%x, k = 3) : tensor<?x8xf32> -> (tensor<?x3xf32>, tensor<?x3xi32>)
  return %v, %i : tensor<?x3xf32>, tensor<?x3xi32>
}

// CHECK-LABEL: func.func @more(
// CHECK: tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2], [3]]
// CHECK: block.route
// CHECK: tensor.expand_shape {{.*}} output_shape [2, 3, 4, 2]
func.func @more(%x: tensor<2x3x4x8xbf16>) -> tensor<2x3x4x2xbf16> {
  %v, %i = "chlo.top_k"(%x) <{k = 2 : i64}> : (tensor<2x3x4x8xbf16>) -> (tensor<2x3x4x2xbf16>, tensor<2x3x4x2xi32>)
  return %v : tensor<2x3x4x2xbf16>
}

// TIES: {'out0': [3.0, 3.0, 2.0], 'out1': [1, 4, 2]}
func.func @ties() -> (tensor<3xf32>, tensor<3xi32>) {
  %x = stablehlo.constant dense<[1.0, 3.0, 2.0, 2.0, 3.0]> : tensor<5xf32>
  %v, %i = chlo.top_k(%x, k = 3) : tensor<5xf32> -> (tensor<3xf32>, tensor<3xi32>)
  return %v, %i : tensor<3xf32>, tensor<3xi32>
}
