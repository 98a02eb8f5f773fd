// The pass leaves a module without StableHLO alone, and names an op that has no counterpart.
// RUN: split-file %s %t
// RUN: block-opt %t/twice.mlir --convert-stablehlo-to-upstream -o %t/out.mlir
// RUN: FileCheck %s --check-prefix=TWICE < %t/out.mlir
// RUN: block-opt %t/out.mlir --convert-stablehlo-to-upstream -o - | diff - %t/out.mlir
// RUN: not block-opt %t/sort.mlir --convert-stablehlo-to-upstream 2>&1 | FileCheck %s --check-prefix=REFUSED
// TWICE: arith.negf
// TWICE: math.exp
// REFUSED: error: 'stablehlo.is_odd' has no counterpart that is read here

//--- twice.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

//--- sort.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.is_odd"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
