// Buckets of 8 rows that end at distance 10: static sizes may show less than the end, two choices of sizes must show it.
// RUN: rm -rf %t && split-file %s %t
// RUN: block-opt %t/static.mlir --unbroken-lines --block-raise | FileCheck %s --check-prefix=STATIC
// RUN: block-opt %t/seen.mlir --unbroken-lines --block-raise=dims=tokens | FileCheck %s --check-prefix=SEEN
// RUN: not block-opt %t/unseen.mlir --block-raise=dims=tokens -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNSEEN

// STATIC-LABEL: func.func @main(
// STATIC: block.sdpa %arg0, %arg1, %arg2 relative %arg3
// STATIC-SAME: max_distance = 10
// SEEN-LABEL: func.func @main(
// SEEN: block.sdpa %arg0, %arg1, %arg2 relative %arg3
// SEEN-NOT: score_bias
// UNSEEN: unseen.mlir:1:1: error: has contents that depend on sizes

//--- static.mlir
func.func @main(%q: tensor<1x10x8xf32> {block.input = "q"}, %k: tensor<1x10x8xf32> {block.input = "k"}, %v: tensor<1x10x8xf32> {block.input = "v"}, %table: tensor<8x1xf32> {block.param = "table"}) -> tensor<1x10x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %buckets = "tosa.const"() {values = dense<[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0]]> : tensor<1x100xi32>} : () -> tensor<1x100xi32>
  %rows = tosa.const_shape {values = dense<[1, 8, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %square = tosa.const_shape {values = dense<[1, 10, 10]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.reshape %table, %rows : (tensor<8x1xf32>, !tosa.shape<3>) -> tensor<1x8x1xf32>
  %read = tosa.gather %t, %buckets : (tensor<1x8x1xf32>, tensor<1x100xi32>) -> tensor<1x100x1xf32>
  %bias = tosa.reshape %read, %square : (tensor<1x100x1xf32>, !tosa.shape<3>) -> tensor<1x10x10xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x10x8xf32>) -> tensor<1x8x10xf32>
  %dots = tosa.matmul %q, %kt, %z, %z : (tensor<1x10x8xf32>, tensor<1x8x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x10xf32>
  %s = tosa.add %dots, %bias : (tensor<1x10x10xf32>, tensor<1x10x10xf32>) -> tensor<1x10x10xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x10x10xf32>) -> tensor<1x10x1xf32>
  %d = tosa.sub %s, %m : (tensor<1x10x10xf32>, tensor<1x10x1xf32>) -> tensor<1x10x10xf32>
  %e = tosa.exp %d : (tensor<1x10x10xf32>) -> tensor<1x10x10xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x10x10xf32>) -> tensor<1x10x1xf32>
  %one = tosa.reciprocal %sum : (tensor<1x10x1xf32>) -> tensor<1x10x1xf32>
  %p = tosa.mul %e, %one, %shift : (tensor<1x10x10xf32>, tensor<1x10x1xf32>, tensor<1xi8>) -> tensor<1x10x10xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x10x10xf32>, tensor<1x10x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x8xf32>
  return %o : tensor<1x10x8xf32>
}

