//===- VerifyAttention.cpp - verifiers of attention, sdpa and rope --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradientChecks.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Rules that attention and sdpa share
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of heads that both ops know when tables and gains are checked.
struct HeadSizes {
  int64_t heads, kvHeads, query, value;
};
} // namespace

/// kv_heads divides heads ([SDPA-1], [ATTENTION-1]).
static LogicalResult checkHeads(AttentionOpInterface op) {
  int64_t heads = op.getHeads();
  if (heads < 1)
    return op->emitOpError()
           << "expected heads to be at least 1, got " << heads;
  return checkDivides(op, "kv_heads", op.getKvHeads(), "heads", heads);
}

/// Tables and gains of the scores, alike for both ops.
static LogicalResult checkScoreOperands(AttentionOpInterface op,
                                        HeadSizes sizes) {
  // [SDPA-4]
  if (static_cast<bool>(op.getRelativeTable()) != op.getBuckets().has_value())
    return op->emitOpError()
           << "expected relative_table and buckets together, got only "
           << (op.getBuckets() ? "buckets" : "relative_table");
  if (failed(checkDim(op, {"relative_table", op.getRelativeTable()}, 1,
                      sizes.heads, "one column per head")))
    return failure();
  // [SDPA-5]
  for (auto [table, width] :
       {std::pair{NamedValue{"shaw_key", op.getShawKey()}, sizes.query},
        std::pair{NamedValue{"shaw_value", op.getShawValue()}, sizes.value}}) {
    if (failed(checkDim(op, table, 1, width, "width of a head")))
      return failure();
    if (table.value && getDim(table.value, 0) % 2 == 0)
      return op->emitOpError() << "expected " << table.name
                               << " to have an odd number of rows, got "
                               << getDim(table.value, 0);
  }
  // [SDPA-6]
  for (NamedValue gain :
       {NamedValue{"alpha", op.getAlpha()}, NamedValue{"beta", op.getBeta()},
        NamedValue{"gamma", op.getGamma()}, NamedValue{"sinks", op.getSinks()}})
    if (failed(checkOneOf(op, gain, {1, sizes.heads}, "one, or one per head")))
      return failure();
  return success();
}

/// Past keys and values ([SDPA-8], [ATTENTION-8]).
static LogicalResult checkPast(AttentionOpInterface op, int64_t keyWidth,
                               int64_t valueWidth, int64_t batch) {
  if (!op.getPastKey() != !op.getPastValue())
    return op->emitOpError()
           << "expected past_key and past_value together, got only "
           << (op.getPastKey() ? "past_key" : "past_value");
  if (failed(checkDim(op, {"past_key", op.getPastKey()}, 2, keyWidth,
                      "width of all key heads")) ||
      failed(checkDim(op, {"past_value", op.getPastValue()}, 2, valueWidth,
                      "width of all value heads")) ||
      failed(checkDim(op, {"past_key", op.getPastKey()}, 0, batch,
                      "batch of the query")))
    return failure();
  return checkSameRows(op, {"past_value", op.getPastValue()},
                       {"past_key", op.getPastKey()});
}

/// The size of one dimension is 1, which counts for any, or `size`.
static LogicalResult checkBroadcast(Operation *op, NamedValue value, int dim,
                                    int64_t size, const Twine &why) {
  return getDim(value.value, dim) == 1 ? success()
                                       : checkDim(op, value, dim, size, why);
}

/// [SDPA-11]
static LogicalResult checkScoreBias(Operation *op, Value bias, Value queries,
                                    int64_t heads, int64_t keys) {
  if (!bias)
    return success();
  NamedValue named = {"score_bias", bias};
  if (failed(checkBroadcast(op, named, 0, getDim(queries, 0),
                            "1, or batch of the query")) ||
      failed(checkBroadcast(op, named, 1, heads, "1, or one per head")) ||
      failed(checkBroadcast(op, named, 2, getDim(queries, 1),
                            "1, or rows of the query")))
    return failure();
  return checkBroadcast(op, named, 3, keys, "1, or all keys");
}

