// A head or a projection may be given statistics of other rows than it normalises: what computes its rows before it
// merges those, and no statistics of its own. All rows, and those that numbers select; many and few; given, too.
// RUN: block-run %s --engine=cpu --seed=1 --check-against=reference | FileCheck %s
// RUN: block-run %s --engine=emulate --seed=1 --check-against=reference | FileCheck %s
// CHECK: PASS all
// CHECK: PASS taken
// CHECK: PASS many
// CHECK: PASS few
// CHECK-NOT: FAIL

// Without kernels, they remain those of the other rows.
// RUN: block-opt %s --block-dissolve-kernels -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --seed=1 --baseline=%s | FileCheck %s
func.func @main(%x: tensor<1x80x128xf32> {block.input = "x"}, %y: tensor<1x80x128xf32> {block.input = "y"},
                %rows: tensor<70xi64> {block.input = "rows"},
                %g: tensor<128xf32> {block.param = "g"}, %w: tensor<96x128xf32> {block.param = "w"},
                %f: tensor<1x3x128xf32> {block.input = "f"},
                %given: tensor<1x3x2xf32> {block.param = "p", block.init = #block.init<kind = uniform, mean = 0.5, std = 0.1>})
    -> (tensor<1x80x96xf32> {block.output = "all"}, tensor<1x70x96xf32> {block.output = "taken"},
        tensor<1x80x96xf32> {block.output = "many"}, tensor<1x3x96xf32> {block.output = "few"}) {
  %0:3 = block.kernel "rows" (%a = %x : tensor<1x80x128xf32>, %b = %y : tensor<1x80x128xf32>)
      -> (tensor<1x80x128xf32>, tensor<1x80x2xf32>, tensor<1x80x2xf32>) {
    %r = block.residual %a, %b : (tensor<1x80x128xf32>, tensor<1x80x128xf32>) -> tensor<1x80x128xf32>
    %p:2 = block.partial_stats %b centered {tile = 64 : i64} : tensor<1x80x128xf32> -> (tensor<1x80x2xf32>, tensor<1x80x2xf32>)
    block.yield %r, %p#0, %p#1 : tensor<1x80x128xf32>, tensor<1x80x2xf32>, tensor<1x80x2xf32>
  }
  %1 = block.kernel "head" (%m = %0#1 : tensor<1x80x2xf32>, %s = %0#2 : tensor<1x80x2xf32>, %r = %0#0 : tensor<1x80x128xf32>,
      %h = %g : tensor<128xf32>, %v = %w : tensor<96x128xf32>) -> tensor<1x80x96xf32> {
    %q:2 = block.merge_stats mean %m moment %s {tile = 64, width = 128} : (tensor<1x80x2xf32>, tensor<1x80x2xf32>) -> (tensor<1x80x1xf32>, tensor<1x80x1xf32>)
    %n = block.normalize %r mean %q#0 moment %q#1 gamma %h {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<1x80x128xf32>
    %o = block.head %n, %v : tensor<1x80x128xf32> -> tensor<1x80x96xf32>
    block.yield %o : tensor<1x80x96xf32>
  }
  %2 = block.kernel "head" (%m = %0#1 : tensor<1x80x2xf32>, %s = %0#2 : tensor<1x80x2xf32>, %r = %0#0 : tensor<1x80x128xf32>,
      %t = %rows : tensor<70xi64>, %h = %g : tensor<128xf32>, %v = %w : tensor<96x128xf32>) -> tensor<1x70x96xf32> {
    %c = block.take_rows %m at %t : (tensor<1x80x2xf32>, tensor<70xi64>) -> tensor<1x70x2xf32>
    %d = block.take_rows %s at %t : (tensor<1x80x2xf32>, tensor<70xi64>) -> tensor<1x70x2xf32>
    %e = block.take_rows %r at %t : (tensor<1x80x128xf32>, tensor<70xi64>) -> tensor<1x70x128xf32>
    %q:2 = block.merge_stats mean %c moment %d {tile = 64, width = 128} : (tensor<1x70x2xf32>, tensor<1x70x2xf32>) -> (tensor<1x70x1xf32>, tensor<1x70x1xf32>)
    %n = block.normalize %e mean %q#0 moment %q#1 gamma %h {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<1x70x128xf32>
    %o = block.head %n, %v : tensor<1x70x128xf32> -> tensor<1x70x96xf32>
    block.yield %o : tensor<1x70x96xf32>
  }
  %3 = block.kernel "linear" (%m = %0#1 : tensor<1x80x2xf32>, %s = %0#2 : tensor<1x80x2xf32>, %r = %0#0 : tensor<1x80x128xf32>,
      %h = %g : tensor<128xf32>, %v = %w : tensor<96x128xf32>) -> tensor<1x80x96xf32> {
    %q:2 = block.merge_stats mean %m moment %s {tile = 64, width = 128} : (tensor<1x80x2xf32>, tensor<1x80x2xf32>) -> (tensor<1x80x1xf32>, tensor<1x80x1xf32>)
    %n = block.normalize %r mean %q#0 moment %q#1 gamma %h {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<1x80x128xf32>
    %o = block.linear %n, %v : tensor<1x80x128xf32> -> tensor<1x80x96xf32>
    block.yield %o : tensor<1x80x96xf32>
  }
  %4 = block.kernel "linear" (%s = %given : tensor<1x3x2xf32>, %r = %f : tensor<1x3x128xf32>, %h = %g : tensor<128xf32>,
      %v = %w : tensor<96x128xf32>) -> tensor<1x3x96xf32> {
    %q = block.merge_stats moment %s {tile = 64, width = 128} : (tensor<1x3x2xf32>) -> tensor<1x3x1xf32>
    %n = block.normalize %r moment %q gamma %h {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<1x3x128xf32>
    %o = block.linear %n, %v : tensor<1x3x128xf32> -> tensor<1x3x96xf32>
    block.yield %o : tensor<1x3x96xf32>
  }
  return %1, %2, %3, %4 : tensor<1x80x96xf32>, tensor<1x70x96xf32>, tensor<1x80x96xf32>, tensor<1x3x96xf32>
}
