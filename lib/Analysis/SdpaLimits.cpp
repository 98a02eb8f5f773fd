//===- SdpaLimits.cpp - what generated attention takes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/SdpaLimits.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;

/// Beyond this distance the table of buckets would outgrow the caches.
static constexpr int64_t mostDistance = 1 << 16;

static LogicalResult checkTypes(block::AttentionOpInterface op,
                                StringRef target) {
  Type expected = getElementTypeOrSelf(op.getQuery().getType());
  for (Value operand :
       {op.getKey(), op.getValue(), op.getPastKey(), op.getPastValue()}) {
    if (!operand)
      continue;
    Type type = getElementTypeOrSelf(operand.getType());
    if (type != expected)
      return op->emitError()
             << "no " << target << " code for attention in several types: "
             << "expected keys and values of " << expected
             << ", as queries are, got " << type;
  }
  return success();
}

static LogicalResult checkBuckets(block::AttentionOpInterface op,
                                  StringRef target) {
  std::optional<block::BucketsAttr> form = op.getBuckets();
  if (!form || !op.getRelativeTable())
    return success();
  auto table = cast<RankedTensorType>(op.getRelativeTable().getType());
  int64_t rows = table.getDimSize(0);
  int64_t exact = (form->getBidirectional() ? rows / 2 : rows) / 2;
  int64_t distance = form->getMaxDistance();
  if (exact >= 1 && exact < distance && distance <= mostDistance)
    return success();
  return op->emitError() << "no " << target << " code for buckets up to "
                         << "distance " << distance << ": expected more than "
                         << std::max<int64_t>(exact, 1) << " and at most "
                         << mostDistance;
}

static LogicalResult checkAlibiType(block::AttentionOpInterface op,
                                    StringRef target) {
  Type type = op.getScores().getAlibiType();
  if (!type || type.isF32() || type.isBF16() || type.isF16())
    return success();
  return op->emitError() << "no " << target << " code for 'block.sdpa' with an "
                         << "alibi_type of " << type
                         << ": expected f32, bf16 or f16";
}

LogicalResult parablock::checkSdpaLimits(block::AttentionOpInterface op,
                                         StringRef target) {
  return failure(failed(checkAlibiType(op, target)) ||
                 failed(checkTypes(op, target)) ||
                 failed(checkBuckets(op, target)));
}
