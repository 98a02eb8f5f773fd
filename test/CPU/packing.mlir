// Weights that products read are computed in vectors, with their gains, and so are sums over them: where outputs are neighbours, and where inputs are.
// RUN: block-opt %s --block-form-kernels --convert-block-kernels-to-cpu="cpu=x86-64-v3" | FileCheck %s

// CHECK: plan.launch @kernels::@[[PACKED:.*]](%gamma, %w) -> (%{{.*}}) dims [] items 6 x [] x [] by 1
// CHECK: plan.launch @kernels::@[[SUMS:.*]](%gamma, %w) -> (%{{.*}}) dims [] items 2 x [] x [] by 1
// CHECK: plan.launch @kernels::@[[ROWS:.*]](%beta, %v) -> (%{{.*}}) dims [] items 1 x [] x [] by 1
// CHECK: func.func @[[PACKED]](
// CHECK-NOT: return
// CHECK: %[[WEIGHT:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK: %[[GAIN:.*]] = llvm.load {{.*}} -> f32
// CHECK: %[[GAINS:.*]] = vector.broadcast %[[GAIN]] : f32 to vector<8xf32>
// CHECK: %[[FOLDED:.*]] = arith.mulf %[[WEIGHT]], %[[GAINS]] : vector<8xf32>
// CHECK: llvm.store %[[FOLDED]]
// CHECK: func.func @[[SUMS]](
// CHECK-NOT: return
// CHECK: %{{.*}}:4 = scf.for
// CHECK-COUNT-4: arith.addf {{.*}} : vector<8xf64>
// CHECK: func.func @[[ROWS]](
// CHECK-NOT: return
// CHECK: %[[BOTH:.*]] = arith.mulf {{.*}} : vector<8xf32>
// CHECK: %[[WIDE:.*]] = arith.extf %[[BOTH]] : vector<8xf32> to vector<8xf64>
// CHECK: arith.addf {{.*}}, %[[WIDE]] : vector<8xf64>
// CHECK: vector.reduction <add>, {{.*}} : vector<8xf64> into f64

func.func @main(%x: tensor<1x4x64xf32> {block.input = "x"}, %stored: tensor<64x96xf32> {block.param = "w"},
    %v: tensor<64x96xf32> {block.param = "v"}, %gamma: tensor<64xf32> {block.param = "gamma"},
    %beta: tensor<96xf32> {block.param = "beta"}) -> tensor<1x4x64xf32> {
  %empty = tensor.empty() : tensor<96x64xf32>
  %w = linalg.transpose ins(%stored : tensor<64x96xf32>) outs(%empty : tensor<96x64xf32>) permutation = [1, 0]
  %folded = block.fold_gain %w, %gamma {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<96x64xf32>, tensor<64xf32>) -> tensor<96x64xf32>
  %sums = block.weight_sums %folded : (tensor<96x64xf32>) -> tensor<96xf32>
  %carried = block.fold_bias %v beta %beta : (tensor<64x96xf32>, tensor<96xf32>) -> tensor<64xf32>
  %h = block.linear %x, %folded bias %sums : (tensor<1x4x64xf32>, tensor<96x64xf32>, tensor<96xf32>) -> tensor<1x4x96xf32>
  %y = block.linear %h, %v bias %carried : (tensor<1x4x96xf32>, tensor<64x96xf32>, tensor<64xf32>) -> tensor<1x4x64xf32>
  return %y : tensor<1x4x64xf32>
}
