// What ranks do together are steps of the plan, the same for all of them: a share of an
// open size, room where parts do not lie one behind the other, and parts at constant places.
// RUN: block-opt %s --convert-launches-to-plan | FileCheck %s
// CHECK:      plan.program @main {
// CHECK-NEXT:   %n = plan.size "n"
// CHECK-NEXT:   %x = plan.tensor "x" input 0 : f32 [2, %n, 8]
// CHECK-NEXT:   %all_reduce.0 = plan.tensor "all_reduce#0" temporary : f32 [2, %n, 8]
// CHECK-NEXT:   %[[OWN:.*]] = plan.share %n of 2
// CHECK-NEXT:   %reduce_scatter.1 = plan.tensor "reduce_scatter#1" temporary : f32 [2, %[[OWN]], 8]
// CHECK-NEXT:   %reduce_scatter.1.room = plan.tensor "reduce_scatter#1.room" temporary : f32 [2, %n, 8]
// CHECK-NEXT:   %all_gather.2 = plan.tensor "all_gather#2" temporary : f32 [2, %n, 8]
// CHECK-NEXT:   %all_gather.2.room = plan.tensor "all_gather#2.room" temporary : f32 [2, %n, 8]
// CHECK-NEXT:   %take.3 = plan.tensor "take#3" temporary : f32 [2, %[[OWN]], 8]
// CHECK-NEXT:   %take.4 = plan.tensor "take#4" temporary : f32 [2, %[[OWN]], 3]
// CHECK-NEXT:   %put.5 = plan.tensor "put#5" temporary : f32 [2, %[[OWN]], 8]
// CHECK-NEXT:   %put.6 = plan.tensor "put#6" temporary : f32 [2, %[[OWN]], 8]
// CHECK-NEXT:   %all_gather.7 = plan.tensor "all_gather#7" temporary : f32 [4, %[[OWN]], 8]
// CHECK-NEXT:   plan.run {
// CHECK-NEXT:     plan.exchange all_reduce(%x) -> (%all_reduce.0) dim 0
// CHECK-NEXT:     plan.exchange reduce_scatter(%all_reduce.0) -> (%reduce_scatter.1, %reduce_scatter.1.room) dim 1
// CHECK-NEXT:     plan.exchange all_gather(%reduce_scatter.1) -> (%all_gather.2, %all_gather.2.room) dim 1
// CHECK-NEXT:     plan.exchange take(%all_gather.2) -> (%take.3) dim 1
// CHECK-NEXT:     plan.exchange take(%take.3) -> (%take.4) dim 2 at 5
// CHECK-NEXT:     plan.exchange put(%take.4) -> (%put.5) dim 2 at 1
// CHECK-NEXT:     plan.exchange put(%take.4, %put.5) -> (%put.6) dim 2 at 4
// CHECK-NEXT:     plan.exchange all_gather(%put.6) -> (%all_gather.7) dim 0
// CHECK-NEXT:     plan.return %all_gather.7
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<2x?x8xf32> {block.input = "x", block.dims = ["n"]}) -> (tensor<4x?x8xf32> {block.output = "y"}) {
  %sum = shard.all_reduce %x on @ranks grid_axes = [0] : tensor<2x?x8xf32> -> tensor<2x?x8xf32>
  %own = shard.reduce_scatter %sum on @ranks grid_axes = [0] scatter_axis = 1 : tensor<2x?x8xf32> -> tensor<2x?x8xf32>
  %all = shard.all_gather %own on @ranks grid_axes = [0] gather_axis = 1 : tensor<2x?x8xf32> -> tensor<2x?x8xf32>
  %slice = shard.all_slice %all on @ranks grid_axes = [0] slice_axis = 1 : tensor<2x?x8xf32> -> tensor<2x?x8xf32>
  %one = arith.constant 1 : index
  %n = tensor.dim %slice, %one : tensor<2x?x8xf32>
  %some = tensor.extract_slice %slice[0, 0, 5] [2, %n, 3] [1, 1, 1] : tensor<2x?x8xf32> to tensor<2x?x3xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = tensor.splat %zero[%n] : tensor<2x?x8xf32>
  %put = tensor.insert_slice %some into %zeros[0, 0, 1] [2, %n, 3] [1, 1, 1] : tensor<2x?x3xf32> into tensor<2x?x8xf32>
  %both = tensor.insert_slice %some into %put[0, 0, 4] [2, %n, 3] [1, 1, 1] : tensor<2x?x3xf32> into tensor<2x?x8xf32>
  %joined = shard.all_gather %both on @ranks grid_axes = [0] gather_axis = 0 : tensor<2x?x8xf32> -> tensor<4x?x8xf32>
  return %joined : tensor<4x?x8xf32>
}
