//===- SdpaSizes.cpp - checks sizes hidden by `?` -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaSizes.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// Every row of keys is either past or new, real or padding.
static LogicalResult checkLengths(Evaluation &at, const Tensor *lengths,
                                  int64_t batch, int64_t newKeys) {
  if (failed(at.checkSize("lengths", lengths, 0, batch, "one per batch row")))
    return failure();
  if (!lengths)
    return success();
  for (auto [b, length] : llvm::enumerate(lengths->data()))
    if (!(length >= 0 && length <= static_cast<double>(newKeys)))
      return at.error() << "expected lengths[" << b << "] to be in [0, "
                        << newKeys << "], got " << formatWhole(length);
  return success();
}

/// Sequences come one after the other, in the one batch row that there is.
static LogicalResult checkPacked(Evaluation &at, const SdpaOperands &in) {
  if (!in.cuSeqlens)
    return success();
  if (failed(at.checkSize("query", in.query, 0, 1,
                          "one batch row, for cu_seqlens")) ||
      failed(at.checkSize("key", in.key, 1, in.query->shape[1],
                          "rows of the query, as there are cu_seqlens")))
    return failure();
  llvm::ArrayRef<double> bounds = in.cuSeqlens->data();
  if (bounds.size() < 2)
    return at.error() << "expected cu_seqlens to have at least 2 elements, got "
                      << bounds.size();
  if (bounds.front() != 0)
    return at.error() << "expected cu_seqlens[0] to be 0, got "
                      << formatWhole(bounds.front());
  double rows = static_cast<double>(in.query->shape[1]);
  for (size_t s = 1; s < bounds.size(); ++s)
    if (!(bounds[s] >= bounds[s - 1] && bounds[s] <= rows))
      return at.error() << "expected cu_seqlens[" << s << "] to be in ["
                        << formatWhole(bounds[s - 1]) << ", "
                        << in.query->shape[1] << "], got "
                        << formatWhole(bounds[s]);
  return success();
}

static LogicalResult checkBuckets(Evaluation &at, const SdpaOperands &in) {
  if (!in.relativeTable)
    return success();
  // Buckets are counted up to half their number one by one, and from there to
  // the greatest distance by logarithm: both must be there.
  bool bidirectional = in.buckets.getBidirectional();
  int64_t rows = in.relativeTable->shape[0], least = bidirectional ? 4 : 2;
  if (rows < least)
    return at.error() << "expected relative_table to have at least " << least
                      << " rows, got " << rows;
  int64_t exact = (bidirectional ? rows / 2 : rows) / 2;
  if (in.buckets.getMaxDistance() <= exact)
    return at.error() << "expected max_distance to be more than the " << exact
                      << " distances that have a bucket each, got "
                      << in.buckets.getMaxDistance();
  return success();
}

static LogicalResult checkPast(Evaluation &at, const SdpaOperands &in,
                               const SdpaSizes &sizes) {
  for (auto [name, past] : {std::pair("past_key", in.pastKey),
                            std::pair("past_value", in.pastValue)})
    if (failed(
            at.checkSize(name, past, 0, sizes.batch, "batch of the query")) ||
        failed(at.checkSize(name, past, 1, sizes.past, "rows of past_key")))
      return failure();
  return success();
}

/// Caches hold every key that some query may see.
static LogicalResult checkCaches(Evaluation &at, const SdpaOperands &in,
                                 SdpaSizes &sizes) {
  for (auto [name, counts] : {std::pair("past_lengths", in.pastLengths),
                              std::pair("starts", in.starts)}) {
    if (failed(at.checkSize(name, counts, 0, sizes.batch, "one per batch row")))
      return failure();
    if (!counts)
      continue;
    for (auto [b, count] : llvm::enumerate(counts->data()))
      if (count < 0)
        return at.error() << "expected " << name << "[" << b
                          << "] to be at least 0, got " << formatWhole(count);
  }
  if (failed(
          at.checkSize("pages", in.pages, 0, sizes.batch, "one per batch row")))
    return failure();
  int64_t capacity = CacheRows{*in.key, in.pages}.getCapacity();
  sizes.keys = 0;
  for (int64_t b = 0; b < sizes.batch; ++b) {
    int64_t past = sizes.getPast(in, b);
    sizes.past = std::max(sizes.past, past);
    sizes.keys = std::max(sizes.keys, past + sizes.queries);
  }
  for (int64_t b = 0; b < sizes.batch; ++b) {
    int64_t past = sizes.getPast(in, b), end = past + sizes.queries;
    for (int64_t position = past; position < end; ++position) {
      KeyRange keys = getKeys(in, sizes, b, position);
      if (!keys.empty() && keys.begin < end - capacity)
        return at.error() << "expected the cache of " << capacity
                          << " rows to hold the key at position " << keys.begin
                          << " of batch row " << b << ", got one that holds "
                          << end - capacity << " to " << end - 1;
    }
  }
  return success();
}

