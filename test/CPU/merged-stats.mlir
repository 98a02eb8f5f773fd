// Statistics of every 128 columns that one kernel computes and merges, of rows in parts whose width is no multiple of
// 128: of sinusoids, of rotated heads, and of heads that are normalised before. They are those of the whole row.
// RUN: block-opt %s --block-optimize=chip=cpu -o %t.f32.mlir
// RUN: FileCheck %s --check-prefix=FORM --input-file=%t.f32.mlir
// FORM: block.embedding {{.*}}sin_cos_pairs
// FORM-NEXT: block.partial_stats %{{.*}} {tile = 128}
// FORM-NEXT: block.merge_stats
// FORM: block.embedding {{.*}}sin_then_cos
// FORM-NEXT: block.partial_stats %{{.*}} centered {tile = 128}
// FORM-NEXT: block.merge_stats
// RUN: sed s/8xf32/8xbf16/g %s | block-opt --block-optimize=chip=cpu -o %t.bf16.mlir
// RUN: sed s/8xf32/8xf16/g %s | block-opt --block-optimize=chip=cpu -o %t.f16.mlir
// RUN: block-run %t.f32.mlir --engine=cpu --seed=3 --check-against=reference | FileCheck %s
// RUN: block-run %t.bf16.mlir --engine=cpu --seed=3 --check-against=reference | FileCheck %s
// RUN: block-run %t.f16.mlir --engine=cpu --seed=3 --check-against=reference --cpu=x86-64 | FileCheck %s
// RUN: block-run %t.f32.mlir --engine=emulate --seed=3 --check-against=reference | FileCheck %s
// RUN: block-run %t.bf16.mlir --engine=emulate --seed=3 --check-against=reference | FileCheck %s
// CHECK: PASS pairs
// CHECK: PASS halves
// CHECK: PASS rotated
// CHECK: PASS heads
// CHECK-NOT: FAIL

func.func @main(%ids: tensor<2x5xi64> {block.input = "input_ids"},
                %t: tensor<7x148xf32> {block.param = "t", block.init = #block.init<kind = normal, mean = 10.0, std = 2.0>},
                %u: tensor<7x138xf32> {block.param = "u", block.init = #block.init<kind = normal, mean = 10.0, std = 2.0>},
                %x: tensor<2x5x198xf32> {block.input = "x", block.init = #block.init<kind = normal, mean = 10.0, std = 2.0>},
                %g: tensor<148xf32> {block.param = "g"}, %h: tensor<138xf32> {block.param = "h"}, %i: tensor<198xf32> {block.param = "i"})
    -> (tensor<2x5x148xf32> {block.output = "pairs"}, tensor<2x5x138xf32> {block.output = "halves"},
        tensor<2x5x198xf32> {block.output = "rotated"}, tensor<2x5x198xf32> {block.output = "heads"}) {
  %0 = block.embedding %ids in %t {sinusoid = #block.sinusoid<sin_cos_pairs>} : tensor<2x5xi64>, tensor<7x148xf32>
  %1 = block.norm %0 gamma %g {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x148xf32>
  %2 = block.embedding %ids in %u {sinusoid = #block.sinusoid<sin_then_cos>} : tensor<2x5xi64>, tensor<7x138xf32>
  %3 = block.norm %2 gamma %h beta %h {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x138xf32>
  %4 = block.kernel "rows" (%a = %x : tensor<2x5x198xf32>, %b = %i : tensor<198xf32>) -> tensor<2x5x198xf32> {
    %r = block.rope %a {heads = 3 : i64, form = #block.rope<style = half, dim = 60>} : tensor<2x5x198xf32>
    %p:2 = block.partial_stats %r centered {tile = 128 : i64} : tensor<2x5x198xf32>
    %m:2 = block.merge_stats mean %p#0 moment %p#1 {tile = 128 : i64, width = 198 : i64} : tensor<2x5x2xf32>
    %n = block.normalize %r mean %m#0 moment %m#1 gamma %b {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x198xf32>
    block.yield %n : tensor<2x5x198xf32>
  }
  %5 = block.kernel "rows" (%a = %x : tensor<2x5x198xf32>, %b = %i : tensor<198xf32>) -> tensor<2x5x198xf32> {
    %s = block.norm_stats %a {groups = 3 : i64} : tensor<2x5x198xf32>
    %c = block.normalize %a moment %s {groups = 3 : i64, form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x198xf32>
    %p:2 = block.partial_stats %c centered {tile = 128 : i64} : tensor<2x5x198xf32>
    %m:2 = block.merge_stats mean %p#0 moment %p#1 {tile = 128 : i64, width = 198 : i64} : tensor<2x5x2xf32>
    %n = block.normalize %c mean %m#0 moment %m#1 gamma %b {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x198xf32>
    block.yield %n : tensor<2x5x198xf32>
  }
  return %1, %3, %4, %5 : tensor<2x5x148xf32>, tensor<2x5x138xf32>, tensor<2x5x198xf32>, tensor<2x5x198xf32>
}
