// What elements kernels become: lanes over elements in the order of memory, a warp for each sum that
// lanes share.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_80 --canonicalize --cse | FileCheck %s

// Elementwise ops stay at the element's number; a broadcast takes one index of it.
// CHECK-LABEL: tile.kernel @elements_0
// CHECK-SAME: (%[[X:.*]]: memref<4x40xbf16>, %[[Y:.*]]: memref<40xbf16>, %[[O:.*]]: memref<4x40xbf16>)
// CHECK: tile.rows %[[P:.*]] below %c2 grid
// CHECK: tile.columns %[[I:.*]] = %{{.*}} to %{{.*}} {
// CHECK: %[[J:.*]] = arith.remui %[[I]], %c40
// CHECK: %[[A:.*]] = tile.load %[[X]][%[[I]]] : memref<4x40xbf16> to bf16
// CHECK: %[[B:.*]] = tile.load %[[Y]][%[[J]]] : memref<40xbf16> to bf16
// Floats of 16 bits are rounded after every op.
// CHECK: %[[U:.*]] = arith.extf %[[A]]
// CHECK: %[[V:.*]] = arith.extf %[[B]]
// CHECK: %[[S:.*]] = arith.addf %[[U]], %[[V]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[S]] : f32 to bf16
// CHECK: tile.store %[[R]], %[[O]][%[[I]]] : bf16 to memref<4x40xbf16>

// A sum over the last dimension is a warp's, with what is done to it after.
// CHECK-LABEL: tile.kernel @elements_1
// CHECK: tile.rows %[[I:.*]] below %c4 grid
// CHECK: %[[T:.*]] = tile.reduce add %{{.*}} = %c0 to %c40
// CHECK: arith.mulf
// CHECK: tile.store %{{.*}}, %{{.*}}[%[[I]]] : f32 to memref<4xf32>

// Over the first, neighbouring lanes read neighbours.
// CHECK-LABEL: tile.kernel @elements_2
// CHECK: tile.columns
// CHECK: scf.for
// CHECK-NOT: tile.reduce
// CHECK: tile.launch @kernels::@elements_2
// A kernel that says the same is the same program.
// CHECK: tile.launch @kernels::@elements_0
func.func @main(%x: tensor<4x40xbf16>, %y: tensor<40xbf16>, %z: tensor<4x40xf32>, %w: tensor<40x400xf32>) -> (tensor<4x40xbf16>, tensor<4xf32>, tensor<400xf32>) {
  %0 = block.kernel "elements" (%a = %x : tensor<4x40xbf16>, %b = %y : tensor<40xbf16>) -> tensor<4x40xbf16> {
    %e = tensor.empty() : tensor<4x40xbf16>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x40xbf16>, tensor<40xbf16>) outs(%e : tensor<4x40xbf16>) {
    ^bb0(%p: bf16, %q: bf16, %o: bf16):
      %t = arith.addf %p, %q : bf16
      linalg.yield %t : bf16
    } -> tensor<4x40xbf16>
    block.yield %r : tensor<4x40xbf16>
  }
  %1 = block.kernel "elements" (%a = %z : tensor<4x40xf32>) -> tensor<4xf32> {
    %c = arith.constant dense<0.0> : tensor<4xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x40xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%p: f32, %o: f32):
      %t = arith.addf %p, %o : f32
      linalg.yield %t : f32
    } -> tensor<4xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<4xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%p: f32, %o: f32):
      %t = arith.mulf %p, %p : f32
      linalg.yield %t : f32
    } -> tensor<4xf32>
    block.yield %r : tensor<4xf32>
  }
  %2 = block.kernel "elements" (%a = %w : tensor<40x400xf32>) -> tensor<400xf32> {
    %c = arith.constant dense<0.0> : tensor<400xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<40x400xf32>) outs(%c : tensor<400xf32>) {
    ^bb0(%p: f32, %o: f32):
      %t = arith.addf %p, %o : f32
      linalg.yield %t : f32
    } -> tensor<400xf32>
    block.yield %s : tensor<400xf32>
  }
  %3 = block.kernel "elements" (%a = %0 : tensor<4x40xbf16>, %b = %y : tensor<40xbf16>) -> tensor<4x40xbf16> {
    %e = tensor.empty() : tensor<4x40xbf16>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x40xbf16>, tensor<40xbf16>) outs(%e : tensor<4x40xbf16>) {
    ^bb0(%p: bf16, %q: bf16, %o: bf16):
      %t = arith.addf %p, %q : bf16
      linalg.yield %t : bf16
    } -> tensor<4x40xbf16>
    block.yield %r : tensor<4x40xbf16>
  }
  return %3, %1, %2 : tensor<4x40xbf16>, tensor<4xf32>, tensor<400xf32>
}
