//===- SdpaSizes.cpp - run-time checks of one attention -------------------===//
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

/// Tables and gains of the scores.
static LogicalResult checkTables(Evaluation &at, const SdpaOperands &in,
                                 const SdpaSizes &sizes) {
  Type alibiType = in.scores.getAlibiType();
  if (alibiType && !getElementTypeOf(alibiType))
    return at.error() << "expected alibi_type to be f64, f32, bf16 or f16, got "
                      << alibiType;
  if (failed(at.checkSize("relative_table", in.relativeTable, 1, sizes.heads,
                          "one column per head")) ||
      failed(at.checkSize("shaw_key", in.shawKey, 1, sizes.headSize,
                          "width of a head")) ||
      failed(at.checkSize("shaw_value", in.shawValue, 1, sizes.valueSize,
                          "width of a head")) ||
      failed(at.checkOneOf("alpha", in.alpha, 1, sizes.heads,
                           "one, or one per head")) ||
      failed(at.checkOneOf("beta", in.beta, 1, sizes.heads,
                           "one, or one per head")) ||
      failed(at.checkOneOf("gamma", in.gamma, 1, sizes.heads,
                           "one, or one per head")))
    return failure();
  for (NamedTensor table : {NamedTensor{"shaw_key", in.shawKey},
                            NamedTensor{"shaw_value", in.shawValue}})
    if (table.tensor && table.tensor->shape[0] % 2 == 0)
      return at.error() << "expected " << table.name
                        << " to have an odd number of rows, got "
                        << table.tensor->shape[0];
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
  if (!in.pastKey)
    return success();
  for (auto [name, past, added] :
       {std::tuple("past_key", in.pastKey, in.key),
        std::tuple("past_value", in.pastValue, in.value)})
    if (failed(
            at.checkSize(name, past, 0, sizes.batch, "batch of the query")) ||
        failed(at.checkSize(name, past, 1, sizes.past, "rows of past_key")) ||
        failed(at.checkSize(name, past, 2, added->shape[2],
                            "width of the new ones")))
      return failure();
  return success();
}

FailureOr<SdpaSizes> parablock::reference::checkSdpa(Evaluation &at,
                                                     const SdpaOperands &in) {
  int64_t batch = in.query->shape[0], newKeys = in.key->shape[1];
  if (failed(at.checkDivides("kv_heads", in.kvHeads, "heads", in.heads)) ||
      failed(at.checkDivides("heads", in.heads, "the width of the query",
                             in.query->shape[2])) ||
      failed(at.checkDivides("kv_heads", in.kvHeads, "the width of the value",
                             in.value->shape[2])))
    return failure();
  SdpaSizes sizes;
  sizes.batch = batch;
  sizes.queries = in.query->shape[1];
  sizes.past = in.pastKey ? in.pastKey->shape[1] : 0;
  sizes.keys = sizes.past + newKeys;
  sizes.heads = in.heads;
  sizes.kvHeads = in.kvHeads;
  sizes.headSize = in.query->shape[2] / in.heads;
  sizes.valueSize = in.value->shape[2] / in.kvHeads;
  if (failed(at.checkSize("key", in.key, 2, in.kvHeads * sizes.headSize,
                          "kv_heads times the query's head size")) ||
      failed(at.checkSize("key", in.key, 0, batch, "batch of the query")) ||
      failed(at.checkSize("value", in.value, 0, batch, "batch of the query")) ||
      failed(at.checkSize("value", in.value, 1, newKeys, "rows of the key")) ||
      failed(checkLengths(at, in.lengths, batch, newKeys)) ||
      failed(checkTables(at, in, sizes)) || failed(checkPast(at, in, sizes)))
    return failure();
  if (in.alpha &&
      failed(at.checkSize("key", in.key, 1, sizes.queries,
                          "rows of the query, as there is an alpha")))
    return failure();
  return sizes;
}
