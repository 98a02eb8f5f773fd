//===- EvalPartialStats.cpp - evaluates partial statistics ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// Columns of tile number `index` of a row.
static int64_t getTileSize(int64_t index, int64_t tile, int64_t width) {
  return std::min(tile, width - index * tile);
}

static FailureOr<Tensors> evalPartialStats(block::PartialStatsOp op,
                                           Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  int64_t width = input.shape.back(), tile = op.getTile();
  int64_t tiles = llvm::divideCeil(width, tile);
  return makeStatistics(at, input, tiles, op.getCentered(), [&](int64_t i) {
    int64_t row = i / tiles, index = i % tiles;
    int64_t size = getTileSize(index, tile, width);
    RowStatistics statistics = computeStatistics(
        input.data().slice(row * width + index * tile, size), op.getCentered());
    statistics.moment *= static_cast<double>(size);
    return statistics;
  });
}

/// Applies Chan's formula, from the first tile to the last: `partials` of
/// `tiles` sums each become one mean and one sum.
static RowStatistics mergeTiles(llvm::ArrayRef<double> means,
                                llvm::ArrayRef<double> sums, int64_t tile,
                                int64_t width) {
  RowStatistics merged;
  double count = 0;
  for (auto [index, sum] : llvm::enumerate(sums)) {
    double added = static_cast<double>(getTileSize(index, tile, width));
    double total = count + added;
    merged.moment += sum;
    if (!means.empty()) {
      double distance = means[index] - merged.mean;
      merged.mean += distance * added / total;
      merged.moment += distance * distance * count * added / total;
    }
    count = total;
  }
  merged.moment /= static_cast<double>(width);
  return merged;
}

static FailureOr<Tensors> evalMergeStats(block::MergeStatsOp op,
                                         Evaluation &at) {
  const Tensor &sums = at.get(op.getMoment());
  const Tensor *means = at.getOptional(op.getMean());
  if (means && failed(at.checkSameShape("mean", *means, "moment", sums)))
    return failure();
  int64_t tiles = sums.shape.back();
  return makeStatistics(at, sums, 1, means != nullptr, [&](int64_t row) {
    llvm::ArrayRef<double> rowMeans;
    if (means)
      rowMeans = means->data().slice(row * tiles, tiles);
    return mergeTiles(rowMeans, sums.data().slice(row * tiles, tiles),
                      op.getTile(), op.getWidth());
  });
}

void reference::addPartialStatsEvaluators(Registry &registry) {
  registry.add<block::PartialStatsOp>(evalPartialStats);
  registry.add<block::MergeStatsOp>(evalMergeStats);
}
