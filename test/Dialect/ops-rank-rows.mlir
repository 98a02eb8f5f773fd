// Rows that ranks exchange, of static and open sizes.
// RUN: block-opt %s | FileCheck %s
// CHECK: %[[ROWS:.*]] = block.rows_to_experts %arg0 by %arg1 of 4 on @ranks : tensor<2x3x8xf32>, tensor<2x6x2xi64> -> tensor<2x6x8xf32>
// CHECK: block.rows_from_experts %[[ROWS]] by %arg1 of 4 on @ranks : tensor<2x6x8xf32>, tensor<2x6x2xi64> -> tensor<2x3x16xf32>
// CHECK: block.rows_to_experts %arg2 by %arg3 of 6 on @ranks {some = 1 : i64} : tensor<?x?x7xbf16>, tensor<?x?x1xi64> -> tensor<?x?x7xbf16>
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<2x3x8xf32>, %c: tensor<2x6x2xi64>, %y: tensor<?x?x7xbf16>, %d: tensor<?x?x1xi64>) {
  %0 = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x3x8xf32>, tensor<2x6x2xi64> -> tensor<2x6x8xf32>
  %1 = block.rows_from_experts %0 by %c of 4 on @ranks : tensor<2x6x8xf32>, tensor<2x6x2xi64> -> tensor<2x3x16xf32>
  %2 = block.rows_to_experts %y by %d of 6 on @ranks {some = 1 : i64} : tensor<?x?x7xbf16>, tensor<?x?x1xi64> -> tensor<?x?x7xbf16>
  return
}
