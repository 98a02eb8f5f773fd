//===- KernelCache.cpp - compares regions and kernels for equality --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/KernelCache.h"

#include "mlir/IR/OperationSupport.h"
#include "parablock/Dialect/Block/SinkCodes.h"

using namespace mlir;
using namespace parablock;

bool parablock::isSameCode(Region &first, Region &second) {
  return OperationEquivalence::isRegionEquivalentTo(
      &first, &second, OperationEquivalence::IgnoreLocations);
}

bool parablock::isSameKernel(block::KernelOp first, block::KernelOp second) {
  return first.getKind() == second.getKind() &&
         first.getOperandTypes() == second.getOperandTypes() &&
         isSameCode(first.getBody(), second.getBody());
}

bool parablock::isSameExperts(block::ExpertsOp first, block::ExpertsOp second) {
  auto haveSameCodes = [](Value stack, Value other) {
    block::UnpackWeightOp codes = block::findLaneStack(stack),
                          otherCodes = block::findLaneStack(other);
    return codes && otherCodes ? isSameMove(codes, otherCodes)
                               : !codes && !otherCodes;
  };
  return isSameMove(first, second) &&
         haveSameCodes(first.getUpWeight(), second.getUpWeight()) &&
         haveSameCodes(first.getDownWeight(), second.getDownWeight());
}

bool parablock::isMove(Operation *op) {
  return isa<block::CacheAppendOp, block::RouteOp, block::TakeRowsOp,
             block::SampleOp>(op) &&
         !op->getParentOfType<block::KernelOp>();
}

bool parablock::isSameMove(Operation *first, Operation *second) {
  return first->getName() == second->getName() &&
         first->getAttrDictionary() == second->getAttrDictionary() &&
         first->getOperandTypes() == second->getOperandTypes() &&
         first->getResultTypes() == second->getResultTypes();
}
