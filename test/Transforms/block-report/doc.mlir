// What the report of a small model says, for the documentation of the pass.
// RUN: block-opt %s --block-report 2>&1 >%t | FileCheck %s --strict-whitespace
// RUN: block-opt %s -o %t.plain
// RUN: cmp %t %t.plain

// CHECK:main: level 1, batch 2, sequence 5, chip cpu
// CHECK-NEXT:parameters
// CHECK-NEXT:  total                                               920
// CHECK-NEXT:  embedding                                           128   13.9%
// CHECK-NEXT:  attention                                           256   27.8%
// CHECK-NEXT:  mlp                                                 512   55.7%
// CHECK-NEXT:  norm                                                 24    2.6%
// CHECK-NEXT:  head                                                  0    0.0%
// CHECK-NEXT:  matrices                                            896
// CHECK-NEXT:  no positions, biases, outer norms                   912
// CHECK-NEXT:FLOPs per token
// CHECK-NEXT:  total                                              1888
// CHECK-NEXT:  attention                                           608   32.2%
// CHECK-NEXT:  mlp                                                1024   54.2%
// CHECK-NEXT:  other                                               256   13.6%
// CHECK-NEXT:  attention costs more than the MLPs from sequence 32 on
// CHECK-NEXT:one pass
// CHECK-NEXT:  activation bytes                                  14080
// CHECK-NEXT:  launches                                             10
// CHECK-NEXT:  GEMMs                                                 7
// CHECK-NEXT:  norms                                                 3
// CHECK-NEXT:layer  index  form      parameters            FLOPs          bytes GEMMs launches  approximation
// CHECK-NEXT:h.0        0  serial           784            16320          12160     6        7  none
func.func @main(
    %ids: tensor<2x5xi64> {block.input = "input_ids"},
    %table: tensor<16x8xf32> {block.param = "wte.weight"},
    %gain1: tensor<8xf32> {block.param = "h.0.ln_1.weight"},
    %q: tensor<8x8xf32> {block.param = "h.0.q.weight"},
    %k: tensor<8x8xf32> {block.param = "h.0.k.weight"},
    %v: tensor<8x8xf32> {block.param = "h.0.v.weight"},
    %o: tensor<8x8xf32> {block.param = "h.0.o.weight"},
    %gain2: tensor<8xf32> {block.param = "h.0.ln_2.weight"},
    %up: tensor<32x8xf32> {block.param = "h.0.up.weight"},
    %down: tensor<8x32xf32> {block.param = "h.0.down.weight"},
    %gain: tensor<8xf32> {block.param = "ln_f.weight"})
    -> (tensor<2x5x16xf32> {block.output = "logits"}) {
  %x = block.embedding %ids in %table : (tensor<2x5xi64>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
  %y = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %n1 = block.norm %x gamma %gain1 {form = #block.norm<kind = rms, eps = 1.0e-5>}
        : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
    %a = block.attention %n1 q %q k %k v %v o %o
        {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>}
        : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %h = block.residual %x, %a : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %n2 = block.norm %h gamma %gain2 {form = #block.norm<kind = rms, eps = 1.0e-5>}
        : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
    %m = block.mlp %n2 up %up down %down {activation = #block.activation<relu>}
        : (tensor<2x5x8xf32>, tensor<32x8xf32>, tensor<8x32xf32>) -> tensor<2x5x8xf32>
    %r = block.residual %h, %m : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    block.yield %r : tensor<2x5x8xf32>
  }
  %n = block.norm %y gamma %gain {form = #block.norm<kind = rms, eps = 1.0e-5>}
      : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %logits = block.head %n, %table : (tensor<2x5x8xf32>, tensor<16x8xf32>) -> tensor<2x5x16xf32>
  return %logits : tensor<2x5x16xf32>
}
