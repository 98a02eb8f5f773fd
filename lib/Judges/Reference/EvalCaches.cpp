//===- EvalCaches.cpp - rows of caches, and rows by number ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// Copies row `from` of batch row `b` of one tensor to row `to` of another one.
static void copyRow(const Tensor &source, int64_t b, int64_t from,
                    std::vector<double> &result, int64_t rows, int64_t to) {
  int64_t width = source.shape[2];
  llvm::copy(source.data().slice((b * source.shape[1] + from) * width, width),
             result.begin() + (b * rows + to) * width);
}

FailureOr<Tensor> reference::unrollCache(Evaluation &at, const Tensor &cache,
                                         const Tensor &pastLengths,
                                         int64_t added) {
  int64_t capacity = cache.shape[1], rows = 0;
  for (double past : pastLengths.data())
    rows = std::max(rows, static_cast<int64_t>(past) + added);
  llvm::SmallVector<int64_t> shape = {cache.shape[0], rows, cache.shape[2]};
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  for (auto [b, past] : llvm::enumerate(pastLengths.data())) {
    int64_t end = static_cast<int64_t>(past) + added;
    for (int64_t position = std::max<int64_t>(0, end - capacity);
         position < end; ++position)
      copyRow(cache, b, position % capacity, *result, rows, position);
  }
  return at.wrap(std::move(*result), shape, cache.type);
}

static FailureOr<Tensor> evalCacheAppend(block::CacheAppendOp op,
                                         Evaluation &at) {
  const Tensor &cache = at.get(op.getCache()), &added = at.get(op.getAdded()),
               &lengths = at.get(op.getLengths());
  int64_t batch = cache.shape[0], capacity = cache.shape[1];
  if (failed(at.checkSize("added", added, 0, batch, "batch of the cache")) ||
      failed(at.checkSize("lengths", lengths, 0, batch, "one per batch row")))
    return failure();
  if (added.shape[1] > capacity)
    return at.error() << "expected at most the " << capacity
                      << " rows of the cache, got " << added.shape[1]
                      << " new ones";
  std::vector<double> result(cache.data());
  for (auto [b, length] : llvm::enumerate(lengths.data())) {
    if (length < 0)
      return at.error() << "expected lengths[" << b
                        << "] to be at least 0, got " << formatWhole(length);
    for (int64_t t = 0; t < added.shape[1]; ++t)
      copyRow(added, b, t, result, capacity,
              (static_cast<int64_t>(length) + t) % capacity);
  }
  return at.wrap(std::move(result), cache.shape, cache.type);
}

static FailureOr<Tensor> evalTakeRows(block::TakeRowsOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput()), &rows = at.get(op.getRows());
  int64_t taken = rows.shape[0];
  llvm::SmallVector<int64_t> shape = {input.shape[0], taken, input.shape[2]};
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  for (auto [i, row] : llvm::enumerate(rows.data())) {
    if (!(row >= 0 && row < static_cast<double>(input.shape[1])))
      return at.error() << "expected rows[" << i << "] to be in [0, "
                        << input.shape[1] << "), got " << formatWhole(row);
    for (int64_t b = 0; b < input.shape[0]; ++b)
      copyRow(input, b, static_cast<int64_t>(row), *result, taken, i);
  }
  return at.wrap(std::move(*result), shape, input.type);
}

void reference::addCacheEvaluators(Registry &registry) {
  registry.add<block::CacheAppendOp>(evalCacheAppend);
  registry.add<block::TakeRowsOp>(evalTakeRows);
}
