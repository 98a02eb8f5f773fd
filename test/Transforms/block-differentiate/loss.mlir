// The cross entropy of a head with everything that it may have, its targets some of them
// ignored, and one that is divided by their number.
// RUN: block-opt %s --block-differentiate="wrt=all loss=total" -o %t.mlir
// RUN: block-run %t.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s
// RUN: block-opt %s --block-differentiate="wrt=w,x" -o %t.plain.mlir
// RUN: block-run %t.plain.mlir --engine=reference --function=main_step --seed=3 --check-gradients | FileCheck %s --check-prefix=PLAIN
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.plain.mlir
// RUN: block-opt %s --block-report -o %t.none 2>&1 | FileCheck %s --check-prefix=FLOPS

// CHECK-NOT: FAIL
// CHECK: PASS x
// CHECK: PASS w
// CHECK: PASS b
// CHECK-NOT: FAIL

// PLAIN-NOT: FAIL
// PLAIN: PASS x
// PLAIN-NEXT: PASS w
// PLAIN-NOT: PASS

// Two products of 6 rows by 8 x 11, of which nothing says that they are tokens.
// FLOPS: FLOPs per token
// FLOPS-NEXT: total 2112

// IR: func.func @main_step(
// IR: block.loss = "loss"
// IR: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// IR: block.cross_entropy_grad %[[ONE]] of %arg0, %arg1 targets %{{.*}} {wrt = ["input", "weight"]}
func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"}, %w: tensor<11x8xf32> {block.param = "w"}, %b: tensor<11xf32> {block.param = "b"})
    -> (tensor<f32> {block.output = "loss"}, tensor<f32> {block.output = "total"}) {
  %targets = arith.constant dense<[[3, -100, 10], [0, 3, -100]]> : tensor<2x3xi64>
  %others = arith.constant dense<[[3, 1, 10], [0, 3, 7]]> : tensor<2x3xi64>
  %count = arith.constant dense<5.0> : tensor<f32>
  %loss = block.cross_entropy %x, %w targets %targets : tensor<2x3x8xf32>, tensor<11x8xf32>
  %total = block.cross_entropy %x, %w targets %others bias %b divisor %count {ignored = 7, scale = 0.5, softcap = 3.0} : tensor<2x3x8xf32>, tensor<11x8xf32>
  return %loss, %total : tensor<f32>, tensor<f32>
}
