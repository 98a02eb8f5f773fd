//===- KernelSteps.cpp - what steps are to kernels ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/HeadNorm.h"
#include "parablock/IR/BlockOps.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

StringRef parablock::block::getRootKind(Operation *op) {
  if (isa<LinearOp>(op))
    return "linear";
  if (isa<LinearSumOp>(op))
    return "linear_sum";
  if (isa<SdpaOp>(op))
    return "sdpa";
  if (isa<HeadOp>(op))
    return "head";
  return "";
}

bool parablock::block::isPrologue(Operation *op) {
  return isa<MergeStatsOp>(op);
}

/// A norm of heads, not of rows: a head lies within a tile.
template <typename OpT> static bool isOfHeads(Operation *op) {
  auto norm = dyn_cast<OpT>(op);
  return norm && isHeadNorm(norm);
}

/// A cast between the types that kernels compute with, as they round.
static bool isCast(Operation *op) {
  if (!isa<arith::TruncFOp, arith::ExtFOp>(op))
    return false;
  auto truncation = dyn_cast<arith::TruncFOp>(op);
  if (truncation && truncation.getRoundingmode().value_or(
                        arith::RoundingMode::to_nearest_even) !=
                        arith::RoundingMode::to_nearest_even)
    return false;
  auto isComputed = [](Type type) {
    type = getElementTypeOrSelf(type);
    return type.isF32() || type.isBF16() || type.isF16();
  };
  return isComputed(op->getOperand(0).getType()) &&
         isComputed(op->getResult(0).getType());
}

bool parablock::block::isTileEpilogue(Operation *op) {
  return isa<SplitOp, DeferredNormOp, AddBiasOp, RopeOp, RotateOp, ActivationOp,
             GateOp, ClampOp, ScaleOp, ResidualOp, PartialStatsOp>(op) ||
         isCast(op) || isOfHeads<NormStatsOp>(op) || isOfHeads<NormalizeOp>(op);
}

/// Kernels work on rows of a known width.
static bool makesRows(Operation *op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() > 0 &&
           !tensor.isDynamicDim(tensor.getRank() - 1);
  });
}

bool parablock::block::isStep(Operation *op) {
  if (!makesRows(op))
    return false;
  if (!getRootKind(op).empty() || isTileEpilogue(op) ||
      isa<EmbeddingOp, PatchEmbeddingOp, NormStatsOp, NormalizeOp>(op))
    return !llvm::all_of(op->getResults(), isWeightOnly);
  return false;
}
