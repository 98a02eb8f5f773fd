// Sizes that affine maps compute, whole numbers of infinity that nothing reads, and assertions in bodies that hold.
// RUN: block-run %s --dims=arg00.d0=3 --engine=reference --seed=2 --function=sizes | FileCheck %s --check-prefix=SIZES
// SIZES: out0 f32 [9]  rms 0.5
// RUN: block-run %s --engine=reference --seed=2 --function=infinity | FileCheck %s --check-prefix=INFINITY
// INFINITY: out0 i64 [2]  {{.*}}min 4  max 7
// RUN: block-run %s --engine=reference --seed=2 --function=holds | FileCheck %s --check-prefix=HOLDS
// HOLDS: out0 f32 [2]
// RUN: not block-run %s --engine=reference --seed=2 --function=fails 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: computed.mlir:[[#@LINE+44]]:{{[0-9]+}}: error: 'cf.assert' op does not hold: a number below 0
#triple = affine_map<()[s] -> (s * 2 + 3)>
#each = affine_map<(i) -> (i)>
func.func @sizes(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %m = affine.apply #triple()[%n]
  %e = tensor.empty(%m) : tensor<?xf32>
  %y = linalg.fill ins(%half : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @infinity() -> tensor<2xi64> {
  %x = arith.constant dense<[0.0, 3.0]> : tensor<2xf32>
  %four = arith.constant dense<4> : tensor<2xi64>
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %log = math.log %x : tensor<2xf32>
  %whole = arith.fptosi %log : tensor<2xf32> to tensor<2xi64>
  %six = arith.constant dense<6> : tensor<2xi64>
  %sum = arith.addi %whole, %six : tensor<2xi64>
  %isZero = arith.cmpf oeq, %x, %zero : tensor<2xf32>
  %y = arith.select %isZero, %four, %sum : tensor<2xi1>, tensor<2xi64>
  return %y : tensor<2xi64>
}
func.func @holds(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %square = arith.mulf %in, %in : f32
    %isAbove = arith.cmpf oge, %square, %zero : f32
    cf.assert %isAbove, "a number below 0"
    linalg.yield %square : f32
  } -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @fails(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %square = arith.mulf %in, %in : f32
    %minus = arith.negf %square : f32
    %isAbove = arith.cmpf oge, %minus, %zero : f32
    cf.assert %isAbove, "a number below 0"
    linalg.yield %square : f32
  } -> tensor<2xf32>
  return %y : tensor<2xf32>
}
