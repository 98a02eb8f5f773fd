// Weights that are transposed, cut, joined or of another shape; a part that is read twice
// and one that nobody reads.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK: PASS t
// CHECK: PASS w
// CHECK: PASS p
// CHECK: PASS q
// CHECK: PASS s
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x5x8xf32> {block.input = "x"},
    %t: tensor<8x24xf32> {block.param = "t"},
    %w: tensor<4x2x8xf32> {block.param = "w"},
    %p: tensor<3x8xf32> {block.param = "p"},
    %q: tensor<5x8xf32> {block.param = "q"},
    %s: tensor<16xf32> {block.param = "s"})
    -> (tensor<2x5x8xf32> {block.output = "a"}, tensor<2x5x8xf32> {block.output = "b"}, tensor<2x5x8xf32> {block.output = "c"}, tensor<2x5x8xf32> {block.output = "d"}, tensor<2x5x8xf32> {block.output = "e"}) {
  %empty = tensor.empty() : tensor<24x8xf32>
  %turned = linalg.transpose ins(%t : tensor<8x24xf32>) outs(%empty : tensor<24x8xf32>) permutation = [1, 0]
  %first = tensor.extract_slice %turned[0, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
  %last = tensor.extract_slice %turned[16, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
  %flat = tensor.collapse_shape %w [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
  %joined = tensor.concat dim(0) %p, %q : (tensor<3x8xf32>, tensor<5x8xf32>) -> tensor<8x8xf32>
  %low = tensor.extract_slice %s[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %high = tensor.extract_slice %s[8] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %split = tensor.expand_shape %flat [[0, 1], [2]] output_shape [2, 4, 8] : tensor<8x8xf32> into tensor<2x4x8xf32>
  %again = tensor.collapse_shape %split [[0, 1], [2]] : tensor<2x4x8xf32> into tensor<8x8xf32>
  %a = block.linear %x, %first bias %low : tensor<2x5x8xf32>
  %b = block.linear %a, %last bias %high : tensor<2x5x8xf32>
  %c = block.linear %x, %flat bias %low : tensor<2x5x8xf32>
  %d = block.linear %x, %joined : tensor<2x5x8xf32>
  %e = block.linear %d, %again : tensor<2x5x8xf32>
  return %a, %b, %c, %d, %e : tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
