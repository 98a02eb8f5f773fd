// Updates of rank one of every form, of vectors and of rows of factors, as changes of low rank have.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: FileCheck %s --check-prefix=OPS < %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s
// RUN: block-run %t.mlir --engine=cpu --function=main_step --seed=3 --check-against=reference | FileCheck %s --check-prefix=SAME
// RUN: block-run %t.mlir --engine=emulate --chip=sm_80 --function=main_step --seed=3 --check-against=reference | FileCheck %s --check-prefix=SAME

// OPS-LABEL: func.func @main_step(
// OPS-DAG: block.fold_bias %{{.*}} beta
// OPS-DAG: block.weight_sums

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK: PASS w
// CHECK: PASS l
// CHECK: PASS r
// CHECK: PASS left
// CHECK: PASS right
// CHECK-NOT: FAIL
// SAME-NOT: FAIL
// SAME: PASS grad.left
// SAME: PASS grad.right
// SAME-NOT: FAIL
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"},
    %w: tensor<6x8xf32> {block.param = "w"},
    %l: tensor<6xf32> {block.param = "l"},
    %r: tensor<8xf32> {block.param = "r"},
    %left: tensor<2x6xf32> {block.param = "left"},
    %right: tensor<2x8xf32> {block.param = "right"})
    -> (tensor<2x5x6xf32> {block.output = "y0"},
        tensor<2x5x6xf32> {block.output = "y1"},
        tensor<2x5x6xf32> {block.output = "y2"},
        tensor<2x5x6xf32> {block.output = "y3"}) {
  %w0 = block.outer_update to %w of %l, %r {factor = -1.5} : tensor<6xf32>, tensor<8xf32>
  %w1 = block.outer_update of %l, %r : (tensor<6xf32>, tensor<8xf32>) -> tensor<6x8xf32>
  %w2 = block.outer_update to %w of %l {factor = 0.5} : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf32>
  %left0 = tensor.extract_slice %left[0, 0] [1, 6] [1, 1] : tensor<2x6xf32> to tensor<6xf32>
  %right0 = tensor.extract_slice %right[0, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
  %left1 = tensor.extract_slice %left[1, 0] [1, 6] [1, 1] : tensor<2x6xf32> to tensor<6xf32>
  %right1 = tensor.extract_slice %right[1, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
  %c0 = block.outer_update to %w of %left0, %right0 : tensor<6xf32>, tensor<8xf32>
  %w3 = block.outer_update to %c0 of %left1, %right1 : tensor<6xf32>, tensor<8xf32>
  %y0 = block.linear %x, %w0 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %y1 = block.linear %x, %w1 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %y2 = block.linear %x, %w2 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %y3 = block.linear %x, %w3 : (tensor<2x5x8xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  return %y0, %y1, %y2, %y3 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
