//===- Passes.h - from kernels to device code -------------------*- C++ -*-===//
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
/// run and printed alone. With `isProgrammatic`, kernels wait for the launch
/// before by themselves, on chips that can.
void buildTileToNVVM(mlir::OpPassManager &manager, llvm::StringRef chip,
                     bool isProgrammatic = false);

/// Makes these passes known under the flag `--tile-to-nvvm`.
void registerTileToNVVMPipeline();

} // namespace parablock

#endif // PARABLOCK_CONVERSION_PASSES_H
