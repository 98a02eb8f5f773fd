// What a function's plan says, before kernels are lowered: of weights, of layers, of
// ranks, and of ops that are no blocks.
// RUN: split-file %s %t
// RUN: block-opt %t/weights.mlir --convert-block-kernels-to-cpu=cpu=x86-64 | FileCheck %s --check-prefix=WEIGHTS
// RUN: block-opt %t/layers.mlir --convert-block-kernels-to-cpu=cpu=x86-64 | FileCheck %s --check-prefix=LAYERS
// RUN: block-opt %t/ranks.mlir --convert-block-kernels-to-cpu="cpu=x86-64 rank=1" | FileCheck %s --check-prefix=RANKS
// RUN: block-opt %t/leftovers.mlir --convert-block-kernels-to-cpu="cpu=x86-64 function=other" | FileCheck %s --check-prefix=LEFT
// RUN: block-opt %t/leftovers.mlir --convert-block-kernels-to-cpu="cpu=x86-64 function=other" | block-opt | FileCheck %s --check-prefix=LEFT
// RUN: not block-opt %t/leftovers.mlir --convert-block-kernels-to-cpu="cpu=x86-64 function=nobody" 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not block-opt %t/leftovers.mlir --convert-block-kernels-to-cpu="cpu=z80 function=other" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not block-opt %t/ranks.mlir --convert-block-kernels-to-cpu="cpu=x86-64 rank=2" 2>&1 | FileCheck %s --check-prefix=BEYOND
// NOBODY: error: expected a function 'nobody', got main, other
// UNKNOWN: error: unknown processor 'z80'
// BEYOND: error: expected rank to be in [0, 1], got 2

