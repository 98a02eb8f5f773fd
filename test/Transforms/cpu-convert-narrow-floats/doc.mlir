// The bits of a bf16 are the upper half of an f32.
// RUN: block-opt %s --cpu-convert-narrow-floats=cpu=x86-64 | FileCheck %s
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : bf16 to i16
// CHECK: arith.extui %[[BITS]] : i16 to i32
// CHECK: arith.shli
// CHECK: arith.bitcast %{{.*}} : i32 to f32
// CHECK-NOT: arith.extf
func.func @f(%a: bf16) -> f32 {
  %0 = arith.extf %a : bf16 to f32
  return %0 : f32
}
