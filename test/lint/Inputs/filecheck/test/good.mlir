// RUN: block-opt %s --verify-diagnostics | FileCheck %s
// Note: a remark, with a colon
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>)
// CHECK-NEXT: %[[Y:.*]] = block.scale %[[X]]
// CHECK-NOT: block.scale %{{.*}}, %{{.*}}
// CHECK-LABEL: func.func @g(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>)
// CHECK-COUNT-2: block.norm %[[X]]
// expected-remark @+1 {{verified}}
