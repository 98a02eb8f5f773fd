// Every op of the plan dialect in text, in generic form and in bytecode.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s
// Nothing of a program is dead: an argument that no launch reads is still one.
// RUN: block-opt %s --canonicalize --cse | FileCheck %s

// CHECK: plan.program @main {
// CHECK-NEXT: %batch = plan.size "batch"
// CHECK-NEXT: %0 = plan.share %batch of 2
// CHECK-NEXT: %x = plan.tensor "x" input 0 : bf16 [%batch, 4]
// CHECK-NEXT: %w = plan.tensor "w" parameter 1 : f32 [4, 4]
// CHECK-NEXT: %unused = plan.tensor "unused" input 2 : i1 []
// CHECK-NEXT: %packed = plan.tensor "packed" packed : f32 [1, 4, 4]
// CHECK-NEXT: %t.0 = plan.tensor "t#0" temporary : f32 [%0, 4]
// CHECK-NEXT: %y = plan.tensor "y" temporary : f32 [%0, 4]
// CHECK-NEXT: plan.prepack {
// CHECK-NEXT: plan.launch @kernels::@pack(%w) -> (%packed) dims [] items 4 x [] x [] by 1
// CHECK-NEXT: }
// CHECK-NEXT: plan.run {
// CHECK-NEXT: plan.launch @kernels::@linear(%x, %packed) -> (%t.0) dims [%batch, 4] items 2 x [4] x [%0] by 6 grain 8 scratch 4096
// CHECK-NEXT: plan.launch @kernels::@norm(%t.0) -> (%y) dims [%0, 1] items 1 x [] x [%0, 1] by 1 rows [0, 1] sequences in_place [1, 0]
// CHECK-NEXT: plan.return %y
// CHECK-NEXT: }
// CHECK-NEXT: }
plan.program @main {
  %batch = plan.size "batch"
  %half = plan.share %batch of 2
  %x = plan.tensor "x" input 0 : bf16 [%batch, 4]
  %w = plan.tensor "w" parameter 1 : f32 [4, 4]
  %unused = plan.tensor "unused" input 2 : i1 []
  %packed = plan.tensor "packed" packed : f32 [1, 4, 4]
  %t = plan.tensor "t#0" temporary : f32 [%half, 4]
  %y = plan.tensor "y" temporary : f32 [%half, 4]
  plan.prepack {
    plan.launch @kernels::@pack(%w) -> (%packed) dims [] items 4 x [] x [] by 1
  }
  plan.run {
    plan.launch @kernels::@linear(%x, %packed) -> (%t) dims [%batch, 4] items 2 x [4] x [%half] by 6 grain 8 scratch 4096
    plan.launch @kernels::@norm(%t) -> (%y) dims [%half, 1] items 1 x [] x [%half, 1] by 1 rows [0, 1] sequences in_place [1, 0]
    plan.return %y
  }
}

// A program without weights has nothing to do beforehand.
// CHECK: plan.program @copy {
// CHECK-NOT: plan.prepack
// CHECK: plan.run {
plan.program @copy {
  %x = plan.tensor "x" input 0 : ui8 [4]
  %y = plan.tensor "y" temporary : ui8 [4]
  plan.run {
    plan.launch @kernels::@norm(%x) -> (%y) dims [] items 1 x [] x [] by 1
    plan.return %y
  }
}

// Device kernels say themselves how they are launched; ranks wait for each other.
// CHECK: plan.program @device {
// CHECK-NEXT: %n = plan.size "n"
// CHECK-NEXT: %x = plan.tensor "x" input 0 : f32 [%n, 8]
// CHECK-NEXT: %0 = affine.apply #map()[%n]
// CHECK-NEXT: %1 = plan.share %0 of 2
// CHECK-NEXT: %y = plan.tensor "y" temporary : f32 [%0, 8]
// CHECK-NEXT: %w.0 = plan.tensor "w#0" workspace : i32 [4]
// CHECK-NEXT: %view.1 = plan.view "view#1" of %y : [%0, 2, 4]
// CHECK-NEXT: %own = plan.tensor "own" temporary : f32 [%1, 2, 4]
// CHECK-NEXT: %whole = plan.tensor "whole" temporary : f32 [%0, 2, 4]
// CHECK-NEXT: %room = plan.tensor "room" temporary : f32 [%0, 2, 4]
// CHECK-NEXT: %some = plan.tensor "some" temporary : f32 [%0, 1, 4]
// CHECK-NEXT: %z = plan.tensor "z" temporary : f32 [%n, 8]
// CHECK-NEXT: plan.run {
// CHECK-NEXT: plan.launch @kernels::@norm(%x) -> (%y, %w.0) layer 3
// CHECK-NEXT: plan.exchange reduce_scatter(%view.1) -> (%own) dim 0 layer 3 starts
// CHECK-NEXT: plan.launch @kernels::@norm(%x) -> (%z, %w.0) layer 3
// CHECK-NEXT: plan.exchange reduce_scatter(%view.1) -> (%own) dim 0 layer 3 awaits
// CHECK-NEXT: plan.exchange all_gather(%own) -> (%whole, %room) dim 0
// CHECK-NEXT: plan.exchange take(%whole) -> (%some) dim 1 at 1
// CHECK-NEXT: plan.return %some, %view.1, %x, %x
// CHECK-NEXT: }
plan.program @device {
  %n = plan.size "n"
  %x = plan.tensor "x" input 0 : f32 [%n, 8]
  %half = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%n]
  %share = plan.share %half of 2
  %y = plan.tensor "y" temporary : f32 [%half, 8]
  %w = plan.tensor "w#0" workspace : i32 [4]
  %view = plan.view "view#1" of %y : [%half, 2, 4]
  %own = plan.tensor "own" temporary : f32 [%share, 2, 4]
  %whole = plan.tensor "whole" temporary : f32 [%half, 2, 4]
  %room = plan.tensor "room" temporary : f32 [%half, 2, 4]
  %some = plan.tensor "some" temporary : f32 [%half, 1, 4]
  %z = plan.tensor "z" temporary : f32 [%n, 8]
  plan.run {
    plan.launch @kernels::@norm(%x) -> (%y, %w) layer 3
    plan.exchange reduce_scatter(%view) -> (%own) dim 0 layer 3 starts
    plan.launch @kernels::@norm(%x) -> (%z, %w) layer 3
    plan.exchange reduce_scatter(%view) -> (%own) dim 0 layer 3 awaits
    plan.exchange all_gather(%own) -> (%whole, %room) dim 0
    plan.exchange take(%whole) -> (%some) dim 1 at 1
    plan.return %some, %view, %x, %x
  }
}

module @kernels {
  func.func private @pack(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  func.func private @linear(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  llvm.func @norm(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
}
