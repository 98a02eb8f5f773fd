//===- LowerToUpstream.h - driver of the conversions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LOWERTOUPSTREAM_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LOWERTOUPSTREAM_H

#include "EmitSteps.h"
#include "mlir/IR/BuiltinOps.h"

namespace parablock {

/// Creates an emitter that builds at the insertion point of `builder`.
using EmitterFactory = llvm::function_ref<std::unique_ptr<TensorEmitter>(
    mlir::OpBuilder &builder, mlir::Location loc)>;

/// Replaces every block op in `module` by upstream ops. Kernels and layers are
/// replaced by their contents; functions keep the stamps of layers, with a
/// remark of `pass`. `emitShape`, if given, also re-emits the tensor and linalg
/// ops that read weights; it returns none for an op to be kept.
mlir::LogicalResult
lowerToUpstream(mlir::ModuleOp module, llvm::StringRef pass,
                EmitterFactory makeEmitter,
                llvm::function_ref<std::optional<mlir::Value>(mlir::Operation *,
                                                              TensorEmitter &)>
                    emitShape = {});

/// Drops attributes of functions, arguments and results that contain attributes
/// of the dialect.
void dropOwnAttributes(mlir::ModuleOp module);

/// Re-emits `tensor` and `linalg` ops that move elements; returns none for any
/// other op.
std::optional<mlir::Value> emitMove(mlir::Operation *op, TensorEmitter &emit);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LOWERTOUPSTREAM_H
