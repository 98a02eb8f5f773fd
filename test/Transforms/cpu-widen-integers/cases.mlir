// Signed and unsigned integers and truth values, to either type of 16 bits; wider floats, and the way back, stay.
// RUN: block-opt %s --cpu-widen-integers | FileCheck %s
// CHECK-LABEL: func.func @f16(
// CHECK: %[[WIDE:.*]] = arith.sitofp %arg0 : i64 to f64
// CHECK-NEXT: arith.truncf %[[WIDE]] : f64 to f16
func.func @f16(%a: i64) -> f16 {
  %0 = arith.sitofp %a : i64 to f16
  return %0 : f16
}

// CHECK-LABEL: func.func @unsigned(
// CHECK: %[[WIDE:.*]] = arith.uitofp %arg0 : i8 to f64
// CHECK-NEXT: arith.truncf %[[WIDE]] : f64 to bf16
func.func @unsigned(%a: i8) -> bf16 {
  %0 = arith.uitofp %a : i8 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @truth(
// CHECK: arith.uitofp %arg0 : i1 to f64
func.func @truth(%a: i1) -> f16 {
  %0 = arith.uitofp %a : i1 to f16
  return %0 : f16
}

// CHECK-LABEL: func.func @wide(
// CHECK-NEXT: arith.sitofp %arg0 : i64 to f32
// CHECK-NEXT: arith.uitofp %arg0 : i64 to f64
func.func @wide(%a: i64) -> (f32, f64) {
  %0 = arith.sitofp %a : i64 to f32
  %1 = arith.uitofp %a : i64 to f64
  return %0, %1 : f32, f64
}

// CHECK-LABEL: func.func @back(
// CHECK-NEXT: arith.fptosi %arg0 : bf16 to i32
func.func @back(%a: bf16) -> i32 {
  %0 = arith.fptosi %a : bf16 to i32
  return %0 : i32
}