/// Sequences that share one batch row ([SDPA-12]).
static LogicalResult checkPacked(AttentionOpInterface op, NamedValue queries,
                                 NamedValue keys) {
  Value bounds = op.getCuSeqlens();
  if (!bounds)
    return success();
  if (int64_t count = getDim(bounds, 0); count >= 0 && count < 2)
    return op->emitOpError()
           << "expected cu_seqlens to have at least 2 elements, got " << count;
  if (op.getLengths() || op.getPastKey())
    return op->emitOpError()
           << "expected cu_seqlens without "
           << (op.getLengths() ? "lengths" : "past_key") << ", got both";
  if (failed(checkDim(op, queries, 0, 1, "one batch row, for cu_seqlens")))
    return failure();
  return checkSameRows(op, keys, queries);
}

/// Cosines and sines of a rotation ([ROTATE-3], [ATTENTION-12]).
static LogicalResult checkRotationTables(Operation *op, NamedValue cosines,
                                         NamedValue sines, NamedValue rotated,
                                         int64_t width) {
  for (NamedValue table : {cosines, sines}) {
    if (failed(checkBroadcast(op, table, 0, getDim(rotated.value, 0),
                              "1, or batch of what is rotated")) ||
        failed(checkDim(op, table, 1, getDim(rotated.value, 1),
                        "rows of what is rotated")))
      return failure();
    int64_t columns = getDim(table.value, 2);
    if (columns != width / 2 && columns != width)
      return op->emitOpError()
             << "expected " << table.name << " to have " << width / 2 << " or "
             << width << " columns, got " << columns;
  }
  return success();
}

/// Weights that are dropped ([SDPA-14]).
static LogicalResult checkDropout(AttentionOpInterface op) {
  if (!op.getSeed() == !op.getDropoutAttr())
    return success();
  return op->emitOpError() << "expected seed and dropout together, got "
                           << (op.getSeed() ? "seed" : "dropout") << " alone";
}

/// Pages of caches, `pool` ([SDPA-15], [CACHE-3]).
static LogicalResult checkPages(Operation *op, Value pages, NamedValue pool,
                                int64_t batch) {
  if (!pages)
    return success();
  if (ShapedType::isDynamic(getDim(pool.value, 1)))
    return op->emitOpError() << "expected a known number of rows of a page of "
                             << pool.name << ", with pages, got '?'";
  return checkDim(op, {"pages", pages}, 0, batch, "one per batch row");
}

/// Lengths of caches and what of them is padding ([SDPA-13]).
static LogicalResult checkCaches(SdpaOp op) {
  for (auto [name, operand] : {std::pair{"starts", Value(op.getStarts())},
                               // [SDPA-15]
                               std::pair{"pages", Value(op.getPages())}})
    if (operand && !op.getPastLengths())
      return op.emitOpError()
             << "expected past_lengths with " << name << ", got none";
  if (!op.getPastLengths())
    return success();
  for (auto [name, other] : {std::pair{"lengths", Value(op.getLengths())},
                             std::pair{"past_key", Value(op.getPastKey())},
                             std::pair{"cu_seqlens", Value(op.getCuSeqlens())},
                             std::pair{"score_bias", Value(op.getScoreBias())},
                             // [SDPA-14]
                             std::pair{"seed", Value(op.getSeed())}})
    if (other)
      return op.emitOpError()
             << "expected past_lengths without " << name << ", got both";
  int64_t batch = getDim(op.getQuery(), 0);
  if (failed(checkDim(op, {"past_lengths", op.getPastLengths()}, 0, batch,
                      "one per batch row")) ||
      failed(checkDim(op, {"starts", op.getStarts()}, 0, batch,
                      "one per batch row")))
    return failure();
  return checkPages(op, op.getPages(), {"key", op.getKey()}, batch);
}

/// The rotated width fits into a head ([ROPE-2], [ATTENTION-7]); that it is
/// even is the attribute's own rule.
static LogicalResult checkRotation(Operation *op, RopeAttr rope,
                                   int64_t headSize) {
  if (rope && !ShapedType::isDynamic(headSize) && rope.getDim() > headSize)
    return op->emitOpError()
           << "expected the rotated width to be at most the head's, "
           << headSize << ", got " << rope.getDim();
  return success();
}

//===----------------------------------------------------------------------===//
// block.attention
//===----------------------------------------------------------------------===//

int64_t AttentionOp::getHeadSize() {
  return getDim(getQWeight(), 0) / getHeads();
}

int64_t AttentionOp::getValueHeadSize() {
  int64_t width =
      getVWeight() ? getDim(getVWeight(), 0) : getDim(getSource(), -1);
  return width / getKvHeads();
}

