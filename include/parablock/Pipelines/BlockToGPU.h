//===- BlockToGPU.h - the pipeline from kernels to device code --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_BLOCKTOGPU_H
#define PARABLOCK_PIPELINES_BLOCKTOGPU_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace parablock {

/// Adds the passes of `--block-to-gpu`: a module is left with a gpu.module of
/// LLVM and NVVM ops, ready for translateToLLVM. With `isProgrammatic`, kernels
/// wait for the launch before by themselves, on chips that can.
void buildBlockToGPUPipeline(mlir::OpPassManager &manager, llvm::StringRef chip,
                             bool isProgrammatic = true);

/// Makes the pipeline known under its flag.
void registerBlockToGPUPipeline();

/// Brings a module of model IR, at whatever level, to kernels in place: by
/// exact rewrites, with weight-only work split off into `@prepack`, whose
/// recipe goes to a file where there is a path for it.
mlir::LogicalResult prepareForDevice(mlir::ModuleOp module,
                                     llvm::StringRef chip,
                                     llvm::StringRef recipePath = "");

/// Lowers a module of model IR, at whatever level, to launches of device code
/// in place, as prepareForDevice does and further. Failures have been reported
/// as diagnostics.
mlir::LogicalResult lowerToDevice(mlir::ModuleOp module, llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_PIPELINES_BLOCKTOGPU_H
