// A token that is put before the data is data from there on: the walk of a parameter ends there, however many ways lead on.
// RUN: block-opt %s --block-report -o /dev/null 2>&1 | FileCheck %s
// CHECK: total  16
// CHECK: other  4 
func.func @main(%x: tensor<1x3x4xf32> {block.input = "x"}, %token: tensor<1x1x4xf32> {block.param = "token"}, %w: tensor<3x4xf32> {block.param = "w"})
    -> (tensor<1x4x3xf32> {block.output = "y"}) {
  %h0 = tensor.concat dim(1) %token, %x : (tensor<1x1x4xf32>, tensor<1x3x4xf32>) -> tensor<1x4x4xf32>
  %h1 = arith.addf %h0, %h0 : tensor<1x4x4xf32>
  %h2 = arith.addf %h1, %h1 : tensor<1x4x4xf32>
  %h3 = arith.addf %h2, %h2 : tensor<1x4x4xf32>
  %h4 = arith.addf %h3, %h3 : tensor<1x4x4xf32>
  %h5 = arith.addf %h4, %h4 : tensor<1x4x4xf32>
  %h6 = arith.addf %h5, %h5 : tensor<1x4x4xf32>
  %h7 = arith.addf %h6, %h6 : tensor<1x4x4xf32>
  %h8 = arith.addf %h7, %h7 : tensor<1x4x4xf32>
  %h9 = arith.addf %h8, %h8 : tensor<1x4x4xf32>
  %h10 = arith.addf %h9, %h9 : tensor<1x4x4xf32>
  %h11 = arith.addf %h10, %h10 : tensor<1x4x4xf32>
  %h12 = arith.addf %h11, %h11 : tensor<1x4x4xf32>
  %h13 = arith.addf %h12, %h12 : tensor<1x4x4xf32>
  %h14 = arith.addf %h13, %h13 : tensor<1x4x4xf32>
  %h15 = arith.addf %h14, %h14 : tensor<1x4x4xf32>
  %h16 = arith.addf %h15, %h15 : tensor<1x4x4xf32>
  %h17 = arith.addf %h16, %h16 : tensor<1x4x4xf32>
  %h18 = arith.addf %h17, %h17 : tensor<1x4x4xf32>
  %h19 = arith.addf %h18, %h18 : tensor<1x4x4xf32>
  %h20 = arith.addf %h19, %h19 : tensor<1x4x4xf32>
  %h21 = arith.addf %h20, %h20 : tensor<1x4x4xf32>
  %h22 = arith.addf %h21, %h21 : tensor<1x4x4xf32>
  %h23 = arith.addf %h22, %h22 : tensor<1x4x4xf32>
  %h24 = arith.addf %h23, %h23 : tensor<1x4x4xf32>
  %h25 = arith.addf %h24, %h24 : tensor<1x4x4xf32>
  %h26 = arith.addf %h25, %h25 : tensor<1x4x4xf32>
  %h27 = arith.addf %h26, %h26 : tensor<1x4x4xf32>
  %h28 = arith.addf %h27, %h27 : tensor<1x4x4xf32>
  %h29 = arith.addf %h28, %h28 : tensor<1x4x4xf32>
  %h30 = arith.addf %h29, %h29 : tensor<1x4x4xf32>
  %h31 = arith.addf %h30, %h30 : tensor<1x4x4xf32>
  %h32 = arith.addf %h31, %h31 : tensor<1x4x4xf32>
  %h33 = arith.addf %h32, %h32 : tensor<1x4x4xf32>
  %h34 = arith.addf %h33, %h33 : tensor<1x4x4xf32>
  %h35 = arith.addf %h34, %h34 : tensor<1x4x4xf32>
  %h36 = arith.addf %h35, %h35 : tensor<1x4x4xf32>
  %h37 = arith.addf %h36, %h36 : tensor<1x4x4xf32>
  %h38 = arith.addf %h37, %h37 : tensor<1x4x4xf32>
  %h39 = arith.addf %h38, %h38 : tensor<1x4x4xf32>
  %h40 = arith.addf %h39, %h39 : tensor<1x4x4xf32>
  %h41 = arith.addf %h40, %h40 : tensor<1x4x4xf32>
  %h42 = arith.addf %h41, %h41 : tensor<1x4x4xf32>
  %h43 = arith.addf %h42, %h42 : tensor<1x4x4xf32>
  %h44 = arith.addf %h43, %h43 : tensor<1x4x4xf32>
  %h45 = arith.addf %h44, %h44 : tensor<1x4x4xf32>
  %h46 = arith.addf %h45, %h45 : tensor<1x4x4xf32>
  %h47 = arith.addf %h46, %h46 : tensor<1x4x4xf32>
  %h48 = arith.addf %h47, %h47 : tensor<1x4x4xf32>
  %y = block.linear %h48, %w : (tensor<1x4x4xf32>, tensor<3x4xf32>) -> tensor<1x4x3xf32>
  return %y : tensor<1x4x3xf32>
}
