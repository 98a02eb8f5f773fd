// Which row is read is chosen, not which tensor.
// RUN: block-opt %s --leftovers-simplify-broadcasts | FileCheck %s
// CHECK: %[[IS:.*]] = arith.cmpi eq
// CHECK-NOT: scf.if
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.select %[[IS]], %{{.*}}, %[[ROW]]
// CHECK: tensor.extract %{{.*}}[%[[AT]], %{{.*}}]
func.func @f(%x: tensor<?x4xf32>, %batch: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %x, %c0 : tensor<?x4xf32>
  %is = arith.cmpi eq, %size, %c1 : index
  %0 = scf.if %is -> (tensor<?x4xf32>) {
    %empty = tensor.empty(%batch) : tensor<?x4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (0, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x4xf32>
    scf.yield %1 : tensor<?x4xf32>
  } else {
    scf.yield %x : tensor<?x4xf32>
  }
  return %0 : tensor<?x4xf32>
}
