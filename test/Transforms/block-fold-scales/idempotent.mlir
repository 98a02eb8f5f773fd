// A second run changes nothing, and threads do not matter. (Locations are kept from
// run to run; else the log would name those of the file in between.)
// RUN: block-gen --family=layerscale --layers=2 --width=32 --heads=4 --vocab=31 --positions=40 --batch=2 --seq=9 -o %t.model
// RUN: block-opt %t.model --block-expand -o %t.before -mlir-print-debuginfo
// RUN: block-opt %t.before --block-fold-scales -o %t.once -mlir-print-debuginfo
// RUN: not cmp -s %t.before %t.once
// RUN: block-opt %t.once --block-fold-scales -o %t.twice -mlir-print-debuginfo --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --allow-empty
// RUN: cmp %t.once %t.twice
// RUN: block-opt %t.before --block-fold-scales -o %t.alone -mlir-print-debuginfo --mlir-disable-threading
// RUN: cmp %t.once %t.alone

// CHECK-NOT: [Passed]
