//===- SdpaScores.cpp - scores of attention and which keys count ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaScores.h"

#include "parablock/Analysis/ScoreTables.h"
#include "parablock/Analysis/SdpaLimits.h"
#include <cmath>

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Allowed keys
//===----------------------------------------------------------------------===//

KeyRange parablock::limitKeys(TileCode code, block::ScoresAttr scores,
                              Value position, KeyRange keys) {
  Value next = code.addIndex(position, code.index(1));
  if (scores.getCausal())
    keys.end = code.minIndex(keys.end, next);
  if (std::optional<int64_t> window = scores.getWindow()) {
    // No sequence is longer than this, and sums stay within 32 bits.
    Value reach = code.index(std::min<int64_t>(*window, 1 << 30));
    keys.begin = code.maxIndex(keys.begin, code.subIndex(next, reach));
    if (!scores.getCausal())
      keys.end = code.minIndex(keys.end, code.addIndex(position, reach));
  }
  return keys;
}

Value parablock::createShawRow(TileCode code, int64_t rows, Value position,
                               Value key) {
  int64_t reach = rows / 2;
  Value distance = code.subIndex(key, position);
  Value bounded = code.minIndex(code.maxIndex(distance, code.index(-reach)),
                                code.index(reach));
  return code.addIndex(bounded, code.index(reach));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static int64_t getNumRows(Value table) {
  return cast<RankedTensorType>(table.getType()).getDimSize(0);
}

LogicalResult parablock::checkScores(block::SdpaOp op) {
  return checkSdpaLimits(op, "GPU");
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

ScorePipeline::ScorePipeline(TileCode code, block::SdpaOp op,
                             Value relativeTable, Value slopes, Value head)
    : scores(op.getScores()), relativeTable(relativeTable), head(head) {
  if (scores.getAlibiMax()) {
    if (slopes)
      slope = code.load(slopes, Value(), head);
    else
      slope = code.load(code.table(llvm::to_vector_of<float>(computeAlibiSlopes(
                                       op.getHeads(), scores)),
                                   op.getHeads()),
                        head, code.index(0));
    if (Type type = scores.getAlibiType())
      slope = code.round(slope, type);
  }
  if (relativeTable) {
    block::BucketsAttr form = *op.getBuckets();
    reach = form.getMaxDistance();
    auto numbers = llvm::to_vector_of<int32_t>(
        computeBuckets(form, getNumRows(op.getRelativeTable())));
    buckets = code.table(numbers);
  }
}

Value ScorePipeline::createBias(TileCode code, const AttentionQuery &query,
                                Value key) const {
  Value bias, position = query.position;
  if (Type type = scores.getAlibiType()) {
    Value place = query.sequence ? code.subIndex(key, query.sequence) : key;
    bias = code.round(code.mul(slope, code.toF32(place)), type);
  } else if (slope) {
    Value distance = code.toF32(code.subIndex(code.minIndex(position, key),
                                              code.maxIndex(position, key)));
    bias = code.mul(slope, distance); // minus the slope times |i - j|
  }
  if (relativeTable) {
    Value distance = code.subIndex(position, key);
    Value bounded = code.minIndex(code.maxIndex(distance, code.index(-reach)),
                                  code.index(reach));
    Value zero = code.index(0);
    Value bucket = code.toIndex(
        code.load(buckets, zero, code.addIndex(bounded, code.index(reach))));
    Value entry = code.load(relativeTable, bucket, head);
    bias = bias ? code.add(bias, entry) : entry;
  }
  return bias;
}

Value ScorePipeline::apply(TileCode code, Value product,
                           const AttentionQuery &query, Value key) const {
  Value bias = createBias(code, query, key);
  auto addBias = [&](Value score) {
    return bias ? code.add(score, bias) : score;
  };
  auto scale = [&](Value score) {
    return code.scale(score, scores.getScaleValue());
  };
  auto cap = [&](Value score) {
    if (!scores.getSoftcap())
      return score;
    Value limit = code.f32(scores.getSoftcap().getValueAsDouble());
    return code.mul(limit, code.tanh(code.div(score, limit)));
  };
  switch (scores.getOrder()) {
  case block::ScoreOrder::ScaleBiasCap:
    return cap(addBias(scale(product)));
  case block::ScoreOrder::BiasScaleCap:
    return cap(scale(addBias(product)));
  case block::ScoreOrder::ScaleCapBias:
    return addBias(cap(scale(product)));
  }
  llvm_unreachable("every order has its case");
}
