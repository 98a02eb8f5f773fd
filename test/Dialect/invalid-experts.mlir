// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [ROUTE-1] groups divide the experts
func.func @f(%l: tensor<2x5x4xf32>) {
  // expected-error @+1 {{'block.route' op expected groups to be a positive divisor of the number of experts, 4, got 3}}
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = sigmoid, groups = 3>} : (tensor<2x5x4xf32>) -> (tensor<2x5x2xi64>, tensor<2x5x2xf32>)
  return
}

// -----

// [ROUTE-1] the two best of a group are two
func.func @f(%l: tensor<2x5x4xf32>) {
  // expected-error @+1 {{expected groups of at least 2 experts for group_score best_two, got 1}}
  %i, %w = block.route %l {form = #block.routing<chosen = 1, score = sigmoid, groups = 4, kept = 2, group_score = best_two>} : (tensor<2x5x4xf32>) -> (tensor<2x5x1xi64>, tensor<2x5x1xf32>)
  return
}

// -----

// [ROUTE-1] there are so many experts
func.func @f(%l: tensor<2x5x4xf32>) {
  // expected-error @+1 {{expected chosen to be at most 4, the experts of 1 of the groups, got 5}}
  %i, %w = block.route %l {form = #block.routing<chosen = 5, score = sigmoid>} : (tensor<2x5x4xf32>) -> (tensor<2x5x5xi64>, tensor<2x5x5xf32>)
  return
}

// -----

// [ROUTE-1] in the groups that are kept
func.func @f(%l: tensor<2x5x4xf32>) {
  // expected-error @+1 {{expected chosen to be at most 2, the experts of 1 of the groups, got 3}}
  %i, %w = block.route %l {form = #block.routing<chosen = 3, score = sigmoid, groups = 2>} : (tensor<2x5x4xf32>) -> (tensor<2x5x3xi64>, tensor<2x5x3xf32>)
  return
}

// -----

// [ROUTE-2] a correction for each expert
func.func @f(%l: tensor<2x5x4xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{expected dimension 0 of correction to be 4 (one per expert), got 3}}
  %i, %w = block.route %l correction %c {form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<2x5x4xf32>, tensor<3xf32>) -> (tensor<2x5x2xi64>, tensor<2x5x2xf32>)
  return
}

// -----

// [ROUTE-2] a scale for each expert
func.func @f(%l: tensor<2x5x4xf32>, %s: tensor<5xf32>) {
  // expected-error @+1 {{expected dimension 0 of expert_scale to be 4 (one per expert), got 5}}
  %i, %w = block.route %l expert_scale %s {form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<2x5x4xf32>, tensor<5xf32>) -> (tensor<2x5x2xi64>, tensor<2x5x2xf32>)
  return
}

// -----

// [ROUTE-3] a column for each that is chosen
func.func @f(%l: tensor<2x5x4xf32>) {
  // expected-error @+1 {{expected dimension 2 of weights to be 2 (one per chosen expert), got 3}}
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<2x5x4xf32>) -> (tensor<2x5x2xi64>, tensor<2x5x3xf32>)
  return
}

// -----

// [ROUTE-3] rows of the logits
// expected-note @+1 {{logits comes from here}}
func.func @f(%l: tensor<2x5x4xf32>) {
  // expected-error @+1 {{expected indices to have the rows of logits, 'tensor<2x5x4xf32>', got 'tensor<2x4x2xi64>'}}
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = sigmoid>} : (tensor<2x5x4xf32>) -> (tensor<2x4x2xi64>, tensor<2x5x2xf32>)
  return
}

// -----

// [EXPERTS-1] up reads the input
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x7xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'block.experts' op expected dimension 2 of up_weight to be 8 (width of the input), got 7}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x7xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-1] also where matrices are transposed
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected dimension 1 of up_weight to be 8 (width of the input), got 12}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu, transposed = true>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-1] gate and up are as wide
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x13x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected dimension 1 of up_weight to be even (gate and up), got 13}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x13x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-2] a matrix of down for each expert
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<3x8x6xf32>) {
  // expected-error @+1 {{expected dimension 0 of down_weight to be 4 (one matrix per expert), got 3}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<3x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-2] down reads the hidden width
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected dimension 2 of down_weight to be 12 (hidden width), got 6}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu, layout = up>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-3] a bias for each expert
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>, %ub: tensor<3x12xf32>) {
  // expected-error @+1 {{expected dimension 0 of up_bias to be 4 (one row per expert), got 3}}
  %y = block.experts %x of %i by %w up %u down %d up_bias %ub {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<3x12xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-3] of the width of its projection
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>, %db: tensor<4x6xf32>) {
  // expected-error @+1 {{expected dimension 1 of down_bias to be 8 (width of its projection), got 6}}
  %y = block.experts %x of %i by %w up %u down %d down_bias %db {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<4x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-4] indices for each row
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x4x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected indices to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x2xi64>'}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x4x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-4] a weight for each index
// expected-note @+1 {{indices comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x3xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected weights to have the shape of indices, 'tensor<2x5x2xi64>', got 'tensor<2x5x3xf32>'}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x3xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTS-5] the result has the width of down
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 8 (width of down_weight), got 6}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x6xf32>
  return
}

