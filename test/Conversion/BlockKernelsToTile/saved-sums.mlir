// Attention saves the logarithms of its softmax's sums for its gradient, through layers, where the gradient needs no
// more than those and the result.
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s
// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_80 | FileCheck %s

// CHECK-LABEL: func.func @layers
// CHECK: %[[F:.*]]:3 = block.layer "h.0" at 0
// CHECK:   %[[Y:.*]]:2 = tile.launch @kernels::@sdpa_0
// CHECK-SAME: -> (tensor<1x128x128xbf16>, tensor<1x128x2xf32>)
// CHECK:   block.yield %[[Y]]#0, %{{.*}}, %[[Y]]#1
// CHECK: block.layer "h.0" at 0 backward
// CHECK:   tile.launch @kernels::@sdpa_grad_0_queries(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[F]]#0, %[[F]]#2)
func.func @layers(%x: tensor<1x128x128xbf16>, %k: tensor<1x128x128xbf16>, %dy: tensor<1x128x128xbf16>)
    -> (tensor<1x128x128xbf16>, tensor<1x128x128xbf16>) {
  %0:2 = block.layer "h.0" at 0 -> tensor<1x128x128xbf16>, tensor<1x128x128xbf16> {
    %q = block.kernel "rows" (%a = %x : tensor<1x128x128xbf16>) -> tensor<1x128x128xbf16> {
      %n = block.activation %a {kind = #block.activation<relu>} : tensor<1x128x128xbf16>
      block.yield %n : tensor<1x128x128xbf16>
    }
    %y = block.kernel "sdpa" (%a = %q : tensor<1x128x128xbf16>, %b = %k : tensor<1x128x128xbf16>)
        -> tensor<1x128x128xbf16> {
      %s = block.sdpa %a, %b, %b {heads = 2, scores = #block.scores<scale = 0.125, causal = true>}
        : tensor<1x128x128xbf16>
      block.yield %s : tensor<1x128x128xbf16>
    }
    block.yield %y, %q : tensor<1x128x128xbf16>, tensor<1x128x128xbf16>
  }
  %1 = block.layer "h.0" at 0 backward -> tensor<1x128x128xbf16> {
    %r = block.sdpa_grad %dy of %0#1, %k, %k {heads = 2, wrt = ["query"],
        scores = #block.scores<scale = 0.125, causal = true>} : tensor<1x128x128xbf16>
    block.yield %r : tensor<1x128x128xbf16>
  }
  return %0#0, %1 : tensor<1x128x128xbf16>, tensor<1x128x128xbf16>
}

// Of other scores, of another gain and of too few rows.
// CHECK-LABEL: func.func @others
// CHECK-NOT: tensor<1x128x2xf32>)
// CHECK: return
func.func @others(%q: tensor<1x128x128xbf16>, %k: tensor<1x128x128xbf16>, %dy: tensor<1x128x128xbf16>,
                  %beta: tensor<1xf32>) -> (tensor<1x128x128xbf16>, tensor<1x128x128xbf16>, tensor<1x128x128xbf16>) {
  %y = block.kernel "sdpa" (%a = %q : tensor<1x128x128xbf16>, %b = %k : tensor<1x128x128xbf16>)
      -> tensor<1x128x128xbf16> {
    %s = block.sdpa %a, %b, %b {heads = 2, scores = #block.scores<scale = 0.125>} : tensor<1x128x128xbf16>
    block.yield %s : tensor<1x128x128xbf16>
  }
  %0 = block.sdpa_grad %dy of %q, %k, %k {heads = 2, wrt = ["query"], scores = #block.scores<scale = 0.25>}
    : tensor<1x128x128xbf16>
  %1 = block.sdpa_grad %dy of %q, %k, %k beta %beta {heads = 2, wrt = ["query"], scores = #block.scores<scale = 0.125>}
    : (tensor<1x128x128xbf16>, tensor<1x128x128xbf16>, tensor<1x128x128xbf16>, tensor<1x128x128xbf16>, tensor<1xf32>)
      -> tensor<1x128x128xbf16>
  return %y, %0, %1 : tensor<1x128x128xbf16>, tensor<1x128x128xbf16>, tensor<1x128x128xbf16>
}
