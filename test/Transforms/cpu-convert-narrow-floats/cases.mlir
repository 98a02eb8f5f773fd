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

// Conversions of tensors of any rank wait until they are those of numbers; those in a loop over memory are.
// CHECK-LABEL: func.func @rank0(
// CHECK-NEXT: arith.truncf %arg0 : tensor<f32> to tensor<f16>
// CHECK-NEXT: arith.extf %arg1 : tensor<?xbf16> to tensor<?xf32>
// CHECK-NEXT: return
func.func @rank0(%a: tensor<f32>, %b: tensor<?xbf16>) -> (tensor<f16>, tensor<?xf32>) {
  %0 = arith.truncf %a : tensor<f32> to tensor<f16>
  %1 = arith.extf %b : tensor<?xbf16> to tensor<?xf32>
  return %0, %1 : tensor<f16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @in_loop(
// CHECK: ^bb0(%[[IN:.*]]: f16, %{{.*}}: f32):
// CHECK-NOT: arith.extf
// CHECK: arith.bitcast %[[IN]] : f16 to i16
// CHECK: linalg.yield
func.func @in_loop(%x: memref<?xf16>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%x : memref<?xf16>) outs(%y : memref<?xf32>) {
  ^bb0(%in: f16, %out: f32):
    %wide = arith.extf %in : f16 to f32
    linalg.yield %wide : f32
  }
  return
}

// Arithmetic of 16 bits is not the business of this pass.
// CHECK-LABEL: func.func @others(
// CHECK-NEXT: arith.addf %arg0, %arg0 : bf16
// CHECK-NEXT: arith.fptosi %{{.*}} : bf16 to i32
// CHECK-NEXT: return
func.func @others(%a: bf16) -> i32 {
  %0 = arith.addf %a, %a : bf16
  %1 = arith.fptosi %0 : bf16 to i32
  return %1 : i32
}
