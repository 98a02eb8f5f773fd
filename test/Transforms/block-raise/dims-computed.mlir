// Sizes and offsets that follow from open sizes: a function lists them in `raise.sizes`, whose symbols are the names of
// `dims` in order. Two choices of sizes become one function that computes them.
// RUN: block-opt --unbroken-lines %s --split-input-file --verify-diagnostics --block-raise=dims=rows,tokens | FileCheck %s

// Every other row, the last row, and a row in front of all.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32> {block.dims = ["rows", "tokens"], block.input = "x"}
// CHECK-NOT: raise.sizes
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[TOKENS:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[NEXT:.*]] = arith.addi %[[TOKENS]], %c1{{.*}} : index
// CHECK-DAG: %[[HALF:.*]] = arith.floordivsi %[[NEXT]], %c2{{.*}} : index
// CHECK-DAG: %[[LAST:.*]] = arith.addi %[[TOKENS]], %c-1{{.*}} : index
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x1x8xf32>
// CHECK: %[[ZERO:.*]] = linalg.fill ins({{.*}}) outs(%[[EMPTY]] : tensor<?x1x8xf32>)
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [%[[ROWS]], %[[HALF]], 8] [1, 2, 1] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
// CHECK: tensor.extract_slice %{{.*}}[0, %[[LAST]], 0] [%[[ROWS]], 1, 8] [1, 1, 1] : tensor<?x?x8xf32> to tensor<?x1x8xf32>
// CHECK: tosa.concat %[[ZERO]], %{{.*}} {axis = 1 : i32} : (tensor<?x1x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
// CHECK-NOT: @larger
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"}) -> (tensor<2x3x8xf32>, tensor<2x1x8xf32>, tensor<2x6x8xf32>)
    attributes {raise.sizes = [affine_map<()[s0, s1] -> ((s1 + 1) floordiv 2)>, affine_map<()[s0, s1] -> (s1 - 1)>]} {
  %y = math.exp %x : tensor<2x5x8xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<2x1x8xf32>}> : () -> tensor<2x1x8xf32>
  %half = tensor.extract_slice %y[0, 0, 0] [2, 3, 8] [1, 2, 1] : tensor<2x5x8xf32> to tensor<2x3x8xf32>
  %last = tensor.extract_slice %y[0, 4, 0] [2, 1, 8] [1, 1, 1] : tensor<2x5x8xf32> to tensor<2x1x8xf32>
  %more = tosa.concat %zero, %y {axis = 1 : i32} : (tensor<2x1x8xf32>, tensor<2x5x8xf32>) -> tensor<2x6x8xf32>
  return %half, %last, %more : tensor<2x3x8xf32>, tensor<2x1x8xf32>, tensor<2x6x8xf32>
}
func.func @larger(%x: tensor<3x7x8xf32> {block.input = "x"}) -> (tensor<3x4x8xf32>, tensor<3x1x8xf32>, tensor<3x8x8xf32>)
    attributes {raise.sizes = [affine_map<()[s0, s1] -> ((s1 + 1) floordiv 2)>, affine_map<()[s0, s1] -> (s1 - 1)>]} {
  %y = math.exp %x : tensor<3x7x8xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<3x1x8xf32>}> : () -> tensor<3x1x8xf32>
  %half = tensor.extract_slice %y[0, 0, 0] [3, 4, 8] [1, 2, 1] : tensor<3x7x8xf32> to tensor<3x4x8xf32>
  %last = tensor.extract_slice %y[0, 6, 0] [3, 1, 8] [1, 1, 1] : tensor<3x7x8xf32> to tensor<3x1x8xf32>
  %more = tosa.concat %zero, %y {axis = 1 : i32} : (tensor<3x1x8xf32>, tensor<3x7x8xf32>) -> tensor<3x8x8xf32>
  return %half, %last, %more : tensor<3x4x8xf32>, tensor<3x1x8xf32>, tensor<3x8x8xf32>
}

// -----

// Shapes of several open sizes, and one row for all.
// CHECK-LABEL: func.func @main(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2{{\]\]}}
// CHECK-SAME: tensor<?x?x8xf32> into tensor<?x?xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<1x8xf32>)
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"}, %g: tensor<1x8xf32> {block.input = "g"}) -> (tensor<2x40xf32>, tensor<2x8xf32>) {
  %y = math.exp %x : tensor<2x5x8xf32>
  %s = tosa.const_shape {values = dense<[2, 40]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %y, %s : (tensor<2x5x8xf32>, !tosa.shape<2>) -> tensor<2x40xf32>
  %m = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %rows = tosa.tile %g, %m : (tensor<1x8xf32>, !tosa.shape<2>) -> tensor<2x8xf32>
  %z = math.exp %rows : tensor<2x8xf32>
  return %flat, %z : tensor<2x40xf32>, tensor<2x8xf32>
}
func.func @larger(%x: tensor<3x7x8xf32> {block.input = "x"}, %g: tensor<1x8xf32> {block.input = "g"}) -> (tensor<3x56xf32>, tensor<3x8xf32>) {
  %y = math.exp %x : tensor<3x7x8xf32>
  %s = tosa.const_shape {values = dense<[3, 56]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %y, %s : (tensor<3x7x8xf32>, !tosa.shape<2>) -> tensor<3x56xf32>
  %m = tosa.const_shape {values = dense<[3, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %rows = tosa.tile %g, %m : (tensor<1x8xf32>, !tosa.shape<2>) -> tensor<3x8xf32>
  %z = math.exp %rows : tensor<3x8xf32>
  return %flat, %z : tensor<3x56xf32>, tensor<3x8xf32>
}

// -----

// An offset that no list explains is an error.
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"}) -> tensor<2x1x8xf32> {
  %y = math.exp %x : tensor<2x5x8xf32>
  // expected-error @+1 {{op has attributes that depend on sizes: 'static_offsets'}}
  %last = tensor.extract_slice %y[0, 4, 0] [2, 1, 8] [1, 1, 1] : tensor<2x5x8xf32> to tensor<2x1x8xf32>
  return %last : tensor<2x1x8xf32>
}
func.func @larger(%x: tensor<3x7x8xf32> {block.input = "x"}) -> tensor<3x1x8xf32> {
  %y = math.exp %x : tensor<3x7x8xf32>
  %last = tensor.extract_slice %y[0, 6, 0] [3, 1, 8] [1, 1, 1] : tensor<3x7x8xf32> to tensor<3x1x8xf32>
  return %last : tensor<3x1x8xf32>
}
