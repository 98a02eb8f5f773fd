// A sum that is marked, as those of ladders are (test/Package/started_sums.py), is two steps: what does
// not read it is in between, what reads it follows.
// RUN: block-opt %s --convert-launches-to-plan | FileCheck %s
// CHECK:      plan.run {
// CHECK-NEXT:   plan.exchange all_reduce(%x) -> (%all_reduce.0) dim 0 starts
// CHECK-NEXT:   plan.exchange take(%x) -> (%take.1) dim 1 at 2
// CHECK-NEXT:   plan.exchange all_reduce(%x) -> (%all_reduce.0) dim 0 awaits
// CHECK-NEXT:   plan.exchange put(%take.1, %all_reduce.0) -> (%put.2) dim 1 at 4
// CHECK-NEXT:   plan.exchange all_reduce(%put.2) -> (%all_reduce.3) dim 0
// CHECK-NEXT:   plan.return %all_reduce.3
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<2x8xf32> {block.input = "x"}) -> (tensor<2x8xf32> {block.output = "y"}) {
  %sum = shard.all_reduce %x on @ranks grid_axes = [0] {plan.started} : tensor<2x8xf32> -> tensor<2x8xf32>
  %part = tensor.extract_slice %x[0, 2] [2, 3] [1, 1] : tensor<2x8xf32> to tensor<2x3xf32>
  %both = tensor.insert_slice %part into %sum[0, 4] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x8xf32>
  %result = shard.all_reduce %both on @ranks grid_axes = [0] : tensor<2x8xf32> -> tensor<2x8xf32>
  return %result : tensor<2x8xf32>
}
