// A rank asks nobody for its number.
// RUN: block-opt %s --block-fix-rank=rank=2 | FileCheck %s
// CHECK-NOT: shard.process_linear_index
// CHECK: tensor.extract_slice %{{.*}}[8, 0] [4, 4] [1, 1]
module {
  shard.grid @ranks(shape = 4)
  func.func @main(%w: tensor<16x4xf32> {block.param = "w"}) -> tensor<4x4xf32> {
    %c4 = arith.constant 4 : index
    %rank = shard.process_linear_index on @ranks : index
    %begin = arith.muli %rank, %c4 : index
    %own = tensor.extract_slice %w[%begin, 0] [4, 4] [1, 1] : tensor<16x4xf32> to tensor<4x4xf32>
    return %own : tensor<4x4xf32>
  }
}
