// Products, and attention over a cache, have a second kernel for few rows where their number comes later.
// RUN: block-opt --unbroken-lines %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s

// CHECK: tile.kernel @linear_0(
// CHECK-SAME: warps = 8, producers = 4, stages = 4, grid = 132
// CHECK-NOT: tile.kernel @linear_1_few
// CHECK: tile.kernel @linear_0_few(
// CHECK-SAME: warps = 4, producers = 1, stages = 3, grid = 256, cluster = 4, joins = true>, workspaces = 0
// CHECK: tile.kernel @sdpa_0_few(
// CHECK-SAME: multiply = mma
// CHECK-NOT: sdpa_1_few(
// CHECK: tile.kernel @sdpa_2_few(
// CHECK-SAME: multiply = mma
// CHECK-NOT: _few(

// CHECK-LABEL: func.func @main
// CHECK: tile.launch @kernels::@linear_0({{.*}}) {few = @kernels::@linear_0_few, few_sizes = array<i64: 0, 0, 0, 1>, most = 64 : i64,
// CHECK: tile.launch @kernels::@linear_0({{.*}}) {few = @kernels::@linear_0_few,
func.func @main(%x: tensor<?x?x4096xbf16>, %w: tensor<4096x4096xbf16>, %v: tensor<4096x4096xbf16>) -> tensor<?x?x4096xbf16> {
  %0 = block.kernel "linear" (%a = %x : tensor<?x?x4096xbf16>, %b = %w : tensor<4096x4096xbf16>) -> tensor<?x?x4096xbf16> {
    %p = block.linear %a, %b : tensor<?x?x4096xbf16> -> tensor<?x?x4096xbf16>
    block.yield %p : tensor<?x?x4096xbf16>
  }
  %1 = block.kernel "linear" (%a = %0 : tensor<?x?x4096xbf16>, %b = %v : tensor<4096x4096xbf16>) -> tensor<?x?x4096xbf16> {
    %p = block.linear %a, %b : tensor<?x?x4096xbf16> -> tensor<?x?x4096xbf16>
    block.yield %p : tensor<?x?x4096xbf16>
  }
  return %1 : tensor<?x?x4096xbf16>
}

// A batch of 65 is never few; and one that is known has one kernel.
// CHECK-LABEL: func.func @many
// CHECK: tile.launch @kernels::@linear_1({{.*}}) {size_symbols
// CHECK: tile.launch @kernels::@linear_2({{.*}}) : (tensor<1x16x4096xbf16>
func.func @many(%x: tensor<65x?x4096xbf16>, %y: tensor<1x16x4096xbf16>, %w: tensor<4096x4096xbf16>) -> (tensor<65x?x4096xbf16>, tensor<1x16x4096xbf16>) {
  %0 = block.kernel "linear" (%a = %x : tensor<65x?x4096xbf16>, %b = %w : tensor<4096x4096xbf16>) -> tensor<65x?x4096xbf16> {
    %p = block.linear %a, %b : tensor<65x?x4096xbf16> -> tensor<65x?x4096xbf16>
    block.yield %p : tensor<65x?x4096xbf16>
  }
  %1 = block.kernel "linear" (%a = %y : tensor<1x16x4096xbf16>, %b = %w : tensor<4096x4096xbf16>) -> tensor<1x16x4096xbf16> {
    %p = block.linear %a, %b : tensor<1x16x4096xbf16> -> tensor<1x16x4096xbf16>
    block.yield %p : tensor<1x16x4096xbf16>
  }
  return %0, %1 : tensor<65x?x4096xbf16>, tensor<1x16x4096xbf16>
}

// Heads that share keys are rows of a tile, too: 16 rows are four queries. Keys that may be those of the
// queries are as few; an encoder's are not.
// CHECK-LABEL: func.func @attention
// CHECK: tile.launch @kernels::@sdpa_0({{.*}}) {few = @kernels::@sdpa_0_few, few_sizes = array<i64: 0, 1>, most = 4 : i64,
// CHECK: tile.launch @kernels::@sdpa_1({{.*}}) {size_symbols
// CHECK: tile.launch @kernels::@sdpa_2({{.*}}) {few = @kernels::@sdpa_2_few, few_sizes = array<i64: 0, 1>, most = 4 : i64,
func.func @attention(%q: tensor<2x?x512xbf16>, %k: tensor<2x?x128xbf16>, %n: tensor<2xi64>, %e: tensor<2x1500x128xbf16>)
    -> (tensor<2x?x512xbf16>, tensor<2x?x512xbf16>, tensor<2x?x512xbf16>) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<2x?x512xbf16>, %b = %k : tensor<2x?x128xbf16>, %c = %n : tensor<2xi64>) -> tensor<2x?x512xbf16> {
    %p = block.sdpa %a, %b, %b past_lengths %c {heads = 8 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.125, causal = true>} : (tensor<2x?x512xbf16>, tensor<2x?x128xbf16>, tensor<2x?x128xbf16>, tensor<2xi64>) -> tensor<2x?x512xbf16>
    block.yield %p : tensor<2x?x512xbf16>
  }
  %1 = block.kernel "sdpa" (%a = %q : tensor<2x?x512xbf16>, %b = %k : tensor<2x?x128xbf16>) -> tensor<2x?x512xbf16> {
    %p = block.sdpa %a, %b, %b {heads = 8 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.125>} : (tensor<2x?x512xbf16>, tensor<2x?x128xbf16>, tensor<2x?x128xbf16>) -> tensor<2x?x512xbf16>
    block.yield %p : tensor<2x?x512xbf16>
  }
  %2 = block.kernel "sdpa" (%a = %q : tensor<2x?x512xbf16>, %b = %e : tensor<2x1500x128xbf16>) -> tensor<2x?x512xbf16> {
    %p = block.sdpa %a, %b, %b {heads = 8 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.125>} : (tensor<2x?x512xbf16>, tensor<2x1500x128xbf16>, tensor<2x1500x128xbf16>) -> tensor<2x?x512xbf16>
    block.yield %p : tensor<2x?x512xbf16>
  }
  return %0, %1, %2 : tensor<2x?x512xbf16>, tensor<2x?x512xbf16>, tensor<2x?x512xbf16>
}
