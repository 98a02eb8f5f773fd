// Sizes without a name: each argument has its own, unless the function is valid for one of several arguments alone. These
// get it as block.dims, and are held to it.
// RUN: split-file %s %t
// RUN: block-opt --unbroken-lines %t/apart.mlir --block-raise -o %t/apart.raised.mlir
// RUN: FileCheck %s --check-prefix=APART --input-file=%t/apart.raised.mlir
// RUN: block-run %t/apart.raised.mlir --engine=reference --seed=3 --dims=arg00.d1=5,arg01.d1=9 --baseline=%t/apart.mlir | FileCheck %s --check-prefix=SAME
// RUN: block-run %t/apart.raised.mlir --engine=cpu --seed=3 --dims=arg00.d1=9,arg01.d1=2 --baseline=%t/apart.mlir | FileCheck %s --check-prefix=SAME
// APART: func.func @main(%[[X:.*]]: tensor<1x?x8xf32> {block.input = "arg00"}, %[[Y:.*]]: tensor<1x?x8xf32> {block.input = "arg01"}
// APART-DAG: %[[SIZE:.*]] = tensor.dim %[[Y]]
// APART-DAG: tensor.empty(%[[SIZE]]) : tensor<1x?x8xf32>
// APART: block.head %[[X]]
// SAME: PASS out0
// SAME: PASS out1

// RUN: block-opt --unbroken-lines %t/one.mlir --block-raise -o %t/one.raised.mlir
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t/one.raised.mlir
// RUN: block-run %t/one.raised.mlir --engine=cpu --seed=3 --dims=d1=5 --baseline=%t/one.mlir | FileCheck %s --check-prefix=PASS
// RUN: not block-run %t/one.raised.mlir --engine=cpu --seed=3 --dims=arg00.d1=5,arg01.d1=9 2>&1 | FileCheck %s --check-prefix=HELD
// RUN: %python %S/../../Tools/block-run/Inputs/make_safetensors.py %t.safetensors arg00:F32:1x5x8=1 arg01:F32:1x9x8=1
// RUN: not block-run %t/one.raised.mlir --engine=cpu --seed=3 --inputs=%t.safetensors 2>&1 | FileCheck %s --check-prefix=DIFFER
// DIFFER: error: {{.*}}tensor 'arg01': expected dimension 1 ('d1') to be 5 as in {{.*}} ('arg00'), got 9
// ONE: func.func @main(%arg0: tensor<1x?x8xf32> {block.dims = ["d1"], block.input = "arg00"}, %arg1: tensor<1x?x8xf32> {block.dims = ["d1"], block.input = "arg01"}
// ONE: block.head
// PASS: PASS out0
// HELD: error: {{.*}}argument 'arg00': dimension 1 ('d1') has no size; give one with --dims=d1=SIZE

//--- apart.mlir
func.func @main(%x: tensor<1x?x8xf32>, %y: tensor<1x?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<1x?x8xf32>, tensor<1x?x8xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<1x?x8xf32>, tensor<8x8xf32>) -> tensor<1x?x8xf32>
  %b = stablehlo.cosine %y : tensor<1x?x8xf32>
  %t = stablehlo.get_dimension_size %y, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %eight = stablehlo.constant dense<8> : tensor<1xi32>
  %t1 = stablehlo.reshape %t : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %one, %t1, %eight, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %all = stablehlo.dynamic_broadcast_in_dim %half, %s, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %c = stablehlo.add %b, %all : tensor<1x?x8xf32>
  return %a, %c : tensor<1x?x8xf32>, tensor<1x?x8xf32>
}

//--- one.mlir
func.func @main(%x: tensor<1x?x8xf32>, %y: tensor<1x?x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x?x8xf32> {
  %z = stablehlo.add %x, %y : tensor<1x?x8xf32>
  %a = stablehlo.dot_general %z, %w, contracting_dims = [2] x [0] : (tensor<1x?x8xf32>, tensor<8x8xf32>) -> tensor<1x?x8xf32>
  return %a : tensor<1x?x8xf32>
}
