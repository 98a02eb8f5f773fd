//===- EvalSdpa.cpp - the sdpa op -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GetSdpaOperands.h"
#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensor> evalSdpa(block::SdpaOp op, Evaluation &at) {
  SdpaOperands operands = getScoreOperands(op, at);
  operands.query = &at.get(op.getQuery());
  operands.key = &at.get(op.getKey());
  operands.value = &at.get(op.getValue());
  operands.slopes = at.getOptional(op.getSlopes());
  operands.pastLengths = at.getOptional(op.getPastLengths());
  operands.starts = at.getOptional(op.getStarts());
  operands.pages = at.getOptional(op.getPages());
  return attend(at, operands, at.getResultType());
}

void reference::addSdpaEvaluators(Registry &registry) {
  registry.add<block::SdpaOp>(evalSdpa);
}
