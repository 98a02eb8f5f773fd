// One declaration for each function of the C library.
// RUN: block-opt %s --cpu-call-library | FileCheck %s
// CHECK: func.func private @expm1f(f32) -> f32
// CHECK-NOT: func.func private
// CHECK-COUNT-2: call @expm1f
// CHECK-NOT: math.expm1
func.func @f(%a: f32) -> f32 {
  %0 = math.expm1 %a : f32
  %1 = math.expm1 %0 : f32
  return %1 : f32
}
