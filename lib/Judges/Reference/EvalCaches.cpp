//===- EvalCaches.cpp - evaluates cache appends and row takes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// Copies row `from` of all rows of one tensor to row `to` of another one.
static void copyRow(const Tensor &source, int64_t from,
                    std::vector<double> &result, int64_t to) {
  int64_t width = source.shape[2];
  llvm::copy(source.data().slice(from * width, width),
             result.begin() + to * width);
}

FailureOr<int64_t> CacheRows::find(Evaluation &at, int64_t batch,
                                   int64_t position) const {
  int64_t row = position % getCapacity(), pageRows = cache.shape[1];
  if (!pages)
    return batch * pageRows + row;
  int64_t entry = row / pageRows;
  double page = pages->data()[batch * pages->shape[1] + entry];
  if (!(page >= 0 && page < static_cast<double>(cache.shape[0])))
    return at.error() << "expected pages[" << batch << ", " << entry
                      << "] to be in [0, " << cache.shape[0]
                      << "), for position " << position << ", got "
                      << formatWhole(page);
  return static_cast<int64_t>(page) * pageRows + row % pageRows;
}

FailureOr<Tensor> reference::unrollCache(Evaluation &at, const CacheRows &cache,
                                         const Tensor &pastLengths,
                                         llvm::ArrayRef<int64_t> firsts,
                                         int64_t added) {
  int64_t rows = 0;
  for (double past : pastLengths.data())
    rows = std::max(rows, static_cast<int64_t>(past) + added);
  llvm::SmallVector<int64_t> shape = {pastLengths.shape[0], rows,
                                      cache.cache.shape[2]};
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  for (auto [b, past] : llvm::enumerate(pastLengths.data())) {
    int64_t end = static_cast<int64_t>(past) + added, first = firsts[b];
    for (int64_t position = std::max(first, end - cache.getCapacity());
         position < end; ++position) {
      FailureOr<int64_t> row = cache.find(at, b, position);
      if (failed(row))
        return failure();
      copyRow(cache.cache, *row, *result, b * rows + position);
    }
  }
  return at.wrap(std::move(*result), shape, cache.cache.type);
}

static FailureOr<Tensor> evalCacheAppend(block::CacheAppendOp op,
                                         Evaluation &at) {
  const Tensor &cache = at.get(op.getCache()), &added = at.get(op.getAdded()),
               &lengths = at.get(op.getLengths());
  CacheRows rows = {cache, at.getOptional(op.getPages())};
  int64_t batch = (rows.pages ? added : cache).shape[0];
  int64_t capacity = rows.getCapacity();
  if (failed(at.checkSize("added", added, 0, batch, "batch of the cache")) ||
      failed(at.checkSize("lengths", lengths, 0, batch, "one per batch row")) ||
      failed(at.checkSize("pages", rows.pages, 0, batch, "one per batch row")))
    return failure();
  if (added.shape[1] > capacity)
    return at.error() << "expected at most the " << capacity
                      << " rows of the cache, got " << added.shape[1]
                      << " new ones";
  std::vector<double> result(cache.data());
  llvm::DenseSet<int64_t> written;
  for (auto [b, length] : llvm::enumerate(lengths.data())) {
    if (length < 0)
      return at.error() << "expected lengths[" << b
                        << "] to be at least 0, got " << formatWhole(length);
    for (int64_t t = 0; t < added.shape[1]; ++t) {
      FailureOr<int64_t> row =
          rows.find(at, b, static_cast<int64_t>(length) + t);
      if (failed(row))
        return failure();
      if (!written.insert(*row).second)
        return at.error() << "expected a place of its own for each new row, "
                             "got pages that give new row "
                          << t << " of batch row " << b
                          << " that of another one";
      copyRow(added, b * added.shape[1] + t, result, *row);
    }
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
      copyRow(input, b * input.shape[1] + static_cast<int64_t>(row), *result,
              b * taken + i);
  }
  return at.wrap(std::move(*result), shape, input.type);
}

void reference::addCacheEvaluators(Registry &registry) {
  registry.add<block::CacheAppendOp>(evalCacheAppend);
  registry.add<block::TakeRowsOp>(evalTakeRows);
}
