// A second run changes nothing, and threads do not matter.
// RUN: block-gen --family=gpt2 --layers=2 --width=32 --heads=4 --vocab=31 --positions=40 --batch=2 --seq=9 -o %t.model
// RUN: block-opt %t.model --block-optimize --block-prepack -o %t.before
// RUN: grep block.fold_gain %t.before
// RUN: block-opt %t.before --block-expand-weights -o %t.once
// RUN: not grep -E ' = block.(fold|weight_sums|bias_sum)' %t.once
// RUN: block-opt %t.once --block-expand-weights -o %t.twice
// RUN: cmp %t.once %t.twice
// RUN: block-opt %t.before --block-expand-weights -o %t.alone --mlir-disable-threading
// RUN: cmp %t.once %t.alone
// RUN: block-run %t.once --engine=reference --seed=3 --baseline=%t.before | FileCheck %s
// CHECK: PASS
