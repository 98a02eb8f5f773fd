// A function that launches becomes the plan that launchers follow: sizes of results in
// those that callers choose, each there once, views without memory of their own,
// workspaces that launches of a kernel share, and results that may be anything.
// RUN: block-opt %s --convert-launches-to-plan | FileCheck %s
// CHECK-DAG:  #[[DOUBLE:.*]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-DAG:  #[[PICKED:.*]] = affine_map<()[s0] -> (s0 ceildiv 2)>
// CHECK:      plan.program @main {
// CHECK-NEXT:   %n = plan.size "n"
// CHECK-NEXT:   %x = plan.tensor "x" input 0 : i1 [%n, 16]
// CHECK-NEXT:   %t = plan.tensor "t" parameter 1 : i1 [4, 8]
// CHECK-NEXT:   %view.2 = plan.view "view#2" of %x : [%n, 2, 8]
// CHECK-NEXT:   %[[TWICE:.*]] = affine.apply #[[DOUBLE]]()[%n]
// CHECK-NEXT:   %view.3 = plan.view "view#3" of %x : [%[[TWICE]], 8]
// CHECK-NEXT:   %pick.0.0 = plan.tensor "pick#0.0" temporary : i1 [%n, 8]
// CHECK-NEXT:   %pick.workspace0 = plan.tensor "pick.workspace0" workspace : i32 [4]
// CHECK-NEXT:   %[[HALF:.*]] = affine.apply #[[PICKED]]()[%n]
// CHECK-NEXT:   %pick.1.0 = plan.tensor "pick#1.0" temporary : i1 [%[[HALF]], 8]
// CHECK-NEXT:   %pick.2.0 = plan.tensor "pick#2.0" temporary : i1 [2, 8]
// CHECK-NEXT:   plan.run {
// CHECK-NEXT:     plan.launch @kernels::@pick(%view.3) -> (%pick.0.0, %pick.workspace0)
// CHECK-NEXT:     plan.launch @kernels::@pick(%pick.0.0) -> (%pick.1.0, %pick.workspace0) layer 5
// CHECK-NEXT:     plan.launch @kernels::@pick(%t) -> (%pick.2.0, %pick.workspace0)
// CHECK-NEXT:     plan.return %pick.1.0, %pick.1.0, %view.2, %t, %pick.2.0
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NOT:  func.func @main

// With check-only it stays as it is.
// RUN: block-opt %s --convert-launches-to-plan=check-only=true | FileCheck %s --check-prefix=ONLY --implicit-check-not=plan.
// ONLY: func.func @main
// ONLY: tile.launch @kernels::@pick
#size = affine_map<()[s0, s1] -> (s0 ceildiv 2)>
#same = affine_map<()[s0, s1] -> (s1)>
module {
  gpu.module @kernels {
    llvm.func @pick(!llvm.ptr<1>, !llvm.ptr<1>, !llvm.ptr<1>, i32) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = pointer, operand = 1>, <kind = pointer, operand = 2>, <kind = dim, operand = 1>], schedule = <warps = 1, grid = 1>, workspaces = [memref<4xi32>]>}
  }
  func.func @main(%x: tensor<?x16xi1> {block.input = "x", block.dims = ["n"]}, %t: tensor<4x8xi1> {block.param = "t"})
      -> (tensor<?x8xi1> {block.output = "a"}, tensor<?x?xi1> {block.output = "b"}, tensor<?x2x8xi1> {block.output = "c"}, tensor<4x8xi1> {block.output = "d"}, tensor<2x8xi1> {block.output = "e"}) {
    %zero = arith.constant 0 : index
    %n = tensor.dim %x, %zero : tensor<?x16xi1>
    %wide = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 2, 8] : tensor<?x16xi1> into tensor<?x2x8xi1>
    %rows = tensor.collapse_shape %wide [[0, 1], [2]] : tensor<?x2x8xi1> into tensor<?x8xi1>
    %p = tile.launch @kernels::@pick(%rows) {size_symbols = array<i64: 0, 0, 0, 1>, sizes = [[#size, #same]]} : (tensor<?x8xi1>) -> tensor<?x8xi1>
    %l = block.layer "l" at 5 -> tensor<?x8xi1> {
      %q = tile.launch @kernels::@pick(%p) {size_symbols = array<i64: 0, 0, 0, 1>, sizes = [[#size, #same]]} : (tensor<?x8xi1>) -> tensor<?x8xi1>
      block.yield %q : tensor<?x8xi1>
    }
    %open = tensor.cast %l : tensor<?x8xi1> to tensor<?x?xi1>
    %last = tile.launch @kernels::@pick(%t) : (tensor<4x8xi1>) -> tensor<2x8xi1>
    return %l, %open, %wide, %t, %last : tensor<?x8xi1>, tensor<?x?xi1>, tensor<?x2x8xi1>, tensor<4x8xi1>, tensor<2x8xi1>
  }
}
