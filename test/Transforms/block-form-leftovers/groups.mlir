// Which values are stored, and which share a launch.
// RUN: block-opt %s --split-input-file --block-form-leftovers | FileCheck %s

// A softmax: a launch for each of its reductions and one for the rest. The
// exponential is cheaper made twice than stored.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    -> tensor<8x32xf32>
// CHECK:       %[[MAX:.*]] = block.kernel "elements" ({{.*}}) -> tensor<8xf32> {
// CHECK:         arith.maxnumf
// CHECK:       %[[SUM:.*]] = block.kernel "elements" ({{.*}} = %[[MAX]] : tensor<8xf32>) -> tensor<8xf32> {
// CHECK:         math.exp
// CHECK:         arith.addf
// CHECK:       block.kernel "elements" ({{.*}}) -> tensor<8x32xf32> {
// CHECK:         math.exp
// CHECK:         arith.divf
// CHECK-NOT:   block.kernel
// CHECK:       return
func.func @main(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %empty = tensor.empty() : tensor<8x32xf32>
  %result = linalg.softmax dimension(1) ins(%x : tensor<8x32xf32>) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %result : tensor<8x32xf32>
}

// -----

// A product goes on with what is added to it; a function of what it reads is
// stored, for it would be made once per column.
// CHECK-LABEL: func.func @main
// CHECK:       %[[TANH:.*]] = block.kernel "elements" ({{.*}}) -> tensor<4x16xf32> {
// CHECK:         math.tanh
// CHECK:       block.kernel "elements" ({{.*}} = %[[TANH]] : tensor<4x16xf32>{{.*}}) -> tensor<4x24xf32> {
// CHECK:         arith.mulf
// CHECK:         arith.addf
// CHECK:         linalg.yield
// CHECK:         math.absf
// CHECK-NOT:   block.kernel
// CHECK:       return
func.func @main(%x: tensor<4x16xf32>, %w: tensor<16x24xf32>) -> tensor<4x24xf32> {
  %tanh = math.tanh %x : tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x24xf32>) -> tensor<4x24xf32>
  %product = linalg.matmul ins(%tanh, %w : tensor<4x16xf32>, tensor<16x24xf32>) outs(%init : tensor<4x24xf32>) -> tensor<4x24xf32>
  %abs = math.absf %product : tensor<4x24xf32>
  return %abs : tensor<4x24xf32>
}

// -----

// Tables of the same angles are one launch.
// CHECK-LABEL: func.func @main
// CHECK:       block.kernel "elements" (%{{.*}} = %arg0 : tensor<16xi64>, %{{.*}} = %arg1 : tensor<8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
// CHECK:         math.cos
// CHECK:         math.sin
// CHECK-NOT:   block.kernel
// CHECK:       return
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>
#both = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%positions: tensor<16xi64>, %rates: tensor<8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %empty = tensor.empty() : tensor<16x8xf32>
  %angles = linalg.generic {indexing_maps = [#rows, #columns, #both], iterator_types = ["parallel", "parallel"]}
      ins(%positions, %rates : tensor<16xi64>, tensor<8xf32>) outs(%empty : tensor<16x8xf32>) {
  ^bb0(%position: i64, %rate: f32, %out: f32):
    %number = arith.sitofp %position : i64 to f32
    %angle = arith.mulf %number, %rate : f32
    linalg.yield %angle : f32
  } -> tensor<16x8xf32>
  %cos = math.cos %angles : tensor<16x8xf32>
  %sin = math.sin %angles : tensor<16x8xf32>
  return %cos, %sin : tensor<16x8xf32>, tensor<16x8xf32>
}

// -----

// What a block kernel reads and what reads a block kernel stay apart, though
// both have the same indices: one comes before it and one behind.
// CHECK-LABEL: func.func @main
// CHECK:       %[[FIRST:.*]] = block.kernel "elements" ({{.*}}) -> tensor<1x4x8xf32> {
// CHECK:         arith.addf
// CHECK:       %[[ROWS:.*]] = block.kernel "rows" (%{{.*}} = %[[FIRST]]
// CHECK:       %[[LAST:.*]] = block.kernel "elements" (%{{.*}} = %[[ROWS]] : {{.*}}, %{{.*}} = %[[FIRST]] : {{.*}})
// CHECK:         arith.mulf
// CHECK:       return %[[LAST]]
func.func @main(%x: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %sum = arith.addf %x, %x : tensor<1x4x8xf32>
  %rows = block.kernel "rows" (%arg = %sum : tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
    %clamped = block.activation %arg {kind = #block.activation<relu>} : tensor<1x4x8xf32>
    block.yield %clamped : tensor<1x4x8xf32>
  }
  %product = arith.mulf %rows, %sum : tensor<1x4x8xf32>
  return %product : tensor<1x4x8xf32>
}

// -----

// Sizes that are open are asked of what the kernel reads anyway.
// CHECK-LABEL: func.func @main
// CHECK:       block.kernel "elements" (%[[IN:.*]] = %{{.*}} : tensor<?x8xbf16>) -> tensor<?xbf16> {
// CHECK:         tensor.dim %[[IN]]
// CHECK-NOT:   block.kernel
// CHECK:       return
func.func @main(%x: tensor<?x8xbf16>) -> tensor<?xbf16> {
  %zero = arith.constant 0 : index
  %rows = tensor.dim %x, %zero : tensor<?x8xbf16>
  %empty = tensor.empty(%rows) : tensor<?xbf16>
  %none = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%none : bf16) outs(%empty : tensor<?xbf16>) -> tensor<?xbf16>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<?x8xbf16>) outs(%init : tensor<?xbf16>) dimensions = [1]
  return %sum : tensor<?xbf16>
}

// -----

// Another shape for a kernel, or of a kernel's result, is no launch; that of a
// value that is computed is computed.
// CHECK-LABEL: func.func @main
// CHECK:       %[[ROWS:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [1, 4, 8]
// CHECK:       %[[MADE:.*]] = block.kernel "rows" (%{{.*}} = %[[ROWS]]
// CHECK:       %[[FLAT:.*]] = tensor.collapse_shape %[[MADE]]
// CHECK:       %[[SUM:.*]] = block.kernel "elements" (%{{.*}} = %[[MADE]] : tensor<1x4x8xf32>) -> tensor<32xf32> {
// CHECK:         arith.addf
// CHECK:         tensor.collapse_shape
// CHECK:       return %[[FLAT]], %[[SUM]]
func.func @main(%x: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
  %expanded = tensor.expand_shape %x [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  %rows = block.kernel "rows" (%arg = %expanded : tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
    %activated = block.activation %arg {kind = #block.activation<relu>} : tensor<1x4x8xf32>
    block.yield %activated : tensor<1x4x8xf32>
  }
  %flat = tensor.collapse_shape %rows [[0, 1, 2]] : tensor<1x4x8xf32> into tensor<32xf32>
  %double = arith.addf %rows, %rows : tensor<1x4x8xf32>
  %sum = tensor.collapse_shape %double [[0, 1, 2]] : tensor<1x4x8xf32> into tensor<32xf32>
  return %flat, %sum : tensor<32xf32>, tensor<32xf32>
}
