//===- KernelCache.cpp - compares regions and kernels for equality --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/KernelCache.h"

#include "mlir/IR/OperationSupport.h"

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
