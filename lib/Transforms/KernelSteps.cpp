//===- KernelSteps.cpp - classifies steps for kernels ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"

#include "parablock/Analysis/HeadNorm.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

std::optional<KernelKind> parablock::block::getRootKind(Operation *op) {
  auto step = dyn_cast<StepOpInterface>(op);
  return step ? step.getRootKind() : std::nullopt;
}

/// Returns whether `op` has that kind of step for kernels.
static bool isOfKind(Operation *op, StepKind kind) {
  auto step = dyn_cast<StepOpInterface>(op);
  return step && step.getStepKind() == kind;
}

bool parablock::block::isPrologue(Operation *op) {
  return isOfKind(op, StepKind::Prologue);
}

/// A norm of heads, unlike a norm of rows, is always within a tile.
bool parablock::block::isTileEpilogue(Operation *op) {
  return isOfKind(op, StepKind::Step) &&
         (cast<StepOpInterface>(op).canEndTile() || isHeadNorm(op));
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
  return isOfKind(op, StepKind::Step) && makesRows(op) &&
         !llvm::all_of(op->getResults(), isWeightOnly);
}
