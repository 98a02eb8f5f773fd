// A file of block-drift --statistics says, layer by layer, how far rows are from
// centred: layer 0 is safe, layer 1 is not, layer 2 is not in the file.
// RUN: block-opt %s --block-fold-norm=statistics=%S/Inputs/measured.json | FileCheck %s
// RUN: block-opt %s --block-optimize=statistics=%S/Inputs/measured.json | FileCheck %s
// What is measured goes before what is promised.
// RUN: block-opt %s --block-fold-norm="statistics=%S/Inputs/measured.json assume-max-mean-over-std=1" | FileCheck %s --check-prefix=BOTH
// A layer formed of halves of layers 0 and 1 is as safe as both; of 1 and 2, unknown.
// RUN: sed 's/"a" at 0/"a+" at 0/' %s | block-opt --block-fold-norm=statistics=%S/Inputs/measured.json | FileCheck %s --check-prefix=SHIFTED
// RUN: sed 's/"a" at 0/"a+" at 0/' %s | block-opt --block-fold-norm="statistics=%S/Inputs/measured.json assume-max-mean-over-std=1" | FileCheck %s --check-prefix=SHIFTED
// RUN: sed 's/"b" at 1/"b+" at 1/' %s | block-opt --block-fold-norm="statistics=%S/Inputs/measured.json assume-max-mean-over-std=1" | FileCheck %s --check-prefix=UNKNOWN
// RUN: not block-opt %s --block-fold-norm=statistics=%S/Inputs/none.json 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not block-opt %s --block-fold-norm=statistics=%S/Inputs/future.json 2>&1 | FileCheck %s --check-prefix=FUTURE
// RUN: not block-opt %s --block-fold-norm=statistics=%S/Inputs/broken.json 2>&1 | FileCheck %s --check-prefix=BROKEN

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
// SHIFTED: block.layer "a+" at 0
// SHIFTED: block.normalize
// SHIFTED: block.layer "b" at 1
// UNKNOWN: block.layer "b+" at 1
// UNKNOWN: block.deferred_norm
// UNKNOWN: block.layer "c" at 2
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
