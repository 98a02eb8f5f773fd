// A second run finds nothing, changes nothing and says so; threads do not matter.
// RUN: block-gen --family=qwen3 --layers=2 --width=32 --heads=4 --vocab=31 --batch=2 --seq=9 -o %t.model
// RUN: block-opt %t.model --block-expand -o %t.once
// RUN: block-opt %t.once --block-expand -o %t.twice --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: cmp %t.once %t.twice
// RUN: block-opt %t.model --block-expand --mlir-disable-threading -o %t.alone
// RUN: cmp %t.once %t.alone

// CHECK-NOT: [Passed]
// CHECK: remark: [Analysis] no-match | Category:block-expand
// CHECK-SAME: found no attention, MLP or norm of level 1
// CHECK-NOT: [Passed]
