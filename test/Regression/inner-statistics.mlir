// Statistics that a product's own kernel computes of other rows: no launch in front of it can read them. The CPU
// refuses the kernel by name; those of a GPU compute them, of many rows, too.
// RUN: not block-run %s --engine=cpu --seed=1 2>&1 | FileCheck %s
// CHECK: error: no code for a product of what its own kernel computes
// RUN: block-run %s --engine=emulate --seed=1 --check-against=reference | FileCheck %s --check-prefix=DEVICE
// RUN: sed 's/1x3x/1x80x/g' %s > %t.mlir
// RUN: not block-run %t.mlir --engine=cpu --seed=1 2>&1 | FileCheck %s
// RUN: block-run %t.mlir --engine=emulate --seed=1 --check-against=reference | FileCheck %s --check-prefix=DEVICE
// DEVICE: PASS z
func.func @main(%x: tensor<1x3x64xf32> {block.input = "x"}, %y: tensor<1x3x64xf32> {block.input = "y"},
                %g: tensor<64xf32> {block.param = "g"}, %w: tensor<32x64xf32> {block.param = "w"})
    -> (tensor<1x3x32xf32> {block.output = "z"}) {
  %0 = block.kernel "linear" (%a = %x : tensor<1x3x64xf32>, %b = %y : tensor<1x3x64xf32>,
      %c = %g : tensor<64xf32>, %d = %w : tensor<32x64xf32>) -> tensor<1x3x32xf32> {
    %p = block.partial_stats %b {tile = 64 : i64} : tensor<1x3x64xf32> -> tensor<1x3x1xf32>
    %m = block.merge_stats moment %p {tile = 64 : i64, width = 64 : i64} : (tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
    %n = block.normalize %a moment %m gamma %c {form = #block.norm<kind = rms, eps = 1.0e-06>} : tensor<1x3x64xf32>
    %l = block.linear %n, %d : tensor<1x3x64xf32> -> tensor<1x3x32xf32>
    block.yield %l : tensor<1x3x32xf32>
  }
  return %0 : tensor<1x3x32xf32>
}