// -----

// [EXPERTS-5] and the rows of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected result to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// [MOE-1] the router has a row for each expert
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<3x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'block.moe' op expected dimension 0 of router_weight to be 4 (one row per expert), got 3}}
  %y = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<3x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-1] it reads the input
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x7xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected dimension 1 of router_weight to be 8 (width of the input), got 7}}
  %y = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x7xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-1] and has a bias for each
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>, %e0: tensor<5xf32>) {
  // expected-error @+1 {{expected dimension 0 of router_bias to be 4 (one per expert), got 5}}
  %y = block.moe %x router %r up %u down %d router_bias %e0 {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<5xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-2] it chooses among the experts
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected chosen to be at most 4, the experts of 1 of the groups, got 5}}
  %y = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 5, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-3] stacks belong together
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x7xf32>) {
  // expected-error @+1 {{expected dimension 2 of down_weight to be 6 (hidden width), got 7}}
  %y = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x7xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-4] shared matrices come together
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>, %e0: tensor<16x8xf32>) {
  // expected-error @+1 {{expected shared_up and shared_down together, got shared_up alone}}
  %y = block.moe %x router %r up %u down %d shared_up %e0 {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-4] a gate comes with them
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>, %e0: tensor<1x8xf32>) {
  // expected-error @+1 {{expected a shared_up for the shared_router, got none}}
  %y = block.moe %x router %r up %u down %d shared_router %e0 {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<1x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-4] they read the input
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>, %e0: tensor<16x7xf32>, %e1: tensor<8x16xf32>) {
  // expected-error @+1 {{expected dimension 1 of shared_up to be 8 (width of the input), got 7}}
  %y = block.moe %x router %r up %u down %d shared_up %e0 shared_down %e1 {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<16x7xf32>, tensor<8x16xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-4] down reads the hidden width
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>, %e0: tensor<16x8xf32>, %e1: tensor<8x12xf32>) {
  // expected-error @+1 {{expected dimension 1 of shared_down to be 16 (hidden width), got 12}}
  %y = block.moe %x router %r up %u down %d shared_up %e0 shared_down %e1 {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<16x8xf32>, tensor<8x12xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-4] there is one gate
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>, %e0: tensor<16x8xf32>, %e1: tensor<8x16xf32>, %e2: tensor<2x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of shared_router to be 1 (one gate), got 2}}
  %y = block.moe %x router %r up %u down %d shared_up %e0 shared_down %e1 shared_router %e2 {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<2x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [MOE-5] the result has the width of down
func.func @f(%x: tensor<2x5x8xf32>, %r: tensor<4x8xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 8 (width of down_weight), got 6}}
  %y = block.moe %x router %r up %u down %d {routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<4x8xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x6xf32>
  return
}

// -----

// [LIMGATE-1] the limit is positive
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected limit to be positive and finite, got 0.000000e+00}}
  %y = block.limited_gate %x, %x {kind = #block.activation<silu>, limit = 0.0 : f64} : tensor<2x5x8xf32>
  return
}

// -----

