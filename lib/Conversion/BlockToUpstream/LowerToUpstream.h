//===- LowerToUpstream.h - level 2 to level 0 -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LOWERTOUPSTREAM_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LOWERTOUPSTREAM_H

#include "EmitSteps.h"
#include "mlir/IR/BuiltinOps.h"

namespace parablock {

/// Makes an emitter that builds at the insertion point of `builder`.
using EmitterFactory = llvm::function_ref<std::unique_ptr<TensorEmitter>(
    mlir::OpBuilder &builder, mlir::Location loc)>;

/// Puts upstream ops in the place of every block op in `module`. Kernels and
/// layers give way to what they hold; functions keep the stamps of layers, with
/// a remark of `pass`. `emitShape`, where given, also says again the tensor
/// and linalg ops that weights are read through; none for an op that it leaves.
mlir::LogicalResult
lowerToUpstream(mlir::ModuleOp module, llvm::StringRef pass,
                EmitterFactory makeEmitter,
                llvm::function_ref<std::optional<mlir::Value>(mlir::Operation *,
                                                              TensorEmitter &)>
                    emitShape = {});

/// Drops attributes of functions, arguments and results that hold some of the
/// dialect.
void dropOwnAttributes(mlir::ModuleOp module);

/// `tensor` and `linalg` ops that move elements of tensors, as the emitter says
/// them; none for any other.
std::optional<mlir::Value> emitMove(mlir::Operation *op, TensorEmitter &emit);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LOWERTOUPSTREAM_H
