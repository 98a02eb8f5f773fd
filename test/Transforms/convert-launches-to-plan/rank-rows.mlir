// Rows go to the ranks of their experts and back by the choices of all rows; what returns
// has room before it lies side by side.
// RUN: block-opt %s --convert-launches-to-plan | FileCheck %s
// CHECK:   %x = plan.tensor "x" input 0 : bf16 [2, 3, 8]
// CHECK:   %rows_to_experts.0 = plan.tensor "rows_to_experts#0" temporary : bf16 [2, 6, 8]
// CHECK:   %rows_from_experts.1 = plan.tensor "rows_from_experts#1" temporary : bf16 [2, 3, 16]
// CHECK:   %rows_from_experts.1.room = plan.tensor "rows_from_experts#1.room" temporary : bf16 [2, 6, 8]
// CHECK:     plan.exchange rows_to_experts(%x, %c) -> (%rows_to_experts.0) dim 1 of 4
// CHECK:     plan.exchange rows_from_experts(%rows_to_experts.0, %c) -> (%rows_from_experts.1, %rows_from_experts.1.room) dim 1 of 4
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<2x3x8xbf16> {block.input = "x"}, %c: tensor<2x6x2xi64> {block.input = "c"}) -> (tensor<2x3x16xbf16> {block.output = "y"}) {
  %all = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x3x8xbf16>, tensor<2x6x2xi64> -> tensor<2x6x8xbf16>
  %y = block.rows_from_experts %all by %c of 4 on @ranks : tensor<2x6x8xbf16>, tensor<2x6x2xi64> -> tensor<2x3x16xbf16>
  return %y : tensor<2x3x16xbf16>
}
