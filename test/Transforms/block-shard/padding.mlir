// Heads of zeros are legal behind an output projection only.
// RUN: split-file %s %t
// RUN: block-opt %t/projected.mlir --block-shard="ranks=2" | FileCheck %s
// RUN: not block-opt %t/bare.mlir --block-shard="ranks=2" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not block-opt %t/past.mlir --block-shard="ranks=2" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not block-opt %t/normed.mlir --block-shard="ranks=2" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NORM

// Three heads are two on each rank, of which the last one is zeros.
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<2x6xf32>
// CHECK: tensor.concat dim(0) %arg{{.*}}, %{{.*}} : (tensor<6x6xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>
// CHECK: block.sdpa {{.*}}heads = 2, scores
// BARE: error: 'block.sdpa' op cannot be split over 2 ranks: expected them to divide its 3 key heads, as no output projection would drop heads of zeros
// PAST: error: 'block.sdpa' op cannot be split over 2 ranks: expected them to divide its 3 key heads, as past keys cannot be padded
// NORM: error: 'block.sdpa' op cannot be split over 2 ranks: expected them to divide its 3 key heads, as a norm would read heads of zeros

//--- projected.mlir
func.func @main(%x: tensor<1x5x6xf32>, %q: tensor<6x6xf32> {block.param = "q"}, %k: tensor<6x6xf32> {block.param = "k"}, %v: tensor<6x6xf32> {block.param = "v"}, %o: tensor<6x6xf32> {block.param = "o"}) -> tensor<1x5x6xf32> {
  %a = block.attention %x q %q k %k v %v o %o {heads = 3 : i64, kv_heads = 3 : i64, scores = #block.scores<scale = 0.5>}
      : (tensor<1x5x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<1x5x6xf32>
  return %a : tensor<1x5x6xf32>
}

//--- bare.mlir
func.func @main(%x: tensor<1x5x6xf32>, %q: tensor<6x6xf32> {block.param = "q"}, %k: tensor<6x6xf32> {block.param = "k"}, %v: tensor<6x6xf32> {block.param = "v"}) -> tensor<1x5x6xf32> {
  %a = block.attention %x q %q k %k v %v {heads = 3 : i64, kv_heads = 3 : i64, scores = #block.scores<scale = 0.5>}
      : (tensor<1x5x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<1x5x6xf32>
  %y = block.scale %a {factor = 2.0 : f64} : (tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return %y : tensor<1x5x6xf32>
}

//--- past.mlir
func.func @main(%x: tensor<1x1x6xf32>, %p: tensor<1x5x6xf32>, %q: tensor<6x6xf32> {block.param = "q"}, %k: tensor<6x6xf32> {block.param = "k"}, %v: tensor<6x6xf32> {block.param = "v"}, %o: tensor<6x6xf32> {block.param = "o"}) -> tensor<1x1x6xf32> {
  %a = block.attention %x q %q k %k v %v o %o past_key %p past_value %p {heads = 3 : i64, kv_heads = 3 : i64, scores = #block.scores<scale = 0.5>}
      : (tensor<1x1x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<1x5x6xf32>, tensor<1x5x6xf32>) -> tensor<1x1x6xf32>
  return %a : tensor<1x1x6xf32>
}

//--- normed.mlir
func.func @main(%x: tensor<1x5x6xf32>, %q: tensor<6x6xf32> {block.param = "q"}, %k: tensor<6x6xf32> {block.param = "k"}, %v: tensor<6x6xf32> {block.param = "v"}, %o: tensor<6x6xf32> {block.param = "o"}) -> tensor<1x5x6xf32> {
  %a = block.attention %x q %q k %k v %v o %o {heads = 3 : i64, kv_heads = 3 : i64, scores = #block.scores<scale = 0.5>, qk_norm = #block.qk_norm<form = <kind = rms, eps = 0.0>>}
      : (tensor<1x5x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<1x5x6xf32>
  return %a : tensor<1x5x6xf32>
}
