// Sizes that come later: what is known to be equal is asked for once, of what
// the kernel reads anyway.
// RUN: block-opt %s --split-input-file --block-form-leftovers | FileCheck %s

// A mask from JAX, with an element of its own type in each step: one op.
// CHECK-LABEL: func.func @main
// CHECK:      block.kernel "elements" (%[[IN:.*]] = %{{.*}} : tensor<?x?xi32>) -> tensor<?x1x1x?xf32> {
// CHECK-DAG:    tensor.dim %[[IN]], %c0
// CHECK-DAG:    tensor.dim %[[IN]], %c1
// CHECK:        linalg.generic {{.*}} ins(%[[IN]] : tensor<?x?xi32>)
// CHECK:          arith.sitofp
// CHECK-NEXT:     arith.subf
// CHECK-NEXT:     arith.mulf
// CHECK-NOT:    linalg.generic
// CHECK:      return
#own = affine_map<(a, b, c, d) -> (a, b, c, d)>
#keys = affine_map<(a, b, c, d) -> (a, d)>
#none = affine_map<(a, b, c, d) -> ()>
func.func @main(%keep: tensor<?x?xi32>) -> tensor<?x1x1x?xf32> {
  %zero = arith.constant 0 : index
  %first = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<f32>
  %low = arith.constant dense<-1.0e9> : tensor<f32>
  %batch = tensor.dim %keep, %zero : tensor<?x?xi32>
  %tokens = tensor.dim %keep, %first : tensor<?x?xi32>
  %room = tensor.empty(%batch, %tokens) : tensor<?x1x1x?xi32>
  %wide = linalg.generic {indexing_maps = [#keys, #own], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%keep : tensor<?x?xi32>) outs(%room : tensor<?x1x1x?xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<?x1x1x?xi32>
  %number = arith.sitofp %wide : tensor<?x1x1x?xi32> to tensor<?x1x1x?xf32>
  %floats = tensor.empty(%batch, %tokens) : tensor<?x1x1x?xf32>
  %ones = linalg.generic {indexing_maps = [#none, #own], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%one : tensor<f32>) outs(%floats : tensor<?x1x1x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x1x1x?xf32>
  %hidden = arith.subf %ones, %number : tensor<?x1x1x?xf32>
  %lows = linalg.generic {indexing_maps = [#none, #own], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%low : tensor<f32>) outs(%floats : tensor<?x1x1x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x1x1x?xf32>
  %mask = arith.mulf %hidden, %lows : tensor<?x1x1x?xf32>
  return %mask : tensor<?x1x1x?xf32>
}

// -----

// TOSA's sum of tensors of one open size is a sum of elements.
// CHECK-LABEL: func.func @main
// CHECK:      block.kernel "elements" (%[[IN:.*]] = %{{.*}} : tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NOT:    scf.if
// CHECK-NOT:    tensor.extract
// CHECK:        math.tanh
// CHECK-NEXT:   arith.addf
// CHECK:      return
func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %tanh = tosa.tanh %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %sum = tosa.add %x, %tanh : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %sum : tensor<?x8xf32>
}

// -----

// Of tensors that may have one row, the first is read for all.
// CHECK-LABEL: func.func @main
// CHECK:      block.kernel "elements" (%[[A:.*]] = %{{.*}} : tensor<?x8xf32>, %[[B:.*]] = %{{.*}} : tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NOT:    scf.if
// CHECK:        %[[ROWS:.*]] = arith.maxui
// CHECK:        tensor.empty(%[[ROWS]])
// CHECK:        linalg.generic
// CHECK:          arith.select %{{.*}}, %c0
// CHECK:          tensor.extract
// CHECK:          arith.select %{{.*}}, %c0
// CHECK:          tensor.extract
// CHECK:          arith.addf
// CHECK:      return
func.func @main(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %sum = tosa.add %a, %b : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %sum : tensor<?x8xf32>
}
