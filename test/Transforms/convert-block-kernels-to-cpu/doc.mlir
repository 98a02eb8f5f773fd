// A function becomes a plan, and the kernels that it launches.
// RUN: block-opt %s --convert-block-kernels-to-cpu=cpu=x86-64 | FileCheck %s
// CHECK: plan.program @main
// CHECK: %batch = plan.size "batch"
// CHECK: %x = plan.tensor "x" input 0 : f32 [%batch, 3, 4]
// CHECK: %y = plan.tensor "y" temporary : f32 [%batch, 3, 4]
// CHECK-NOT: plan.prepack
// CHECK: plan.run {
// CHECK: plan.launch @kernels::@rows_0(%x) -> (%y) dims [%batch, 3, 0, 0] items 1 x [] x [%batch, 3] by 1 grain 4096
// CHECK: module @kernels
// CHECK: func.func @rows_0(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: i64, %arg4: i64)
// CHECK: scf.for %{{.*}} = %arg3 to %arg4
// CHECK: arith.select {{.*}} vector<4xf32>
func.func @main(%x: tensor<?x3x4xf32> {block.input = "x", block.dims = ["batch"]}) -> (tensor<?x3x4xf32> {block.output = "y"}) {
  %0 = block.kernel "rows" (%a = %x : tensor<?x3x4xf32>) -> tensor<?x3x4xf32> {
    %1 = block.activation %a {kind = #block.activation<relu>} : tensor<?x3x4xf32>
    block.yield %1 : tensor<?x3x4xf32>
  }
  return %0 : tensor<?x3x4xf32>
}
