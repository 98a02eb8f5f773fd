// Bodies with branches, as concatenations are written element by element: what is not taken neither reads nor fails.
// RUN: split-file %s %t
// RUN: block-run %t/branches.mlir --engine=reference --seed=5 --exact-arithmetic --baseline=%t/plain.mlir | FileCheck %s
// RUN: block-run %t/branches.mlir --engine=cpu --seed=5 --baseline=%t/plain.mlir | FileCheck %s
// CHECK: PASS out0
// CHECK: PASS out1
// CHECK: PASS out2
// RUN: not block-run %t/taken.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: taken.mlir:9:12: error: 'arith.divsi' op expected a whole number
// RUN: not block-run %t/outside.mlir --engine=reference 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: outside.mlir:9:12: error: 'tensor.extract' op expected index 0 to be in [0, 3), got 3
//--- branches.mlir
#all = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x2xf32>, %c: tensor<2x4xf32>) -> (tensor<2x9xf32>, tensor<2x9xf32>, tensor<6xi32>) {
  %e = tensor.empty() : tensor<2x9xf32>
  %0 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x9xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c1 = arith.constant 1 : index
    %three = tensor.dim %a, %c1 : tensor<2x3xf32>
    %two = tensor.dim %b, %c1 : tensor<2x2xf32>
    %first = arith.cmpi ult, %j, %three : index
    %y = scf.if %first -> (f32) {
      %x = tensor.extract %a[%i, %j] : tensor<2x3xf32>
      scf.yield %x : f32
    } else {
      %end = arith.addi %three, %two : index
      %second = arith.cmpi ult, %j, %end : index
      %z = scf.if %second -> (f32) {
        %p = arith.subi %j, %three : index
        %x = tensor.extract %b[%i, %p] : tensor<2x2xf32>
        scf.yield %x : f32
      } else {
        %p = arith.subi %j, %end : index
        %x = tensor.extract %c[%i, %p] : tensor<2x4xf32>
        %s = tensor.from_elements %x : tensor<f32>
        %t = tensor.extract %s[] : tensor<f32>
        scf.yield %t : f32
      }
      scf.yield %z : f32
    }
    linalg.yield %y : f32
  } -> tensor<2x9xf32>
  // Chosen by what is computed.
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<2x9xf32>) outs(%e : tensor<2x9xf32>) {
  ^bb0(%x: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %x, %zero : f32
    %y:2 = scf.if %positive -> (f32, f32) {
      scf.yield %x, %zero : f32, f32
    } else {
      %n = arith.negf %x : f32
      scf.yield %zero, %n : f32, f32
    }
    %sum = arith.addf %y#0, %y#1 : f32
    linalg.yield %sum : f32
  } -> tensor<2x9xf32>
  // Division by what would be 0.
  %n = tensor.empty() : tensor<6xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%n : tensor<6xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %zero = arith.constant 0 : i32
    %twelve = arith.constant 12 : i32
    %isZero = arith.cmpi eq, %k, %zero : i32
    %y = scf.if %isZero -> (i32) {
      scf.yield %twelve : i32
    } else {
      %q = arith.divsi %twelve, %k : i32
      scf.yield %q : i32
    }
    linalg.yield %y : i32
  } -> tensor<6xi32>
  return %0, %1, %2 : tensor<2x9xf32>, tensor<2x9xf32>, tensor<6xi32>
}
//--- plain.mlir
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x2xf32>, %c: tensor<2x4xf32>) -> (tensor<2x9xf32>, tensor<2x9xf32>, tensor<6xi32>) {
  %0 = tensor.concat dim(1) %a, %b, %c : (tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x9xf32>
  %1 = math.absf %0 : tensor<2x9xf32>
  %2 = arith.constant dense<[12, 12, 6, 4, 3, 2]> : tensor<6xi32>
  return %0, %1, %2 : tensor<2x9xf32>, tensor<2x9xf32>, tensor<6xi32>
}
//--- taken.mlir
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %e = tensor.empty() : tensor<2xi32>
  %0 = linalg.map ins(%x : tensor<2xi32>) outs(%e : tensor<2xi32>)
    (%in: i32, %o: i32) {
    %one = arith.constant 1 : i32
    %y = scf.if %true -> (i32) {
      %q = arith.divsi %one, %zero : i32
      scf.yield %q : i32
    } else {
      scf.yield %in : i32
    }
    linalg.yield %y : i32
  }
  return %0 : tensor<2xi32>
}
//--- outside.mlir
func.func @main(%x: tensor<3xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %two = arith.constant 2 : index
    %late = arith.cmpi sge, %i, %two : index
    %y = scf.if %late -> (f32) {
      %r = tensor.extract %x[%i] : tensor<3xf32>
      scf.yield %r : f32
    } else {
      scf.yield %o : f32
    }
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