/// Checks that each dimension of the bias is 1, or as large as that of the
/// scores.
static LogicalResult checkScoreBias(Evaluation &at, const SdpaOperands &in,
                                    const SdpaSizes &sizes) {
  if (!in.scoreBias)
    return success();
  int64_t full[] = {sizes.batch, sizes.heads, sizes.queries, sizes.keys};
  for (auto [dim, size] : llvm::enumerate(full))
    if (in.scoreBias->shape[dim] != 1 &&
        failed(at.checkSize("score_bias", in.scoreBias, dim, size,
                            "1, or as many as the scores")))
      return failure();
  return success();
}

KeyRange reference::getKeys(const SdpaOperands &in, const SdpaSizes &sizes,
                            int64_t batch, int64_t position) {
  int64_t past = sizes.getPast(in, batch), valid = sizes.keys;
  if (in.lengths)
    valid = past + static_cast<int64_t>(in.lengths->data()[batch]);
  else if (in.pastLengths)
    valid = past + sizes.queries;
  KeyRange keys = getAllowedKeys(in.scores, position, valid);
  KeyRange own = {getFirstKey(in, sizes, batch, position),
                  findSequence(in.cuSeqlens, position, valid).end};
  return {std::max(keys.begin, own.begin), std::min(keys.end, own.end)};
}

int64_t reference::getFirstKey(const SdpaOperands &in, const SdpaSizes &sizes,
                               int64_t batch, int64_t position) {
  return in.starts ? static_cast<int64_t>(in.starts->data()[batch])
                   : findSequence(in.cuSeqlens, position, sizes.keys).begin;
}

FailureOr<SdpaSizes> reference::checkSdpa(Evaluation &at,
                                          const SdpaOperands &in) {
  int64_t newKeys = in.key->shape[1];
  SdpaSizes sizes;
  sizes.batch = in.query->shape[0];
  sizes.queries = in.query->shape[1];
  sizes.past = in.pastKey ? in.pastKey->shape[1] : 0;
  sizes.keys = sizes.past + newKeys;
  sizes.heads = in.heads;
  sizes.kvHeads = in.kvHeads;
  sizes.headSize = in.query->shape[2] / in.heads;
  sizes.valueSize = in.value->shape[2] / in.kvHeads;
  int64_t caches = in.pages ? in.key->shape[0] : sizes.batch;
  if (failed(at.checkSize("key", in.key, 0, caches, "batch of the query")) ||
      failed(
          at.checkSize("value", in.value, 0, caches,
                       in.pages ? "pages of the key" : "batch of the query")) ||
      failed(at.checkSize("value", in.value, 1, newKeys, "rows of the key")) ||
      failed(checkLengths(at, in.lengths, sizes.batch, newKeys)) ||
      failed(checkPacked(at, in)) ||
      failed(at.checkRoundsTo("alibi_type", in.scores.getAlibiType())) ||
      failed(checkBuckets(at, in)) || failed(checkPast(at, in, sizes)) ||
      failed(checkScoreBias(at, in, sizes)))
    return failure();
  if (in.pastLengths) {
    if (failed(checkCaches(at, in, sizes)))
      return failure();
    return sizes;
  }
  if (in.alpha &&
      failed(at.checkSize("key", in.key, 1, sizes.queries,
                          "rows of the query, as there is an alpha")))
    return failure();
  return sizes;
}
