// What has no quotient does not end the process; what has one is right beside it.
// RUN: %python -c "import sys; sys.path.insert(0, '%root/test/golden'); import numpy as n, safetensors_io as s; s.write('%t.in', dict(a=n.array([5, -2**31, 7, 7, -7], n.int32), b=n.array([0, -1, 2, -2, 2], n.int32)))"
// RUN: block-run %s --engine=cpu --inputs=%t.in --outputs=%t.out
// RUN: %python -c "import sys; sys.path.insert(0, '%root/test/golden'); import safetensors_io as s; [print(k, v.tolist()) for k, v in sorted(s.read('%t.out').items())]" | FileCheck %s
// CHECK: out0 [{{-?[0-9]+}}, {{-?[0-9]+}}, 3, -3, -3]
// CHECK: out1 [{{-?[0-9]+}}, {{-?[0-9]+}}, 1, 1, -1]
// CHECK: out2 [{{-?[0-9]+}}, {{-?[0-9]+}}, 3, -4, -4]
func.func @main(%a: tensor<5xi32> {block.input = "a"}, %b: tensor<5xi32> {block.input = "b"}) -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %0 = arith.divsi %a, %b : tensor<5xi32>
  %1 = arith.remsi %a, %b : tensor<5xi32>
  %2 = arith.floordivsi %a, %b : tensor<5xi32>
  return %0, %1, %2 : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}
