//===- GetSdpaOperands.h - operands of attention and sdpa -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_GETSDPAOPERANDS_H
#define PARABLOCK_LIB_REFERENCE_GETSDPAOPERANDS_H

#include "Steps.h"

namespace parablock::reference {

/// Returns the operands that `block.attention` has under the same names as
/// `block.sdpa`: all but query, key and value.
template <typename OpT>
SdpaOperands getScoreOperands(OpT op, const Evaluation &at) {
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
  operands.cuSeqlens = at.getOptional(op.getCuSeqlens());
  operands.scoreBias = at.getOptional(op.getScoreBias());
  operands.sinks = at.getOptional(op.getSinks());
  operands.seed = at.getOptional(op.getSeed());
  operands.dropout = op.getDropout().value_or(block::DropoutAttr());
  operands.heads = op.getHeads();
  operands.kvHeads = op.getKvHeads();
  operands.scores = op.getScores();
  operands.buckets = op.getBuckets().value_or(block::BucketsAttr());
  return operands;
}

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_GETSDPAOPERANDS_H
