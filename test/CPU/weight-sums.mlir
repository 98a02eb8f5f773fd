// Sums over rows or columns of weights that are not square: each runs over as much as there is.
// RUN: block-run %s --engine=cpu --seed=1 --check-against=reference | FileCheck %s

// CHECK-COUNT-6: PASS
// CHECK-NOT: FAIL
func.func @main(%w: tensor<5x8xf32> {block.param = "w"}, %u: tensor<5x8xf32> {block.input = "u"}, %t: tensor<23x3xf32> {block.param = "t"},
    %v: tensor<23x3xf32> {block.input = "v"}, %e: tensor<8xf32> {block.param = "e"}, %x: tensor<1x2x8xf32> {block.input = "x"})
    -> (tensor<8xf32> {block.output = "wide_columns"}, tensor<5xf32> {block.output = "wide_rows"}, tensor<3xf32> {block.output = "tall_columns"},
        tensor<23xf32> {block.output = "tall_rows"}, tensor<5xf32> {block.output = "bias"}, tensor<1x2x5xf32> {block.output = "y"}) {
  %0 = block.matrix_dots %w, %u : tensor<5x8xf32>
  %1 = block.matrix_dots rows %w, %u : tensor<5x8xf32> -> tensor<5xf32>
  %2 = block.matrix_dots %t, %v : tensor<23x3xf32>
  %3 = block.matrix_dots rows %t, %v : tensor<23x3xf32> -> tensor<23xf32>
  %4 = block.fold_bias %w beta %e : tensor<5x8xf32>
  %y = block.linear %x, %w bias %4 : tensor<1x2x8xf32> -> tensor<1x2x5xf32>
  return %0, %1, %2, %3, %4, %y : tensor<8xf32>, tensor<5xf32>, tensor<3xf32>, tensor<23xf32>, tensor<5xf32>, tensor<1x2x5xf32>
}