/// [ATTENTION-2] to [ATTENTION-5]: projections.
static LogicalResult checkProjections(AttentionOp op) {
  int64_t width = getDim(op.getInput(), -1),
          sourceWidth = getDim(op.getSource(), -1);
  int64_t heads = op.getHeads(), kvHeads = op.getKvHeads();
  // [ATTENTION-2]
  if (failed(checkDim(op, {"q_weight", op.getQWeight()}, 1, width,
                      "width of the input")) ||
      failed(checkDim(op, {"k_weight", op.getKWeight()}, 1, sourceWidth,
                      "width of the source")) ||
      failed(checkDim(op, {"v_weight", op.getVWeight()}, 1, sourceWidth,
                      "width of the source")))
    return failure();
  // [ATTENTION-3]
  int64_t qWidth = getDim(op.getQWeight(), 0);
  if (failed(
          checkDivides(op, "heads", heads, "the rows of q_weight", qWidth)) ||
      failed(checkDim(op, {"k_weight", op.getKWeight()}, 0,
                      qWidth / heads * kvHeads,
                      "kv_heads times the query's head size")))
    return failure();
  int64_t vWidth = op.getVWeight() ? getDim(op.getVWeight(), 0) : sourceWidth;
  if (failed(checkDivides(op, "kv_heads", kvHeads, "the width of the values",
                          vWidth)))
    return failure();
  // [ATTENTION-4]
  int64_t concatenated = vWidth / kvHeads * heads;
  int64_t resultWidth =
      op.getOWeight() ? getDim(op.getOWeight(), 0) : concatenated;
  if (!op.getVWeight() && op.getVBias())
    return op.emitOpError() << "expected a v_weight for the v_bias, got none";
  if (failed(checkDim(op, {"q_bias", op.getQBias()}, 0, qWidth,
                      "rows of q_weight")) ||
      failed(checkDim(op, {"k_bias", op.getKBias()}, 0,
                      getDim(op.getKWeight(), 0), "rows of k_weight")) ||
      failed(checkDim(op, {"v_bias", op.getVBias()}, 0, vWidth,
                      "rows of v_weight")) ||
      failed(checkDim(op, {"o_bias", op.getOBias()}, 0, resultWidth,
                      "width of the result")))
    return failure();
  // [ATTENTION-5]
  if (!op.getOWeight() && op.getOBias())
    return op.emitOpError() << "expected an o_weight for the o_bias, got none";
  if (failed(checkDim(op, {"o_weight", op.getOWeight()}, 1, concatenated,
                      "width of all value heads")))
    return failure();
  // [ATTENTION-10]
  if (failed(checkDim(op, {"result", op.getResult()}, 2, resultWidth,
                      "width of the output")))
    return failure();
  return checkSameRows(op, {"result", op.getResult()},
                       {"input", op.getInput()});
}

