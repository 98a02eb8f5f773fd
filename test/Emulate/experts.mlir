// Experts on GPUs: slots are counted, placed by experts and gathered; each product is one launch of tiles of all experts,
// by tensor cores where the type has them; sums are slot by slot.
// RUN: block-opt %s --block-optimize=chip=sm_90a --convert-block-kernels-to-tile=chip=sm_90a --unbroken-lines -o %t.90.mlir
// RUN: FileCheck %s < %t.90.mlir
// RUN: block-opt %s --block-optimize=chip=sm_80 --convert-block-kernels-to-tile=chip=sm_80 --unbroken-lines -o %t.80.mlir
// RUN: FileCheck %s --check-prefix=OLD < %t.80.mlir
// CHECK-LABEL: tile.kernel @experts_0_count
// CHECK: tile.rows {{.*}}grid
// CHECK-LABEL: tile.kernel @experts_0_place
// CHECK: tile.scratch
// CHECK-LABEL: tile.kernel @experts_0_gather
// CHECK-LABEL: tile.kernel @experts_0_up
// CHECK-SAME: multiply = wgmma, copies = tma
// CHECK: tile.load {{.*}} : memref<1xi64>
// CHECK: tile.tiles
// CHECK: tile.pipeline
// CHECK-COUNT-3: tile.copy
// CHECK: tile.mma
// CHECK-LABEL: tile.kernel @experts_0_down
// CHECK-COUNT-2: tile.copy
// CHECK-LABEL: tile.kernel @experts_0_sum
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-7: tile.launch
// CHECK-NOT: tile.launch
// OLD-LABEL: tile.kernel @experts_0_up
// OLD-SAME: multiply = mma, copies = async

// A layer's experts are counted as so many launches; those of one run of slots are one less.
// RUN: block-opt %s --block-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: launches 7
// RUN: sed "s/1x17x/1x1x/g" %s | block-opt --block-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: launches 6

// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=3 --check-against=reference | FileCheck %s --check-prefix=RUNS
// RUN: sed "s/1x17x/1x1x/g" %s > %t.one.mlir
// RUN: block-run %t.one.mlir --engine=emulate --chip=sm_80 --seed=3 --check-against=reference | FileCheck %s --check-prefix=RUNS
// Open sizes.
// RUN: sed -E 's/1x17x/?x?x/g; s/block.input = "(.)"/block.input = "\1", block.dims = ["b", "s"]/g' %s > %t.open.mlir
// RUN: block-run %t.open.mlir --engine=emulate --chip=sm_80 --dims=b=2,s=9 --seed=3 --check-against=reference | FileCheck %s --check-prefix=RUNS
// RUNS: PASS y bf16
func.func @main(%x: tensor<1x17x64xbf16> {block.input = "x"}, %l: tensor<1x17x8xbf16> {block.input = "l"}, %u: tensor<8x80x64xbf16> {block.param = "u"}, %d: tensor<8x64x40xbf16> {block.param = "d"}) -> (tensor<1x17x64xbf16> {block.output = "y"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<1x17x8xbf16>) -> (tensor<1x17x2xi64>, tensor<1x17x2xf32>)
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<1x17x64xbf16>, tensor<1x17x2xi64>, tensor<1x17x2xf32>, tensor<8x80x64xbf16>, tensor<8x64x40xbf16>) -> tensor<1x17x64xbf16>
  return %y : tensor<1x17x64xbf16>
}
