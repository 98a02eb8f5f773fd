// Hosts check ids that are inputs. One that is computed and has no row in the table gives a row of NaN, and no other
// memory is read; the reference engine reports it.
// RUN: block-run %s --engine=cpu --seed=1 | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_80 --seed=1 | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=1 | FileCheck %s
// CHECK: y f32 [1, 4, 8]{{.*}}NaN or infinite 16
// CHECK: z f32 [1, 2, 8]
// CHECK-NOT: NaN
// CHECK: w f32 [1, 2, 8]{{.*}}NaN or infinite 8
// RUN: not block-run %s --engine=reference --seed=1 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: 'block.embedding' op expected ids[0, 1] to be in [0, 7), got {{[0-9]+00$}}
func.func @main(%i: tensor<1x4xi64> {block.input = "i"}, %t: tensor<7x8xf32> {block.param = "t"}, %u: tensor<4x8xf32> {block.param = "u"}) -> (tensor<1x4x8xf32> {block.output = "y"}, tensor<1x2x8xf32> {block.output = "z"}, tensor<1x2x8xf32> {block.output = "w"}) {
  %a = arith.constant dense<[[0, 100, 0, -50]]> : tensor<1x4xi64>
  %e = tensor.empty() : tensor<1x4xi64>
  %j = linalg.mul ins(%i, %a : tensor<1x4xi64>, tensor<1x4xi64>) outs(%e : tensor<1x4xi64>) -> tensor<1x4xi64>
  %k = linalg.add ins(%j, %a : tensor<1x4xi64>, tensor<1x4xi64>) outs(%e : tensor<1x4xi64>) -> tensor<1x4xi64>
  %y = block.embedding %k in %t : tensor<1x4xi64>, tensor<7x8xf32>
  %l = tensor.extract_slice %k[0, 0] [1, 2] [1, 2] : tensor<1x4xi64> to tensor<1x2xi64>
  %m = arith.constant dense<[[6, 3]]> : tensor<1x2xi64>
  %f = tensor.empty() : tensor<1x2xi64>
  %o = linalg.add ins(%l, %m : tensor<1x2xi64>, tensor<1x2xi64>) outs(%f : tensor<1x2xi64>) -> tensor<1x2xi64>
  %z = block.embedding %o in %t : tensor<1x2xi64>, tensor<7x8xf32>
  %p = block.embedding %o in %t types %o type_table %u : (tensor<1x2xi64>, tensor<7x8xf32>, tensor<1x2xi64>, tensor<4x8xf32>) -> tensor<1x2x8xf32>
  return %y, %z, %p : tensor<1x4x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>
}
