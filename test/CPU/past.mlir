// Keys and values of the past come first, whatever looks at their positions.
// RUN: block-run %s --engine=cpu --dims=past=5,seq=3 --seed=3 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=cpu --dims=past=70,seq=65 --cpu=x86-64 --seed=3 --baseline=%s | FileCheck %s
// CHECK: PASS hidden_states f32

module {
  func.func @main(
      %x: tensor<1x?x32xf32> {block.input = "hidden_states", block.dims = ["seq"]},
      %key: tensor<1x?x32xf32> {block.input = "past_key.0", block.dims = ["past"]},
      %value: tensor<1x?x32xf32> {block.input = "past_value.0", block.dims = ["past"]},
      %q: tensor<64x32xf32> {block.param = "q"}, %k: tensor<32x32xf32> {block.param = "k"},
      %v: tensor<32x32xf32> {block.param = "v"}, %o: tensor<32x64xf32> {block.param = "o"})
      -> (tensor<1x?x32xf32> {block.output = "hidden_states"}) {
    %0 = block.attention %x q %q k %k v %v o %o past_key %key past_value %value {
      heads = 4 : i64, kv_heads = 2 : i64, rope = #block.rope<style = half, dim = 8>,
      scores = #block.scores<scale = 2.5e-01, causal = true, window = 40>
    } : (tensor<1x?x32xf32>, tensor<64x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x64xf32>, tensor<1x?x32xf32>, tensor<1x?x32xf32>) -> tensor<1x?x32xf32>
    return %0 : tensor<1x?x32xf32>
  }
}