/// [ATTENTION-6]: gains of the query and key norm.
static LogicalResult checkQkNorm(AttentionOp op) {
  int64_t heads = op.getHeads(), kvHeads = op.getKvHeads(),
          head = op.getHeadSize();
  std::optional<QkNormAttr> norm = op.getQkNorm();
  for (auto [gain, count] :
       {std::pair{NamedValue{"q_gamma", op.getQGamma()}, heads},
        std::pair{NamedValue{"q_beta", op.getQBeta()}, heads},
        std::pair{NamedValue{"k_gamma", op.getKGamma()}, kvHeads},
        std::pair{NamedValue{"k_beta", op.getKBeta()}, kvHeads}}) {
    if (!gain.value)
      continue;
    if (!norm)
      return op.emitOpError()
             << "expected qk_norm with " << gain.name << ", got none";
    bool perHead = norm->getExtent() == QkNormExtent::Head;
    if (failed(checkOneOf(op, gain,
                          {perHead ? head : head * count, head * count},
                          perHead ? "a head, or all heads" : "all heads")))
      return failure();
  }
  return success();
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyNamedOperands(*this)))
    return failure();
  // [ATTENTION-1]
  if (failed(checkHeads(*this)) || failed(checkProjections(*this)) ||
      failed(checkQkNorm(*this)))
    return failure();
  // [ATTENTION-7]
  if (failed(
          checkRotation(*this, getRope().value_or(RopeAttr()), getHeadSize())))
    return failure();
  // [ATTENTION-8]
  int64_t batch = getDim(getInput(), 0);
  if (failed(checkPast(*this, getDim(getKWeight(), 0),
                       getValueHeadSize() * getKvHeads(), batch)))
    return failure();
  // [ATTENTION-9]
  if (isCross()) {
    ScoresAttr scores = getScores();
    if (scores.getCausal() || scores.getWindow() || getRope() || getPastKey() ||
        getCuSeqlens())
      return emitOpError() << "expected a cross-attention without causal mask, "
                              "window, rotation, past keys and cu_seqlens";
    if (failed(checkDim(*this, {"memory", getMemory()}, 0, batch,
                        "batch of the input")))
      return failure();
    // [SDPA-7]
    if (getAlpha() && failed(checkSameRows(*this, {"memory", getMemory()},
                                           {"input", getInput()})))
      return failure();
  }
  // [ATTENTION-12]
  if (!getRopeCos() != !getRopeSin() || (getRopeCos() && !getRope()))
    return emitOpError()
           << "expected rope_cos, rope_sin and rope together, got only some";
  if (getRopeCos() &&
      failed(checkRotationTables(*this, {"rope_cos", getRopeCos()},
                                 {"rope_sin", getRopeSin()},
                                 {"input", getInput()}, getRope()->getDim())))
    return failure();
  // [ATTENTION-11]
  if (getClip() && !(getClip()->convertToDouble() > 0))
    return emitOpError() << "expected clip to be positive, got "
                         << getClip()->convertToDouble();
  // [SDPA-3]
  if (failed(checkDim(*this, {"lengths", getLengths()}, 0, batch,
                      "one per batch row")))
    return failure();
  // [SDPA-12]
  if (failed(
          checkPacked(*this, {"input", getInput()}, {"source", getSource()})))
    return failure();
  // [SDPA-14]
  if (failed(checkDropout(*this)))
    return failure();
  // [SDPA-11]
  int64_t keys = getPastKey() ? ShapedType::kDynamic : getDim(getSource(), 1);
  if (failed(
          checkScoreBias(*this, getScoreBias(), getInput(), getHeads(), keys)))
    return failure();
  return checkScoreOperands(*this, {static_cast<int64_t>(getHeads()),
                                    static_cast<int64_t>(getKvHeads()),
                                    getHeadSize(), getValueHeadSize()});
}

//===----------------------------------------------------------------------===//
// block.sdpa
//===----------------------------------------------------------------------===//

/// Checks what an sdpa and its gradient have alike. `result` is the value, of
/// either, that has the shape of the attention's result. Pages are no rows of
/// the batch.
static LogicalResult checkSdpa(AttentionOpInterface op, NamedValue result,
                               bool isOfCache, bool isOfPages) {
  // [SDPA-1]
  if (failed(checkHeads(op)))
    return failure();
  // [SDPA-2]
  int64_t heads = op.getHeads(), kvHeads = op.getKvHeads(),
          batch = getDim(op.getQuery(), 0);
  int64_t queryWidth = getDim(op.getQuery(), -1),
          valueWidth = getDim(op.getValue(), -1);
  if (failed(checkDivides(op, "heads", heads, "the width of the query",
                          queryWidth)) ||
      failed(checkDivides(op, "kv_heads", kvHeads, "the width of the value",
                          valueWidth)) ||
      failed(checkDim(op, {"key", op.getKey()}, 2, queryWidth / heads * kvHeads,
                      "kv_heads times the query's head size")) ||
      (!isOfPages && failed(checkDim(op, {"key", op.getKey()}, 0, batch,
                                     "batch of the query"))) ||
      failed(checkSameRows(op, {"value", op.getValue()}, {"key", op.getKey()})))
    return failure();
  // [SDPA-3]
  if (failed(checkDim(op, {"lengths", op.getLengths()}, 0, batch,
                      "one per batch row")))
    return failure();
  // [SDPA-4] to [SDPA-6]
  HeadSizes sizes = {heads, kvHeads, queryWidth / heads, valueWidth / kvHeads};
  if (failed(checkScoreOperands(op, sizes)))
    return failure();
  // [SDPA-7]
  if (op.getAlpha() && !isOfCache &&
      failed(checkSameRows(op, {"key", op.getKey()}, {"query", op.getQuery()})))
    return failure();
  // [SDPA-8]
  if (failed(checkPast(op, getDim(op.getKey(), -1), valueWidth, batch)))
    return failure();
  // [SDPA-10]
  if (op.getSlopes() && !op.getScores().getAlibiMax())
    return op->emitOpError() << "expected alibi_max with slopes, got none";
  if (failed(
          checkDim(op, {"slopes", op.getSlopes()}, 0, heads, "one per head")))
    return failure();
  // [SDPA-11]
  int64_t keys =
      op.getPastKey() ? ShapedType::kDynamic : getDim(op.getKey(), 1);
  if (failed(checkScoreBias(op, op.getScoreBias(), op.getQuery(), heads, keys)))
    return failure();
  // [SDPA-12]
  if (failed(checkPacked(op, {"query", op.getQuery()}, {"key", op.getKey()})))
    return failure();
  // [SDPA-14]
  if (failed(checkDropout(op)))
    return failure();
  // [SDPA-9]
  if (failed(checkDim(op, result, 2, sizes.value * heads,
                      "width of all value heads")))
    return failure();
  return checkSameRows(op, result, {"query", op.getQuery()});
}

