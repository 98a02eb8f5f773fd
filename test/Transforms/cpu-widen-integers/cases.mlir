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

// Tensors of any rank wait until they are numbers; those in a loop over memory are.
// CHECK-LABEL: func.func @tensors(
// CHECK-NEXT: arith.sitofp %arg0 : tensor<i32> to tensor<f16>
// CHECK-NEXT: arith.uitofp %arg1 : tensor<?xi8> to tensor<?xbf16>
// CHECK-NEXT: return
func.func @tensors(%a: tensor<i32>, %b: tensor<?xi8>) -> (tensor<f16>, tensor<?xbf16>) {
  %0 = arith.sitofp %a : tensor<i32> to tensor<f16>
  %1 = arith.uitofp %b : tensor<?xi8> to tensor<?xbf16>
  return %0, %1 : tensor<f16>, tensor<?xbf16>
}

// CHECK-LABEL: func.func @in_loop(
// CHECK: ^bb0(%[[IN:.*]]: i64, %{{.*}}: f16):
// CHECK-NEXT: %[[WIDE:.*]] = arith.sitofp %[[IN]] : i64 to f64
// CHECK-NEXT: arith.truncf %[[WIDE]] : f64 to f16
func.func @in_loop(%x: memref<?xi64>, %y: memref<?xf16>) {
  linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%x : memref<?xi64>) outs(%y : memref<?xf16>) {
  ^bb0(%in: i64, %out: f16):
    %narrow = arith.sitofp %in : i64 to f16
    linalg.yield %narrow : f16
  }
  return
}
