//===- BlockToGPU.h - pipeline from models to device code -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_BLOCKTOGPU_H
#define PARABLOCK_PIPELINES_BLOCKTOGPU_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Registers the pipeline `--block-to-gpu`.
void registerBlockToGPUPipeline();

/// Lowers a module of model IR, at any level, to plans and device code in
/// place, by prepareForDevice and further passes. The result has a plan.program
/// for each function with launches, and a gpu.module of LLVM and NVVM ops,
/// ready for translateToLLVM. Failures, which do not depend on the output
/// format, have been reported as diagnostics.
mlir::LogicalResult lowerToDevice(mlir::ModuleOp module, llvm::StringRef chip);

/// The same with options of convert-block-kernels-to-tile, which
/// checkTileOptions has accepted.
mlir::LogicalResult lowerToDeviceWith(mlir::ModuleOp module,
                                      llvm::StringRef chip,
                                      llvm::StringRef tileOptions);

/// Checks options of convert-block-kernels-to-tile other than the chip.
llvm::Error checkTileOptions(llvm::StringRef options);

} // namespace parablock

#endif // PARABLOCK_PIPELINES_BLOCKTOGPU_H
