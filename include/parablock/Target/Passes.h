//===- Passes.h - passes from device code to LLVM ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_PASSES_H
#define PARABLOCK_TARGET_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace parablock {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Target/Passes.h.inc"

/// Adds the passes from gpu.modules of `arith`, `math`, `scf`, `cf`, `vector`,
/// `nvvm` and `llvm` ops to `nvvm` and `llvm` ops alone. `manager` runs on a
/// module.
void buildDeviceLowering(mlir::OpPassManager &manager);

} // namespace parablock

#endif // PARABLOCK_TARGET_PASSES_H
