// A product of bf16 may give f32, where it is a summand of a sum that is rounded as a whole. Its gradients are products of bf16 too: the adjoint is
// rounded first. Rows that are taken from bf16 add up in f32.
// RUN: block-opt %s --block-differentiate="wrt=all loss=sum" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=cpu --function=main_step --seed=3 --check-against=reference | FileCheck %s --check-prefix=ENGINE
// CHECK: func.func @main_step
// CHECK: block.embedding_grad {{.*}} -> tensor<60x1xf32>
// CHECK: block.activation_grad
// CHECK: %[[ROUNDED:.*]] = arith.truncf %{{.*}} : tensor<2x5x6xf32> to tensor<2x5x6xbf16>
// CHECK: block.weight_grad(%[[ROUNDED]])
// CHECK: block.linear %[[ROUNDED]], %{{.*}} -> tensor<2x5x8xbf16>
// ENGINE-NOT: FAIL
// ENGINE: PASS grad.x
// ENGINE: PASS grad.w
// ENGINE-NOT: FAIL
func.func @main(%x: tensor<2x5x8xbf16> {block.input = "x"}, %w: tensor<6x8xbf16> {block.param = "w"}, %at: tensor<2x5xi64> {block.input = "at"})
    -> (tensor<2x5xbf16> {block.output = "y"}) {
  %sum = block.linear %x, %w : (tensor<2x5x8xbf16>, tensor<6x8xbf16>) -> tensor<2x5x6xf32>
  %z = block.activation %sum {kind = #block.activation<gelu_tanh>} : tensor<2x5x6xf32>
  %y = tosa.cast %z : (tensor<2x5x6xf32>) -> tensor<2x5x6xbf16>
  %empty = tensor.empty() : tensor<2x5xbf16>
  %taken = linalg.generic {indexing_maps = [affine_map<(b, t) -> (b, t)>, affine_map<(b, t) -> (b, t)>],
      iterator_types = ["parallel", "parallel"]} ins(%at : tensor<2x5xi64>) outs(%empty : tensor<2x5xbf16>) {
  ^bb0(%id: i64, %old: bf16):
    %b = linalg.index 0 : index
    %t = linalg.index 1 : index
    %place = arith.index_cast %id : i64 to index
    %element = tensor.extract %y[%b, %t, %place] : tensor<2x5x6xbf16>
    linalg.yield %element : bf16
  } -> tensor<2x5xbf16>
  return %taken : tensor<2x5xbf16>
}
