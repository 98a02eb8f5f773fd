// The code of a norm of 8 columns on a processor with vectors of four f32, as the engine compiles it: two passes over a row.
// RUN: block-opt %s --convert-block-kernels-to-cpu=cpu=x86-64 --canonicalize --cse | FileCheck %s

// CHECK: plan.launch @kernels::@rows_0(%x, %g) -> (%y) dims [1, 3, 0, 0] items 1 x [] x [1, 3] by 1
// CHECK: func.func @rows_0(%[[MEMORY:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK-DAG: %[[EPS:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK-DAG: %[[WIDTH:.*]] = arith.constant 8.000000e+00 : f32
// CHECK: %[[X:.*]] = llvm.load %[[MEMORY]] : !llvm.ptr -> !llvm.ptr
// A launch has the rows from %arg3 to %arg4.
// CHECK: scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]] step %c1_i64
// Squares of four columns at a time are added up in a vector,
// CHECK: scf.for %[[COLUMN:.*]] = %c0_i64 to %c8_i64 step %c4_i64
// CHECK-NEXT: %[[START:.*]] = arith.muli %[[ROW]], %c8_i64
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[START]], %[[COLUMN]]
// CHECK-NEXT: %[[PLACE:.*]] = llvm.getelementptr %[[X]][%[[AT]]]
// CHECK-NEXT: %[[FOUR:.*]] = llvm.load %[[PLACE]] {{.*}} -> vector<4xf32>
// CHECK-NEXT: %[[SQUARES:.*]] = arith.mulf %[[FOUR]], %[[FOUR]]
// CHECK: arith.addf %{{.*}}, %[[SQUARES]] : vector<4xf32>
// which is reduced behind the loop: 1 / sqrt(sum / 8 + eps).
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %{{.*}} : vector<4xf32> into f32
// CHECK: %[[MEAN:.*]] = arith.divf %{{.*}}, %[[WIDTH]] : f32
// CHECK-NEXT: %[[MOMENT:.*]] = arith.addf %[[MEAN]], %[[EPS]] : f32
// CHECK-NEXT: %[[ROOT:.*]] = math.sqrt %[[MOMENT]] : f32
// CHECK-NEXT: %[[FACTOR:.*]] = arith.divf %{{.*}}, %[[ROOT]] : f32
// The second pass reads the row once more, for each column the factor and the gain.
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %c8_i64 step %c4_i64
// CHECK: %[[ALL:.*]] = vector.broadcast %[[FACTOR]] : f32 to vector<4xf32>
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[ALL]]
// CHECK: %[[GAIN:.*]] = llvm.load %{{.*}} -> vector<4xf32>
// CHECK-NEXT: %[[RESULT:.*]] = arith.mulf %[[SCALED]], %[[GAIN]]
// CHECK: llvm.store %[[RESULT]]
func.func @main(%x: tensor<1x3x8xf32> {block.input = "x"}, %g: tensor<8xf32> {block.param = "g"}) -> (tensor<1x3x8xf32> {block.output = "y"}) {
  %0 = block.kernel "rows" (%a = %x : tensor<1x3x8xf32>, %b = %g : tensor<8xf32>) -> tensor<1x3x8xf32> {
    %s = block.norm_stats %a : tensor<1x3x8xf32>
    %1 = block.normalize %a moment %s gamma %b {form = #block.norm<kind = rms, eps = 1.0e-6>} : tensor<1x3x8xf32>
    block.yield %1 : tensor<1x3x8xf32>
  }
  return %0 : tensor<1x3x8xf32>
}
