// Every integer type and kind of quotient; constants, tensors and floats stay.
// RUN: block-opt %s --cpu-bound-divisors | FileCheck %s
// No unsigned quotient is too large: zero alone is bounded.
// CHECK-LABEL: func.func @unsigned(
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %arg1, %c0_i64 : i64
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: %[[DIVISOR:.*]] = arith.select %[[NONE]], %c1_i64, %arg1 : i64
// CHECK-NEXT: arith.remui %arg0, %[[DIVISOR]] : i64
func.func @unsigned(%a: i64, %b: i64) -> i64 {
  %0 = arith.remui %a, %b : i64
  return %0 : i64
}

// An index has 64 bits.
// CHECK-LABEL: func.func @index(
// CHECK: arith.cmpi eq, %arg0, %c-9223372036854775808 : index
// CHECK: %[[DIVISOR:.*]] = arith.select %{{.*}}, %c1, %arg1 : index
// CHECK-NEXT: arith.ceildivsi %arg0, %[[DIVISOR]] : index
func.func @index(%a: index, %b: index) -> index {
  %0 = arith.ceildivsi %a, %b : index
  return %0 : index
}

// A constant that has a quotient of any number stays.
// CHECK-LABEL: func.func @constant(
// CHECK: arith.constant 7 : i32
// CHECK-NEXT: arith.divsi %arg0, %c7_i32 : i32
func.func @constant(%a: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  %0 = arith.divsi %a, %c7 : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @minus_one(
// CHECK: arith.cmpi eq, %arg0, %c-2147483648_i32 : i32
// CHECK: arith.select
func.func @minus_one(%a: i32) -> i32 {
  %c = arith.constant -1 : i32
  %0 = arith.divsi %a, %c : i32
  return %0 : i32
}

// Quotients of tensors are those of their elements once they are loops.
// CHECK-LABEL: func.func @rank0(
// CHECK-NOT: arith.select
// CHECK: arith.divsi %arg0, %arg1 : tensor<i32>
func.func @rank0(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = arith.divsi %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @in_region(
// CHECK: ^bb0(%[[IN:.*]]: i8, %[[BY:.*]]: i8):
// CHECK: arith.cmpi eq, %[[IN]], %c-128_i8 : i8
// CHECK: %[[DIVISOR:.*]] = arith.select %{{.*}}, %c1_i8, %[[BY]] : i8
// CHECK-NEXT: arith.remsi %[[IN]], %[[DIVISOR]] : i8
func.func @in_region(%x: memref<?xi8>, %y: memref<?xi8>) {
  linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%x : memref<?xi8>) outs(%y : memref<?xi8>) {
  ^bb0(%in: i8, %out: i8):
    %q = arith.remsi %in, %out : i8
    linalg.yield %q : i8
  }
  return
}

// CHECK-LABEL: func.func @floats(
// CHECK-NEXT: arith.divf %arg0, %arg1 : f32
// CHECK-NEXT: arith.muli %arg2, %arg2 : i32
// CHECK-NEXT: return
func.func @floats(%a: f32, %b: f32, %c: i32) -> (f32, i32) {
  %0 = arith.divf %a, %b : f32
  %1 = arith.muli %c, %c : i32
  return %0, %1 : f32, i32
}

// CHECK-LABEL: func.func @halves(
// CHECK-NEXT: arith.divf %arg0, %arg1 : f16
// CHECK-NEXT: arith.divsi %arg2, %arg2 : tensor<?xi64>
// CHECK-NEXT: return
func.func @halves(%a: f16, %b: f16, %c: tensor<?xi64>) -> (f16, tensor<?xi64>) {
  %0 = arith.divf %a, %b : f16
  %1 = arith.divsi %c, %c : tensor<?xi64>
  return %0, %1 : f16, tensor<?xi64>
}