// [LIMGATE-1] and the offset finite
func.func @f(%x: tensor<2x5x8xf32>) {
  // expected-error @+1 {{expected offset to be finite, got INF}}
  %y = block.limited_gate %x, %x {kind = #block.activation<silu>, limit = 1.0 : f64, offset = 0x7FF0000000000000 : f64} : tensor<2x5x8xf32>
  return
}

// -----

// [ROUTEGRAD-1] scales that are there
func.func @f(%g: tensor<2x5x2xf32>, %l: tensor<2x5x4xf32>, %i: tensor<2x5x2xi64>) {
  // expected-error @+1 {{'block.route_grad' op expected wrt to name operands of logits, got "expert_scale"}}
  %y = block.route_grad %g of %l at %i {wrt = ["expert_scale"], form = #block.routing<chosen = 2, score = softmax>} : tensor<2x5x2xf32>, tensor<2x5x4xf32>, tensor<2x5x2xi64> -> tensor<4xf32>
  return
}

// -----

// [ROUTEGRAD-2] of the shape of logits
func.func @f(%g: tensor<2x5x2xf32>, %l: tensor<2x5x4xf32>, %i: tensor<2x5x2xi64>) {
  // expected-error @+1 {{expected the gradient by logits to have its shape, 'tensor<2x5x4xf32>', got 'tensor<2x5x2xf32>'}}
  %y = block.route_grad %g of %l at %i {wrt = ["logits"], form = #block.routing<chosen = 2, score = softmax>} : tensor<2x5x2xf32>, tensor<2x5x4xf32>, tensor<2x5x2xi64> -> tensor<2x5x2xf32>
  return
}

// -----

// [ROUTEGRAD-3] one column for each that is chosen
func.func @f(%g: tensor<2x5x2xf32>, %l: tensor<2x5x4xf32>, %i: tensor<2x5x3xi64>) {
  // expected-error @+1 {{expected dimension 2 of indices to be 2 (one per chosen expert), got 3}}
  %y = block.route_grad %g of %l at %i {wrt = ["logits"], form = #block.routing<chosen = 2, score = softmax>} : tensor<2x5x2xf32>, tensor<2x5x4xf32>, tensor<2x5x3xi64> -> tensor<2x5x4xf32>
  return
}

// -----

// [ROUTEGRAD-3] the rows of logits
// expected-note @+1 {{logits comes from here}}
func.func @f(%g: tensor<2x6x2xf32>, %l: tensor<2x5x4xf32>, %i: tensor<2x5x2xi64>) {
  // expected-error @+1 {{expected gradient to have the rows of logits, 'tensor<2x5x4xf32>', got 'tensor<2x6x2xf32>'}}
  %y = block.route_grad %g of %l at %i {wrt = ["logits"], form = #block.routing<chosen = 2, score = softmax>} : tensor<2x6x2xf32>, tensor<2x5x4xf32>, tensor<2x5x2xi64> -> tensor<2x5x4xf32>
  return
}

// -----

// [EXPERTSGRAD-1] biases that are there
func.func @f(%g: tensor<2x5x8xf32>, %x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'block.experts_grad' op expected wrt to name operands of input, weights, up_weight, down_weight, got "up_bias"}}
  %y = block.experts_grad %g of %x at %i by %w up %u down %d {wrt = ["up_bias"], form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// [EXPERTSGRAD-1] in their order
func.func @f(%g: tensor<2x5x8xf32>, %x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected wrt to name operands in their order and once each, got}}
  %y:2 = block.experts_grad %g of %x at %i by %w up %u down %d {wrt = ["weights", "input"], form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x8xf32>)
  return
}

// -----

// [EXPERTSGRAD-2] a result for each
func.func @f(%g: tensor<2x5x8xf32>, %x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected a result for each of wrt, 2, got 1}}
  %y = block.experts_grad %g of %x at %i by %w up %u down %d {wrt = ["input", "weights"], form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTSGRAD-2] of its shape
func.func @f(%g: tensor<2x5x8xf32>, %x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected the gradient by up_weight to have its shape, 'tensor<4x12x8xf32>', got 'tensor<4x8x6xf32>'}}
  %y = block.experts_grad %g of %x at %i by %w up %u down %d {wrt = ["up_weight"], form = #block.experts<activation = silu>} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  return
}

// -----

// [EXPERTSGRAD-3] the width of down
func.func @f(%g: tensor<2x5x6xf32>, %x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected dimension 2 of gradient to be 8 (width of down_weight), got 6}}
  %y = block.experts_grad %g of %x at %i by %w up %u down %d {wrt = ["input"], form = #block.experts<activation = silu>} : (tensor<2x5x6xf32>, tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

// [EXPERTSGRAD-3] the rows of the input
// expected-note @+1 {{input comes from here}}
func.func @f(%g: tensor<2x4x8xf32>, %x: tensor<2x5x8xf32>, %i: tensor<2x5x2xi64>, %w: tensor<2x5x2xf32>, %u: tensor<4x12x8xf32>, %d: tensor<4x8x6xf32>) {
  // expected-error @+1 {{expected gradient to have the rows of input, 'tensor<2x5x8xf32>', got 'tensor<2x4x8xf32>'}}
  %y = block.experts_grad %g of %x at %i by %w up %u down %d {wrt = ["input"], form = #block.experts<activation = silu>} : (tensor<2x4x8xf32>, tensor<2x5x8xf32>, tensor<2x5x2xi64>, tensor<2x5x2xf32>, tensor<4x12x8xf32>, tensor<4x8x6xf32>) -> tensor<2x5x8xf32>
  return
}
