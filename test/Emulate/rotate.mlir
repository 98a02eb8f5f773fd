// Rotations by given tables, as the epilogue of projections: one row of a table for
// each batch row or for all, one column for each pair or for each element.
// RUN: block-opt %s "--block-optimize=chip=sm_90a" -o %t.90.mlir
// RUN: FileCheck %s --check-prefix=KERNEL --input-file=%t.90.mlir
// RUN: block-run %t.90.mlir --engine=emulate --chip=sm_90a --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: sed 's/<1x9x16xbf16>/<2x9x8xbf16>/g; s/style = half/style = interleaved/; s/bf16/f32/g' %s > %t.pairs.mlir
// RUN: block-opt %t.pairs.mlir "--block-optimize=chip=sm_80" -o %t.80.mlir
// RUN: block-run %t.80.mlir --engine=emulate --chip=sm_80 --seed=7 --threads=1 --baseline=%t.pairs.mlir | FileCheck %s
// RUN: sed 's/<1x9x16xbf16>/<?x9x16xbf16>/g; s/block.input = "\(c\|s\)"/&, block.dims = ["tables"]/g' %s > %t.dim.mlir
// RUN: block-opt %t.dim.mlir "--block-optimize=chip=sm_80" -o %t.dim.80.mlir
// RUN: block-run %t.dim.80.mlir --engine=emulate --chip=sm_80 --dims=tables=1 --seed=7 --threads=1 --baseline=%t.dim.mlir | FileCheck %s
// RUN: block-run %t.dim.80.mlir --engine=emulate --chip=sm_80 --dims=tables=2 --seed=7 --threads=1 --baseline=%t.dim.mlir | FileCheck %s
// KERNEL: block.kernel "linear"
// KERNEL: block.rotate
// KERNEL: block.rotate
// KERNEL: block.kernel "sdpa"
// CHECK: PASS o
func.func @main(%x: tensor<2x9x64xbf16> {block.input = "x"}, %c: tensor<1x9x16xbf16> {block.input = "c"}, %s: tensor<1x9x16xbf16> {block.input = "s"}, %w: tensor<64x64xbf16> {block.param = "w"}) -> (tensor<2x9x64xbf16> {block.output = "o"}) {
  %o = block.attention %x q %w k %w v %w o %w rope_cos %c rope_sin %s {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.18, causal = true>, rope = #block.rope<style = half, dim = 16>} : (tensor<2x9x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<1x9x16xbf16>, tensor<1x9x16xbf16>) -> tensor<2x9x64xbf16>
  return %o : tensor<2x9x64xbf16>
}
