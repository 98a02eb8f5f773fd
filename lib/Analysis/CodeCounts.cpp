//===- CodeCounts.cpp - sums sizes of codes below an op -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/CodeCounts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/SinkCodes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

static int64_t countTensorBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

static int64_t countCodeBytes(block::UnpackWeightOp op) {
  int64_t bytes = 0;
  for (Value operand : op->getOperands())
    bytes += countTensorBytes(operand);
  return bytes;
}

/// The same in the order of lanes, in whole cells.
static int64_t countLaneBytes(block::UnpackWeightOp op) {
  if (block::areLaneCodes(op))
    return countCodeBytes(op);
  auto type = cast<RankedTensorType>(op.getCodes().getType());
  int64_t columns = type.getDimSize(1);
  return countCodeBytes(op) +
         type.getDimSize(0) *
             (llvm::alignTo(columns, block::cellBytes) - columns);
}

static bool isStack(Value weight) {
  return cast<RankedTensorType>(weight.getType()).getRank() == 3;
}

template <typename OpT> static bool isReadByExperts(Value stack, OpT op) {
  return static_cast<bool>(block::findLaneStackCodes(
      stack, op.getForm(), stack == op.getUpWeight()));
}

/// Returns whether all readers of a matrix are products.
static bool isReadByProducts(Value weight) {
  return llvm::all_of(weight.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::ConcatOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
            linalg::TransposeOp, block::FoldScaleOp>(user))
      return isReadByProducts(user->getResult(0));
    if (auto moe = dyn_cast<block::MoeOp>(user); moe && isStack(weight))
      return isReadByExperts(weight, moe);
    if (auto experts = dyn_cast<block::ExpertsOp>(user))
      return isReadByExperts(weight, experts);
    return isa_and_nonnull<block::BlockDialect>(user->getDialect());
  });
}

/// Counts what kernels of GPUs read, in a copy that has codes in their order:
/// before there are kernels, those of weights that there is code for.
static void countReads(Operation *root, CodeCounts &counts) {
  OwningOpRef<Operation *> copy = root->clone();
  bool hasKernels =
      copy->walk([](block::KernelOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  block::sinkLaneCodes(*copy);
  eraseDeadOps(copy->getRegions());
  copy->walk([&](block::UnpackWeightOp op) {
    bool isInKernel = isa<block::KernelOp>(op->getParentOp());
    bool isRead = isInKernel || block::areLaneCodes(op) ||
                  (!hasKernels && block::findLaneRefusal(op).empty() &&
                   isReadByProducts(op));
    if (isRead)
      counts.readBytes += isInKernel ? countCodeBytes(op) : countLaneBytes(op);
    else
      counts.readNumberBytes += countTensorBytes(op.getResult());
  });
}

CodeCounts parablock::countCodes(Operation *root) {
  CodeCounts counts;
  root->walk([&](block::UnpackWeightOp op) {
    ++counts.weights;
    counts.codeBytes += countCodeBytes(op);
    for (Value operand : op->getOperands())
      counts.elements += cast<ShapedType>(operand.getType()).getNumElements();
    counts.unpackedBytes += countTensorBytes(op.getResult());
  });
  if (counts.weights != 0)
    countReads(root, counts);
  return counts;
}
