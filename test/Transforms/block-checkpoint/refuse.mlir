// A budget is bytes, a share or min, and no less than the least peak; and there is a step.
// RUN: block-opt %s --block-checkpoint="memory-budget=700" --verify-diagnostics --split-input-file
// RUN: not block-opt %s --block-checkpoint="memory-budget=101%%" --split-input-file 2>&1 | FileCheck %s -DGOT=101%%
// RUN: not block-opt %s --block-checkpoint="memory-budget=-1" --split-input-file 2>&1 | FileCheck %s -DGOT=-1
// RUN: not block-opt %s --block-checkpoint="memory-budget=1e9" --split-input-file 2>&1 | FileCheck %s -DGOT=1e9
// RUN: not block-opt %s --block-checkpoint="memory-budget=2GB" --split-input-file 2>&1 | FileCheck %s -DGOT=2GB
// RUN: not block-opt %s --block-checkpoint="memory-budget=%%" --split-input-file 2>&1 | FileCheck %s -DGOT=%%

// CHECK: expected memory-budget to be bytes (as 65536, 512MiB, 2GiB), a share up to 100%, or min, got "[[GOT]]"
// expected-error @+1 {{expected a memory budget of at least 768 bytes, the least peak of this step, got 700}}
func.func @main_step(%x: tensor<1x16x8xf32> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "w"})
    -> (tensor<1x16x8xf32> {block.output = "y"}, tensor<8x8xf32> {block.grad = "w"}) {
  %y = block.linear %x, %w : tensor<1x16x8xf32>
  %dw = block.weight_grad(%y) of(%x) : tensor<1x16x8xf32>, tensor<1x16x8xf32>
  return %y, %dw : tensor<1x16x8xf32>, tensor<8x8xf32>
}

// -----

// expected-error @+1 {{expected a function of one block with gradients and other results, which block-differentiate makes of @main, got none}}
module {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}
