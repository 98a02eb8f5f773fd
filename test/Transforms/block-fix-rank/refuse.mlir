// A rank is one of those that the module was split for; a module of one rank has rank 0 alone, and stays as it is.
// RUN: not block-opt %s --block-fix-rank=rank=4 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not block-opt %s --block-fix-rank=rank=-1 2>&1 | FileCheck %s --check-prefix=BELOW
// BEYOND: error: expected rank to be in [0, 3], got 4
// BELOW: error: expected rank to be in [0, 3], got -1
// RUN: sed '/shard/d; s/%%rank/%%c4/g' %s | not block-opt --block-fix-rank=rank=1 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: expected rank to be in [0, 0], got 1
// RUN: sed '/shard/d; s/%%rank/%%c4/g' %s | block-opt --block-fix-rank | FileCheck %s --check-prefix=KEPT
// KEPT: tensor.extract_slice %arg0[%c16, 0] [4, 4] [1, 1]
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
