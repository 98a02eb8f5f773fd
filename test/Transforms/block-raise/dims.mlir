// Two functions, one model at two choices of sizes, become one of any size, or an error says what depends on them.
// RUN: block-opt --unbroken-lines %s --split-input-file --verify-diagnostics --block-raise=dims=rows,tokens | FileCheck %s

// A norm, and what is left: a table of one number, a slice, and rows that are told apart again.
// CHECK: func.func @main(%[[X:.*]]: tensor<?x?x8xf32> {block.dims = ["rows", "tokens"], block.input = "x"},
// CHECK-SAME: tensor<8xf32> {block.param = "g"}, %[[IDS:.*]]: tensor<?xi64> {block.dims = ["tokens"], block.input = "ids"}) -> (tensor<?x?x8xf32>
// CHECK-SAME: tensor<?x1x8xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[TOKENS:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[ROWS]], %[[TOKENS]]) : tensor<?x?x8xf32>
// CHECK: %[[ONES:.*]] = linalg.fill ins({{.*}}) outs(%[[EMPTY]] : tensor<?x?x8xf32>)
// CHECK: %[[NORM:.*]] = block.norm %[[X]] gamma
// CHECK: %[[SUM:.*]] = arith.addf %[[NORM]], %[[ONES]] : tensor<?x?x8xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[SUM]] {{.*}} : tensor<?x?x8xf32> into tensor<?x8xf32>
// CHECK: %[[EXP:.*]] = math.exp %[[FLAT]] : tensor<?x8xf32>
// CHECK: tensor.expand_shape %[[EXP]] {{.*}} output_shape [%[[ROWS]], %[[TOKENS]], 8] : tensor<?x8xf32> into tensor<?x?x8xf32>
// CHECK: tensor.extract_slice {{.*}}[0, 0, 0] [%[[ROWS]], 1, 8] [1, 1, 1] : tensor<?x?x8xf32> to tensor<?x1x8xf32>
// CHECK-NOT: @larger
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"}, %g: tensor<8xf32> {block.param = "g"}, %ids: tensor<5xi64> {block.input = "ids"}) -> (tensor<2x5x8xf32>, tensor<2x1x8xf32>) {
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %n = "tosa.const"() <{values = dense<0.125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %eps = "tosa.const"() <{values = dense<1.0e-5> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.const_shape {values = dense<[1, 1, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %gain = tosa.reshape %g, %s : (tensor<8xf32>, !tosa.shape<3>) -> tensor<1x1x8xf32>
  %xx = tosa.mul %x, %x, %i : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1xi8>) -> tensor<2x5x8xf32>
  %sum = tosa.reduce_sum %xx {axis = 2 : i32} : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
  %mean = tosa.mul %sum, %n, %i : (tensor<2x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x5x1xf32>
  %above = tosa.add %mean, %eps : (tensor<2x5x1xf32>, tensor<1x1x1xf32>) -> tensor<2x5x1xf32>
  %root = tosa.rsqrt %above : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  %normal = tosa.mul %x, %root, %i : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<1xi8>) -> tensor<2x5x8xf32>
  %y = tosa.mul %normal, %gain, %i : (tensor<2x5x8xf32>, tensor<1x1x8xf32>, tensor<1xi8>) -> tensor<2x5x8xf32>
  %one = arith.constant dense<1.0> : tensor<2x5x8xf32>
  %more = arith.addf %y, %one : tensor<2x5x8xf32>
  %flat = tensor.collapse_shape %more [[0, 1], [2]] : tensor<2x5x8xf32> into tensor<10x8xf32>
  %exp = math.exp %flat : tensor<10x8xf32>
  %rows = tensor.expand_shape %exp [[0, 1], [2]] output_shape [2, 5, 8] : tensor<10x8xf32> into tensor<2x5x8xf32>
  %first = tensor.extract_slice %rows[0, 0, 0] [2, 1, 8] [1, 1, 1] : tensor<2x5x8xf32> to tensor<2x1x8xf32>
  return %rows, %first : tensor<2x5x8xf32>, tensor<2x1x8xf32>
}
func.func @larger(%x: tensor<3x7x8xf32> {block.input = "x"}, %g: tensor<8xf32> {block.param = "g"}, %ids: tensor<7xi64> {block.input = "ids"}) -> (tensor<3x7x8xf32>, tensor<3x1x8xf32>) {
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %n = "tosa.const"() <{values = dense<0.125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %eps = "tosa.const"() <{values = dense<1.0e-5> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.const_shape {values = dense<[1, 1, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %gain = tosa.reshape %g, %s : (tensor<8xf32>, !tosa.shape<3>) -> tensor<1x1x8xf32>
  %xx = tosa.mul %x, %x, %i : (tensor<3x7x8xf32>, tensor<3x7x8xf32>, tensor<1xi8>) -> tensor<3x7x8xf32>
  %sum = tosa.reduce_sum %xx {axis = 2 : i32} : (tensor<3x7x8xf32>) -> tensor<3x7x1xf32>
  %mean = tosa.mul %sum, %n, %i : (tensor<3x7x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<3x7x1xf32>
  %above = tosa.add %mean, %eps : (tensor<3x7x1xf32>, tensor<1x1x1xf32>) -> tensor<3x7x1xf32>
  %root = tosa.rsqrt %above : (tensor<3x7x1xf32>) -> tensor<3x7x1xf32>
  %normal = tosa.mul %x, %root, %i : (tensor<3x7x8xf32>, tensor<3x7x1xf32>, tensor<1xi8>) -> tensor<3x7x8xf32>
  %y = tosa.mul %normal, %gain, %i : (tensor<3x7x8xf32>, tensor<1x1x8xf32>, tensor<1xi8>) -> tensor<3x7x8xf32>
  %one = arith.constant dense<1.0> : tensor<3x7x8xf32>
  %more = arith.addf %y, %one : tensor<3x7x8xf32>
  %flat = tensor.collapse_shape %more [[0, 1], [2]] : tensor<3x7x8xf32> into tensor<21x8xf32>
  %exp = math.exp %flat : tensor<21x8xf32>
  %rows = tensor.expand_shape %exp [[0, 1], [2]] output_shape [3, 7, 8] : tensor<21x8xf32> into tensor<3x7x8xf32>
  %first = tensor.extract_slice %rows[0, 0, 0] [3, 1, 8] [1, 1, 1] : tensor<3x7x8xf32> to tensor<3x1x8xf32>
  return %rows, %first : tensor<3x7x8xf32>, tensor<3x1x8xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'tosa.clamp' op has attributes that depend on sizes: 'max_val' is 2.000000e+00 : f32 and 3.000000e+00 : f32}}
  %y = tosa.clamp %x {min_val = 0.0 : f32, max_val = 2.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @larger(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = tosa.clamp %x {min_val = 0.0 : f32, max_val = 3.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'arith.constant' op has attributes that depend on sizes: 'value' is one table and another}}
  %table = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = arith.addf %x, %table : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @larger(%x: tensor<3xf32>) -> tensor<3xf32> {
  %table = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = arith.addf %x, %table : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// A constant that stands for several has no place: that of what reads it first is said.
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %table = "tosa.const"() <{values = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32> loc(unknown)
  // expected-error @+1 {{'tosa.const' op has attributes that depend on sizes: 'values' is one table and another}}
  %y = tosa.add %x, %table : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @larger(%x: tensor<3xf32>) -> tensor<3xf32> {
  %table = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>}> : () -> tensor<3xf32> loc(unknown)
  %y = tosa.add %x, %table : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{depends on sizes: 'math.cos' stands in its place for others}}
  %y = math.sin %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @larger(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.cos %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has operands that depend on sizes}}
  %z = math.sin %x : tensor<2xf32>
  return %z : tensor<2xf32>
}
func.func @larger(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %z = math.sin %y : tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

// expected-error @+1 {{has contents that depend on sizes}}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @larger(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.sin %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// expected-error @+1 {{argument 0 has other attributes}}
func.func @main(%x: tensor<2xf32> {block.input = "x"}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @larger(%x: tensor<3xf32> {block.input = "y"}) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

// expected-error @+1 {{argument 0 has another type}}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @larger(%x: tensor<3x1xf32>) -> tensor<3x1xf32> {
  return %x : tensor<3x1xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{has a size that is none of an argument}}
  %y = tensor.empty() : tensor<5xf32>
  return %y : tensor<5xf32>
}
func.func @larger(%x: tensor<3xf32>) -> tensor<9xf32> {
  %y = tensor.empty() : tensor<9xf32>
  return %y : tensor<9xf32>
}

// -----

func.func @main(%x: tensor<2xf32>, %n: tensor<1xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %number = tensor.extract %n[%zero] : tensor<1xf32>
  // expected-error @+1 {{'tensor.splat' is left, whose sizes are not known}}
  %y = tensor.splat %number : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @larger(%x: tensor<3xf32>, %n: tensor<1xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0 : index
  %number = tensor.extract %n[%zero] : tensor<1xf32>
  %y = tensor.splat %number : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// expected-error @+1 {{dims: expected two functions, one model of two choices of sizes, got 1}}
module {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}
