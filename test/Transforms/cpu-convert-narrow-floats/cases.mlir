// Types of 16 bits by way of f32 in integers; between f32 and f64 the processor has instructions.
// RUN: block-opt %s --cpu-convert-narrow-floats=cpu=x86-64 | FileCheck %s
// Half of a last place, and one more where the place is odd: to the nearest, ties to even. NaN stays NaN.
// CHECK-LABEL: func.func @to_bf16(
// CHECK: %[[BITS:.*]] = arith.bitcast %arg0 : f32 to i32
// CHECK: %[[ODD:.*]] = arith.andi %{{.*}}, %c1_i32
// CHECK: %[[HALF:.*]] = arith.addi %[[ODD]], %c32767_i32 : i32
// CHECK: %[[SUM:.*]] = arith.addi %[[BITS]], %[[HALF]] : i32
// CHECK: %[[QUIET:.*]] = arith.ori %{{.*}}, %c64_i32
// CHECK: %[[IS_NAN:.*]] = arith.cmpi ugt, %{{.*}}, %c2139095040_i32 : i32
// CHECK: arith.select %[[IS_NAN]], %[[QUIET]]
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
func.func @to_bf16(%a: f32) -> bf16 {
  %0 = arith.truncf %a : f32 to bf16
  return %0 : bf16
}

// A product by 2^112 brings the exponent to that of an f32, also of subnormal numbers.
// CHECK-LABEL: func.func @f16(
// CHECK: arith.bitcast %arg0 : f16 to i16
// CHECK: %[[SIGN:.*]] = arith.andi %{{.*}}, %c32768_i32
// CHECK: arith.shli %{{.*}}, %c13_i32 : i32
// CHECK: %[[FACTOR:.*]] = arith.constant 5.19229686E+33 : f32
// CHECK: arith.mulf %{{.*}}, %[[FACTOR]] : f32
// CHECK: arith.bitcast %{{.*}} : i32 to f32
// CHECK-NOT: arith.extf
func.func @f16(%a: f16) -> f32 {
  %0 = arith.extf %a : f16 to f32
  return %0 : f32
}

// Above 65520 there is infinity.
// CHECK-LABEL: func.func @to_f16(
// CHECK: arith.cmpi ugt, %{{.*}}, %c1199566847_i32 : i32
// CHECK: arith.bitcast %{{.*}} : i16 to f16
// CHECK-NOT: arith.truncf
func.func @to_f16(%a: f32) -> f16 {
  %0 = arith.truncf %a : f32 to f16
  return %0 : f16
}

// To f32 by rounding to odd, so that the second rounding is the only one.
// CHECK-LABEL: func.func @f64_to_bf16(
// CHECK: %[[NEAR:.*]] = arith.truncf %arg0 : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAR]] : f32 to f64
// CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[BACK]], %arg0 : f64
// CHECK: %[[ODD:.*]] = arith.ori %{{.*}}, %c1_i32
// CHECK: arith.select %[[INEXACT]], %[[ODD]]
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
func.func @f64_to_bf16(%a: f64) -> bf16 {
  %0 = arith.truncf %a : f64 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @bf16_to_f64(
// CHECK: arith.bitcast %arg0 : bf16 to i16
// CHECK: %[[F32:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT: arith.extf %[[F32]] : f32 to f64
func.func @bf16_to_f64(%a: bf16) -> f64 {
  %0 = arith.extf %a : bf16 to f64
  return %0 : f64
}

// CHECK-LABEL: func.func @wide(
// CHECK-NEXT: arith.extf %arg0 : f32 to f64
func.func @wide(%a: f32) -> f64 {
  %0 = arith.extf %a : f32 to f64
  return %0 : f64
}

// CHECK-LABEL: func.func @narrower(
// CHECK-NEXT: arith.truncf %arg0 : f64 to f32
// CHECK-NEXT: return
func.func @narrower(%a: f64) -> f32 {
  %0 = arith.truncf %a : f64 to f32
  return %0 : f32
}
