// The code of a product, as the engine compiles it for vectors of four f32: its weight is packed before, in panels of eight
// outputs; a launch takes 24 rows of x, copies them column by column, and keeps four rows by eight outputs in registers.
// RUN: block-opt %s --convert-block-kernels-to-cpu=cpu=x86-64 --canonicalize --cse | FileCheck %s

// CHECK: plan.prepack {
// CHECK-NEXT: plan.launch @kernels::@weights_0(%w) -> (%[[PACKED:.*]]) dims
// CHECK: plan.run {
// CHECK-NEXT: plan.launch @kernels::@linear_0(%x, %[[PACKED]], %b) -> (%y) dims [1, 3, 0, 0] items 1 x [] x [1, 3] by 24 scratch 768
// CHECK: func.func @linear_0(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c1_i64
// Four rows at a time, and what is left of them three at a time.
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[FOURS:[0-9]+]] step %c4_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %c8_i64 step %c1_i64
// CHECK: %[[ELEMENT:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[ELEMENT]], %{{.*}} : vector<4xf32>
// CHECK-NEXT: arith.addf %[[PRODUCT]], %{{.*}} : vector<4xf32>
// CHECK: scf.for %{{.*}} = %[[FOURS]] to %{{.*}} step %c3_i64
// Five outputs are a vector and one alone.
// CHECK: scf.for %{{.*}} = %[[OUT:.*]] to %[[VECTORS:.*]] step %c4_i64
// CHECK: scf.for %{{.*}} = %[[VECTORS]] to %{{.*}} step %c1_i64
// CHECK: func.func @weights_0(
func.func @main(%x: tensor<1x3x8xf32> {block.input = "x"}, %w: tensor<5x8xf32> {block.param = "w"}, %b: tensor<5xf32> {block.param = "b"}) -> (tensor<1x3x5xf32> {block.output = "y"}) {
  %0 = block.kernel "linear" (%a = %x : tensor<1x3x8xf32>, %v = %w : tensor<5x8xf32>, %c = %b : tensor<5xf32>) -> tensor<1x3x5xf32> {
    %1 = block.linear %a, %v bias %c : tensor<1x3x8xf32> -> tensor<1x3x5xf32>
    block.yield %1 : tensor<1x3x5xf32>
  }
  return %0 : tensor<1x3x5xf32>
}
