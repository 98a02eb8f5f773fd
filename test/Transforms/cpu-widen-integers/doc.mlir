// An integer is rounded to 16 bits once, from f64.
// RUN: block-opt %s --cpu-widen-integers | FileCheck %s
// CHECK: %[[WIDE:.*]] = arith.sitofp %{{.*}} : i32 to f64
// CHECK: arith.truncf %[[WIDE]] : f64 to bf16
func.func @f(%a: i32) -> bf16 {
  %0 = arith.sitofp %a : i32 to bf16
  return %0 : bf16
}
