// A layer without a log counts as if nothing was fused: a deferred norm is one launch that reads and writes each row,
// once for all projections that read the norm.
// RUN: block-opt %s --block-explain -o /dev/null 2>&1 | FileCheck %s
// CHECK: layer 0 "one": exact, launches 2 -> 2, activation bytes 896 -> 640
// Projections of one input read it once.
// CHECK-NEXT: layer 1 "two": exact, launches 2 -> 2, activation bytes 1024 -> 768

!row = tensor<1x4x16xf32>
!out = tensor<1x4x8xf32>
!weight = tensor<8x16xf32>
!bias = tensor<8xf32>

func.func @main(%x: !row {block.input = "x"}, %w: !weight {block.param = "w"}, %b: !bias {block.param = "b"}) -> (!out {block.output = "y"}, !out {block.output = "z"}, !out {block.output = "u"}) {
  %y = block.layer "one" at 0 -> !out {
    %mean, %moment = block.norm_stats %x centered : !row
    %sums = block.weight_sums %w : !weight
    %p = block.linear %x, %w : !row -> !out
    %n = block.deferred_norm %p mean %mean moment %moment sums %sums bias %b centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 16} : !out
    block.yield %n : !out
  }
  %z:2 = block.layer "two" at 1 -> !out, !out {
    %mean, %moment = block.norm_stats %x centered : !row
    %sums = block.weight_sums %w : !weight
    %p = block.linear %x, %w : !row -> !out
    %n = block.deferred_norm %p mean %mean moment %moment sums %sums bias %b centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 16} : !out
    %q = block.linear %x, %w : !row -> !out
    %m = block.deferred_norm %q mean %mean moment %moment sums %sums bias %b centrable {form = #block.norm<kind = layer, eps = 1.0e-05>, width = 16} : !out
    block.yield %n, %m : !out, !out
  }
  return %y, %z#0, %z#1 : !out, !out, !out
}
