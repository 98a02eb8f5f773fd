// The C library has both functions of f64 and f32; types of 16 bits are widened by other passes.
// RUN: block-opt %s --cpu-call-library | FileCheck %s
// CHECK-LABEL: func.func @wide(
// CHECK: %[[E:.*]] = call @expm1(%arg0) : (f64) -> f64
// CHECK-NEXT: %[[L:.*]] = call @log1p(%arg1) : (f64) -> f64
// CHECK-NEXT: return %[[E]], %[[L]]
func.func @wide(%a: f64, %b: f64) -> (f64, f64) {
  %0 = math.expm1 %a : f64
  %1 = math.log1p %b : f64
  return %0, %1 : f64, f64
}

// CHECK-LABEL: func.func @narrow(
// CHECK-NEXT: math.expm1 %arg0 : bf16
// CHECK-NEXT: math.log1p %arg1 : f16
// CHECK-NEXT: return
func.func @narrow(%a: bf16, %b: f16) -> (bf16, f16) {
  %0 = math.expm1 %a : bf16
  %1 = math.log1p %b : f16
  return %0, %1 : bf16, f16
}

// CHECK-LABEL: func.func @rank0(
// CHECK-NEXT: math.expm1 %arg0 : tensor<f32>
func.func @rank0(%a: tensor<f32>) -> tensor<f32> {
  %0 = math.expm1 %a : tensor<f32>
  return %0 : tensor<f32>
}

// A declaration that the module has is the one that is called.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: func.call @log1pf
func.func @loop(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = math.log1p %v : f32
    memref.store %w, %x[%i] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @others(
// CHECK-NEXT: math.exp %arg0 : f32
// CHECK: func.func private @log1pf(f32) -> f32
// CHECK-NOT: @log1pf
func.func @others(%a: f32) -> f32 {
  %0 = math.exp %a : f32
  return %0 : f32
}
func.func private @log1pf(f32) -> f32
