// Attention over caches in pages of 8 rows: few queries, whose keys CTAs share, and many, as rings that have
// been written over. Tiles of keys begin and end within pages, and there are tables of no order.
// DAYS: 3, day 1
// RUN: %python %root/test/Generation/given.py %t.n.safetensors 0,93,301 0,95,7
// DEFINE: %{run} = block-run --engine=emulate --dims=row_pages=18,pool=57 --inputs=%t.n.safetensors --seed=7 --threads=1
// RUN: %{run} %s --chip=sm_90a --baseline=%s | FileCheck %s
// RUN: sed 's/3x1x/3x40x/g; s/causal = true/&, alibi_max = 8.0, alibi_type = bf16/' %s > %t.many.mlir
// RUN: %{run} %t.many.mlir --chip=sm_90a --baseline=%t.many.mlir | FileCheck %s
// RUN: sed 's/3x1x/3x5x/g; s/bf16/f32/g; s/causal = true/&, softcap = 3.0/' %s > %t.f32.mlir
// RUN: %{run} %t.f32.mlir --chip=sm_80 --baseline=%t.f32.mlir | FileCheck %s

// Heads of 256 for one query take 16 keys at a time.
// RUN: sed 's/3x1x64x/3x1x1024x/g; s/?x8x32x/?x8x512x/g' %s > %t.wide.mlir
// RUN: %{run} %t.wide.mlir --chip=sm_90a --baseline=%t.wide.mlir | FileCheck %s
// RUN: block-opt %t.wide.mlir --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=WIDE
// WIDE: tile.accumulator<16x16>
// With more done to scores, no fewer: mma multiplies 16 columns at a time.
// RUN: sed 's/causal = true/&, alibi_max = 8.0, softcap = 3.0/' %t.wide.mlir > %t.heavy.mlir
// RUN: %{run} %t.heavy.mlir --chip=sm_80 --baseline=%t.heavy.mlir | FileCheck %s

// A token's own value is a row of a page, too.
// RUN: sed 's/[%]v: /%g: tensor<4xbf16> {block.param = "g"}, &/; s/%d = [%]n/%h = %g : tensor<4xbf16>, &/; s/past_lengths %d/alpha %h gamma %h &/; s/, tensor<3xi64>, tensor<3xi64>, tensor<3x?xi64>) ->/, tensor<4xbf16>, tensor<4xbf16>, tensor<3xi64>, tensor<3xi64>, tensor<3x?xi64>) ->/' %s > %t.mean.mlir
// RUN: %{run} %t.mean.mlir --chip=sm_80 --baseline=%t.mean.mlir | FileCheck %s
// CHECK: PASS o

// Rows are looked up by whoever copies them, also where tensor maps would bring those of a cache in one piece.
// RUN: block-opt --unbroken-lines %t.many.mlir --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=TILE
// TILE: tile.kernel @sdpa_0({{.*}}, %[[PAGES:.*]]: memref<3x?xi64>, %{{.*}}: memref<3x40x64xbf16>) {{.*}}copies = async
// TILE-COUNT-2: pages %[[PAGES]][%{{.*}}] : memref<3x?xi64> to
func.func @main(%q: tensor<3x1x64xbf16> {block.input = "hidden_states"}, %k: tensor<?x8x32xbf16> {block.input = "k", block.dims = ["pool"]}, %v: tensor<?x8x32xbf16> {block.input = "v", block.dims = ["pool"]}, %n: tensor<3xi64> {block.input = "past_lengths"}, %s: tensor<3xi64> {block.input = "starts"}, %p: tensor<3x?xi64> {block.input = "pages", block.dims = ["row_pages"]}) -> (tensor<3x1x64xbf16> {block.output = "o"}) {
  %0 = block.kernel "sdpa" (%a = %q : tensor<3x1x64xbf16>, %b = %k : tensor<?x8x32xbf16>, %c = %v : tensor<?x8x32xbf16>, %d = %n : tensor<3xi64>, %e = %s : tensor<3xi64>, %f = %p : tensor<3x?xi64>) -> tensor<3x1x64xbf16> {
    %r = block.sdpa %a, %b, %c past_lengths %d starts %e pages %f {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true, window = 100>} : (tensor<3x1x64xbf16>, tensor<?x8x32xbf16>, tensor<?x8x32xbf16>, tensor<3xi64>, tensor<3xi64>, tensor<3x?xi64>) -> tensor<3x1x64xbf16>
    block.yield %r : tensor<3x1x64xbf16>
  }
  return %0 : tensor<3x1x64xbf16>
}
