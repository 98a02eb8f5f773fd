// New rows of caches, where each batch row holds as many as it says, and rows by number. Rings are
// written over; what is moved is not rounded.
// RUN: %python %root/test/Generation/given.py %t.n.safetensors 9,3 "" 4,0,2
// RUN: block-run %s --engine=emulate --chip=sm_80 --dims=past=7,seq=5,kept=3 --inputs=%t.n.safetensors --seed=3 --threads=1 --check-against=reference | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --dims=past=5,seq=5,kept=3 --inputs=%t.n.safetensors --seed=3 --threads=1 --check-against=reference | FileCheck %s
// CHECK: PASS key.0 {{.*}} max_abs 0.00e+00
// CHECK: PASS value.0 {{.*}} max_abs 0.00e+00
// CHECK: PASS rows {{.*}} max_abs 0.00e+00

// Caches of one type share a kernel. Only where the result is not in the cache's own
// memory are other rows than new ones moved.
// RUN: block-opt --unbroken-lines %s --convert-block-kernels-to-tile=chip=sm_90a | FileCheck %s --check-prefix=TILE
// TILE: tile.kernel @cache_append_0(%[[CACHE:.*]]: memref<2x?x40xbf16>, %[[NEW:.*]]: memref<2x?x40xbf16>, %{{.*}}: memref<2xi64>, %[[RESULT:.*]]: memref<2x?x40xbf16>) attributes {{.*}} grid = 132
// TILE: tile.rows
// TILE: tile.load %[[NEW]]
// TILE: %[[FIRST:.*]] = builtin.unrealized_conversion_cast %[[CACHE]]
// TILE: %[[SECOND:.*]] = builtin.unrealized_conversion_cast %[[RESULT]]
// TILE: %[[SAME:.*]] = llvm.icmp "eq" %[[FIRST]], %[[SECOND]]
// TILE: %[[OTHERS:.*]] = arith.select %[[SAME]], %{{.*}}, %{{.*}} : index
// TILE: tile.rows %{{.*}} below %[[OTHERS]] grid
// TILE: tile.load %[[CACHE]]
// TILE-NOT: tile.kernel @cache_append_1
// TILE: tile.kernel @take_rows_0(
// TILE-COUNT-2: tile.launch @kernels::@cache_append_0(
func.func @main(%c: tensor<2x?x40xbf16> {block.input = "past_key.0", block.dims = ["past"]}, %d: tensor<2x?x40xbf16> {block.input = "past_value.0", block.dims = ["past"]}, %x: tensor<2x?x40xbf16> {block.input = "x", block.dims = ["seq"]}, %n: tensor<2xi64> {block.input = "past_lengths"}, %k: tensor<?xi64> {block.input = "logits_to_keep", block.dims = ["kept"]}) -> (tensor<2x?x40xbf16> {block.output = "key.0"}, tensor<2x?x40xbf16> {block.output = "value.0"}, tensor<2x?x40xbf16> {block.output = "rows"}) {
  %0 = block.cache_append %c, %x at %n : (tensor<2x?x40xbf16>, tensor<2x?x40xbf16>, tensor<2xi64>) -> tensor<2x?x40xbf16>
  %1 = block.cache_append %d, %x at %n : (tensor<2x?x40xbf16>, tensor<2x?x40xbf16>, tensor<2xi64>) -> tensor<2x?x40xbf16>
  %2 = block.take_rows %x at %k : (tensor<2x?x40xbf16>, tensor<?xi64>) -> tensor<2x?x40xbf16>
  return %0, %1, %2 : tensor<2x?x40xbf16>, tensor<2x?x40xbf16>, tensor<2x?x40xbf16>
}
