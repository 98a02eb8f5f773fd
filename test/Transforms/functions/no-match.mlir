// A pass that found nothing to rewrite says what it looked for; the function stays as it is.
// RUN: block-opt %s --block-expand --block-expand-weights --block-add-dropout --block-remove-dropout --block-serialize --block-shift \
// RUN:   --block-parallelize --block-simplify --block-quantize --block-shard --block-share-norm-stats --block-fold-scales \
// RUN:   --block-fold-norm --block-fold-norm-grad --block-tabulate-rotations --block-fuse-input-projections \
// RUN:   --block-fuse-output-projections --block-fuse-weight-grads --block-form-leftovers --block-form-kernels \
// RUN:   --block-dissolve-kernels --block-prepack --block-raise --remarks-filter=.* --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: block-opt %s -o %t.same.mlir && cmp %t.same.mlir %t.mlir
// RUN: echo 'func.func @prepack() { return }' | block-opt --block-prepack=function=prepack --remarks-filter=.* --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: echo 'module {}' | block-opt --block-form-leftovers --remarks-filter=.* --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK: remark: [Analysis] no-match | Category:block-expand | Remark="found no attention, MLP or norm of level 1"
// CHECK: remark: [Analysis] no-match | Category:block-expand-weights | Remark="found no op that computes a weight"
// CHECK: remark: [Analysis] no-match | Category:block-add-dropout | Function=main | Remark="found no op with a rate above 0"
// CHECK: remark: [Analysis] no-match | Category:block-remove-dropout | Function=main | Remark="found no op that drops elements"
// CHECK: remark: [Analysis] no-match | Category:block-serialize | Remark="found no layer to convert"
// CHECK: remark: [Analysis] no-match | Category:block-shift | Remark="found no two consecutive layers"
// CHECK: remark: [Analysis] no-match | Category:block-parallelize | Remark="found no layer to convert"
// CHECK: remark: [Analysis] no-match | Category:block-simplify | Function=main | Remark="found no layer to simplify"
// CHECK: remark: [Analysis] no-match | Category:block-quantize | Function=main | Remark="found no weight of a layer"
// CHECK: remark: [Analysis] no-match | Category:block-shard | Function=main | Remark="found no second rank"
// CHECK: remark: [Analysis] no-match | Category:block-share-norm-stats | Remark="found no two norms of one value"
// CHECK: remark: [Analysis] no-match | Category:block-fold-scales | Remark="found no scale of a branch"
// CHECK: remark: [Analysis] no-match | Category:block-fold-norm | Remark="found no norm over a row"
// CHECK: remark: [Analysis] no-match | Category:block-fold-norm-grad | Remark="found no gradient by the input of a norm"
// CHECK: remark: [Analysis] no-match | Category:block-tabulate-rotations | Remark="found no rotation by position"
// CHECK: remark: [Analysis] no-match | Category:block-fuse-input-projections | Remark="found no value that several projections read"
// CHECK: remark: [Analysis] no-match | Category:block-fuse-output-projections | Remark="found no residual"
// CHECK: remark: [Analysis] no-match | Category:block-fuse-weight-grads | Remark="found no value that several gradients by weights are of"
// CHECK: remark: [Analysis] no-match | Category:block-form-leftovers | Function=main | Remark="found no op that is no block"
// CHECK: remark: [Analysis] no-match | Category:block-form-kernels | Remark="found no step to form a kernel of"
// CHECK: remark: [Analysis] no-match | Category:block-dissolve-kernels | Function=main | Remark="found no kernel"
// CHECK: remark: [Analysis] no-match | Category:block-prepack | Function=main | Remark="found no parameter"
// CHECK: remark: [Analysis] no-match | Category:block-raise | Function=main | Remark="found no projection, norm or attention in upstream ops"
// ALONE: no-match | Category:block-prepack | Remark="found no model beside @prepack"
// EMPTY: no-match | Category:block-form-leftovers | Remark="found no function that is a model"
func.func @main() {
  return
}
