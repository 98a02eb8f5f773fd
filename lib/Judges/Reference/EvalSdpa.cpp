//===- EvalSdpa.cpp - the sdpa op -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GetSdpaOperands.h"
#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

SdpaOperands reference::getScoreOperands(block::AttentionOpInterface op,
                                         const Evaluation &at) {
  SdpaOperands operands = {};
  operands.lengths = at.getOptional(op.getLengths());
  operands.relativeTable = at.getOptional(op.getRelativeTable());
  operands.shawKey = at.getOptional(op.getShawKey());
  operands.shawValue = at.getOptional(op.getShawValue());
  operands.alpha = at.getOptional(op.getAlpha());
  operands.beta = at.getOptional(op.getBeta());
  operands.gamma = at.getOptional(op.getGamma());
  operands.pastKey = at.getOptional(op.getPastKey());
  operands.pastValue = at.getOptional(op.getPastValue());
  operands.slopes = at.getOptional(op.getSlopes());
  operands.pastLengths = at.getOptional(op.getPastLengths());
  operands.starts = at.getOptional(op.getStarts());
  operands.pages = at.getOptional(op.getPages());
  operands.cuSeqlens = at.getOptional(op.getCuSeqlens());
  operands.scoreBias = at.getOptional(op.getScoreBias());
  operands.sinks = at.getOptional(op.getSinks());
  operands.seed = at.getOptional(op.getSeed());
  operands.dropout = op.getDropoutAttr();
  operands.heads = op.getHeads();
  operands.kvHeads = op.getKvHeads();
  operands.scores = op.getScores();
  operands.buckets = op.getBuckets().value_or(block::BucketsAttr());
  return operands;
}

static FailureOr<Tensor> evalSdpa(block::SdpaOp op, Evaluation &at) {
  SdpaOperands operands = getScoreOperands(op, at);
  operands.query = &at.get(op.getQuery());
  operands.key = &at.get(op.getKey());
  operands.value = &at.get(op.getValue());
  return attend(at, operands, at.getResultType());
}

void reference::addSdpaEvaluators(Registry &registry) {
  registry.add<block::SdpaOp>(evalSdpa);
}
