// What the pass says: numbers where it found work, and what it missed where not.
// RUN: block-opt %s --split-input-file --block-prepack --remarks-filter=.* --remark-format=emitRemark -o /dev/null 2>&1 \
// RUN:   | FileCheck %s

// CHECK: remark: [Passed] func.func | Category:block-prepack | Function=main
// CHECK-SAME: ops=1, packed=2, parameters=2
func.func @main(%x: tensor<1x2x4xf32> {block.input = "x"}, %w: tensor<4x4xf32> {block.param = "w"},
                %g: tensor<4xf32> {block.param = "g"}) -> tensor<1x2x4xf32> {
  %s = block.fold_scale %w by %g : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %y = block.linear %x, %s bias %g : (tensor<1x2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
  return %y : tensor<1x2x4xf32>
}

// -----

// CHECK: found no parameter
func.func @main(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  return %x : tensor<1x2x4xf32>
}

// -----

// CHECK: Function=other | Remark="found no parameter"
func.func @other() {
  return
}

// -----

// CHECK: found no weight-only work outside @prepack
func.func @main(%x: tensor<1x2x4xf32>, %w: tensor<4xf32> {block.param = "packed.w"}) -> tensor<1x2x4xf32> {
  %y = block.add_bias %x, %w : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
  return %y : tensor<1x2x4xf32>
}
func.func @prepack(%w: tensor<4xf32> {block.param = "w"}) -> (tensor<4xf32> {block.output = "packed.w"}) {
  return %w : tensor<4xf32>
}
