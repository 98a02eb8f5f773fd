// An error comes without the op that it is at, which is pages of a model; a flag asks
// for it.
// RUN: not block-opt %s --block-form-kernels="chip=none" -o %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: not block-opt %s --block-form-kernels="chip=none" --mlir-print-op-on-diagnostic -o %t 2>&1 | FileCheck %s --check-prefix=LOUD
// RUN: not block-opt %s --block-form-kernels="chip=none" -mlir-print-op-on-diagnostic=true -o %t 2>&1 | FileCheck %s --check-prefix=LOUD

// QUIET: error: unknown chip 'none'
// QUIET-NOT: see current operation
// LOUD: error: unknown chip 'none'
// LOUD: see current operation
func.func @main() {
  return
}