LogicalResult SdpaOp::verify() {
  if (failed(verifyNamedOperands(*this)))
    return failure();
  // [SDPA-13]
  if (failed(checkCaches(*this)))
    return failure();
  return checkSdpa(*this, {"result", getResult()},
                   /*isOfCache=*/getPastLengths() != nullptr,
                   /*isOfPages=*/getPages() != nullptr);
}

LogicalResult CacheAppendOp::verify() {
  // [CACHE-1]
  int64_t batch = getDim(getPages() ? getAdded() : getCache(), 0);
  if (failed(checkDim(*this, {"added", getAdded()}, 0, batch,
                      "batch of the cache")) ||
      failed(checkDim(*this, {"added", getAdded()}, 2, getDim(getCache(), 2),
                      "width of the cache")))
    return failure();
  Type own = getElementTypeOrSelf(getCache()),
       other = getElementTypeOrSelf(getAdded());
  if (own != other)
    return emitOpError() << "expected added to have the cache's elements, "
                         << own << ", got " << other;
  // [CACHE-2]
  if (failed(checkDim(*this, {"lengths", getLengths()}, 0, batch,
                      "one per batch row")))
    return failure();
  // [CACHE-3]
  return checkPages(*this, getPages(), {"cache", getCache()}, batch);
}

LogicalResult SdpaGradOp::verify() {
  if (failed(verifyNamedOperands(*this)))
    return failure();
  // [SDPAGRAD-3]
  if (failed(checkSdpa(*this, {"gradient", getGradient()},
                       /*isOfCache=*/false, /*isOfPages=*/false)))
    return failure();
  // [SDPAGRAD-1] and [SDPAGRAD-2]
  return checkGradients(*this, getWrt(), getGradients(),
                        listDifferentiable(*this));
}

//===----------------------------------------------------------------------===//
// block.rope
//===----------------------------------------------------------------------===//

LogicalResult RopeOp::verify() {
  // [ROPE-1]
  int64_t width = getDim(getInput(), -1), heads = getHeads();
  if (failed(checkDivides(*this, "heads", heads, "the width", width)))
    return failure();
  // [ROPE-4]
  if (failed(checkOffset(*this, getOffset(), getDim(getInput(), 0))))
    return failure();
  // [ROPE-2]; [ROPE-3] is the attribute's own rule, [ATTR-3]
  return checkRotation(*this, getForm(),
                       ShapedType::isDynamic(width) ? width : width / heads);
}

//===----------------------------------------------------------------------===//
// block.rotate
//===----------------------------------------------------------------------===//

LogicalResult RotateOp::verify() {
  // [ROTATE-1]
  int64_t width = block::getDim(getInput(), -1), heads = getHeads(),
          dim = getDim();
  if (failed(checkDivides(*this, "heads", heads, "the width", width)))
    return failure();
  // [ROTATE-2]
  if (dim < 2 || dim % 2 != 0 || dim > width / heads)
    return emitOpError() << "expected the rotated width to be positive, even "
                            "and at most the head's, "
                         << width / heads << ", got " << dim;
  // [ROTATE-3]
  return checkRotationTables(*this, {"cosines", getCosines()},
                             {"sines", getSines()}, {"input", getInput()}, dim);
}
