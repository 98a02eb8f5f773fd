// Elements that stay in their place go from registers to tensors by TMA: 200 rows of
// tiles of 64 or 128, and columns that tiles have too many of.
// DAYS: 2, day 1
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=7 --check-against=reference

// What the emulator says where waits, commits or fences of such copies are missing.
// RUN: not block-run %s --engine=emulate --chip=sm_90a --seed=7 --mutate=drop-proxy-fence:0 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: proxy
// RUN: not block-run %s --engine=emulate --chip=sm_90a --seed=7 --mutate=drop-store-wait:2 2>&1 | FileCheck %s --check-prefix=WAIT
// WAIT: bulk store has not been waited for
// RUN: not block-run %s --engine=emulate --chip=sm_90a --seed=7 --mutate=drop-store-commit:1 2>&1 | FileCheck %s --check-prefix=COMMIT
// COMMIT: bulk store is in no group

// A factor of the row and an activation, which read nothing else: any width.
// CHECK-LABEL: tile.kernel @linear_0(
// CHECK: %[[SUM:.*]] = tile.pipeline
// CHECK: %[[OUT:.*]] = tile.map %[[SUM]]
// CHECK: math.rsqrt
// CHECK: tile.copy_out %[[OUT]] to %{{.*}} : {{.*}} to memref<1x200x512xbf16>
// CHECK-LABEL: tile.kernel @linear_1(
// CHECK: tile.copy_out {{.*}} to memref<1x200x1000xbf16>
// A bias and a skip are beside the columns, which are whole; two sources.
// CHECK-LABEL: tile.kernel @linear_sum_0(
// CHECK: tile.copy_out {{.*}} to memref<1x200x512xbf16>
// Where they are not, rows are staged.
// CHECK-LABEL: tile.kernel @linear_2(
// CHECK-NOT: tile.copy_out
// CHECK: tile.stage
func.func @main(%x: tensor<1x200x64xbf16> {block.input = "x"}, %z: tensor<1x200x128xbf16> {block.input = "z"},
    %a: tensor<512x64xbf16> {block.param = "a", block.init = #block.init<kind = normal, std = 1.0>},
    %b: tensor<1000x64xbf16> {block.param = "b", block.init = #block.init<kind = normal, std = 1.0>},
    %c: tensor<512x128xbf16> {block.param = "c", block.init = #block.init<kind = normal, std = 1.0>},
    %bias: tensor<512xbf16> {block.param = "bias", block.init = #block.init<kind = normal, std = 1.0>},
    %skip: tensor<1x200x512xbf16> {block.input = "skip"}, %odd: tensor<1x200x1000xbf16> {block.input = "odd"})
    -> (tensor<1x200x512xbf16> {block.output = "scaled"}, tensor<1x200x1000xbf16> {block.output = "ragged"},
        tensor<1x200x512xbf16> {block.output = "sum"}, tensor<1x200x1000xbf16> {block.output = "rows"}) {
  %stats = block.kernel "rows" (%i = %x : tensor<1x200x64xbf16>) -> tensor<1x200x1xf32> {
    %1 = block.norm_stats %i : tensor<1x200x64xbf16>
    block.yield %1 : tensor<1x200x1xf32>
  }
  %0 = block.kernel "linear" (%i = %x : tensor<1x200x64xbf16>, %w = %a : tensor<512x64xbf16>, %s = %stats : tensor<1x200x1xf32>) -> tensor<1x200x512xbf16> {
    %1 = block.linear %i, %w : (tensor<1x200x64xbf16>, tensor<512x64xbf16>) -> tensor<1x200x512xf32>
    %2 = block.deferred_norm %1 moment %s {form = #block.norm<kind = rms, eps = 1.0e-06, rounding = before_gain>, width = 64}
        : tensor<1x200x512xf32> -> tensor<1x200x512xbf16>
    %3 = block.activation %2 {kind = #block.activation<silu>} : tensor<1x200x512xbf16>
    block.yield %3 : tensor<1x200x512xbf16>
  }
  %4 = block.kernel "linear" (%i = %x : tensor<1x200x64xbf16>, %w = %b : tensor<1000x64xbf16>) -> tensor<1x200x1000xbf16> {
    %1 = block.linear %i, %w : (tensor<1x200x64xbf16>, tensor<1000x64xbf16>) -> tensor<1x200x1000xf32>
    %2 = arith.truncf %1 : tensor<1x200x1000xf32> to tensor<1x200x1000xbf16>
    block.yield %2 : tensor<1x200x1000xbf16>
  }
  %5 = block.kernel "linear_sum" (%i = %x : tensor<1x200x64xbf16>, %w = %a : tensor<512x64xbf16>, %j = %z : tensor<1x200x128xbf16>, %v = %c : tensor<512x128xbf16>,
      %p = %bias : tensor<512xbf16>, %q = %skip : tensor<1x200x512xbf16>) -> tensor<1x200x512xbf16> {
    %1 = block.linear_sum(%i, %j) weights(%w, %v) bias %p : tensor<1x200x64xbf16>, tensor<1x200x128xbf16> -> tensor<1x200x512xf32>
    %2 = block.residual %q, %1 : (tensor<1x200x512xbf16>, tensor<1x200x512xf32>) -> tensor<1x200x512xbf16>
    block.yield %2 : tensor<1x200x512xbf16>
  }
  %6 = block.kernel "linear" (%i = %x : tensor<1x200x64xbf16>, %w = %b : tensor<1000x64xbf16>, %q = %odd : tensor<1x200x1000xbf16>) -> tensor<1x200x1000xbf16> {
    %1 = block.linear %i, %w : (tensor<1x200x64xbf16>, tensor<1000x64xbf16>) -> tensor<1x200x1000xf32>
    %2 = block.residual %q, %1 : (tensor<1x200x1000xbf16>, tensor<1x200x1000xf32>) -> tensor<1x200x1000xbf16>
    block.yield %2 : tensor<1x200x1000xbf16>
  }
  return %0, %4, %5, %6 : tensor<1x200x512xbf16>, tensor<1x200x1000xbf16>, tensor<1x200x512xbf16>, tensor<1x200x1000xbf16>
}
