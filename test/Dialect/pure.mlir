// Ops have no side effects: what nobody reads goes, what is said twice is said
// once, and functions of them can be inlined into a layer.
// RUN: block-opt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=DEAD
// RUN: block-opt %s --split-input-file --cse | FileCheck %s --check-prefix=CSE
// RUN: block-opt %s --split-input-file --inline | FileCheck %s --check-prefix=INLINE

// DEAD-LABEL: func.func @dead(
// DEAD-NEXT: return
func.func @dead(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) {
  %0 = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %1 = block.attention %x q %w k %w {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    block.yield %1 : tensor<2x5x8xf32>
  }
  return
}

// -----

// CSE-LABEL: func.func @twice(
// CSE: %[[Y:.*]] = block.linear
// CSE-NOT: block.linear
// CSE: block.gate %[[Y]], %[[Y]]
func.func @twice(%x: tensor<2x5x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %1 = block.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
  %2 = block.gate %0, %1 {kind = #block.activation<silu>} : tensor<2x5x8xf32>
  return %2 : tensor<2x5x8xf32>
}

// -----

// INLINE-LABEL: func.func @caller(
// INLINE-NOT: call
// INLINE: block.scale %{{.*}} {factor = 2.0}
func.func @caller(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    %1 = func.call @double(%x) : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    block.yield %1 : tensor<2x5x8xf32>
  }
  return %0 : tensor<2x5x8xf32>
}
func.func private @double(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = block.scale %x {factor = 2.0 : f64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}
