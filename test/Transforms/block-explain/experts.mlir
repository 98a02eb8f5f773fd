// Experts are counted apart from MLPs, with the work of those that are chosen: of two of four, 2 * 2 * (12 * 8 + 8 * 6)
// FLOPs a row, beside 2 * 8 * 4 of the router; so are those of level 2, and launches are the router's, the choice and five of
// experts with few slots.
// RUN: block-opt %s --block-explain --block-report -o %t.o 2>&1 | FileCheck %s
// RUN: block-opt %s --block-expand --block-report --block-explain -o %t.o 2>&1 | FileCheck %s --check-prefixes=CORE
// RUN: block-opt %s --block-explain="format=json file=%t.json" -o %t.o
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// CHECK: recognised 0 attention, 0 mlp, 1 experts, 0 norm in 1 layer
// CHECK: FLOPs per token
// CHECK-NEXT: total 640
// CHECK: launches 7
// CHECK: GEMMs 3
// CORE: FLOPs per token
// CORE-NEXT: total 640
// CORE: launches 7
// CORE: GEMMs 3
// CORE: recognised 0 attention, 0 mlp, 1 experts, 0 norm in 1 layer
// JSON: "experts": 1
// JSON: "mlp": 0
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %r: tensor<4x8xf32> {block.param = "r"}, %u: tensor<4x12x8xf32> {block.param = "u"}, %d: tensor<4x8x6xf32> {block.param = "d"}) -> (tensor<1x5x8xf32> {block.output = "y"}) {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %0 = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : tensor<1x5x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>
    %1 = block.residual %x, %0 : tensor<1x5x8xf32>
    block.yield %1 : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}
