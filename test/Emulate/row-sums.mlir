// Gradients that sum over rows: odd numbers of rows, widths that no tile divides, several tensors side by side, and few
// tiles that share many rows.
// RUN: split-file %s %t
// RUN: block-run %t/weights.mlir --engine=emulate --chip=sm_80 --seed=1 --check-against=reference | FileCheck %s
// RUN: block-run %t/weights.mlir --engine=emulate --chip=sm_90a --seed=1 --check-against=reference | FileCheck %s
// RUN: block-run %t/sums.mlir --engine=emulate --chip=sm_80 --seed=1 --check-against=reference | FileCheck %s
// RUN: block-run %t/sums.mlir --engine=emulate --chip=sm_90a --seed=1 --check-against=reference | FileCheck %s
// RUN: block-run %t/tables.mlir --engine=emulate --chip=sm_80 --seed=1 --check-against=reference | FileCheck %s
// RUN: block-run %t/tables.mlir --engine=emulate --chip=sm_90a --seed=1 --check-against=reference | FileCheck %s
// RUN: not block-opt %t/types.mlir --convert-block-kernels-to-tile=chip=sm_80 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not block-opt %t/offset.mlir --convert-block-kernels-to-tile=chip=sm_80 2>&1 | FileCheck %s --check-prefix=OFFSET
// CHECK-NOT: FAIL
// CHECK: PASS d
// CHECK-NOT: FAIL

// Depths are shared by several CTAs, and joined in order.
// RUN: block-opt %t/weights.mlir --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=TILE
// TILE: tile.kernel @weight_grad_0(
// TILE: tile.mma %[[LEFT:.*]] depth_first, %[[RIGHT:.*]] depth_first
// TILE: tile.kernel @weight_grad_2(
// TILE: tile.join

// TYPES: error: no GPU code for a product of 'f32' and 'bf16' over all rows: expected one type
// OFFSET: error: no GPU code for the gradient of an embedding with an offset: run the step on the CPU

//--- weights.mlir
func.func @main(%g: tensor<2x17x40xbf16> {block.input = "g"}, %h: tensor<2x17x72xbf16> {block.input = "h"},
                %x: tensor<2x17x200xbf16> {block.input = "x"}, %y: tensor<2x17x24xbf16> {block.input = "y"},
                %u: tensor<1x19x33xf16> {block.input = "u"}, %v: tensor<1x19x7xf16> {block.input = "v"},
                %p: tensor<1x900x40xbf16> {block.input = "p"}, %q: tensor<1x900x24xbf16> {block.input = "q"},
                %r: tensor<1x900x33xf32> {block.input = "r"})
    -> (tensor<112x224xf32> {block.output = "a"}, tensor<33x7xf32> {block.output = "b"},
        tensor<40x24xf32> {block.output = "c"}, tensor<33x33xf32> {block.output = "d"}) {
  %a = block.weight_grad(%g, %h) of(%x, %y)
    : tensor<2x17x40xbf16>, tensor<2x17x72xbf16>, tensor<2x17x200xbf16>, tensor<2x17x24xbf16> -> tensor<112x224xf32>
  %b = block.weight_grad(%u) of(%v) : tensor<1x19x33xf16>, tensor<1x19x7xf16> -> tensor<33x7xf32>
  %c = block.weight_grad(%p) of(%q) : tensor<1x900x40xbf16>, tensor<1x900x24xbf16> -> tensor<40x24xf32>
  %d = block.weight_grad(%r) of(%r) : tensor<1x900x33xf32>, tensor<1x900x33xf32> -> tensor<33x33xf32>
  return %a, %b, %c, %d : tensor<112x224xf32>, tensor<33x7xf32>, tensor<40x24xf32>, tensor<33x33xf32>
}

//--- sums.mlir
func.func @main(%g: tensor<2x170x140xbf16> {block.input = "g"}, %h: tensor<2x170x140xbf16> {block.input = "h"},
                %s: tensor<2x170x1xf32> {block.input = "s"}, %o: tensor<1x1x24xf16> {block.input = "o"})
    -> (tensor<140xf32> {block.output = "a"}, tensor<35xf32> {block.output = "b"},
        tensor<140xbf16> {block.output = "c"}, tensor<24xf32> {block.output = "d"}) {
  %a = block.column_sums %g times %h : tensor<2x170x140xbf16> -> tensor<140xf32>
  %b = block.column_sums %h {groups = 4} : tensor<2x170x140xbf16> -> tensor<35xf32>
  %c = block.column_sums %h times %s : (tensor<2x170x140xbf16>, tensor<2x170x1xf32>) -> tensor<140xbf16>
  %d = block.column_sums %o : tensor<1x1x24xf16> -> tensor<24xf32>
  return %a, %b, %c, %d : tensor<140xf32>, tensor<35xf32>, tensor<140xbf16>, tensor<24xf32>
}

//--- tables.mlir
func.func @main(%g: tensor<2x17x40xbf16> {block.input = "g"}, %i: tensor<2x17xi64> {block.input = "ids"},
                %y: tensor<2x17xi64> {block.input = "types"})
    -> (tensor<29x40xf32> {block.output = "a"}, tensor<30x40xf32> {block.output = "b"},
        tensor<2x40xf32> {block.output = "c"}, tensor<40x40xf32> {block.output = "d"},
        tensor<3x40xf32> {block.output = "e"}) {
  %a:3 = block.embedding_grad %g at %i types %y
      {wrt = ["table", "position_table", "type_table"], scale = 2.0, position_offset = 2}
    : (tensor<2x17x40xbf16>, tensor<2x17xi64>, tensor<2x17xi64>)
    -> (tensor<29x40xf32>, tensor<30x40xf32>, tensor<2x40xf32>)
  %d = block.embedding_grad %g at %i {wrt = ["position_table"], pad_id = 1}
    : (tensor<2x17x40xbf16>, tensor<2x17xi64>) -> tensor<40x40xf32>
  %e = block.embedding_grad %g at %i {wrt = ["type_table"]}
    : (tensor<2x17x40xbf16>, tensor<2x17xi64>) -> tensor<3x40xf32>
  return %a#0, %a#1, %a#2, %d, %e
    : tensor<29x40xf32>, tensor<30x40xf32>, tensor<2x40xf32>, tensor<40x40xf32>, tensor<3x40xf32>
}

//--- types.mlir
func.func @main(%g: tensor<2x17x40xf32> {block.input = "g"}, %h: tensor<2x17x72xbf16> {block.input = "h"})
    -> (tensor<40x72xf32> {block.output = "w"}) {
  %w = block.weight_grad(%g) of(%h) : tensor<2x17x40xf32>, tensor<2x17x72xbf16> -> tensor<40x72xf32>
  return %w : tensor<40x72xf32>
}

//--- offset.mlir
func.func @main(%g: tensor<2x17x40xbf16> {block.input = "g"}, %i: tensor<2x17xi64> {block.input = "ids"}, %o: index {block.input = "o"})
    -> (tensor<29x40xf32> {block.output = "a"}) {
  %a = block.embedding_grad %g at %i offset %o {wrt = ["position_table"]}
    : (tensor<2x17x40xbf16>, tensor<2x17xi64>, index) -> tensor<29x40xf32>
  return %a : tensor<29x40xf32>
}
