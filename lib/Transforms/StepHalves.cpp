//===- StepHalves.cpp - sorts ops into forward and backward ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/StepHalves.h"

#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

bool block::isGradient(FunctionOpInterface function, unsigned result) {
  return static_cast<bool>(function.getResultAttr(result, kGradAttr));
}

StepHalves block::findHalves(FunctionOpInterface step) {
  StepHalves halves;
  Operation *end = step.getFunctionBody().front().getTerminator();
  SmallVector<Value> gradients, pending;
  for (OpOperand &returned : end->getOpOperands())
    (isGradient(step, returned.getOperandNumber()) ? gradients : pending)
        .push_back(returned.get());
  while (!pending.empty())
    if (Operation *maker = pending.pop_back_val().getDefiningOp();
        maker && halves.forward.insert(maker).second)
      llvm::append_range(pending, findReads(maker));

  // Forward values that backward reads; recomputed ops read more.
  llvm::SetVector<Value> reads(gradients.begin(), gradients.end());
  for (Operation &op : end->getBlock()->without_terminator())
    if (!halves.forward.contains(&op))
      reads.insert_range(findReads(&op));
  DenseSet<Value> saved;
  for (size_t i = 0; i < reads.size(); ++i) {
    Value value = reads[i];
    Operation *maker = value.getDefiningOp();
    if (!maker || !halves.forward.contains(maker))
      continue;
    if (isa<RankedTensorType>(value.getType()) && !isWeightOnly(value))
      saved.insert(value);
    else
      reads.insert_range(findReads(maker));
  }
  for (Operation &op : *end->getBlock())
    for (Value result : op.getResults())
      if (saved.contains(result))
        halves.saved.push_back(result);
  return halves;
}
