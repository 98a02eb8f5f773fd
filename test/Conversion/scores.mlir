// Scores of attention take the same way on the GPU and on the CPU: the same steps, in the same order.
// RUN: block-opt %s --convert-block-kernels-to-tile="chip=sm_80" | FileCheck %s --check-prefix=TILES
// RUN: block-opt %s --block-to-cpu=cpu=x86-64-v4 | FileCheck %s --check-prefix=LANES

// Minus the slope times the distance; keys behind a causal query have no weight, so it is a difference.
// TILES: %[[SLOPE:.*]] = tile.load %{{.*}} : memref<2x1xf32> to f32
// TILES: %[[BUCKETS:.*]] = tile.table dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 6, 6, 6, 7, 7, 7]>
// TILES: tile.load %[[BUCKETS]]
// TILES: %[[ENTRY:.*]] = tile.load %arg1[
// TILES-NEXT: arith.subi
// TILES-NEXT: arith.index_cast
// TILES-NEXT: %[[DISTANCE:.*]] = arith.sitofp
// TILES: %[[ALIBI:.*]] = arith.mulf %[[SLOPE]], %[[DISTANCE]]
// All that is added is one number.
// TILES: %[[BIAS:.*]] = arith.addf %[[ALIBI]], %[[ENTRY]]
// TILES: %[[SCALED:.*]] = arith.mulf
// A soft cap divides by its limit, which is a product with a constant.
// TILES: %[[LIMIT:.*]] = arith.constant 3.000000e+00
// TILES: %[[INVERSE:.*]] = arith.constant 0.333333343
// TILES: %[[RATIO:.*]] = arith.mulf %[[SCALED]], %[[INVERSE]]
// TILES: %[[CURVE:.*]] = math.tanh %[[RATIO]]
// TILES: %[[CAPPED:.*]] = arith.mulf %[[CURVE]], %[[LIMIT]]
// TILES: arith.addf %[[CAPPED]], %[[BIAS]]
// Keys are hidden by where those end that the query sees.
// TILES: tile.map
// TILES: arith.sitofp
// TILES: math.tanh
// TILES: %[[SCORE:.*]] = arith.addf
// TILES: %[[FROM:.*]] = arith.cmpi sge
// TILES: %[[BELOW:.*]] = arith.cmpi slt
// TILES: %[[SEES:.*]] = arith.andi %[[FROM]], %[[BELOW]]
// TILES: arith.select %[[SEES]], %[[SCORE]],

// LANES-DAG: llvm.mlir.global internal constant @table_{{.*}}(dense<[6.250000e-02, 3.906250e-03]>
// LANES-DAG: llvm.mlir.global internal constant @table_{{.*}}(dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 6, 6, 6, 7, 7, 7]>
// LANES: llvm.func @sdpa_0(
// LANES-DAG: %[[LIMIT:.*]] = llvm.mlir.constant(dense<3.000000e+00>
// LANES: llvm.sub {{.*}} : vector<16xi32>
// LANES-NEXT: %[[DISTANCE:.*]] = llvm.sitofp
// LANES: %[[ALIBI:.*]] = llvm.fmul %{{.*}}, %[[DISTANCE]]
// LANES-NEXT: %[[BIAS:.*]] = llvm.fadd %[[ALIBI]], %{{.*}}
// LANES-NEXT: %[[SCALED:.*]] = llvm.fmul
// LANES-NEXT: llvm.fdiv %[[SCALED]], %[[LIMIT]]
// LANES: %[[CAPPED:.*]] = llvm.fmul %{{.*}}, %[[LIMIT]]
// LANES-NEXT: %[[SCORE:.*]] = llvm.fadd %[[CAPPED]], %[[BIAS]]
// LANES-NEXT: %[[SEES:.*]] = llvm.icmp "slt"
// LANES-NEXT: llvm.select %[[SEES]], %[[SCORE]],
func.func @main(%q: tensor<1x20x16xf32>, %r: tensor<8x2xf32>) -> tensor<1x20x16xf32> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x20x16xf32>, %b = %r : tensor<8x2xf32>) -> tensor<1x20x16xf32> {
    %s = block.sdpa %a, %a, %a relative %b {buckets = #block.buckets<max_distance = 12>, heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.25, causal = true, softcap = 3.0, alibi_max = 8.0, order = scale_cap_bias>}
        : (tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<8x2xf32>) -> tensor<1x20x16xf32>
    block.yield %s : tensor<1x20x16xf32>
  }
  return %0 : tensor<1x20x16xf32>
}
