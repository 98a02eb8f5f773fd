//===- EvalPartialStats.cpp - evaluates partial statistics ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Registry.h"
#include "Steps.h"
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
  llvm::SmallVector<int64_t> shape = withWidth(input, tiles);
  FailureOr<std::vector<double>> mean = at.allocate(shape);
  FailureOr<std::vector<double>> sum = at.allocate(shape);
  if (failed(mean) || failed(sum))
    return failure();
  for (int64_t i = 0, e = sum->size(); i < e; ++i) {
    int64_t row = i / tiles, index = i % tiles;
    int64_t size = getTileSize(index, tile, width);
    RowStatistics statistics = computeStatistics(
        input.data().slice(row * width + index * tile, size), op.getCentered());
    (*mean)[i] = statistics.mean;
    (*sum)[i] = statistics.moment * static_cast<double>(size);
  }
  Tensors results;
  if (op.getCentered())
    results.push_back(at.round(std::move(*mean), shape, ElementType::F32));
  results.push_back(at.round(std::move(*sum), shape, ElementType::F32));
  return results;
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
  llvm::SmallVector<int64_t> shape = withWidth(sums, 1);
  FailureOr<std::vector<double>> mean = at.allocate(shape);
  FailureOr<std::vector<double>> moment = at.allocate(shape);
  if (failed(mean) || failed(moment))
    return failure();
  for (int64_t row = 0, e = moment->size(); row < e; ++row) {
    llvm::ArrayRef<double> rowMeans;
    if (means)
      rowMeans = means->data().slice(row * tiles, tiles);
    RowStatistics merged =
        mergeTiles(rowMeans, sums.data().slice(row * tiles, tiles),
                   op.getTile(), op.getWidth());
    (*mean)[row] = merged.mean;
    (*moment)[row] = merged.moment;
  }
  Tensors results;
  if (means)
    results.push_back(at.round(std::move(*mean), shape, ElementType::F32));
  results.push_back(at.round(std::move(*moment), shape, ElementType::F32));
  return results;
}

void reference::addPartialStatsEvaluators(Registry &registry) {
  registry.add<block::PartialStatsOp>(evalPartialStats);
  registry.add<block::MergeStatsOp>(evalMergeStats);
}
