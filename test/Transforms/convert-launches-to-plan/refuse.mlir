// What there is no plan for is refused where it was written, by either use of the pass.
// RUN: block-opt %s --convert-launches-to-plan --split-input-file --verify-diagnostics
// RUN: block-opt %s --convert-launches-to-plan=check-only=true --split-input-file --verify-diagnostics

func.func @main(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @below {{no GPU code for 'math.exp'}}
  %y = math.exp %x : tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// -----

func.func @main() -> tensor<2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  // expected-error @below {{no GPU code for 'func.return' of what no kernel makes and no argument is}}
  return %zeros : tensor<2xf32>
}

// -----

gpu.module @kernels {
  llvm.func @some(!llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 2>], schedule = <warps = 1, grid = 1>>}
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected an operand 2 for the device function 'some'}}
  %y = tile.launch @kernels::@some(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

gpu.module @kernels {
  llvm.func @some(!llvm.ptr<1>)
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{no launch plan for @kernels::@some: expected a device function with 'tile.launch', launched without items}}
  %y = tile.launch @kernels::@some(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func private @some(tensor<2xf32>)
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected a device function to launch}}
  %y = tile.launch @some(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

gpu.module @kernels {
  llvm.func @some(!llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>], schedule = <warps = 1, grid = 1>>}
}
func.func @main(%x: tensor<?xf32> {block.input = "x", block.dims = ["n"]}) -> tensor<?xf32> {
  // expected-error @below {{expected 'size_symbols' and 'sizes', as results have dynamic sizes}}
  %y = tile.launch @kernels::@some(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

#less = affine_map<()[s0] -> (s0 - s0 - 5)>
gpu.module @kernels {
  llvm.func @some(!llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>], schedule = <warps = 1, grid = 1>>}
}
func.func @main(%x: tensor<?xf32> {block.input = "x", block.dims = ["n"]}) -> tensor<?xf32> {
  // expected-error @below {{dimension 0 of 'some#0.0': expected a size of at most 256 steps, 24 of them in each other, with numbers from 0 to 2147483647}}
  %y = tile.launch @kernels::@some(%x) {size_symbols = array<i64: 0, 0>, sizes = [[#less]]} : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

#least = affine_map<()[s0] -> (s0 * -4611686018427387904)>
gpu.module @kernels {
  llvm.func @some(!llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>], schedule = <warps = 1, grid = 1>>}
}
func.func @main(%x: tensor<2xf32>) -> tensor<?xf32> {
  // expected-error @below {{no GPU code for a size of more than 63 bits}}
  %y = tile.launch @kernels::@some(%x) {size_symbols = array<i64: 0, 0>, sizes = [[#least]]} : (tensor<2xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?x4xf32> {block.input = "x", block.dims = ["n"]}) -> tensor<8x4xf32> {
  // expected-error @below {{no GPU code for a cast to sizes that are not those of f32 [n, 4]}}
  %y = tensor.cast %x : tensor<?x4xf32> to tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

func.func @main(%x: tensor<?xf32> {block.input = "x", block.dims = ["n"]}) -> tensor<?x?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  // expected-error @below {{no GPU code for a dimension that becomes two of open sizes}}
  %y = tensor.expand_shape %x [[0, 1]] output_shape [%n, %n] : tensor<?xf32> into tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<?xf32> {block.input = "x", block.dims = ["n"]}) -> tensor<?xf32> {
  // expected-error @below {{no GPU code for a gather of an open size that was not divided among the ranks}}
  %y = shard.all_gather %x on @ranks grid_axes = [0] gather_axis = 0 : tensor<?xf32> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<4xi16>) -> tensor<4xi16> {
  // expected-error @below {{no GPU code for 'shard.all_reduce' of i16: expected f32, bf16, f16, i64 or i32}}
  %y = shard.all_reduce %x on @ranks grid_axes = [0] : tensor<4xi16> -> tensor<4xi16>
  return %y : tensor<4xi16>
}

// -----

func.func @main(%x: tensor<4x4xf32>) -> tensor<2x2xf32> {
  // expected-error @below {{no GPU code for a part that is not one of a single dimension at a constant place}}
  %y = tensor.extract_slice %x[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

gpu.module @kernels {
  llvm.func @some(!llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>], schedule = <warps = 1, grid = 1>>}
}
func.func @main(%x: tensor<4xf32>) {
  // expected-error @below {{no GPU code for tensors of type 'i4': expected f64, f32, bf16, f16, i64, i32, i16, i8, ui8 or i1}}
  %y = tile.launch @kernels::@some(%x) : (tensor<4xf32>) -> tensor<4xi4>
  return
}

// -----

// What a kernel takes for constant is a parameter: an input may be written between two runs.
gpu.module @kernels {
  llvm.func @some(!llvm.ptr<1>, !llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0, constant = true>, <kind = pointer, operand = 1>], schedule = <warps = 1, grid = 1>>}
}
// expected-error @below {{no launch plan: kernel 'some': expected a parameter that no launch writes for what it takes for constant, got 'x'}}
func.func @main(%x: tensor<2xf32> {block.input = "x"}) -> tensor<2xf32> {
  %y = tile.launch @kernels::@some(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// And no temporary, which a launch writes.
gpu.module @kernels {
  llvm.func @some(!llvm.ptr<1>, !llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0, constant = true>, <kind = pointer, operand = 1>], schedule = <warps = 1, grid = 1>>}
}
// expected-error @below {{expected a parameter that no launch writes for what it takes for constant, got 'some#0.0'}}
func.func @main(%w: tensor<2xf32> {block.param = "w"}) -> tensor<2xf32> {
  %y = tile.launch @kernels::@some(%w) : (tensor<2xf32>) -> tensor<2xf32>
  %z = tile.launch @kernels::@some(%y) : (tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected the last workspace of 'some', which reports, to be a memref of one i64}}
  llvm.func @some(!llvm.ptr<1>, !llvm.ptr<1>) attributes {tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = pointer, operand = 1>], schedule = <warps = 1, grid = 1>, workspaces = [memref<2xi64>], reports = <checked = logits>>}
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = tile.launch @kernels::@some(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// Numbers of rows are read by the host, so none is started.
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<2x3x8xbf16>, %c: tensor<2x6x2xi64>) -> tensor<2x6x8xbf16> {
  // expected-error @below {{no GPU code for 'block.rows_to_experts' with 'plan.started': expected a collective of whole tensors}}
  %y = block.rows_to_experts %x by %c of 4 on @ranks {plan.started} : tensor<2x3x8xbf16>, tensor<2x6x2xi64> -> tensor<2x6x8xbf16>
  return %y : tensor<2x6x8xbf16>
}