//--- weights.mlir
// A weight that two kernels read is packed once; one that is a result is copied in
// every run.
// WEIGHTS:      plan.program @main {
// WEIGHTS-NEXT:   %rows = plan.size "rows"
// WEIGHTS-NEXT:   %x = plan.tensor "x" input 0 : f32 [1, %rows, 8]
// WEIGHTS-NEXT:   %w = plan.tensor "w" parameter 1 : f32 [8, 8]
// WEIGHTS-NEXT:   %packed2 = plan.tensor "packed2" packed : f32 [1, 8, 8]
// WEIGHTS-NEXT:   %linear_0.0.0 = plan.tensor "linear_0#0.0" temporary : f32 [1, %rows, 8]
// WEIGHTS-NEXT:   %linear_0.1.0 = plan.tensor "linear_0#1.0" temporary : f32 [1, %rows, 8]
// WEIGHTS-NEXT:   %{{.*}} = plan.tensor "" temporary : f32 [8, 8]
// WEIGHTS-NEXT:   plan.prepack {
// WEIGHTS-NEXT:     plan.launch @kernels::@weights_0(%w) -> (%packed2) dims [] items 1 x [] x [] by 1
// WEIGHTS-NEXT:   }
// WEIGHTS-NEXT:   plan.run {
// WEIGHTS-NEXT:     plan.launch @kernels::@linear_0(%x, %packed2) -> (%linear_0.0.0) dims [1, %rows, 0, 0]
// WEIGHTS-NEXT:     plan.launch @kernels::@linear_0(%linear_0.0.0, %packed2) -> (%linear_0.1.0) dims [1, %rows, 0, 0]
// WEIGHTS-NEXT:     plan.launch @kernels::@weights_1(%w) -> (%[[COPY:.*]]) dims [] items 8 x [] x [] by 1
// WEIGHTS-NEXT:     plan.return %linear_0.1.0, %[[COPY]]
// WEIGHTS-NEXT:   }
// WEIGHTS-NEXT: }
// WEIGHTS-NEXT: module @kernels {
// WEIGHTS:        func.func @linear_0(
// WEIGHTS:        func.func @weights_0(
// WEIGHTS:        func.func @weights_1(
// WEIGHTS-NOT:    func.func
func.func @main(%x: tensor<1x?x8xf32> {block.input = "x", block.dims = ["rows"]}, %w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<1x?x8xf32>, tensor<8x8xf32>) {
  %0 = block.kernel "linear" (%a = %x : tensor<1x?x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<1x?x8xf32> {
    %2 = block.linear %a, %b : (tensor<1x?x8xf32>, tensor<8x8xf32>) -> tensor<1x?x8xf32>
    block.yield %2 : tensor<1x?x8xf32>
  }
  %1 = block.kernel "linear" (%a = %0 : tensor<1x?x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<1x?x8xf32> {
    %2 = block.linear %a, %b : (tensor<1x?x8xf32>, tensor<8x8xf32>) -> tensor<1x?x8xf32>
    block.yield %2 : tensor<1x?x8xf32>
  }
  return %1, %w : tensor<1x?x8xf32>, tensor<8x8xf32>
}

//--- layers.mlir
// Launches say whose layer they are, and all that a layer gives to the caller is
// there behind it: copies, too, which what reads the value later does not read.
// LAYERS:      plan.run {
// LAYERS-NEXT:   plan.launch @kernels::@linear_0(%x, %{{.*}}) -> (%[[A:.*]]) dims {{.*}} layer 1
// LAYERS-NEXT:   plan.launch @kernels::@weights_1(%[[A]]) -> (%[[COPY:.*]]) dims {{.*}} layer 1
// LAYERS-NEXT:   plan.launch @kernels::@linear_0(%[[A]], %{{.*}}) -> (%[[B:.*]]) dims {{.*}} layer 0
// LAYERS-NEXT:   plan.launch @kernels::@linear_0(%[[B]], %{{.*}}) -> (%[[C:.*]]) dims
// LAYERS-NOT:    layer
// LAYERS:        plan.return %[[C]], %[[A]], %[[COPY]], %[[B]]
func.func @main(%x: tensor<1x4x8xf32> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %0 = block.layer "h.1" at 1 -> tensor<1x4x8xf32> {
    %3 = block.kernel "linear" (%a = %x : tensor<1x4x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<1x4x8xf32> {
      %4 = block.linear %a, %b : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
      block.yield %4 : tensor<1x4x8xf32>
    }
    block.yield %3 : tensor<1x4x8xf32>
  }
  %1 = block.layer "h.0" at 0 -> tensor<1x4x8xf32> {
    %3 = block.kernel "linear" (%a = %0 : tensor<1x4x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<1x4x8xf32> {
      %4 = block.linear %a, %b : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
      block.yield %4 : tensor<1x4x8xf32>
    }
    block.yield %3 : tensor<1x4x8xf32>
  }
  %2 = block.kernel "linear" (%a = %1 : tensor<1x4x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<1x4x8xf32> {
    %3 = block.linear %a, %b : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
    block.yield %3 : tensor<1x4x8xf32>
  }
  return %2, %0, %0, %1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
}

//--- ranks.mlir
// A share of an open size; a gather is the sum of parts in zeros.
// RANKS:      plan.program @main {
// RANKS-NEXT:   %rows = plan.size "rows"
// RANKS-NEXT:   %x = plan.tensor "x" input 0 : f32 [2, %rows, 8]
// RANKS-NEXT:   %[[SHARE:.*]] = plan.share %rows of 2
// RANKS-NEXT:   %take.0 = plan.tensor "take#0" temporary : f32 [2, %[[SHARE]], 8]
// RANKS-NEXT:   %put_in_zeros.1 = plan.tensor "put_in_zeros#1" temporary : f32 [2, %rows, 8]
// RANKS-NEXT:   %shard.all_gather.2 = plan.tensor "shard.all_gather#2" temporary : f32 [2, %rows, 8]
// RANKS-NEXT:   plan.run {
// RANKS-NEXT:     plan.launch @kernels::@take(%x) -> (%take.0) dims [2, 1, 1, %rows, %[[SHARE]], 8, 1, 1, 2, 1, %[[SHARE]]] items 1 x [2] x [] by 1
// RANKS-NEXT:     plan.launch @kernels::@put_in_zeros(%take.0) -> (%put_in_zeros.1) dims [2, 1, 1, %rows, %[[SHARE]], 8, 1, 1, 2, 1, %[[SHARE]]] items 1 x [2] x [] by 1
// RANKS-NEXT:     plan.launch @kernels::@shard.all_gather(%put_in_zeros.1) -> (%shard.all_gather.2) dims [2, %rows, 8, 1, 1, 1, 2] items 1 x [] x [] by 1
// RANKS:      module @kernels {
// RANKS:        mpi.allreduce
module {
  shard.grid @ranks(shape = 2)
  func.func @main(%x: tensor<2x?x8xf32> {block.input = "x", block.dims = ["rows"]}) -> tensor<2x?x8xf32> {
    %0 = shard.all_slice %x on @ranks grid_axes = [0] slice_axis = 1 : tensor<2x?x8xf32> -> tensor<2x?x8xf32>
    %1 = shard.all_gather %0 on @ranks grid_axes = [0] gather_axis = 1 : tensor<2x?x8xf32> -> tensor<2x?x8xf32>
    return %1 : tensor<2x?x8xf32>
  }
}

//--- leftovers.mlir
// What reads parameters alone is done once. Functions stay on tensors, in a module of
// their own, and other functions of the file stay as they are.
// LEFT:      func.func @main
// LEFT:      plan.program @other {
// LEFT:        %leftover_1.0 = plan.tensor "leftover_1.0" packed : i64 [4]
// LEFT-NEXT:   %leftover_0.0 = plan.tensor "leftover_0.0" temporary : i64 [%n, 4]
// LEFT-NEXT:   plan.prepack {
// LEFT-NEXT:     plan.launch @kernels::@leftovers::@leftover_1(%w) -> (%leftover_1.0) dims [] items 1 x [] x [] by 1
// LEFT-NEXT:   }
// LEFT-NEXT:   plan.run {
// LEFT-NEXT:     plan.launch @kernels::@leftovers::@leftover_0(%x, %leftover_1.0) -> (%leftover_0.0) dims [%n, %n] items 1 x [] x [] by 1
// LEFT:      module @kernels {
// LEFT-NEXT:   module @leftovers {
// LEFT-NEXT:     func.func @leftover_1(
// LEFT:            bufferization.to_tensor
// LEFT:            arith.addi {{.*}} : tensor<4xi64>
// LEFT:            bufferization.materialize_in_destination
func.func @main() {
  return
}
func.func @other(%x: tensor<?x4xi64> {block.input = "x", block.dims = ["n"]}, %w: tensor<4xi64> {block.param = "w"}) -> tensor<?x4xi64> {
  %0 = arith.addi %w, %w : tensor<4xi64>
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<?x4xi64>, tensor<4xi64>) outs(%x : tensor<?x4xi64>) {
  ^bb0(%a: i64, %b: i64, %old: i64):
    %2 = arith.muli %a, %b : i64
    linalg.yield %2 : i64
  } -> tensor<?x4xi64>
  return %1 : tensor<?x4xi64>
}
