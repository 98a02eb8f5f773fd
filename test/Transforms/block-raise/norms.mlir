// Spellings of norms: of one kind, all are the same op.
// RUN: block-opt %s --split-input-file --block-raise | FileCheck %s

// x / sqrt(mean(x * x) + eps), divided by the width, the gain in front.
// CHECK-LABEL: func.func @main(
// CHECK: block.norm %arg0 gamma %arg1 {form = #block.norm<kind = rms, eps = 1.0e-06>}
// CHECK-NOT: arith
func.func @main(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3xf32>
  %n = arith.constant dense<8.0> : tensor<2x3xf32>
  %eps = arith.constant dense<1.0e-6> : tensor<2x3xf32>
  %square = arith.mulf %x, %x : tensor<2x3x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<2x3x8xf32>) outs(%zero : tensor<2x3xf32>) dimensions = [2]
  %mean = arith.divf %sum, %n : tensor<2x3xf32>
  %moment = arith.addf %eps, %mean : tensor<2x3xf32>
  %root = math.sqrt %moment : tensor<2x3xf32>
  %empty = tensor.empty() : tensor<2x3x8xf32>
  %wide = linalg.broadcast ins(%root : tensor<2x3xf32>) outs(%empty : tensor<2x3x8xf32>) dimensions = [2]
  %normal = arith.divf %x, %wide : tensor<2x3x8xf32>
  %gain = linalg.broadcast ins(%g : tensor<8xf32>) outs(%empty : tensor<2x3x8xf32>) dimensions = [0, 1]
  %y = arith.mulf %gain, %normal : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Generics, a power, the mean in f64, epsilon narrowed in the body, and the gain first times 1 / root.
#x = affine_map<(b, t, d) -> (b, t, d)>
#row = affine_map<(b, t, d) -> (b, t, 0)>
#vector = affine_map<(b, t, d) -> (d)>
// CHECK-LABEL: func.func @main(
// CHECK: block.norm %arg0 gamma %arg1 {form = #block.norm<kind = rms, eps = 1.0e-06>}
// CHECK-NOT: linalg.generic
func.func @main(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 8.0 : f64
  %eps = arith.constant 1.0e-6 : f64
  %two = arith.constant 2 : i64
  %e = tensor.empty() : tensor<2x3x8xf64>
  %square = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x8xf32>) outs(%e : tensor<2x3x8xf64>) {
  ^bb0(%in: f32, %out: f64):
    %w = arith.extf %in : f32 to f64
    %p = math.fpowi %w, %two : f64, i64
    linalg.yield %p : f64
  } -> tensor<2x3x8xf64>
  %r = tensor.empty() : tensor<2x3x1xf64>
  %init = linalg.fill ins(%zero : f64) outs(%r : tensor<2x3x1xf64>) -> tensor<2x3x1xf64>
  %sum = linalg.generic {indexing_maps = [#x, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%square : tensor<2x3x8xf64>) outs(%init : tensor<2x3x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %a = arith.addf %out, %in : f64
    linalg.yield %a : f64
  } -> tensor<2x3x1xf64>
  %re = tensor.empty() : tensor<2x3x1xf32>
  %rstd = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<2x3x1xf64>) outs(%re : tensor<2x3x1xf32>) {
  ^bb0(%in: f64, %out: f32):
    %m = arith.divf %in, %n : f64
    %s = arith.truncf %m : f64 to f32
    %t = arith.truncf %eps : f64 to f32
    %a = arith.addf %s, %t : f32
    %q = math.rsqrt %a : f32
    linalg.yield %q : f32
  } -> tensor<2x3x1xf32>
  %ye = tensor.empty() : tensor<2x3x8xf32>
  %y = linalg.generic {indexing_maps = [#x, #row, #vector, #x], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %rstd, %g : tensor<2x3x8xf32>, tensor<2x3x1xf32>, tensor<8xf32>) outs(%ye : tensor<2x3x8xf32>) {
  ^bb0(%in: f32, %q: f32, %w: f32, %out: f32):
    %a = arith.mulf %q, %w : f32
    %b = arith.mulf %in, %a : f32
    linalg.yield %b : f32
  } -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// max(0, E[x^2] - E[x]^2), on the tokens in one row.
// CHECK-LABEL: func.func @main(
// CHECK: block.norm %arg0 {form = #block.norm<kind = layer, eps = 1.0e-05>}
// CHECK-NOT: arith
func.func @main(%given: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %x = tensor.collapse_shape %given [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %n = arith.constant dense<0.125> : tensor<6xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<6xf32>
  %square = arith.mulf %x, %x : tensor<6x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<6x8xf32>) outs(%zero : tensor<6xf32>) dimensions = [1]
  %sum2 = linalg.reduce { arith.addf } ins(%square : tensor<6x8xf32>) outs(%zero : tensor<6xf32>) dimensions = [1]
  %mean = arith.mulf %sum, %n : tensor<6xf32>
  %mean2 = arith.mulf %sum2, %n : tensor<6xf32>
  %meansquare = arith.mulf %mean, %mean : tensor<6xf32>
  %difference = arith.subf %mean2, %meansquare : tensor<6xf32>
  %variance = arith.maximumf %difference, %zero : tensor<6xf32>
  %moment = arith.addf %variance, %eps : tensor<6xf32>
  %rstd = math.rsqrt %moment : tensor<6xf32>
  %empty = tensor.empty() : tensor<6x8xf32>
  %m = linalg.broadcast ins(%mean : tensor<6xf32>) outs(%empty : tensor<6x8xf32>) dimensions = [1]
  %r = linalg.broadcast ins(%rstd : tensor<6xf32>) outs(%empty : tensor<6x8xf32>) dimensions = [1]
  %c = arith.subf %x, %m : tensor<6x8xf32>
  %y = arith.mulf %c, %r : tensor<6x8xf32>
  %out = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  return %out : tensor<2x3x8xf32>
}

// -----

// A changed divisor is no mean: nothing is raised.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: block.norm
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3xf32>
  %n = arith.constant dense<7.0> : tensor<2x3xf32>
  %square = arith.mulf %x, %x : tensor<2x3x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<2x3x8xf32>) outs(%zero : tensor<2x3xf32>) dimensions = [2]
  %mean = arith.divf %sum, %n : tensor<2x3xf32>
  %root = math.sqrt %mean : tensor<2x3xf32>
  %empty = tensor.empty() : tensor<2x3x8xf32>
  %wide = linalg.broadcast ins(%root : tensor<2x3xf32>) outs(%empty : tensor<2x3x8xf32>) dimensions = [2]
  %y = arith.divf %x, %wide : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}
