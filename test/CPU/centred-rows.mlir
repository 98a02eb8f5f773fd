// Products behind which a norm takes a mean: where all that reads one does, kernels take it from the rows, else from the product.
// RUN: block-opt %s --block-to-cpu -o /dev/null
// RUN: block-run %s --engine=cpu --seed=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=cpu --threads=2 --seed=2 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_80 --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=4 --baseline=%s | FileCheck %s

// CHECK: PASS all
// CHECK: PASS both
// CHECK: PASS norm
// CHECK: PASS raw
// CHECK: PASS one
// CHECK: PASS other
// CHECK-NOT: FAIL
func.func @main(%x: tensor<2x9x32xf32> {block.input = "x"}, %y: tensor<2x9x32xf32> {block.input = "y"},
    %w: tensor<48x32xf32> {block.param = "w"}, %b: tensor<48xf32> {block.param = "b"})
    -> (tensor<2x9x48xf32> {block.output = "all"}, tensor<2x9x48xf32> {block.output = "both"},
        tensor<2x9x48xf32> {block.output = "norm"}, tensor<2x9x48xf32> {block.output = "raw"},
        tensor<2x9x48xf32> {block.output = "one"}, tensor<2x9x48xf32> {block.output = "other"}) {
  %s:2 = block.norm_stats %x centered : tensor<2x9x32xf32>
  %t:2 = block.norm_stats %y centered : tensor<2x9x32xf32>
  %c = block.weight_sums %w : tensor<48x32xf32>
  // The mean is taken from rows, with a bias of the product or without.
  %p0 = block.linear %x, %w : (tensor<2x9x32xf32>, tensor<48x32xf32>) -> tensor<2x9x48xf32>
  %all = block.deferred_norm %p0 mean %s#0 moment %s#1 sums %c centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 32} : tensor<2x9x48xf32>
  %p1 = block.linear %x, %w bias %b : (tensor<2x9x32xf32>, tensor<48x32xf32>, tensor<48xf32>) -> tensor<2x9x48xf32>
  %both = block.deferred_norm %p1 mean %s#0 moment %s#1 sums %c bias %b centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 32} : tensor<2x9x48xf32>
  // Another reader wants the product as it is.
  %p2 = block.linear %x, %w : (tensor<2x9x32xf32>, tensor<48x32xf32>) -> tensor<2x9x48xf32>
  %norm = block.deferred_norm %p2 mean %s#0 moment %s#1 sums %c bias %b centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 32} : tensor<2x9x48xf32>
  %raw = block.add_bias %p2, %b : tensor<2x9x48xf32>
  // Two means.
  %p3 = block.linear %x, %w : (tensor<2x9x32xf32>, tensor<48x32xf32>) -> tensor<2x9x48xf32>
  %one = block.deferred_norm %p3 mean %s#0 moment %s#1 sums %c bias %b centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 32} : tensor<2x9x48xf32>
  %other = block.deferred_norm %p3 mean %t#0 moment %t#1 sums %c bias %b centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 32} : tensor<2x9x48xf32>
  return %all, %both, %norm, %raw, %one, %other : tensor<2x9x48xf32>, tensor<2x9x48xf32>, tensor<2x9x48xf32>, tensor<2x9x48xf32>, tensor<2x9x48xf32>, tensor<2x9x48xf32>
}
