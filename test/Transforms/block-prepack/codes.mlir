// Codes are packed as codes, and as the numbers that they stand for where that is asked for.
// RUN: block-opt --unbroken-lines %s --block-prepack | FileCheck %s --check-prefix=CODES
// RUN: block-opt --unbroken-lines %s --block-prepack="unpack=true" | FileCheck %s --check-prefix=NUMBERS

// CODES-LABEL: func.func @main(
// CODES-SAME: tensor<8x8xi8>
// CODES: block.unpack_weight
// CODES: func.func @prepack
// CODES-NOT: block.unpack_weight

// NUMBERS-LABEL: func.func @main(
// NUMBERS-NOT: block.unpack_weight
// NUMBERS: func.func @prepack
// NUMBERS: %[[W:.*]] = block.unpack_weight
// NUMBERS: return %[[W]]
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %c: tensor<8x8xi8> {block.param = "w.codes"}, %s: tensor<8x1xf32> {block.param = "w.scales"})
    -> tensor<1x5x8xf32> {
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>} : tensor<8x8xi8>, tensor<8x1xf32> -> tensor<8x8xf32>
  %y = block.linear %x, %w : tensor<1x5x8xf32>
  return %y : tensor<1x5x8xf32>
}
