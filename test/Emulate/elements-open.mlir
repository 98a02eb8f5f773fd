// Kernels of elements whose sizes are known at run time: sums, products and quotients of
// those of operands.
// RUN: block-run %s --engine=emulate --chip=sm_80 --dims=b=2,s=5 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --dims=b=3,s=33 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --dims=b=1,s=1 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// CHECK: PASS added
// CHECK: PASS joined
// CHECK: PASS summed
// CHECK: PASS flat
// CHECK: PASS split
// CHECK: PASS padded
// CHECK: PASS cut
func.func @main(%x: tensor<?x?x8xf32> {block.input = "x", block.dims = ["b", "s"]}, %y: tensor<?x?x8xf32> {block.input = "y", block.dims = ["b", "s"]}, %t: tensor<?x8xf32> {block.input = "t", block.dims = ["s"]})
    -> (tensor<?x?x8xf32> {block.output = "added"}, tensor<?x?x8xf32> {block.output = "joined"}, tensor<?x8xf32> {block.output = "summed"}, tensor<?xf32> {block.output = "flat"},
        tensor<?x?x4x2xf32> {block.output = "split"}, tensor<?x?x8xf32> {block.output = "padded"}, tensor<?x?x8xf32> {block.output = "cut"}) {
  %added = block.kernel "elements" (%a = %x : tensor<?x?x8xf32>, %b = %t : tensor<?x8xf32>) -> tensor<?x?x8xf32> {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %d0 = tensor.dim %a, %i0 : tensor<?x?x8xf32>
    %d1 = tensor.dim %a, %i1 : tensor<?x?x8xf32>
    %e = tensor.empty(%d0, %d1) : tensor<?x?x8xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<?x?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x?x8xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %j = linalg.index 1 : index
      %k = arith.index_cast %j : index to i32
      %f = arith.sitofp %k : i32 to f32
      %u = arith.addf %p, %q : f32
      %v = arith.addf %u, %f : f32
      linalg.yield %v : f32
    } -> tensor<?x?x8xf32>
    block.yield %r : tensor<?x?x8xf32>
  }
  %joined = block.kernel "elements" (%a = %x : tensor<?x?x8xf32>, %b = %y : tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
    %r = tensor.concat dim(1) %a, %b, %a : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    block.yield %r : tensor<?x?x8xf32>
  }
  %summed = block.kernel "elements" (%a = %x : tensor<?x?x8xf32>) -> tensor<?x8xf32> {
    %i0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %d0 = tensor.dim %a, %i0 : tensor<?x?x8xf32>
    %e = tensor.empty(%d0) : tensor<?x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%a : tensor<?x?x8xf32>) outs(%f : tensor<?x8xf32>) {
    ^bb0(%p: f32, %o: f32):
      %u = arith.addf %p, %o : f32
      linalg.yield %u : f32
    } -> tensor<?x8xf32>
    block.yield %r : tensor<?x8xf32>
  }
  %flat = block.kernel "elements" (%a = %joined : tensor<?x?x8xf32>) -> tensor<?xf32> {
    %r = tensor.collapse_shape %a [[0, 1, 2]] : tensor<?x?x8xf32> into tensor<?xf32>
    %m = arith.negf %r : tensor<?xf32>
    block.yield %m : tensor<?xf32>
  }
  %split = block.kernel "elements" (%a = %x : tensor<?x?x8xf32>) -> tensor<?x?x4x2xf32> {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %d0 = tensor.dim %a, %i0 : tensor<?x?x8xf32>
    %d1 = tensor.dim %a, %i1 : tensor<?x?x8xf32>
    %r = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [%d0, %d1, 4, 2] : tensor<?x?x8xf32> into tensor<?x?x4x2xf32>
    %m = arith.negf %r : tensor<?x?x4x2xf32>
    block.yield %m : tensor<?x?x4x2xf32>
  }
  %padded = block.kernel "elements" (%a = %x : tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
    %z = arith.constant 0.5 : f32
    %r = tensor.pad %a low[0, 3, 0] high[1, 2, 0] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %z : f32
    } : tensor<?x?x8xf32> to tensor<?x?x8xf32>
    block.yield %r : tensor<?x?x8xf32>
  }
  %cut = block.kernel "elements" (%a = %padded : tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %d0 = tensor.dim %a, %i0 : tensor<?x?x8xf32>
    %d1 = tensor.dim %a, %i1 : tensor<?x?x8xf32>
    %i2 = arith.constant 2 : index
    %h = arith.divui %d1, %i2 : index
    %g = arith.subi %d1, %h : index
    %r = tensor.extract_slice %a[0, %h, 0] [%d0, %g, 8] [1, 1, 1] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
    %m = arith.negf %r : tensor<?x?x8xf32>
    block.yield %m : tensor<?x?x8xf32>
  }
  return %added, %joined, %summed, %flat, %split, %padded, %cut : tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?x?x4x2xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>
}
