// A chip that is known; on each a row has a partial statistic for 128 columns.
// RUN: block-opt %s --block-form-kernels | FileCheck %s
// RUN: block-opt %s --block-form-kernels="chip=sm_80" | FileCheck %s
// RUN: block-opt %s --block-form-kernels="chip=sm_90a" | FileCheck %s
// Through the pipeline, too.
// RUN: block-opt %s --block-optimize | FileCheck %s
// RUN: block-opt %s --block-optimize="chip=sm_90a" | FileCheck %s
// RUN: not block-opt %s --block-form-kernels="chip=sm_70" -o %t.none 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not block-opt %s --block-optimize="chip=sm_70" -o %t.none 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: test ! -e %t.none

// BAD: error: unknown chip 'sm_70': expected cpu, sm_80, sm_90a, sm_90a-h100, sm_90a-h200, sm_90a-h100-pcie or sm_90a-h20

// CHECK: block.partial_stats {{.*}} centered {tile = 128} : tensor<
// CHECK: block.merge_stats {{.*}} {tile = 128, width = 300}
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<300x8xf32> {block.param = "w"}) -> tensor<2x5x300xf32> {
  %a = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<300x8xf32>) -> tensor<2x5x300xf32>
  %s:2 = block.norm_stats %a centered : (tensor<2x5x300xf32>) -> (tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %n = block.normalize %a mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<2x5x300xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x300xf32>
  return %n : tensor<2x5x300xf32>
}
