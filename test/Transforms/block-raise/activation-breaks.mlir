// Functions that are an activation at most places, but not at all of them.
// RUN: block-opt %s --split-input-file --block-raise | FileCheck %s

// What is compared by its numbers has to be the activation everywhere: here it is, by parts that are alike.
// CHECK-LABEL: func.func @main(
// CHECK: block.activation %arg0 {kind = #block.activation<silu>}
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %r = arith.constant dense<70.0> : tensor<2x3x8xf32>
  %c = arith.cmpf ogt, %x, %r : tensor<2x3x8xf32>
  %f = arith.select %c, %one, %s : tensor<2x3x8xi1>, tensor<2x3x8xf32>
  %y = arith.mulf %x, %f : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Another part far away.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.activation
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %h = arith.constant dense<0.5> : tensor<2x3x8xf32>
  %r = arith.constant dense<70.0> : tensor<2x3x8xf32>
  %c = arith.cmpf ogt, %x, %r : tensor<2x3x8xf32>
  %f = arith.select %c, %h, %s : tensor<2x3x8xi1>, tensor<2x3x8xf32>
  %y = arith.mulf %x, %f : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A bound that is reached late.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.activation
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %r = arith.constant dense<100.0> : tensor<2x3x8xf32>
  %z = arith.minimumf %x, %r : tensor<2x3x8xf32>
  %y = arith.mulf %z, %s : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A bound beneath the exponential.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.activation
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %r = arith.constant dense<10.0> : tensor<2x3x8xf32>
  %z = arith.minimumf %x, %r : tensor<2x3x8xf32>
  %m = arith.negf %z : tensor<2x3x8xf32>
  %g = math.exp %m : tensor<2x3x8xf32>
  %k = arith.addf %g, %one : tensor<2x3x8xf32>
  %f = arith.divf %one, %k : tensor<2x3x8xf32>
  %y = arith.mulf %x, %f : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A narrow step.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.activation
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %r = arith.constant dense<0.5013> : tensor<2x3x8xf32>
  %t = arith.constant dense<0.5014> : tensor<2x3x8xf32>
  %h = arith.constant dense<0.125> : tensor<2x3x8xf32>
  %c = arith.cmpf ogt, %x, %r : tensor<2x3x8xf32>
  %d = arith.cmpf olt, %x, %t : tensor<2x3x8xf32>
  %i = arith.andi %c, %d : tensor<2x3x8xi1>
  %w = arith.addf %s, %h : tensor<2x3x8xf32>
  %f = arith.select %i, %w, %s : tensor<2x3x8xi1>, tensor<2x3x8xf32>
  %y = arith.mulf %x, %f : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A narrow bump.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.activation
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %r = arith.constant dense<0.50131> : tensor<2x3x8xf32>
  %t = arith.constant dense<-1000000000000.0> : tensor<2x3x8xf32>
  %d = arith.subf %x, %r : tensor<2x3x8xf32>
  %q = arith.mulf %d, %d : tensor<2x3x8xf32>
  %v = arith.mulf %q, %t : tensor<2x3x8xf32>
  %g = math.exp %v : tensor<2x3x8xf32>
  %f = arith.addf %s, %g : tensor<2x3x8xf32>
  %y = arith.mulf %x, %f : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A steep step of a tangent.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.activation
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %r = arith.constant dense<0.50131> : tensor<2x3x8xf32>
  %t = arith.constant dense<10000000000.0> : tensor<2x3x8xf32>
  %h = arith.constant dense<0.001> : tensor<2x3x8xf32>
  %d = arith.subf %x, %r : tensor<2x3x8xf32>
  %v = arith.mulf %d, %t : tensor<2x3x8xf32>
  %g = math.tanh %v : tensor<2x3x8xf32>
  %k = arith.mulf %g, %h : tensor<2x3x8xf32>
  %f = arith.addf %s, %k : tensor<2x3x8xf32>
  %y = arith.mulf %x, %f : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A number of its own at one place.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.activation
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %r = arith.constant dense<0.5> : tensor<2x3x8xf32>
  %c = arith.cmpf oeq, %x, %r : tensor<2x3x8xf32>
  %f = arith.select %c, %one, %s : tensor<2x3x8xi1>, tensor<2x3x8xf32>
  %y = arith.mulf %x, %f : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Infinity from somewhere on.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.activation
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3x8xf32>
  %n = arith.negf %x : tensor<2x3x8xf32>
  %e = math.exp %n : tensor<2x3x8xf32>
  %b = arith.addf %e, %one : tensor<2x3x8xf32>
  %s = arith.divf %one, %b : tensor<2x3x8xf32>
  %r = arith.constant dense<70.0> : tensor<2x3x8xf32>
  %h = arith.constant dense<0x7F800000> : tensor<2x3x8xf32>
  %c = arith.cmpf ogt, %x, %r : tensor<2x3x8xf32>
  %f = arith.select %c, %h, %s : tensor<2x3x8xi1>, tensor<2x3x8xf32>
  %y = arith.mulf %x, %f : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}
