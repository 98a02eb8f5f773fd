// The steps of a backward pass, backward layers and functions with gradients.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @loss(
// CHECK: %0 = block.cross_entropy %arg0, %arg1 targets %arg2 : tensor<2x5x8xf32>, tensor<11x8xf32>
// CHECK-NEXT: %1 = block.cross_entropy %arg0, %arg1 targets %arg2 bias %arg3 divisor %arg4 {ignored = 0, scale = 2.0, softcap = 30.0}
// CHECK-NEXT: : tensor<2x5x8xf32>, tensor<11x8xf32>
// CHECK-NEXT: return %0, %1 : tensor<f32>, tensor<f32>
func.func @loss(%x: tensor<2x5x8xf32>, %w: tensor<11x8xf32>, %ids: tensor<2x5xi64>, %b: tensor<11xf32>, %n: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = block.cross_entropy %x, %w targets %ids : tensor<2x5x8xf32>, tensor<11x8xf32>
  %1 = block.cross_entropy %x, %w targets %ids bias %b divisor %n {ignored = 0, scale = 2.0, softcap = 30.0} : tensor<2x5x8xf32>, tensor<11x8xf32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @loss_grad(
// CHECK: %0 = block.cross_entropy_grad %arg0 of %arg1, %arg2 targets %arg3 {wrt = ["input"]} : tensor<2x?x8xbf16>, tensor<11x8xbf16>
// CHECK-NEXT: %1:3 = block.cross_entropy_grad %arg0 of %arg1, %arg2 targets %arg3 bias %arg4 {softcap = 30.0, wrt = ["input", "weight", "bias"]}
// CHECK-NEXT: : tensor<2x?x8xbf16>, tensor<11x8xbf16> -> (tensor<2x?x8xbf16>, tensor<11x8xf32>, tensor<11xf32>)
// CHECK-NEXT: return %0 : tensor<2x?x8xbf16>
func.func @loss_grad(%dy: tensor<f32>, %x: tensor<2x?x8xbf16>, %w: tensor<11x8xbf16>, %ids: tensor<2x?xi64>, %b: tensor<11xbf16>) -> tensor<2x?x8xbf16> {
  %0 = block.cross_entropy_grad %dy of %x, %w targets %ids {wrt = ["input"]} : tensor<2x?x8xbf16>, tensor<11x8xbf16>
  %1:3 = block.cross_entropy_grad %dy of %x, %w targets %ids bias %b {softcap = 30.0, wrt = ["input", "weight", "bias"]} : tensor<2x?x8xbf16>, tensor<11x8xbf16> -> (tensor<2x?x8xbf16>, tensor<11x8xf32>, tensor<11xf32>)
  return %0 : tensor<2x?x8xbf16>
}

// CHECK-LABEL: func.func @elements(
// CHECK: %0 = block.softcap_grad %arg0 of %arg2 {softcap = 30.0} : tensor<2x5x8xf32>
// CHECK-NEXT: %1 = block.softcap_grad %0 of %arg2 {scale = 0.5, softcap = 30.0} : tensor<2x5x8xf32>
// CHECK-NEXT: %2 = block.activation_grad %1 of %arg1 {kind = #block.activation<silu>} : tensor<2x5x8xf32>
// CHECK-NEXT: %gate_gradient, %up_gradient = block.gate_grad %2 of %arg1, %arg2 {kind = #block.activation<gelu_erf>} : tensor<2x5x8xf32>
// CHECK-NEXT: %3 = block.clamp_grad %gate_gradient of %arg1 {limit = 8.0} : tensor<2x5x8xf32>
// CHECK-NEXT: return %3 : tensor<2x5x8xf32>
func.func @elements(%dy: tensor<2x5x8xf32>, %x: tensor<2x5x8xf32>, %y: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.softcap_grad %dy of %y {softcap = 30.0} : tensor<2x5x8xf32>
  %1 = block.softcap_grad %0 of %y {scale = 0.5, softcap = 30.0} : tensor<2x5x8xf32>
  %2 = block.activation_grad %1 of %x {kind = #block.activation<silu>} : tensor<2x5x8xf32>
  %3:2 = block.gate_grad %2 of %x, %y {kind = #block.activation<gelu_erf>} : tensor<2x5x8xf32>
  %4 = block.clamp_grad %3#0 of %x {limit = 8.0} : tensor<2x5x8xf32>
  return %4 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @sums(
// CHECK: %0 = block.weight_grad(%arg0, %arg1) of(%arg2) : tensor<2x?x8xbf16>, tensor<2x?x4xbf16>, tensor<2x?x6xbf16>
// CHECK-NEXT: %1 = block.weight_grad(%arg0) of(%arg2) : tensor<2x?x8xbf16>, tensor<2x?x6xbf16> -> tensor<8x6xbf16>
// CHECK-NEXT: %2 = block.column_sums %arg0 : tensor<2x?x8xbf16>
// CHECK-NEXT: %3 = block.column_sums %arg0 times %arg0 : tensor<2x?x8xbf16>
// CHECK-NEXT: %4 = block.column_sums %arg0 times %arg0 {groups = 4} : tensor<2x?x8xbf16>
// CHECK-NEXT: return %0, %1, %2, %3, %4 : tensor<12x6xf32>, tensor<8x6xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<2xf32>
func.func @sums(%dy: tensor<2x?x8xbf16>, %dz: tensor<2x?x4xbf16>, %x: tensor<2x?x6xbf16>) -> (tensor<12x6xf32>, tensor<8x6xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<2xf32>) {
  %0 = block.weight_grad(%dy, %dz) of(%x) : tensor<2x?x8xbf16>, tensor<2x?x4xbf16>, tensor<2x?x6xbf16>
  %1 = block.weight_grad(%dy) of(%x) : tensor<2x?x8xbf16>, tensor<2x?x6xbf16> -> tensor<8x6xbf16>
  %2 = block.column_sums %dy : tensor<2x?x8xbf16>
  %3 = block.column_sums %dy times %dy : tensor<2x?x8xbf16>
  %4 = block.column_sums %dy times %dy {groups = 4} : tensor<2x?x8xbf16>
  return %0, %1, %2, %3, %4 : tensor<12x6xf32>, tensor<8x6xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @sums_of_rows(
// CHECK: %0 = block.column_sums %arg0 times %arg1 : (tensor<2x?x8xbf16>, tensor<2x?x1xf32>) -> tensor<8xf32>
// CHECK-NEXT: %1 = block.row_dots %arg0 times %arg0 : tensor<2x?x8xbf16>
// CHECK-NEXT: %2 = block.row_dots %arg0 vector %arg2 plus %1 : tensor<2x?x8xbf16>
// CHECK-NEXT: %3 = block.row_dots %arg0 times %arg0 vector %arg2 {groups = 2} : tensor<2x?x8xbf16>
// CHECK-NEXT: return %0, %2, %3 : tensor<8xf32>, tensor<2x?x1xf32>, tensor<2x?x2xf32>
func.func @sums_of_rows(%x: tensor<2x?x8xbf16>, %m: tensor<2x?x1xf32>, %v: tensor<8xf32>) -> (tensor<8xf32>, tensor<2x?x1xf32>, tensor<2x?x2xf32>) {
  %0 = block.column_sums %x times %m : (tensor<2x?x8xbf16>, tensor<2x?x1xf32>) -> tensor<8xf32>
  %1 = block.row_dots %x times %x : tensor<2x?x8xbf16>
  %2 = block.row_dots %x vector %v plus %1 : tensor<2x?x8xbf16>
  %3 = block.row_dots %x times %x vector %v {groups = 2} : tensor<2x?x8xbf16>
  return %0, %2, %3 : tensor<8xf32>, tensor<2x?x1xf32>, tensor<2x?x2xf32>
}

// CHECK-LABEL: func.func @embeddings(
// CHECK: %0 = block.embedding_grad %arg0 at %arg1 {wrt = ["table"]} : tensor<2x5x8xf32>, tensor<2x5xi64> -> tensor<11x8xf32>
// CHECK-NEXT: %1:3 = block.embedding_grad %arg0 at %arg1 types %arg2 offset %arg3 {position_offset = 2, scale = 0.5, wrt = ["table", "position_table", "type_table"]}
// CHECK-NEXT: : tensor<2x5x8xf32>, tensor<2x5xi64> -> (tensor<11x8xf32>, tensor<9x8xf32>, tensor<2x8xf32>)
// CHECK-NEXT: %2 = block.embedding_grad %arg0 at %arg1 {pad_id = 1, wrt = ["position_table"]} : tensor<2x5x8xf32>, tensor<2x5xi64> -> tensor<9x8xf32>
// CHECK-NEXT: return %0 : tensor<11x8xf32>
func.func @embeddings(%dy: tensor<2x5x8xf32>, %ids: tensor<2x5xi64>, %types: tensor<2x5xi64>, %offset: index) -> tensor<11x8xf32> {
  %0 = block.embedding_grad %dy at %ids {wrt = ["table"]} : tensor<2x5x8xf32>, tensor<2x5xi64> -> tensor<11x8xf32>
  %1:3 = block.embedding_grad %dy at %ids types %types offset %offset {position_offset = 2, scale = 0.5, wrt = ["table", "position_table", "type_table"]} : tensor<2x5x8xf32>, tensor<2x5xi64> -> (tensor<11x8xf32>, tensor<9x8xf32>, tensor<2x8xf32>)
  %2 = block.embedding_grad %dy at %ids {pad_id = 1, wrt = ["position_table"]} : tensor<2x5x8xf32>, tensor<2x5xi64> -> tensor<9x8xf32>
  return %0 : tensor<11x8xf32>
}

// CHECK-LABEL: func.func @patches(
// CHECK: %0:5 = block.patch_embedding_grad %arg0 of %arg1, %arg2 class {wrt = ["pixels", "weight", "bias", "class_token", "position_table"]}
// CHECK-NEXT: : tensor<2x5x8xf32>, tensor<2x3x4x4xf32>, tensor<8x3x2x2xf32>
// CHECK-NEXT: -> (tensor<2x3x4x4xf32>, tensor<8x3x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5x8xf32>)
// CHECK-NEXT: return %0#0 : tensor<2x3x4x4xf32>
func.func @patches(%dy: tensor<2x5x8xf32>, %pixels: tensor<2x3x4x4xf32>, %w: tensor<8x3x2x2xf32>) -> tensor<2x3x4x4xf32> {
  %0:5 = block.patch_embedding_grad %dy of %pixels, %w class {wrt = ["pixels", "weight", "bias", "class_token", "position_table"]} : tensor<2x5x8xf32>, tensor<2x3x4x4xf32>, tensor<8x3x2x2xf32> -> (tensor<2x3x4x4xf32>, tensor<8x3x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5x8xf32>)
  return %0#0 : tensor<2x3x4x4xf32>
}

// CHECK-LABEL: func.func @norms(
// CHECK: %0 = block.norm_grad %arg0 of %arg1 mean %arg2 moment %arg3 gamma %arg5 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x8xf32>
// CHECK-NEXT: %1 = block.norm_grad %0 of %arg1 moment %arg4 gamma %arg6 {form = #block.norm<kind = rms, eps = 1.0e-06>, groups = 2} : tensor<2x5x8xf32>
// CHECK-NEXT: return %1 : tensor<2x5x8xf32>
func.func @norms(%dy: tensor<2x5x8xf32>, %x: tensor<2x5x8xf32>, %m: tensor<2x5x1xf32>, %s: tensor<2x5x1xf32>, %s2: tensor<2x5x2xf32>, %g: tensor<8xf32>, %g2: tensor<4xf32>) -> tensor<2x5x8xf32> {
  %0 = block.norm_grad %dy of %x mean %m moment %s gamma %g {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x8xf32>
  %1 = block.norm_grad %0 of %x moment %s2 gamma %g2 {form = #block.norm<kind = rms, eps = 1.0e-06>, groups = 2} : tensor<2x5x8xf32>
  return %1 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @deferred_norms(
// CHECK: %0 = block.deferred_norm_grad %arg0 of %arg1 mean %arg2 moment %arg2 sums %arg2 dots %arg2 gamma %arg3 {form = #block.norm<kind = layer, eps = 1.0e-05>}
// CHECK-NEXT: : tensor<2x5x8xf32>
// CHECK-NEXT: %1 = block.deferred_norm_grad %0 of %arg1 moment %arg2 dots %arg2 {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x8xf32>
// CHECK-NEXT: %2 = block.deferred_norm_grad of %1 moment %arg2 dots %arg2 {form = #block.norm<kind = l2, eps = 1.0e-05>} : tensor<2x5x8xf32>
// CHECK-NEXT: return %2 : tensor<2x5x8xf32>
func.func @deferred_norms(%z: tensor<2x5x8xf32>, %x: tensor<2x5x8xf32>, %s: tensor<2x5x1xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.deferred_norm_grad %z of %x mean %s moment %s sums %s dots %s gamma %g {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x5x8xf32>
  %1 = block.deferred_norm_grad %0 of %x moment %s dots %s {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<2x5x8xf32>
  %2 = block.deferred_norm_grad of %1 moment %s dots %s {form = #block.norm<kind = l2, eps = 1.0e-05>} : tensor<2x5x8xf32>
  return %2 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @weights(
// CHECK: %0 = block.matrix_dots %arg0, %arg0 : tensor<4x8xbf16>
// CHECK-NEXT: %1 = block.matrix_dots rows %arg0, %arg1 : (tensor<4x8xbf16>, tensor<4x8xf32>) -> tensor<4xf32>
// CHECK-NEXT: %2 = block.outer_update to %arg1 of %1, %0 {factor = -1.0} : tensor<4xf32>, tensor<8xf32>
// CHECK-NEXT: %3 = block.outer_update of %1 : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
func.func @weights(%w: tensor<4x8xbf16>, %dw: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = block.matrix_dots %w, %w : tensor<4x8xbf16>
  %1 = block.matrix_dots rows %w, %dw : (tensor<4x8xbf16>, tensor<4x8xf32>) -> tensor<4xf32>
  %2 = block.outer_update to %dw of %1, %0 {factor = -1.0} : tensor<4xf32>, tensor<8xf32>
  %3 = block.outer_update of %1 : tensor<4xf32> -> tensor<4x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @attention(
// CHECK: %0:3 = block.sdpa_grad %arg0 of %arg1, %arg2, %arg2
// CHECK-NEXT: {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.5, causal = true>, wrt = ["query", "key", "value"]} : tensor<2x5x8xf32>
// CHECK-NEXT: -> (tensor<2x5x8xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>)
// CHECK-NEXT: %1:2 = block.sdpa_grad %arg0 of %arg1, %arg1, %arg1 lengths %arg4 relative %arg3
// CHECK-NEXT: {buckets = #block.buckets<max_distance = 16>, heads = 4, scores = #block.scores<scale = 0.5>, wrt = ["query", "relative_table"]}
// CHECK-NEXT: : tensor<2x5x8xf32>, tensor<8x4xf32> -> (tensor<2x5x8xf32>, tensor<8x4xf32>)
// CHECK-NEXT: return %0#0 : tensor<2x5x8xf32>
func.func @attention(%dy: tensor<2x5x8xf32>, %q: tensor<2x5x8xf32>, %k: tensor<2x5x4xf32>, %table: tensor<8x4xf32>, %lengths: tensor<2xi64>) -> tensor<2x5x8xf32> {
  %0:3 = block.sdpa_grad %dy of %q, %k, %k {heads = 4, kv_heads = 2, scores = #block.scores<scale = 0.5, causal = true>, wrt = ["query", "key", "value"]} : tensor<2x5x8xf32> -> (tensor<2x5x8xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>)
  %1:2 = block.sdpa_grad %dy of %q, %q, %q lengths %lengths relative %table {buckets = #block.buckets<max_distance = 16>, heads = 4, scores = #block.scores<scale = 0.5>, wrt = ["query", "relative_table"]} : tensor<2x5x8xf32>, tensor<8x4xf32> -> (tensor<2x5x8xf32>, tensor<8x4xf32>)
  return %0#0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @rotations(
// CHECK: %0 = block.rope inverse %arg0 {form = #block.rope<style = half, dim = 4>, heads = 2} : tensor<2x5x8xf32>
// CHECK-NEXT: %1 = block.rotate inverse %0, %arg1, %arg1 {dim = 4, heads = 2, style = #block.rope_style<half>} : tensor<2x5x8xf32>, tensor<1x5x2xf32>
// CHECK-NEXT: return %1 : tensor<2x5x8xf32>
func.func @rotations(%x: tensor<2x5x8xf32>, %c: tensor<1x5x2xf32>) -> tensor<2x5x8xf32> {
  %0 = block.rope inverse %x {form = #block.rope<style = half, dim = 4>, heads = 2} : tensor<2x5x8xf32>
  %1 = block.rotate inverse %0, %c, %c {dim = 4, heads = 2, style = #block.rope_style<half>} : tensor<2x5x8xf32>, tensor<1x5x2xf32>
  return %1 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @layers(
// CHECK: %0 = block.layer "h.0" at 0 backward -> tensor<2x5x8xf32> {
// CHECK-NEXT: block.yield %arg0 : tensor<2x5x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<2x5x8xf32>
func.func @layers(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.layer "h.0" at 0 backward -> tensor<2x5x8xf32> {
    block.yield %x : tensor<2x5x8xf32>
  }
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @main_step(
// CHECK: {block.param = "w"}) -> (tensor<f32> {block.output = "loss"}, tensor<2x5x8xf32> {block.grad = "x"},
// CHECK-NEXT: tensor<8x8xf32> {block.grad = "w"}) attributes {block.loss = "loss"} {
// CHECK: %cst = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: return %cst, %arg0, %arg1 : tensor<f32>, tensor<2x5x8xf32>, tensor<8x8xf32>
func.func @main_step(%x: tensor<2x5x8xf32> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "loss"}, tensor<2x5x8xf32> {block.grad = "x"}, tensor<8x8xf32> {block.grad = "w"}) attributes {block.loss = "loss"} {
  %0 = arith.constant dense<0.0> : tensor<f32>
  return %0, %x, %w : tensor<f32>, tensor<2x5x8xf32>, tensor<8x8xf32>
}
