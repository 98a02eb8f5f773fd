// A choice among constants behind the op: no constant of two zeros is NaN.
// RUN: block-opt %s --leftovers-guard-angles | FileCheck %s
// RUN: block-run %s --function=constants --engine=cpu | FileCheck %s --check-prefix=RAN
// RAN: f32 [5]
// RAN-SAME: min -3.14159  max 3.14159
// RAN-NOT: NaN

// CHECK-LABEL: @constants
// CHECK: %[[ANGLE:.*]] = math.atan2
// CHECK: %[[SIZE:.*]] = arith.select
// CHECK: %[[ZEROS:.*]] = math.copysign %[[SIZE]]
// CHECK: arith.select %[[NEITHER:.*]], %[[ZEROS]], %[[ANGLE]]
func.func @constants() -> tensor<5xf32> {
  %y = arith.constant dense<[0.0, -0.0, 0.0, -0.0, 1.0]> : tensor<5xf32>
  %x = arith.constant dense<[0.0, 0.0, -0.0, -0.0, 0.0]> : tensor<5xf32>
  %0 = math.atan2 %y, %x : tensor<5xf32>
  return %0 : tensor<5xf32>
}

// Tensors of open sizes have no constants: their elements do.
// CHECK-LABEL: @open
// CHECK: linalg.generic
// CHECK: %[[ANGLE:.*]] = math.atan2 %[[Y:.*]], %[[X:.*]] : bf16
// CHECK: %[[RESULT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ANGLE]] : bf16
// CHECK: linalg.yield %[[RESULT]]
func.func @open(%y: tensor<?x4xbf16>, %x: tensor<?x4xbf16>) -> tensor<?x4xbf16> {
  %0 = math.atan2 %y, %x : tensor<?x4xbf16>
  return %0 : tensor<?x4xbf16>
}
