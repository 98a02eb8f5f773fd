// Each op as its formula, in f64 and rounded once; a sum is an op of its own. The numbers are those of the ops, bit for bit.
// RUN: block-opt %s --block-expand-weights -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: block-run %s --engine=reference --seed=3 --outputs=%t.want
// RUN: block-run %t.mlir --engine=reference --seed=3 --expect=%t.want | FileCheck %s --check-prefix=SAME
// RUN: block-run %t.mlir --engine=cpu --seed=3 --baseline=%s | FileCheck %s --check-prefix=CPU

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> (0)>
// CHECK-DAG: #[[VECTOR:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[W:.*]]: tensor<4x8xbf16> {block.param = "w"},
// CHECK-NEXT: %[[G:.*]]: tensor<8xf32> {block.param = "g"},
// CHECK-NEXT: %[[B:.*]]: tensor<4xbf16> {block.param = "b"},
// CHECK-NEXT: %[[S:.*]]: tensor<1xf32> {block.param = "s"},
// CHECK-NEXT: %[[D:.*]]: tensor<6x6xf16> {block.param = "d"})
// CHECK-NOT: = block.

// CHECK: tensor.empty() : tensor<4x8xbf16>
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[COLUMN]], #[[ALL]]], iterator_types = ["parallel", "parallel"]} ins(%[[W]], %[[G]] :
// CHECK: ^bb0(%[[IN:.*]]: bf16, %[[GAIN:.*]]: f32, %{{.*}}: bf16):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[GAIN]] : f32 to f64
// CHECK-NEXT: %[[UNIT:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[MORE:.*]] = arith.addf %[[WIDE]], %[[UNIT]] : f64
// CHECK-NEXT: %[[X:.*]] = arith.extf %[[IN]] : bf16 to f64
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[MORE]] : f64
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[PRODUCT]] : f64 to bf16
// CHECK-NEXT: linalg.yield %[[ROUNDED]] : bf16

// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[COLUMN]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[W]], %[[G]] : {{.*}}
// CHECK-NEXT: outs(%[[ZERO]] :
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield %{{.*}} : f64
// CHECK: linalg.generic {indexing_maps = [#[[VECTOR]], #[[VECTOR]], #[[VECTOR]]], iterator_types = ["parallel"]} ins(%[[B]], %[[SUM]] :
// CHECK: arith.addf
// CHECK-NEXT: arith.truncf %{{.*}} : f64 to f32

// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ONE]], #[[ALL]]], iterator_types = ["parallel", "parallel"]} ins(%[[W]], %[[S]] :
// CHECK: arith.constant 3.000000e-01 : f64

// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[W]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xf64>)

// CHECK: linalg.generic {indexing_maps = [#[[VECTOR]], #[[VECTOR]], #[[VECTOR]]], iterator_types = ["parallel"]} ins(%[[B]], %{{.*}} : tensor<4xbf16>, tensor<4xf32>)

// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]]], iterator_types = ["parallel", "parallel"]} ins(%[[D]] :
// CHECK: linalg.index 0
// CHECK: linalg.index 1
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]], #[[ALL]]], iterator_types = ["parallel", "parallel"]} ins(%[[D]], %{{.*}} : tensor<6x6xf16>, tensor<6x6xf16>)

// SAME-COUNT-6: PASS {{.*}}max_abs 0.00e+00
// CPU-COUNT-6: PASS
func.func @main(%w: tensor<4x8xbf16> {block.param = "w"}, %g: tensor<8xf32> {block.param = "g"}, %b: tensor<4xbf16> {block.param = "b"},
    %s: tensor<1xf32> {block.param = "s"}, %d: tensor<6x6xf16> {block.param = "d"})
    -> (tensor<4x8xbf16> {block.output = "gain"}, tensor<4xf32> {block.output = "bias"}, tensor<4x8xbf16> {block.output = "scale"},
        tensor<4xf32> {block.output = "sums"}, tensor<4xf32> {block.output = "sum"}, tensor<6x6xf16> {block.output = "change"}) {
  %gain = block.fold_gain %w, %g {form = #block.norm<kind = rms, eps = 1.0e-5, gamma_form = one_plus>} : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16>
  %bias = block.fold_bias %w beta %g bias %b : (tensor<4x8xbf16>, tensor<8xf32>, tensor<4xbf16>) -> tensor<4xf32>
  %scale = block.fold_scale %w by %s {factor = 0.3} : (tensor<4x8xbf16>, tensor<1xf32>) -> tensor<4x8xbf16>
  %sums = block.weight_sums %w : (tensor<4x8xbf16>) -> tensor<4xf32>
  %sum = block.bias_sum %b, %sums : (tensor<4xbf16>, tensor<4xf32>) -> tensor<4xf32>
  %one = block.reparam %d {skip = 0.5, residual = 0.7} : (tensor<6x6xf16>) -> tensor<6x6xf16>
  %two = block.reparam %d from %one {skip = 0.9} : (tensor<6x6xf16>, tensor<6x6xf16>) -> tensor<6x6xf16>
  return %gain, %bias, %scale, %sums, %sum, %two : tensor<4x8xbf16>, tensor<4xf32>, tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<6x6xf16>
}
