//===- BlockToCPU.h - the pipeline from models to CPU kernels ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_BLOCKTOCPU_H
#define PARABLOCK_PIPELINES_BLOCKTOCPU_H

#include "mlir/IR/BuiltinOps.h"

namespace parablock {

/// Brings a module of model IR, at whatever level, to kernels in place, by
/// exact rewrites; one that has kernels stays as it is. Failures have been
/// reported as diagnostics.
mlir::LogicalResult lowerToKernels(mlir::ModuleOp module);

/// Makes the pipeline `--block-to-cpu` known under its flag.
void registerBlockToCPUPipeline();

} // namespace parablock

#endif // PARABLOCK_PIPELINES_BLOCKTOCPU_H
