// What is left over comes last among the kernels, and launches know it.
// RUN: block-opt %s --cpu-join-leftovers | FileCheck %s
// CHECK: plan.launch @kernels::@leftover_0(%x) -> (%y)
// CHECK: module @kernels
// CHECK-NOT: module
// CHECK: func.func private @rows_0
// CHECK: func.func private @leftover_0
plan.program @main {
  %x = plan.tensor "x" input 0 : f32 [4]
  %y = plan.tensor "y" temporary : f32 [4]
  plan.run {
    plan.launch @kernels::@leftovers::@leftover_0(%x) -> (%y) dims [] items 1 x [] x [] by 1
    plan.return %y
  }
}
module @kernels {
  module @leftovers {
    func.func private @leftover_0(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
  func.func private @rows_0(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}
