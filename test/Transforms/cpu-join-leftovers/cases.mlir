// Launches of other kernels stay as they are, and what a leftover calls moves with it.
// RUN: block-opt %s --cpu-join-leftovers | FileCheck %s
// A second time there is nothing to move.
// RUN: block-opt %s --cpu-join-leftovers -o %t.once
// RUN: block-opt %t.once --cpu-join-leftovers -o %t.twice
// RUN: cmp %t.once %t.twice

// CHECK: plan.launch @kernels::@rows_0(%x) -> (%y)
// CHECK-NEXT: plan.launch @kernels::@leftover_0(%y) -> (%z) dims [%rows] items
// CHECK: module @kernels
// CHECK-NEXT: func.func private @rows_0
// CHECK-NEXT: func.func private @leftover_0
// CHECK-NEXT: func.func private @expm1f(f32) -> f32
// CHECK-NOT: module
plan.program @main {
  %rows = plan.size "rows"
  %x = plan.tensor "x" input 0 : f16 [%rows]
  %y = plan.tensor "y" temporary : f16 [4]
  %z = plan.tensor "z" temporary : f16 []
  plan.run {
    plan.launch @kernels::@rows_0(%x) -> (%y) dims [] items 1 x [] x [] by 1
    plan.launch @kernels::@leftovers::@leftover_0(%y) -> (%z) dims [%rows] items 1 x [] x [] by 1
    plan.return %z
  }
}
module @kernels {
  module @leftovers {
    func.func private @leftover_0(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
    func.func private @expm1f(f32) -> f32
  }
  func.func private @rows_0(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}
