// Every parameter counts once. Slices of a fused matrix count for what reads
// them, also where slices are taken after a reshape; what two layers read counts
// for the first, a tied table as embedding; what nothing reads is "other".
// RUN: block-opt %s --block-report=format=json -o /dev/null 2>&1 | FileCheck %s
// RUN: block-opt %s --block-expand --block-report=format=json -o /dev/null 2>&1 | FileCheck %s

// CHECK: "name": "h.0"
// CHECK: "params": 576,
// CHECK-NEXT: "params_by": {
// CHECK-NEXT: "attention": 192,
// CHECK-NEXT: "mlp": 384,
// CHECK: "name": "h.1"
// CHECK: "params": 8,
// CHECK-NEXT: "params_by": {
// CHECK-NEXT: "attention": 8,
// CHECK: "model": {
// CHECK: "params": {
// CHECK-NEXT: "attention": 200,
// CHECK-NEXT: "biases": 0,
// CHECK-NEXT: "core": 776,
// CHECK-NEXT: "embedding": 128,
// CHECK-NEXT: "head": 0,
// CHECK-NEXT: "matrices": 768,
// CHECK-NEXT: "mlp": 384,
// CHECK-NEXT: "norm": 0,
// CHECK-NEXT: "other": 64,
// CHECK-NEXT: "positions": 0,
// CHECK-NEXT: "total": 776
func.func @main(%ids: tensor<2x5xi64> {block.input = "input_ids"},
    %table: tensor<16x8xf32> {block.param = "table"},
    %fused: tensor<80x8xf32> {block.param = "fused"},
    %gain: tensor<8xf32> {block.param = "gain"}) -> tensor<2x5x16xf32> {
  %x = block.embedding %ids in %table : (tensor<2x5xi64>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
  // Rows of q, k, v, eight that nothing reads, up and down, the last one as a transpose.
  %rows = tensor.expand_shape %fused [[0, 1], [2]] output_shape [10, 8, 8] : tensor<80x8xf32> into tensor<10x8x8xf32>
  %again = tensor.expand_shape %fused [[0, 1], [2]] output_shape [10, 8, 8] : tensor<80x8xf32> into tensor<10x8x8xf32>
  %q = tensor.extract_slice %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<10x8x8xf32> to tensor<8x8xf32>
  %k = tensor.extract_slice %again[1, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<10x8x8xf32> to tensor<8x8xf32>
  %v = tensor.extract_slice %fused[16, 0] [8, 8] [1, 1] : tensor<80x8xf32> to tensor<8x8xf32>
  %up = tensor.extract_slice %fused[32, 0] [24, 8] [1, 1] : tensor<80x8xf32> to tensor<24x8xf32>
  %stored = tensor.extract_slice %fused[56, 0] [24, 8] [1, 1] : tensor<80x8xf32> to tensor<24x8xf32>
  %empty = tensor.empty() : tensor<8x24xf32>
  %down = linalg.transpose ins(%stored : tensor<24x8xf32>) outs(%empty : tensor<8x24xf32>) permutation = [1, 0]
  %y = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %a = block.attention %x q %q k %k v %v {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %m = block.mlp %x up %up down %down {activation = #block.activation<relu>} : (tensor<2x5x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>) -> tensor<2x5x8xf32>
    %r = block.residual %x, %a, %m : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    block.yield %r : tensor<2x5x8xf32>
  }
  %z = block.layer "h.1" at 1 -> tensor<2x5x8xf32> {
    %a = block.attention %y q %q k %k v %v {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %g = block.scale %a by %gain : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
    %r = block.residual %y, %g : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    block.yield %r : tensor<2x5x8xf32>
  }
  %l = block.head %z, %table : (tensor<2x5x8xf32>, tensor<16x8xf32>) -> tensor<2x5x16xf32>
  return %l : tensor<2x5x16xf32>
}
