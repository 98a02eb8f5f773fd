//===- CodeCounts.cpp - sums sizes of codes below an op -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/CodeCounts.h"

#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;

static int64_t countTensorBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

CodeCounts parablock::countCodes(Operation *root) {
  CodeCounts counts;
  root->walk([&](block::UnpackWeightOp op) {
    ++counts.weights;
    for (Value operand : op->getOperands())
      counts.codeBytes += countTensorBytes(operand);
    counts.unpackedBytes += countTensorBytes(op.getResult());
  });
  return counts;
}
