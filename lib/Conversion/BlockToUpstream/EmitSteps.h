//===- EmitSteps.h - the steps of level 2, one by one -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each builds what takes the place of an op, rounded to the op's result types
// at the rounding points that the op documents; between them all is f32.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_EMITSTEPS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_EMITSTEPS_H

#include "TensorEmitter.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

using Values = llvm::SmallVector<mlir::Value, 2>;

// EmitElementwise.cpp
Values emitActivation(block::ActivationOp op, TensorEmitter &emit);
Values emitGate(block::GateOp op, TensorEmitter &emit);
Values emitClamp(block::ClampOp op, TensorEmitter &emit);
Values emitAddBias(block::AddBiasOp op, TensorEmitter &emit);
Values emitResidual(block::ResidualOp op, TensorEmitter &emit);
Values emitScale(block::ScaleOp op, TensorEmitter &emit);
Values emitSplit(block::SplitOp op, TensorEmitter &emit);

// EmitLinear.cpp
Values emitLinear(block::LinearOp op, TensorEmitter &emit);
Values emitLinearSum(block::LinearSumOp op, TensorEmitter &emit);
Values emitHead(block::HeadOp op, TensorEmitter &emit);

// EmitNorm.cpp
Values emitNormStats(block::NormStatsOp op, TensorEmitter &emit);
Values emitNormalize(block::NormalizeOp op, TensorEmitter &emit);
Values emitDeferredNorm(block::DeferredNormOp op, TensorEmitter &emit);

// EmitWeights.cpp
Values emitWeights(block::WeightOpInterface op, TensorEmitter &emit);

// EmitRope.cpp, EmitSdpa.cpp, EmitEmbedding.cpp: each fails, with an error at
// the op, where a size has to be a number or a form has no spelling here.
mlir::FailureOr<Values> emitRope(block::RopeOp op, TensorEmitter &emit);
Values emitRotate(block::RotateOp op, TensorEmitter &emit);
mlir::FailureOr<Values> emitSdpa(block::SdpaOp op, TensorEmitter &emit);
mlir::FailureOr<Values> emitEmbedding(block::EmbeddingOp op,
                                      TensorEmitter &emit);
mlir::FailureOr<Values> emitPatchEmbedding(block::PatchEmbeddingOp op,
                                           TensorEmitter &emit);

/// The function that an activation names, on f32.
mlir::Value emitActivation(block::Activation kind, mlir::Value x,
                           TensorEmitter &emit);

/// `rows [N, K]` times `weight [C, K]` transposed, in f32.
mlir::Value emitProjection(mlir::Value rows, mlir::Value weight,
                           TensorEmitter &emit);

/// The element type of a result of `op`.
inline mlir::Type getElement(mlir::Operation *op, unsigned result = 0) {
  return mlir::cast<mlir::RankedTensorType>(op->getResult(result).getType())
      .getElementType();
}

/// `iota(size)` as the only dimension of `rank` that is not 1, number `dim`.
mlir::FailureOr<mlir::Value> emitPositions(Size size, unsigned dim,
                                           unsigned rank, mlir::Operation *op,
                                           TensorEmitter &emit);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_EMITSTEPS_H
