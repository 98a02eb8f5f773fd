// Ranks join tensors of the types that models have between layers.
// RUN: not block-translate --block-to-package --chip=sm_80 %s -o %t.pbk 2>&1 | FileCheck %s
// CHECK: collective-types.mlir:[[@LINE+6]]:8: error: no GPU code for 'shard.all_reduce' of i16: expected f32, bf16, f16, i64 or i32
// A function of them alone has nothing to launch.
// RUN: sed 's/i16/f32/g' %s | not block-translate --block-to-package --chip=sm_80 --cuda-path=none -o %t.pbk 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: {{.*}}expected a function that launches kernels, got 'main'
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<4x8xi16> {block.input = "x"}) -> (tensor<4x8xi16> {block.output = "y"}) {
  %y = shard.all_reduce %x on @ranks grid_axes = [0] : tensor<4x8xi16> -> tensor<4x8xi16>
  return %y : tensor<4x8xi16>
}
