// Batch rows that begin at positions of their own: learned ones, and rotations in the
// epilogue of a product. Padding has position 0.
// RUN: %python %root/test/Generation/given.py %t.n.safetensors 7,-2,0
// RUN: block-opt %s --block-optimize=chip=sm_80 -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNELS --input-file=%t.mlir
// RUN: block-run %t.mlir --engine=emulate --chip=sm_80 --dims=seq=3 --inputs=%t.n.safetensors --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-run %t.mlir --engine=emulate --chip=sm_90a --dims=seq=3 --inputs=%t.n.safetensors --seed=7 --threads=1 --baseline=%s | FileCheck %s
// KERNELS: block.kernel "rows"
// KERNELS: block.embedding
// KERNELS: block.kernel "linear"
// KERNELS: block.rope
// CHECK: PASS o
func.func @main(%i: tensor<3x?xi64> {block.input = "input_ids", block.dims = ["seq"]}, %n: tensor<3xi64> {block.input = "past_lengths"}, %e: tensor<31x64xf32> {block.param = "e"}, %p: tensor<16x64xf32> {block.param = "p"}, %w: tensor<64x64xf32> {block.param = "w"}) -> (tensor<3x?x64xf32> {block.output = "o"}) {
  %x = block.embedding %i in %e positions %p offset %n : (tensor<3x?xi64>, tensor<31x64xf32>, tensor<16x64xf32>, tensor<3xi64>) -> tensor<3x?x64xf32>
  %l = block.linear %x, %w : (tensor<3x?x64xf32>, tensor<64x64xf32>) -> tensor<3x?x64xf32>
  %r = block.rope %l offset %n {heads = 4 : i64, form = #block.rope<style = half, dim = 16>} : (tensor<3x?x64xf32>, tensor<3xi64>) -> tensor<3x?x64xf32>
  return %r : tensor<3x?x64xf32>
}