//--- seen.mlir
func.func @main(%q: tensor<1x11x8xf32> {block.input = "q"}, %k: tensor<1x11x8xf32> {block.input = "k"}, %v: tensor<1x11x8xf32> {block.input = "v"}, %table: tensor<8x1xf32> {block.param = "table"}) -> tensor<1x11x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %buckets = "tosa.const"() {values = dense<[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 7, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0]]> : tensor<1x121xi32>} : () -> tensor<1x121xi32>
  %rows = tosa.const_shape {values = dense<[1, 8, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %square = tosa.const_shape {values = dense<[1, 11, 11]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.reshape %table, %rows : (tensor<8x1xf32>, !tosa.shape<3>) -> tensor<1x8x1xf32>
  %read = tosa.gather %t, %buckets : (tensor<1x8x1xf32>, tensor<1x121xi32>) -> tensor<1x121x1xf32>
  %bias = tosa.reshape %read, %square : (tensor<1x121x1xf32>, !tosa.shape<3>) -> tensor<1x11x11xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x11x8xf32>) -> tensor<1x8x11xf32>
  %dots = tosa.matmul %q, %kt, %z, %z : (tensor<1x11x8xf32>, tensor<1x8x11xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x11x11xf32>
  %s = tosa.add %dots, %bias : (tensor<1x11x11xf32>, tensor<1x11x11xf32>) -> tensor<1x11x11xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x11x11xf32>) -> tensor<1x11x1xf32>
  %d = tosa.sub %s, %m : (tensor<1x11x11xf32>, tensor<1x11x1xf32>) -> tensor<1x11x11xf32>
  %e = tosa.exp %d : (tensor<1x11x11xf32>) -> tensor<1x11x11xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x11x11xf32>) -> tensor<1x11x1xf32>
  %one = tosa.reciprocal %sum : (tensor<1x11x1xf32>) -> tensor<1x11x1xf32>
  %p = tosa.mul %e, %one, %shift : (tensor<1x11x11xf32>, tensor<1x11x1xf32>, tensor<1xi8>) -> tensor<1x11x11xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x11x11xf32>, tensor<1x11x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x11x8xf32>
  return %o : tensor<1x11x8xf32>
}
func.func @other(%q: tensor<1x12x8xf32> {block.input = "q"}, %k: tensor<1x12x8xf32> {block.input = "k"}, %v: tensor<1x12x8xf32> {block.input = "v"}, %table: tensor<8x1xf32> {block.param = "table"}) -> tensor<1x12x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %buckets = "tosa.const"() {values = dense<[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 7, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 7, 7, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0]]> : tensor<1x144xi32>} : () -> tensor<1x144xi32>
  %rows = tosa.const_shape {values = dense<[1, 8, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %square = tosa.const_shape {values = dense<[1, 12, 12]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.reshape %table, %rows : (tensor<8x1xf32>, !tosa.shape<3>) -> tensor<1x8x1xf32>
  %read = tosa.gather %t, %buckets : (tensor<1x8x1xf32>, tensor<1x144xi32>) -> tensor<1x144x1xf32>
  %bias = tosa.reshape %read, %square : (tensor<1x144x1xf32>, !tosa.shape<3>) -> tensor<1x12x12xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x12x8xf32>) -> tensor<1x8x12xf32>
  %dots = tosa.matmul %q, %kt, %z, %z : (tensor<1x12x8xf32>, tensor<1x8x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x12xf32>
  %s = tosa.add %dots, %bias : (tensor<1x12x12xf32>, tensor<1x12x12xf32>) -> tensor<1x12x12xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x12x12xf32>) -> tensor<1x12x1xf32>
  %d = tosa.sub %s, %m : (tensor<1x12x12xf32>, tensor<1x12x1xf32>) -> tensor<1x12x12xf32>
  %e = tosa.exp %d : (tensor<1x12x12xf32>) -> tensor<1x12x12xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x12x12xf32>) -> tensor<1x12x1xf32>
  %one = tosa.reciprocal %sum : (tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
  %p = tosa.mul %e, %one, %shift : (tensor<1x12x12xf32>, tensor<1x12x1xf32>, tensor<1xi8>) -> tensor<1x12x12xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x12x12xf32>, tensor<1x12x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x8xf32>
  return %o : tensor<1x12x8xf32>
}

//--- unseen.mlir
func.func @main(%q: tensor<1x10x8xf32> {block.input = "q"}, %k: tensor<1x10x8xf32> {block.input = "k"}, %v: tensor<1x10x8xf32> {block.input = "v"}, %table: tensor<8x1xf32> {block.param = "table"}) -> tensor<1x10x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %buckets = "tosa.const"() {values = dense<[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0]]> : tensor<1x100xi32>} : () -> tensor<1x100xi32>
  %rows = tosa.const_shape {values = dense<[1, 8, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %square = tosa.const_shape {values = dense<[1, 10, 10]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.reshape %table, %rows : (tensor<8x1xf32>, !tosa.shape<3>) -> tensor<1x8x1xf32>
  %read = tosa.gather %t, %buckets : (tensor<1x8x1xf32>, tensor<1x100xi32>) -> tensor<1x100x1xf32>
  %bias = tosa.reshape %read, %square : (tensor<1x100x1xf32>, !tosa.shape<3>) -> tensor<1x10x10xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x10x8xf32>) -> tensor<1x8x10xf32>
  %dots = tosa.matmul %q, %kt, %z, %z : (tensor<1x10x8xf32>, tensor<1x8x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x10xf32>
  %s = tosa.add %dots, %bias : (tensor<1x10x10xf32>, tensor<1x10x10xf32>) -> tensor<1x10x10xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x10x10xf32>) -> tensor<1x10x1xf32>
  %d = tosa.sub %s, %m : (tensor<1x10x10xf32>, tensor<1x10x1xf32>) -> tensor<1x10x10xf32>
  %e = tosa.exp %d : (tensor<1x10x10xf32>) -> tensor<1x10x10xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x10x10xf32>) -> tensor<1x10x1xf32>
  %one = tosa.reciprocal %sum : (tensor<1x10x1xf32>) -> tensor<1x10x1xf32>
  %p = tosa.mul %e, %one, %shift : (tensor<1x10x10xf32>, tensor<1x10x1xf32>, tensor<1xi8>) -> tensor<1x10x10xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x10x10xf32>, tensor<1x10x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x8xf32>
  return %o : tensor<1x10x8xf32>
}
func.func @other(%q: tensor<1x12x8xf32> {block.input = "q"}, %k: tensor<1x12x8xf32> {block.input = "k"}, %v: tensor<1x12x8xf32> {block.input = "v"}, %table: tensor<8x1xf32> {block.param = "table"}) -> tensor<1x12x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %buckets = "tosa.const"() {values = dense<[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 0, 7, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0, 7, 7, 7, 7, 6, 5, 4, 4, 3, 2, 1, 0]]> : tensor<1x144xi32>} : () -> tensor<1x144xi32>
  %rows = tosa.const_shape {values = dense<[1, 8, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %square = tosa.const_shape {values = dense<[1, 12, 12]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.reshape %table, %rows : (tensor<8x1xf32>, !tosa.shape<3>) -> tensor<1x8x1xf32>
  %read = tosa.gather %t, %buckets : (tensor<1x8x1xf32>, tensor<1x144xi32>) -> tensor<1x144x1xf32>
  %bias = tosa.reshape %read, %square : (tensor<1x144x1xf32>, !tosa.shape<3>) -> tensor<1x12x12xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<1x12x8xf32>) -> tensor<1x8x12xf32>
  %dots = tosa.matmul %q, %kt, %z, %z : (tensor<1x12x8xf32>, tensor<1x8x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x12xf32>
  %s = tosa.add %dots, %bias : (tensor<1x12x12xf32>, tensor<1x12x12xf32>) -> tensor<1x12x12xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<1x12x12xf32>) -> tensor<1x12x1xf32>
  %d = tosa.sub %s, %m : (tensor<1x12x12xf32>, tensor<1x12x1xf32>) -> tensor<1x12x12xf32>
  %e = tosa.exp %d : (tensor<1x12x12xf32>) -> tensor<1x12x12xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<1x12x12xf32>) -> tensor<1x12x1xf32>
  %one = tosa.reciprocal %sum : (tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
  %p = tosa.mul %e, %one, %shift : (tensor<1x12x12xf32>, tensor<1x12x1xf32>, tensor<1xi8>) -> tensor<1x12x12xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<1x12x12xf32>, tensor<1x12x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x8xf32>
  return %o : tensor<1x12x8xf32>
}
