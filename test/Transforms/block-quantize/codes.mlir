// Numbers that mxfp4 has are kept, and those between two are rounded to the nearer one: below 2 in halves, below 4 in ones, then
// in twos, ties to the even code.
// RUN: %python %S/../../Tools/block-run/Inputs/make_safetensors.py %t.w up:F32:2x32=0,0.5,1,1.5,2,3,4,6,-0.5,-6,0.3,1.2,2.4,2.6,3.4,3.6,4.9,5.1,2.5,3.5,5,0.25,0.75,1.75
// RUN: block-opt %s --block-quantize=form=mxfp4 -o %t.q.mlir
// RUN: block-run %t.q.mlir --function=prepack --engine=reference --weights=%t.w --outputs=%t.p
// RUN: %python -c "import safetensors_io as s; t = s.read_raw(r'%t.p'); print(*(n + ' ' + bytes(t[n][2]).hex() for n in sorted(t)), sep='\n')" | FileCheck %s
// The low half of a byte comes first; codes 8 to 15 are negative.
// CHECK: up.codes 10325476f921546576640642
// CHECK: up.scales 7f7f
func.func @main(%x: tensor<1x5x32xf32> {block.input = "hidden_states"}, %up: tensor<2x32xf32> {block.param = "up"}) -> tensor<1x5x2xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x2xf32> {
    %m = block.linear %x, %up : tensor<1x5x32xf32> -> tensor<1x5x2xf32>
    block.yield %m : tensor<1x5x2xf32>
  }
  return %y : tensor<1x5x2xf32>
}
