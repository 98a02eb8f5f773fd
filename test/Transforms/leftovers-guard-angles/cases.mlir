// Each float type and rank, pi in the op's own type; other functions of angles stay.
// RUN: block-opt %s --leftovers-guard-angles | FileCheck %s

// CHECK-LABEL: func.func @half(
// CHECK: %[[ANGLE:.*]] = math.atan2 %arg0, %arg1 : tensor<3xf16>
// CHECK: %[[Y:.*]] = arith.cmpf oeq, %arg0, %{{.*}} : tensor<3xf16>
// CHECK: %[[X:.*]] = arith.cmpf oeq, %arg1, %{{.*}} : tensor<3xf16>
// CHECK: %[[BOTH:.*]] = arith.andi %[[Y]], %[[X]] : tensor<3xi1>
// CHECK: math.copysign %{{.*}}, %arg1
// CHECK: arith.constant dense<3.140630e+00> : tensor<3xf16>
// CHECK: %[[ZEROS:.*]] = math.copysign %{{.*}}, %arg0
// CHECK: %[[RESULT:.*]] = arith.select %[[BOTH]], %[[ZEROS]], %[[ANGLE]]
// CHECK: return %[[RESULT]]
func.func @half(%y: tensor<3xf16>, %x: tensor<3xf16>) -> tensor<3xf16> {
  %0 = math.atan2 %y, %x : tensor<3xf16>
  return %0 : tensor<3xf16>
}

// CHECK-LABEL: func.func @rank0(
// CHECK: %[[ANGLE:.*]] = math.atan2 %arg0, %arg1 : tensor<f64>
// CHECK: arith.constant dense<3.1415926535897931> : tensor<f64>
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[ANGLE]] : tensor<i1>, tensor<f64>
func.func @rank0(%y: tensor<f64>, %x: tensor<f64>) -> tensor<f64> {
  %0 = math.atan2 %y, %x : tensor<f64>
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @number(
// CHECK: %[[ANGLE:.*]] = math.atan2 %arg0, %arg1 : f32
// CHECK: %[[RESULT:.*]] = arith.select {{.*}}, %[[ANGLE]] : f32
// CHECK-NEXT: math.atan %[[RESULT]] : f32
// CHECK-NEXT: math.sin %{{.*}} : f32
// CHECK-NEXT: return
func.func @number(%y: f32, %x: f32) -> f32 {
  %0 = math.atan2 %y, %x : f32
  %1 = math.atan %0 : f32
  %2 = math.sin %1 : f32
  return %2 : f32
}
