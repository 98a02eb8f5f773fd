// A past that, with the new keys, is longer than 64 bits count.
// RUN: block-opt %s --block-report -o %t 2>&1 | FileCheck %s
// CHECK: FLOPs per token
// CHECK-NEXT: total {{ *}}295147905179352825856{{$}}

func.func @main(%q: tensor<1x3x8xf32>, %p: tensor<1x9223372036854775807x8xf32>) -> tensor<1x3x8xf32> {
  %y = block.sdpa %q, %q, %q past_key %p past_value %p {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x9223372036854775807x8xf32>, tensor<1x9223372036854775807x8xf32>) -> tensor<1x3x8xf32>
  return %y : tensor<1x3x8xf32>
}
