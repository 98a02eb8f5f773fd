// Two layers: in little memory the first returns what the next one reads and the wide value before its activation,
// and its backward layer applies that again right before it reads the result. The gradient of the second comes first, so
// that this keeps both. With everything kept nothing changes.
// RUN: block-opt %s --block-differentiate="wrt=params loss=sum" --block-checkpoint="memory-budget=39000" | FileCheck %s
// RUN: block-opt %s --block-differentiate="wrt=params loss=sum" -o %t.mlir
// RUN: block-opt %t.mlir --block-checkpoint="memory-budget=60%%" -o %t.less.mlir --remarks-filter=block-checkpoint --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: block-run %t.less.mlir --engine=reference --function=main_step --seed=1 --check-gradients
// RUN: block-opt %t.mlir --block-checkpoint="memory-budget=100%%" -o %t.all.mlir
// RUN: diff %t.mlir %t.all.mlir

// REMARK-DAG: Remark="keeps up", kept_bytes=8192
// REMARK-DAG: Remark="computes activation again", output_projections=0, recompute_flops=0, saved_bytes=8192
// REMARK-DAG: Remark="the cheapest plan that fits the budget", budget_bytes=39936, least_peak_bytes=30720, most_peak_bytes=46080, peak_bytes=38912, plans=5, recompute_flops=0

// CHECK-LABEL: func.func @main_step(
// CHECK: %[[F0:.*]]:2 = block.layer "h.0" at 0
// CHECK-NEXT: %[[UP0:.*]] = block.linear %arg0, %arg1
// CHECK: block.yield %{{.*}}, %[[UP0]] :
// CHECK: %[[F1:.*]]:3 = block.layer "h.1" at 1 ->
// CHECK: block.layer "h.1" at 1 backward
// CHECK: keeps up
// CHECK: block.weight_grad(%arg5) of(%[[F1]]#2)
// CHECK: block.activation_grad %{{.*}} of %[[F1]]#1
// CHECK: block.layer "h.0" at 0 backward
// CHECK: %[[ACT0:.*]] = block.activation %[[F0]]#1 {kind = #block.activation<silu>}
// CHECK-NEXT: block.weight_grad(%{{.*}}) of(%[[ACT0]])
func.func @main(%x: tensor<1x64x8xf32> {block.input = "x"},
                %u0: tensor<32x8xf32> {block.param = "h.0.up.weight"}, %d0: tensor<8x32xf32> {block.param = "h.0.down.weight"},
                %u1: tensor<32x8xf32> {block.param = "h.1.up.weight"}, %d1: tensor<8x32xf32> {block.param = "h.1.down.weight"})
    -> (tensor<1x64x8xf32> {block.output = "y"}) {
  %h0 = block.layer "h.0" at 0 -> tensor<1x64x8xf32> {
    %up = block.linear %x, %u0 : tensor<1x64x8xf32> -> tensor<1x64x32xf32>
    %act = block.activation %up {kind = #block.activation<silu>} : tensor<1x64x32xf32>
    %down = block.linear %act, %d0 : tensor<1x64x32xf32> -> tensor<1x64x8xf32>
    %sum = block.residual %x, %down : tensor<1x64x8xf32>
    block.yield %sum : tensor<1x64x8xf32>
  }
  %h1 = block.layer "h.1" at 1 -> tensor<1x64x8xf32> {
    %up = block.linear %h0, %u1 : tensor<1x64x8xf32> -> tensor<1x64x32xf32>
    %act = block.activation %up {kind = #block.activation<silu>} : tensor<1x64x32xf32>
    %down = block.linear %act, %d1 : tensor<1x64x32xf32> -> tensor<1x64x8xf32>
    %sum = block.residual %h0, %down : tensor<1x64x8xf32>
    block.yield %sum : tensor<1x64x8xf32>
  }
  return %h1 : tensor<1x64x8xf32>
}
