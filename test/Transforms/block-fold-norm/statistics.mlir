// A file of block-drift --statistics says, layer by layer, how far rows are from
// centred: layer 0 is safe, layer 1 is not, layer 2 is not in the file.
// RUN: split-file %s %t
// RUN: block-opt %t/in.mlir --block-fold-norm=statistics=%t/measured.json | FileCheck %t/in.mlir
// RUN: block-opt %t/in.mlir --block-optimize=statistics=%t/measured.json | FileCheck %t/in.mlir
// What is measured goes before what is promised.
// RUN: block-opt %t/in.mlir --block-fold-norm="statistics=%t/measured.json assume-max-mean-over-std=1" | FileCheck %t/in.mlir --check-prefix=BOTH
// RUN: not block-opt %t/in.mlir --block-fold-norm=statistics=%t/none.json 2>&1 | FileCheck %t/in.mlir --check-prefix=NONE
// RUN: not block-opt %t/in.mlir --block-fold-norm=statistics=%t/future.json 2>&1 | FileCheck %t/in.mlir --check-prefix=FUTURE
// RUN: not block-opt %t/in.mlir --block-fold-norm=statistics=%t/broken.json 2>&1 | FileCheck %t/in.mlir --check-prefix=BROKEN

//--- measured.json
{"schema": 1, "norms": [
  {"layer": 0, "sublayer": "attention", "mean_over_std": {"mean": 0.2, "p99": 0.9, "max": 1.5}},
  {"layer": 1, "sublayer": "attention", "mean_over_std": {"mean": 0.2, "p99": 0.9, "max": 1.5}},
  {"layer": 1, "sublayer": "mlp", "mean_over_std": {"mean": 2.0, "p99": 5.0, "max": 40.0}}]}
//--- future.json
{"schema": 2, "norms": []}
//--- broken.json
{"schema": 1, "norms": [{"layer": 0, "mean_over_std": {"max": "large"}}]}
//--- in.mlir
// NONE: error: {{.*}}none.json
// FUTURE: error: {{.*}}future.json: key 'schema': expected 1
// BROKEN: error: {{.*}}broken.json: norms[0]: expected 'layer' and a 'mean_over_std' with a 'max' of at least 0
// CHECK: block.layer "a" at 0
// CHECK-NOT: block.normalize
// CHECK: block.deferred_norm
// CHECK: block.layer "b" at 1
// CHECK: block.normalize
// CHECK-NOT: block.deferred_norm
// CHECK: block.layer "c" at 2
// CHECK: block.normalize
// CHECK-NOT: block.deferred_norm
// BOTH: block.layer "b" at 1
// BOTH: block.normalize
// BOTH: block.layer "c" at 2
// BOTH-NOT: block.normalize
// BOTH: block.deferred_norm
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x8xbf16> {block.param = "w"}) -> tensor<2x5x8xf32> {
  %0 = block.layer "a" at 0 -> tensor<2x5x8xf32> {
    %s:2 = block.norm_stats %x centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
    %n = block.normalize %x mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xbf16>
    %l = block.linear %n, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xf32>
    block.yield %l : tensor<2x5x8xf32>
  }
  %1 = block.layer "b" at 1 -> tensor<2x5x8xf32> {
    %s:2 = block.norm_stats %0 centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
    %n = block.normalize %0 mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xbf16>
    %l = block.linear %n, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xf32>
    block.yield %l : tensor<2x5x8xf32>
  }
  %2 = block.layer "c" at 2 -> tensor<2x5x8xf32> {
    %s:2 = block.norm_stats %1 centered : (tensor<2x5x8xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
    %n = block.normalize %1 mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<2x5x8xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xbf16>
    %l = block.linear %n, %w : (tensor<2x5x8xbf16>, tensor<8x8xbf16>) -> tensor<2x5x8xf32>
    block.yield %l : tensor<2x5x8xf32>
  }
  return %2 : tensor<2x5x8xf32>
}
