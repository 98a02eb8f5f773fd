// What kernels report about their data is an error of the launcher, with a graph and without, and of block-run.
// RUN: rm -rf %t && mkdir %t && block-translate --block-to-package --chip=sm_80 --quiet %s -o %t/p.pbk
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%t/p.pbk/manifest.json
// MANIFEST: "kernel": "route_0"
// MANIFEST: "reports": {
// MANIFEST-NEXT: "word": {{[0-9]+$}}
// MANIFEST-NEXT: }
// MANIFEST: "kernel": "experts_0_sum"
// MANIFEST: "reports": {
// MANIFEST-NEXT: "word": {{[0-9]+}},
// MANIFEST-NEXT: "experts": 4
// MANIFEST-NEXT: "slots": 2
// RUN: block-launch --verify %t/p.pbk
// RUN: %python %S/Inputs/write_ones.py %t/i.safetensors x 1 2 32
// DEFINE: %{driver} = env PARABLOCK_CUDA_DRIVER=%build/lib/libparablock-fake-driver.so PARABLOCK_FAKE_CHIP=sm_80 not
// DEFINE: %{launch} = %{driver} block-launch --inputs=%t/i.safetensors --outputs=%t/o.safetensors
// RUN: %{launch} %t/p.pbk 2>&1 | FileCheck %s
// RUN: %{launch} --graph=off %t/p.pbk 2>&1 | FileCheck %s
// RUN: %{driver} block-run %t/p.pbk --engine=cuda --inputs=%t/i.safetensors 2>&1 | FileCheck %s
// RUN: not block-run %t/p.pbk --engine=emulate --chip=sm_80 --inputs=%t/i.safetensors 2>&1 | FileCheck %s
// CHECK: error: {{.*}}kernel 'route_0' of layer 0: 'block.route' expected logits without NaN, got one for expert 3 in row 1
// RUN: test ! -e %t/o.safetensors

// Without a word, or with another tensor as one, a package is none that was made.
// RUN: %python %S/Inputs/damage_reports.py %t/p.pbk %t/none.pbk %t/other.pbk
// RUN: not block-launch --verify %t/none.pbk 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not block-launch --verify %t/other.pbk 2>&1 | FileCheck %s --check-prefix=OTHER
// NONE: kernel 'route_0': expected '{{.*}} reports 3 of logits' as the code records, got '
// OTHER: expected the reports of kernel 'route_0' in a workspace of i64 [1], got 'x' of f32 [1, 2, 32]
func.func @main(%x: tensor<1x2x32xf32> {block.input = "x"}) -> (tensor<1x2x32xf32> {block.output = "y"}) {
  %l = arith.constant dense<[[[1.0, 2.0, 0.25, 0.5], [1.0, 2.0, 3.0, 0x7FC00000]]]> : tensor<1x2x4xf32>
  %u = arith.constant dense<0.25> : tensor<4x12x32xf32>
  %d = arith.constant dense<0.25> : tensor<4x32x6xf32>
  %y = block.layer "only" at 0 -> tensor<1x2x32xf32> {
    %i, %w = block.route %l {form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<1x2x4xf32>) -> (tensor<1x2x2xi64>, tensor<1x2x2xf32>)
    %z = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : tensor<1x2x32xf32>, tensor<1x2x2xi64>, tensor<4x12x32xf32>, tensor<4x32x6xf32>
    block.yield %z : tensor<1x2x32xf32>
  }
  return %y : tensor<1x2x32xf32>
}
