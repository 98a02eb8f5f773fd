//===- CodeCounts.cpp - sums sizes of codes below an op -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/CodeCounts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/SinkCodes.h"

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

/// Returns whether all readers of a matrix are products: stacks of experts are
/// other shapes of one.
static bool isReadByProducts(Value weight) {
  return llvm::all_of(weight.getUsers(), [](Operation *user) {
    if (isa<tensor::ConcatOp, tensor::ExtractSliceOp, block::FoldScaleOp>(user))
      return isReadByProducts(user->getResult(0));
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
    bool isRead =
        hasKernels ? isa<block::KernelOp>(op->getParentOp())
                   : block::findLaneRefusal(op).empty() && isReadByProducts(op);
    if (isRead)
      counts.readBytes += countCodeBytes(op);
    else
      counts.readNumberBytes += countTensorBytes(op.getResult());
  });
}

CodeCounts parablock::countCodes(Operation *root) {
  CodeCounts counts;
  root->walk([&](block::UnpackWeightOp op) {
    ++counts.weights;
    counts.codeBytes += countCodeBytes(op);
    counts.unpackedBytes += countTensorBytes(op.getResult());
  });
  if (counts.weights != 0)
    countReads(root, counts);
  return counts;
}
