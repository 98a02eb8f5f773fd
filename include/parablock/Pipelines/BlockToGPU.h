//===- BlockToGPU.h - the pipeline from models to device code --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_BLOCKTOGPU_H
#define PARABLOCK_PIPELINES_BLOCKTOGPU_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace parablock {

/// Makes the pipeline `--block-to-gpu` known under its flag.
void registerBlockToGPUPipeline();

/// Lowers a module of model IR, at whatever level, to plans and device code in
/// place, as prepareForDevice does and further: it is left with a plan.program
/// for each function that launches, and a gpu.module of LLVM and NVVM ops,
/// ready for translateToLLVM. Failures, which are the
/// same whatever is made of that, have been reported as diagnostics.
mlir::LogicalResult lowerToDevice(mlir::ModuleOp module, llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_PIPELINES_BLOCKTOGPU_H
