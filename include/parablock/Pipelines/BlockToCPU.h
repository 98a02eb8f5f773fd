//===- BlockToCPU.h - pipeline from models to CPU kernels -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_BLOCKTOCPU_H
#define PARABLOCK_PIPELINES_BLOCKTOCPU_H

#include "mlir/IR/BuiltinOps.h"

namespace parablock {

/// Lowers a module of model IR, at any level, to kernels in place, by exact
/// rewrites; a module with kernels is unchanged. Failures have been reported as
/// diagnostics.
mlir::LogicalResult lowerToKernels(mlir::ModuleOp module);

/// Registers the pipeline `--block-to-cpu`.
void registerBlockToCPUPipeline();

} // namespace parablock

#endif // PARABLOCK_PIPELINES_BLOCKTOCPU_H
