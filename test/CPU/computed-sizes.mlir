// Sizes that are computed of open ones: of results, of what is between, and of parts of a tensor.
// RUN: block-run %s --engine=cpu --dims=n=2,t=5 --seed=3 --check-against=reference | FileCheck %s --check-prefix=ODD
// RUN: block-run %s --engine=cpu --dims=n=1,t=64 --seed=3 --check-against=reference | FileCheck %s --check-prefix=EVEN
// RUN: block-opt %s --block-to-cpu=cpu=x86-64 | FileCheck %s --check-prefix=PLAN
// RUN: block-run %s --engine=emulate --dims=n=2,t=5 --seed=3 --check-against=reference | FileCheck %s --check-prefix=ODD

// PLAN-DAG: affine_map<()[s0] -> (s0 + 1)>
// PLAN-DAG: affine_map<()[s0] -> ((s0 + 1) floordiv 2)>
// PLAN: plan.tensor "longer" {{.*}} : f32 [%n, %{{[0-9]+}}, 16]
// ODD: longer f32 [2, 6, 16]
// ODD: halves f32 [2, 3, 16]
// ODD: sums f32 [2, 80]
// EVEN: longer f32 [1, 65, 16]
// EVEN: halves f32 [1, 32, 16]
// EVEN: sums f32 [1, 1024]
func.func @sizes(%x: tensor<?x?x16xf32> {block.dims = ["n", "t"], block.input = "x"}, %first: tensor<?x1x16xf32> {block.dims = ["n"], block.input = "first"},
    %w: tensor<16x16xf32> {block.param = "w"})
    -> (tensor<?x?x16xf32> {block.output = "longer"}, tensor<?x?x16xf32> {block.output = "halves"}, tensor<?x?xf32> {block.output = "sums"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x16xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?x16xf32>
  %next = arith.addi %t, %c1 : index
  %half = arith.floordivsi %next, %c2 : index
  %y = block.linear %x, %w : tensor<?x?x16xf32>
  %more = tosa.concat %first, %y {axis = 1 : i32} : (tensor<?x1x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %longer = block.linear %more, %w : tensor<?x?x16xf32>
  %part = tensor.extract_slice %y[0, 0, 0] [%n, %half, 16] [1, 2, 1] : tensor<?x?x16xf32> to tensor<?x?x16xf32>
  %halves = block.linear %part, %w : tensor<?x?x16xf32>
  %flat = tensor.collapse_shape %y [[0], [1, 2]] : tensor<?x?x16xf32> into tensor<?x?xf32>
  %sums = math.exp %flat : tensor<?x?xf32>
  return %longer, %halves, %sums : tensor<?x?x16xf32>, tensor<?x?x16xf32>, tensor<?x?xf32>
}
