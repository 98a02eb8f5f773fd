// A chunk of columns at a time, whose gradients are two numbers of bf16 for results of f32; sums of chunks are in
// place, and constants in kernels.
// RUN: split-file %s %t
// RUN: block-opt --unbroken-lines %t/chunks.mlir --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s
// RUN: not block-opt %t/types.mlir --convert-block-kernels-to-tile=chip=sm_80 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not block-opt %t/constant.mlir --convert-block-kernels-to-tile=chip=sm_80 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: block-opt --unbroken-lines %t/twice.mlir --convert-block-kernels-to-tile=chip=sm_80 | FileCheck %s --check-prefix=TWICE
// TYPES: error: no GPU code for 'block.cross_entropy' of rows of 'bf16' and a weight of 'f32': expected one type
// CONSTANT: error: no GPU code for 'block.cross_entropy' of a constant of type 'tensor<1x2xi64>': expected an argument

// CHECK: tile.kernel @cross_entropy_grad_0_chunk(
// CHECK: memref<1x8x512xbf16>
// CHECK: %[[START:.*]]:4 = tile.launch @kernels::@cross_entropy_grad_0_start(
// CHECK: %[[C0:.*]]:2 = tile.launch @kernels::@cross_entropy_grad_0_chunk({{.*}}, %[[START]]#0)
// CHECK: %[[X0:.*]] = tile.launch @kernels::@cross_entropy_grad_0_input(%[[C0]]#0, %{{.*}}, %[[START]]#2, %[[START]]#0, %[[START]]#1, %{{.*}}) {in_place = array<i64: 0, 2>}
// CHECK: %[[W0:.*]] = tile.launch @kernels::@cross_entropy_grad_0_weight(%[[C0]]#0, %{{.*}}, %[[START]]#3, %[[START]]#0, %[[START]]#1) {in_place = array<i64: 0, 2>}
// CHECK: %[[C1:.*]]:2 = tile.launch @kernels::@cross_entropy_grad_0_chunk({{.*}}, %[[C0]]#1)
// CHECK: tile.launch @kernels::@cross_entropy_grad_0_input(%[[C1]]#0, %{{.*}}, %[[X0]], %[[C0]]#1,
// CHECK-COUNT-6: tile.launch @kernels::@cross_entropy_grad_0_chunk(
// CHECK: tile.launch @kernels::@cross_entropy_grad_0_rounded(
// CHECK-NOT: cross_entropy_grad_0_chunk
// CHECK: tile.launch @kernels::@cross_entropy_grad_1_start(

// One op's gradient is its divisor, and another op has the same kernels.
// TWICE: func.func @main(%[[X:.*]]: tensor<1x5x16xf32> {{{.*}}}, %{{.*}}, %[[T:.*]]: tensor<1x5xi64> {{{.*}}}, %[[N:.*]]: tensor<f32> {{{.*}}}, %[[G:.*]]: tensor<f32>
// TWICE: tile.launch @kernels::@cross_entropy_grad_0_start(%[[X]], %[[T]], %[[N]], %[[N]])
// TWICE: tile.launch @kernels::@cross_entropy_grad_0_start(%[[X]], %[[T]], %[[G]], %[[N]])

//--- twice.mlir
func.func @main(%x: tensor<1x5x16xf32> {block.input = "x"}, %w: tensor<11x16xf32> {block.param = "w"}, %t: tensor<1x5xi64> {block.input = "t"}, %n: tensor<f32> {block.input = "n"}, %g: tensor<f32> {block.input = "g"})
    -> (tensor<11x16xf32> {block.output = "a"}, tensor<11x16xf32> {block.output = "b"}) {
  %a = block.cross_entropy_grad %n of %x, %w targets %t divisor %n {wrt = ["weight"]}
    : (tensor<f32>, tensor<1x5x16xf32>, tensor<11x16xf32>, tensor<1x5xi64>, tensor<f32>) -> tensor<11x16xf32>
  %b = block.cross_entropy_grad %g of %x, %w targets %t divisor %n {wrt = ["weight"]}
    : (tensor<f32>, tensor<1x5x16xf32>, tensor<11x16xf32>, tensor<1x5xi64>, tensor<f32>) -> tensor<11x16xf32>
  return %a, %b : tensor<11x16xf32>, tensor<11x16xf32>
}

//--- chunks.mlir
func.func @main(%x: tensor<1x8x64xbf16> {block.input = "x"}, %w: tensor<2048x64xbf16> {block.param = "w"}, %t: tensor<1x8xi64> {block.input = "t"})
    -> (tensor<1x8x64xbf16> {block.output = "a"}, tensor<2048x64xf32> {block.output = "b"}, tensor<1x8x64xbf16> {block.output = "c"}, tensor<2048x64xf32> {block.output = "d"}) {
  %one = arith.constant dense<1.0> : tensor<f32>
  %two = arith.constant dense<2.0> : tensor<f32>
  %a:2 = block.cross_entropy_grad %one of %x, %w targets %t {wrt = ["input", "weight"]}
    : (tensor<f32>, tensor<1x8x64xbf16>, tensor<2048x64xbf16>, tensor<1x8xi64>) -> (tensor<1x8x64xbf16>, tensor<2048x64xf32>)
  %b:2 = block.cross_entropy_grad %two of %x, %w targets %t {wrt = ["input", "weight"]}
    : (tensor<f32>, tensor<1x8x64xbf16>, tensor<2048x64xbf16>, tensor<1x8xi64>) -> (tensor<1x8x64xbf16>, tensor<2048x64xf32>)
  return %a#0, %a#1, %b#0, %b#1 : tensor<1x8x64xbf16>, tensor<2048x64xf32>, tensor<1x8x64xbf16>, tensor<2048x64xf32>
}

//--- types.mlir
func.func @main(%x: tensor<1x2x8xbf16> {block.input = "x"}, %w: tensor<5x8xf32> {block.param = "w"}, %t: tensor<1x2xi64> {block.input = "t"}) -> (tensor<f32> {block.output = "y"}) {
  %l = block.cross_entropy %x, %w targets %t : (tensor<1x2x8xbf16>, tensor<5x8xf32>, tensor<1x2xi64>) -> tensor<f32>
  return %l : tensor<f32>
}

//--- constant.mlir
func.func @main(%x: tensor<1x2x8xf32> {block.input = "x"}, %w: tensor<5x8xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "y"}) {
  %t = arith.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %l = block.cross_entropy %x, %w targets %t : (tensor<1x2x8xf32>, tensor<5x8xf32>, tensor<1x2xi64>) -> tensor<f32>
  return %l : tensor<f32>
}
