// A divisor of 0, or of -1 where the quotient would be too large, becomes 1.
// RUN: block-opt %s --cpu-bound-divisors | FileCheck %s
// CHECK: %[[DIVISOR:.*]] = arith.select %[[NONE:.*]], %c1_i32, %arg1 : i32
// CHECK: arith.divsi %arg0, %[[DIVISOR]] : i32
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}
