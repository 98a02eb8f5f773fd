// One case per numbered constraint of docs/design/Spec.md.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [SAMPLE-1] ids of each row
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<3x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 0 of ids to be 2 (one per batch row), got 3}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<3x3xi64>, tensor<2x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// [SAMPLE-1] options of each row
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<1x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 0 of options to be 2 (one per batch row), got 1}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<1x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// [SAMPLE-1] a state of random numbers for each row
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<1x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 0 of random to be 2 (one per batch row), got 1}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<1x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// [SAMPLE-1] a step of each row
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<1xi64>) {
  // expected-error @+1 {{expected dimension 0 of step to be 2 (one per batch row), got 1}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<1xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<1xi64>)
  return
}

// -----

// [SAMPLE-2] five options
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x4xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 1 of options to be 5 (temperature, top_k, top_p, min_p and penalty), got 4}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x4xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// [SAMPLE-2] two halves
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x1xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 1 of random to be 2 (halves of the state), got 1}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<2x1xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// [SAMPLE-2] one padding token
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<2xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 0 of padding to be 1 (one token), got 2}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<2xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// [SAMPLE-3] a mark for each logit
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x8xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 1 of seen to be 9 (one per logit), got 8}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x8xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x8xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// [SAMPLE-3] counts of tokens fit
func.func @f(%logits: tensor<2x1x1048577xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x1048577xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected logits of at most 1048576 tokens, got 1048577}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x1048577xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x1048577xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x1048577xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// [SAMPLE-4] one token
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected dimension 1 of tokens to be 1 (one per batch row), got 3}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x3xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}

// -----

// The state has the type that it had.
func.func @f(%logits: tensor<2x1x9xf32>, %ids: tensor<2x3xi64>, %o: tensor<2x5xf64>, %r: tensor<2x2xi64>, %s: tensor<4xi64>, %p: tensor<1xi64>, %seen: tensor<2x9xi8>, %e: tensor<2xi64>, %n: tensor<2xi64>, %t: tensor<2xi64>) {
  // expected-error @+1 {{failed to verify that all of {ended, next_ended} have same type}}
  %y:5 = block.sample %logits after %ids options %o random %r stops %s padding %p state(%seen, %e, %n, %t) : (tensor<2x1x9xf32>, tensor<2x3xi64>, tensor<2x5xf64>, tensor<2x2xi64>, tensor<4xi64>, tensor<1xi64>, tensor<2x9xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1xi64>, tensor<2x9xi8>, tensor<3xi64>, tensor<2xi64>, tensor<2xi64>)
  return
}
