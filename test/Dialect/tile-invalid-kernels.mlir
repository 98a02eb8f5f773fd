// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [KERNEL-3] memrefs
gpu.module @kernels {
  // expected-error @+1 {{expected argument 1 to be a memref without layout, got 'index'}}
  tile.kernel @f(%a: memref<8xf32>, %b: index) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}

// -----

// [KERNEL-3] no layout
gpu.module @kernels {
  // expected-error @+1 {{expected argument 0 to be a memref without layout, got 'memref<8x8xf32, strided<[16, 1]>>'}}
  tile.kernel @f(%a: memref<8x8xf32, strided<[16, 1]>>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}

// -----

// [KERNEL-3] no results
gpu.module @kernels {
  // expected-error @+1 {{expected no results, got 1}}
  tile.kernel @f(%a: memref<8xf32>) -> f32 attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}

// -----

// [KERNEL-4] a number of outputs
gpu.module @kernels {
  // expected-error @+1 {{expected at most as many outputs and workspaces as arguments, got -1 and 0 of 1}}
  tile.kernel @f(%a: memref<8xf32>) attributes {outputs = -1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}

// -----

// [KERNEL-4] outputs among the arguments
gpu.module @kernels {
  // expected-error @+1 {{expected at most as many outputs and workspaces as arguments, got 2 and 0 of 1}}
  tile.kernel @f(%a: memref<8xf32>) attributes {outputs = 2 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}

// -----

// [LAUNCH-1] a kernel of that name
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xf32>, %b: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}
func.func @host(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected @kernels::@g to be a kernel, found nothing}}
  %0 = tile.launch @kernels::@g(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// [LAUNCH-1] as many operands
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xf32>, %b: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}
func.func @host(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 operands and 1 results, got 2 and 1}}
  %0 = tile.launch @kernels::@f(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// [LAUNCH-1] of the shapes
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xf32>, %b: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}
func.func @host(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected tensor 0 to be like 'memref<8xf32>', got 'tensor<4xf32>'}}
  %0 = tile.launch @kernels::@f(%y) : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// [LAUNCH-1] and types
gpu.module @kernels {
  tile.kernel @f(%a: memref<8xf32>, %b: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}
func.func @host(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected tensor 1 to be like 'memref<8xf32>', got 'tensor<8xbf16>'}}
  %0 = tile.launch @kernels::@f(%x) : (tensor<8xf32>) -> tensor<8xbf16>
  return
}

// -----

// [LAUNCH-2] a dimension that the operand has not
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'size_symbols' to be pairs of an operand and one of its dimensions, got 0, 1}}
  %0 = tile.launch @kernels::@f(%x) {size_symbols = array<i64: 0, 1>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-2] half of a pair
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'size_symbols' to be pairs of an operand and one of its dimensions, got 0}}
  %0 = tile.launch @kernels::@f(%x) {size_symbols = array<i64: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-4] a number that says when
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'few_sizes' and a positive 'most' together, and both with 'few', got [0, 0] and no 'most'}}
  %0 = tile.launch @kernels::@f(%x) {few = @kernels::@f, few_sizes = array<i64: 0, 0>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-4] a positive one
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'few_sizes' and a positive 'most' together, and both with 'few', got [0, 0] and 'most' of 0}}
  %0 = tile.launch @kernels::@f(%x) {few = @kernels::@f, few_sizes = array<i64: 0, 0>, most = 0 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-4] sizes that there are
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'few_sizes' to be pairs of an operand and one of its dimensions, got 1, 0}}
  %0 = tile.launch @kernels::@f(%x) {few = @kernels::@f, few_sizes = array<i64: 1, 0>, most = 8 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-5] an operand of the result's type
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'in_place' to be pairs of a result and an operand of its type, each in one pair, got 0, 0}}
  %0 = tile.launch @kernels::@f(%x) {in_place = array<i64: 0, 0>} : (tensor<?xf32>) -> tensor<8xf32>
  return
}

// -----

// [LAUNCH-5] half of a pair
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'in_place' to be pairs of a result and an operand of its type, each in one pair, got 0}}
  %0 = tile.launch @kernels::@f(%x) {in_place = array<i64: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-5] an operand for each result
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'in_place' to be pairs of a result and an operand of its type, each in one pair, got 0, 0, 1, 0}}
  %0:2 = tile.launch @kernels::@f(%x) {in_place = array<i64: 0, 0, 1, 0>} : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return
}

// -----

// [LAUNCH-5] a result for each operand
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'in_place' to be pairs of a result and an operand of its type, each in one pair, got 0, 0, 0, 1}}
  %0 = tile.launch @kernels::@f(%x, %x) {in_place = array<i64: 0, 0, 0, 1>} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-4] a kernel of the same tensors
gpu.module @kernels {
  tile.kernel @f(%a: memref<?xf32>, %b: memref<?xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
  tile.kernel @g(%a: memref<8xf32>, %b: memref<8xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected tensor 0 to be like 'memref<8xf32>', got 'tensor<?xf32>'}}
  %0 = tile.launch @kernels::@f(%x) {few = @kernels::@g, few_sizes = array<i64: 0, 0>, most = 8 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-3] a list for each result
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'sizes' to have a list for each of 1 results, got 0}}
  %0 = tile.launch @kernels::@f(%x) {size_symbols = array<i64: 0, 0>, sizes = []} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [LAUNCH-3] a map for each dimension
func.func @host(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 'sizes' to have a map of 1 symbols to one size for dimension 0 of result 0}}
  %0 = tile.launch @kernels::@f(%x) {size_symbols = array<i64: 0, 0>, sizes = [[affine_map<() -> (4)>]]} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// [DIM-1] a dimension that is there
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a dimension below 2, got 2}}
    %d = tile.dim %a, 2 : memref<8x64xf32>
    tile.return
  }
}

// -----

// [DIM-1] not before the first
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected a dimension below 2, got -1}}
    %d = tile.dim %a, -1 : memref<8x64xf32>
    tile.return
  }
}

// -----

// [TABLE-1] one shape
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected values of the shape and type of 'memref<3xf32>'}}
    %t = tile.table dense<1.0> : tensor<2xf32> : memref<3xf32>
    tile.return
  }
}

// -----

// [TABLE-1] one element type
gpu.module @kernels {
  tile.kernel @f(%a: memref<8x64xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    // expected-error @+1 {{expected values of the shape and type of 'memref<2xbf16>'}}
    %t = tile.table dense<1.0> : tensor<2xf32> : memref<2xbf16>
    tile.return
  }
}

// -----

// [KERNEL-6] no word for reports
gpu.module @kernels {
  // expected-error @+1 {{expected the last workspace of a kernel that reports to be a memref of one i64, got 'none'}}
  tile.kernel @f(%x: memref<8xf32>, %y: memref<1xi64>) attributes {outputs = 1 : i64, reports = #tile.reports<checked = logits>, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}

// -----

// [KERNEL-6] a word of two
gpu.module @kernels {
  // expected-error @+1 {{expected the last workspace of a kernel that reports to be a memref of one i64, got 'memref<2xi64>'}}
  tile.kernel @f(%x: memref<8xf32>, %y: memref<2xi64>) attributes {outputs = 1 : i64, workspaces = 1 : i64, reports = #tile.reports<checked = logits>, schedule = #tile.schedule<warps = 4, grid = 1>} {
    tile.return
  }
}
