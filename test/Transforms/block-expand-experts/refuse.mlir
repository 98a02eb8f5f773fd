// With `keep`, routers and experts stay that GPUs have kernels for, transposed matrices the other way round. What has no
// kernel becomes loops, with the reason and the way out.
// RUN: split-file %s %t
// RUN: block-opt %t/stay.mlir --block-expand-experts=keep=true -o %t/o.mlir --remarks-filter=block-expand-experts 2> %t/remarks.txt
// RUN: FileCheck %s < %t/o.mlir
// RUN: FileCheck %s --check-prefix=LEFT < %t/remarks.txt
// LEFT: left to a kernel of its own
// LEFT: left to grouped kernels
// CHECK: block.route
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1]
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1]
// CHECK: block.experts
// CHECK-NOT: transposed =
// RUN: block-opt %t/types.mlir --block-expand-experts=keep=true -o %t/o.mlir --remarks-filter=block-expand-experts 2> %t/remarks.txt
// RUN: FileCheck %s --check-prefix=LOOPS < %t/o.mlir
// RUN: FileCheck %s --check-prefix=TYPES < %t/remarks.txt
// LOOPS-NOT: block.experts
// TYPES: no-grouped-kernel{{.*}}expected matrices and biases of the input's element type f32, got bf16: convert them
// RUN: block-opt %t/many.mlir --block-expand-experts=keep=true -o %t/o.mlir --remarks-filter=block-expand-experts 2> %t/remarks.txt
// RUN: FileCheck %s --check-prefix=LOOPS < %t/o.mlir
// RUN: FileCheck %s --check-prefix=MANY < %t/remarks.txt
// MANY: no-grouped-kernel{{.*}}expected at most 1024 experts, got 1025: split them into several ops

//--- stay.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %l: tensor<1x5x4xf32> {block.input = "l"}, %u: tensor<4x8x12xf32> {block.param = "u"}, %d: tensor<4x6x8xf32> {block.param = "d"}) -> (tensor<1x5x8xf32> {block.output = "y"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<1x5x4xf32>) -> (tensor<1x5x2xi64>, tensor<1x5x2xf32>)
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu, transposed = true>} : tensor<1x5x8xf32>, tensor<1x5x2xi64>, tensor<4x8x12xf32>, tensor<4x6x8xf32>
  return %y : tensor<1x5x8xf32>
}

//--- types.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %i: tensor<1x5x2xi64> {block.input = "i"}, %w: tensor<1x5x2xf32> {block.input = "w"}, %u: tensor<4x12x8xbf16> {block.param = "u"}, %d: tensor<4x8x6xbf16> {block.param = "d"}) -> (tensor<1x5x8xf32> {block.output = "y"}) {
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<1x5x8xf32>, tensor<1x5x2xi64>, tensor<1x5x2xf32>, tensor<4x12x8xbf16>, tensor<4x8x6xbf16>) -> tensor<1x5x8xf32>
  return %y : tensor<1x5x8xf32>
}

//--- many.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %l: tensor<1x5x1025xf32> {block.input = "l"}, %u: tensor<1025x12x8xf32> {block.param = "u"}, %d: tensor<1025x8x6xf32> {block.param = "d"}) -> (tensor<1x5x8xf32> {block.output = "y"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<1x5x1025xf32>) -> (tensor<1x5x2xi64>, tensor<1x5x2xf32>)
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<1x5x2xi64>, tensor<1025x12x8xf32>, tensor<1025x8x6xf32>
  return %y : tensor<1x5x8xf32>
}
