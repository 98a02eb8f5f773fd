// Without cross-attention there are no keys and values of a memory.
// RUN: not block-opt %s --split-input-file --block-compute-memory 2>&1 | FileCheck %s
// CHECK: refuse.mlir:[[@LINE+1]]:1: error: block-compute-memory: expected cross-attention, got a function without any
func.func @main(%x: tensor<2x3x4xf32> {block.input = "hidden_states"}, %q: tensor<4x4xf32> {block.param = "q"},
    %k: tensor<4x4xf32> {block.param = "k"}, %v: tensor<4x4xf32> {block.param = "v"}) -> (tensor<2x3x4xf32> {block.output = "hidden_states"}) {
  %a = block.attention %x q %q k %k v %v {heads = 2, scores = #block.scores<scale = 0.7>} : tensor<2x3x4xf32>, tensor<4x4xf32>
  return %a : tensor<2x3x4xf32>
}
