// A product of few rows and many columns: memory brings the weight, the left operand, and 224 CTAs with a tile of 128
// columns each, at most two on a multiprocessor, read it all at the same time. Parts of their depth would only add sums
// through memory.
// DAYS: 3, day 3
// RUN: split-file %s %t
// RUN: block-opt %t/wide.mlir --block-optimize=chip=sm_90a --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s
// CHECK: #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 1, stages = 4, grid = 224>
// CHECK: %[[TILES:.*]] = arith.constant 224 : index
// CHECK: tile.tiles ({{.*}}) below (%{{.*}}, %[[TILES]])
// CHECK-NOT: tile.join

// A cluster adds its sums in the order of its CTAs, which is that of the last CTA of those that do so through memory:
// the results have the same bits. It may take several tiles in turns, in any number of rounds: 80 parts by 16 CTAs.
// RUN: block-opt %t/narrow.mlir --block-optimize=chip=sm_90a --convert-block-kernels-to-tile=chip=sm_90a -o %t/tiles.mlir
// RUN: grep -c "grid = 80, cluster = 8" %t/tiles.mlir
// RUN: block-opt %t/narrow.mlir --block-optimize=chip=sm_90a --convert-block-kernels-to-tile="chip=sm_90a joins-in-memory=true" -o %t/memory.mlir
// RUN: grep -c "grid = 80>" %t/memory.mlir
// RUN: sed "s/grid = 80/grid = 16/" %t/tiles.mlir > %t/rounds.mlir
// RUN: block-run %t/tiles.mlir --engine=emulate --chip=sm_90a --seed=3 --outputs=%t/tiles.out
// RUN: block-run %t/memory.mlir --engine=emulate --chip=sm_90a --seed=3 --outputs=%t/memory.out
// RUN: cmp %t/tiles.out %t/memory.out
// RUN: block-run %t/rounds.mlir --engine=emulate --chip=sm_90a --seed=3 --outputs=%t/rounds.out
// RUN: cmp %t/tiles.out %t/rounds.out

// Through memory, any CTA may take parts: 80 by 7 CTAs.
// RUN: sed "s/grid = 80/grid = 7/" %t/memory.mlir > %t/rounds.mlir
// RUN: block-run %t/rounds.mlir --engine=emulate --chip=sm_90a --baseline=%t/narrow.mlir --seed=3 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: PASS y bf16

// Whatever number of rows four warps share, also by parts, and with norms, rotation and a gate behind them.
// RUN: sed "s/1x3x/1x2x/g" %t/narrow.mlir > %t/rows.mlir
// RUN: block-run %t/rows.mlir --engine=emulate --chip=sm_90a --baseline=%t/rows.mlir --seed=3 | FileCheck %s --check-prefix=ROUNDS
// RUN: sed "s/1x3x/1x13x/g" %t/narrow.mlir > %t/rows.mlir
// RUN: block-run %t/rows.mlir --engine=emulate --chip=sm_90a --baseline=%t/rows.mlir --seed=3 | FileCheck %s --check-prefix=ROUNDS
// RUN: sed "s/1x3x/1x16x/g" %t/narrow.mlir > %t/rows.mlir
// RUN: block-run %t/rows.mlir --engine=emulate --chip=sm_90a --baseline=%t/rows.mlir --seed=3 | FileCheck %s --check-prefix=ROUNDS
// RUN: sed "s/1x3x/1x63x/g" %t/narrow.mlir > %t/rows.mlir
// RUN: block-run %t/rows.mlir --engine=emulate --chip=sm_90a --baseline=%t/rows.mlir --seed=3 | FileCheck %s --check-prefix=ROUNDS
// RUN: block-gen --family=llama --scope=block --layers=1 --width=128 --heads=2 --dtype=bf16 --seq=5 -o %t/layer.mlir
// RUN: block-run %t/layer.mlir --engine=emulate --chip=sm_90a --baseline=%t/layer.mlir --seed=3 | FileCheck %s --check-prefix=LAYER
// RUN: block-gen --family=llama --scope=block --layers=1 --width=128 --heads=2 --dtype=bf16 --seq=47 -o %t/layer.mlir
// RUN: block-run %t/layer.mlir --engine=emulate --chip=sm_90a --baseline=%t/layer.mlir --seed=3 | FileCheck %s --check-prefix=LAYER
// LAYER: PASS hidden_states bf16

//--- wide.mlir
func.func @main(%x: tensor<1x1x4096xbf16> {block.input = "x"}, %w: tensor<28672x4096xbf16> {block.param = "w"}) -> (tensor<1x1x28672xbf16> {block.output = "y"}) {
  %0 = block.linear %x, %w : (tensor<1x1x4096xbf16>, tensor<28672x4096xbf16>) -> tensor<1x1x28672xbf16>
  return %0 : tensor<1x1x28672xbf16>
}

//--- narrow.mlir
func.func @main(%x: tensor<1x3x1024xbf16> {block.input = "x"}, %w: tensor<640x1024xbf16> {block.param = "w"}) -> (tensor<1x3x640xbf16> {block.output = "y"}) {
  %0 = block.linear %x, %w : (tensor<1x3x1024xbf16>, tensor<640x1024xbf16>) -> tensor<1x3x640xbf16>
  return %0 : tensor<1x3x640xbf16>
}
