// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [TOEXPERTS-1] a grid
func.func @f(%x: tensor<2x3x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{'block.rows_to_experts' op expected @ranks to be a 'shard.grid'}}
  %y = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x3x8xf32>, tensor<2x6x2xi64> -> tensor<2x6x8xf32>
  return
}

// -----

// [TOEXPERTS-1] whose ranks divide the experts
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x3x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{'block.rows_to_experts' op expected ranks to be a positive divisor of the number of experts, 5, got 2}}
  %y = block.rows_to_experts %x by %c of 5 on @ranks : tensor<2x3x8xf32>, tensor<2x6x2xi64> -> tensor<2x6x8xf32>
  return
}

// -----

// [TOEXPERTS-2] choices of each sequence
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x3x8xf32>, %c: tensor<1x6x2xi64>) {
  // expected-error @+1 {{expected dimension 0 of choices to be 2 (sequences of the input), got 1}}
  %y = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x3x8xf32>, tensor<1x6x2xi64> -> tensor<2x6x8xf32>
  return
}

// -----

// [TOEXPERTS-2] of the rows of all ranks
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x3x8xf32>, %c: tensor<2x5x2xi64>) {
  // expected-error @+1 {{expected dimension 1 of choices to be 6 (rows of all ranks), got 5}}
  %y = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x3x8xf32>, tensor<2x5x2xi64> -> tensor<2x5x8xf32>
  return
}

// -----

// [TOEXPERTS-3] the rows of the choices
shard.grid @ranks(shape = 2)
// expected-note @+1 {{choices comes from here}}
func.func @f(%x: tensor<2x3x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{expected result to have the rows of choices, 'tensor<2x6x2xi64>', got 'tensor<2x3x8xf32>'}}
  %y = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x3x8xf32>, tensor<2x6x2xi64> -> tensor<2x3x8xf32>
  return
}

// -----

// [TOEXPERTS-3] as wide as the input
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x?x8xf32>, %c: tensor<2x?x2xi64>) {
  // expected-error @+1 {{expected dimension 2 of result to be 8 (width of the input), got 9}}
  %y = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x?x8xf32>, tensor<2x?x2xi64> -> tensor<2x?x9xf32>
  return
}

// -----

// [FROMEXPERTS-1] a grid whose ranks divide the experts
shard.grid @ranks(shape = 3)
func.func @f(%x: tensor<2x6x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{'block.rows_from_experts' op expected ranks to be a positive divisor of the number of experts, 4, got 3}}
  %y = block.rows_from_experts %x by %c of 4 on @ranks : tensor<2x6x8xf32>, tensor<2x6x2xi64> -> tensor<2x2x24xf32>
  return
}

// -----

// [FROMEXPERTS-2] choices of the input's rows
shard.grid @ranks(shape = 2)
// expected-note @+1 {{input comes from here}}
func.func @f(%x: tensor<2x6x8xf32>, %c: tensor<2x4x2xi64>) {
  // expected-error @+1 {{expected choices to have the rows of input, 'tensor<2x6x8xf32>', got 'tensor<2x4x2xi64>'}}
  %y = block.rows_from_experts %x by %c of 4 on @ranks : tensor<2x6x8xf32>, tensor<2x4x2xi64> -> tensor<2x3x16xf32>
  return
}

// -----

// [FROMEXPERTS-3] a share of the rows
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x6x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{expected dimension 1 of result to be a share of 6 rows of the input, got 4 on 2 ranks}}
  %y = block.rows_from_experts %x by %c of 4 on @ranks : tensor<2x6x8xf32>, tensor<2x6x2xi64> -> tensor<2x4x16xf32>
  return
}

// -----

// [FROMEXPERTS-3] of each sequence
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x6x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{expected dimension 0 of result to be 2 (sequences of the input), got 1}}
  %y = block.rows_from_experts %x by %c of 4 on @ranks : tensor<2x6x8xf32>, tensor<2x6x2xi64> -> tensor<1x3x16xf32>
  return
}

// -----

// [FROMEXPERTS-3] and a part for each rank
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x6x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{expected dimension 2 of result to be 16 (width of the input for each rank), got 8}}
  %y = block.rows_from_experts %x by %c of 4 on @ranks : tensor<2x6x8xf32>, tensor<2x6x2xi64> -> tensor<2x3x8xf32>
  return
}

// -----

// [TOEXPERTS-1] one expert or more
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x3x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{'block.rows_to_experts' op expected at least one expert, got 0}}
  %y = block.rows_to_experts %x by %c of 0 on @ranks : tensor<2x3x8xf32>, tensor<2x6x2xi64> -> tensor<2x6x8xf32>
  return
}

// -----

// [FROMEXPERTS-1] no negative number, which ranks divide
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x6x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{'block.rows_from_experts' op expected at least one expert, got -4}}
  %y = block.rows_from_experts %x by %c of -4 on @ranks : tensor<2x6x8xf32>, tensor<2x6x2xi64> -> tensor<2x3x16xf32>
  return
}

// -----

// [TOEXPERTS-1] ranks of a known number
shard.grid @ranks(shape = ?)
func.func @f(%x: tensor<2x3x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{'block.rows_to_experts' op expected @ranks of known ranks}}
  %y = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x3x8xf32>, tensor<2x6x2xi64> -> tensor<2x6x8xf32>
  return
}

// -----

// [TOEXPERTS-3] of the input's type
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x3x8xf32>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{'block.rows_to_experts' op expected a result of the input's elements, 'f32', got 'bf16'}}
  %y = block.rows_to_experts %x by %c of 4 on @ranks : tensor<2x3x8xf32>, tensor<2x6x2xi64> -> tensor<2x6x8xbf16>
  return
}

// -----

// [FROMEXPERTS-3] of the input's type
shard.grid @ranks(shape = 2)
func.func @f(%x: tensor<2x6x8xbf16>, %c: tensor<2x6x2xi64>) {
  // expected-error @+1 {{'block.rows_from_experts' op expected a result of the input's elements, 'bf16', got 'f32'}}
  %y = block.rows_from_experts %x by %c of 4 on @ranks : tensor<2x6x8xbf16>, tensor<2x6x2xi64> -> tensor<2x3x16xf32>
  return
}
