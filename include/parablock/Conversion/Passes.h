//===- Passes.h - passes from kernels to device code ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_PASSES_H
#define PARABLOCK_CONVERSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace parablock {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Conversion/Passes.h.inc"

/// Adds the passes from tile programs to device functions, each of which can be
/// run and printed alone. With `isProgrammatic`, kernels wait for the previous
/// launch themselves, on chips with that feature.
void buildTileToNVVM(mlir::OpPassManager &manager, llvm::StringRef chip,
                     bool isProgrammatic = false);

/// Registers these passes as the pipeline `--tile-to-nvvm`.
void registerTileToNVVMPipeline();

} // namespace parablock

#endif // PARABLOCK_CONVERSION_PASSES_H
