// What cannot be packed, or not be said in a recipe.
// RUN: block-opt %s --split-input-file --block-prepack="recipe=%t.recipe.mlir" -verify-diagnostics

// No folder, no recipe, no output.
// RUN: rm -f %t.out
// RUN: not block-opt %S/doc.mlir --block-prepack="recipe=%t.none/r.mlir" -o %t.out 2>&1 | FileCheck %s
// CHECK: error: {{.*}}none/r.mlir: {{.*}}o such file or directory
// RUN: not ls %t.out

// expected-error @+1 {{expected parameter "w" to be a tensor of static shape, got 'tensor<?xf32>'}}
func.func @main(%x: tensor<1x2x4xf32>, %w: tensor<?xf32> {block.param = "w"}) -> tensor<?xf32> {
  return %w : tensor<?xf32>
}

// -----

// expected-error @+1 {{expected no call of @main, whose parameters change}}
func.func @main(%w: tensor<4xf32> {block.param = "w"}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @twice(%w: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @main(%w) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @main(%w: tensor<4xf32> {block.param = "w"}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
// expected-error @+1 {{expected the name @prepack to be free, or a function that makes every parameter of @main}}
func.func @prepack(%v: tensor<4xf32> {block.param = "v"}) -> (tensor<4xf32> {block.output = "packed.v"}) {
  return %v : tensor<4xf32>
}

// -----

func.func @main(%w: tensor<4xf32> {block.param = "packed.w"}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @prepack(%v: tensor<4xf32> {block.param = "v"}) -> (tensor<4xf32> {block.output = "packed.w"}) {
  // expected-error @+1 {{has no place in a recipe}}
  %w = math.cos %v : tensor<4xf32>
  return %w : tensor<4xf32>
}

// -----

func.func @main(%w: tensor<4xf32> {block.param = "packed.w"}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
// expected-error @+1 {{expected argument 0 of @prepack to be a named parameter of static shape, got 'tensor<4xf32>'}}
func.func @prepack(%v: tensor<4xf32>) -> (tensor<4xf32> {block.output = "packed.w"}) {
  return %v : tensor<4xf32>
}

// -----

func.func @main(%w: tensor<4xf32> {block.param = "packed.w"}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
// expected-error @+1 {{expected result 1 of @prepack to be a named value of parameters}}
func.func @prepack(%v: tensor<4xf32> {block.param = "v"}) -> (tensor<4xf32> {block.output = "packed.w"}, tensor<4xf32>) {
  return %v, %v : tensor<4xf32>, tensor<4xf32>
}
