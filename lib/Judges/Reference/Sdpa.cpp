//===- Sdpa.cpp - runs heads and attends to keys --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scores.h"
#include "SdpaSizes.h"
#include "parablock/Judges/Reference/Matmul.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// The matrix of one head of one batch row of `[B, rows, heads * width]`.
static MatrixView viewHead(const Tensor &tensor, int64_t batch, int64_t head,
                           int64_t width) {
  int64_t rows = tensor.shape[1], stride = tensor.shape[2];
  return {tensor.data().data() + batch * rows * stride + head * width, rows,
          width, stride};
}

namespace {
/// One head of one batch row.
class HeadEvaluation {
public:
  HeadEvaluation(const SdpaOperands &in, const SdpaSizes &sizes, int64_t batch,
                 int64_t head, bool isExact)
      : in(in), sizes(sizes), batch(batch), head(head), isExact(isExact),
        query(viewHead(*in.query, batch, head, sizes.headSize)),
        key(viewHead(*in.key, batch, sizes.getKvHead(head), sizes.headSize)),
        value(
            viewHead(*in.value, batch, sizes.getKvHead(head), sizes.valueSize)),
        bias(in.scores, in.buckets, in.relativeTable, in.slopes, head,
             sizes.heads, sizes.past + sizes.queries, sizes.keys),
        pipeline(in.scores), past(sizes.getPast(in, batch)) {}

  /// Writes the head's columns of result rows, `stride` apart.
  void run(double *result, int64_t stride);

private:
  void runRow(int64_t row, const double *products, int64_t firstKey,
              const double *shawProducts, double *result);
  void addSoftmax(int64_t row, KeyRange keys,
                  llvm::MutableArrayRef<double> scores, double *result);
  KeyRange getKeys(int64_t position) const {
    return reference::getKeys(in, sizes, batch, position);
  }
  double getGain(const Tensor *gain, double absent) const {
    return gain ? gain->data()[gain->shape[0] == 1 ? 0 : head] : absent;
  }

  const SdpaOperands &in;
  const SdpaSizes &sizes;
  const int64_t batch, head;
  const bool isExact;
  const MatrixView query, key, value;
  const HeadBias bias;
  const ScorePipeline pipeline;
  /// The position of the first query.
  const int64_t past;
};
} // namespace

void HeadEvaluation::run(double *result, int64_t stride) {
  // So many queries at once that the products stay in the cache.
  constexpr int64_t blockRows = 32;
  std::vector<double> products, shawProducts;
  for (int64_t first = 0; first < sizes.queries; first += blockRows) {
    int64_t rows = std::min(blockRows, sizes.queries - first);
    // Both ends of the range of allowed keys only grow with the position.
    int64_t position = past + first;
    int64_t firstKey = getKeys(position).begin;
    int64_t lastKey = getKeys(position + rows - 1).end;
    int64_t keys = std::max<int64_t>(0, lastKey - firstKey);
    MatrixView queries = {query.data + first * query.stride, rows,
                          sizes.headSize, query.stride};
    products.resize(rows * keys);
    multiplyTransposed(
        queries,
        {key.data + firstKey * key.stride, keys, sizes.headSize, key.stride},
        products.data(), keys);
    int64_t shawRows = in.shawKey ? in.shawKey->shape[0] : 0;
    shawProducts.resize(rows * shawRows);
    if (in.shawKey)
      multiplyTransposed(
          queries,
          {in.shawKey->data().data(), shawRows, sizes.headSize, sizes.headSize},
          shawProducts.data(), shawRows);
    for (int64_t r = 0; r < rows; ++r)
      runRow(first + r, products.data() + r * keys, firstKey,
             shawProducts.data() + r * shawRows, result + (first + r) * stride);
  }
}

/// `products` are those of the keys starting at `firstKey`, `shawProducts`
/// those of the rows of `shaw_key`.
void HeadEvaluation::runRow(int64_t row, const double *products,
                            int64_t firstKey, const double *shawProducts,
                            double *result) {
  int64_t position = past + row;
  KeyRange keys = getKeys(position);
  int64_t first = getFirstKey(in, sizes, batch, position);
  if (!keys.empty()) {
    std::vector<double> scores(keys.size());
    for (int64_t j = keys.begin; j < keys.end; ++j) {
      double product = products[j - firstKey];
      if (in.shawKey)
        product += shawProducts[getShawRow(*in.shawKey, position, j)];
      double score =
          pipeline.apply(product, bias.get(position - first, j - first));
      if (in.scoreBias)
        score = addScoreBias(
            score,
            in.scoreBias
                ->data()[findScoreBias(*in.scoreBias, batch, head, row, j)],
            isExact);
      scores[j - keys.begin] = score;
    }
    addSoftmax(row, keys, scores, result);
    if (in.gamma) {
      double factor = -getGain(in.gamma, 0) / static_cast<double>(keys.size());
      for (int64_t j = keys.begin; j < keys.end; ++j)
        addScaled(result, factor, value.data + j * value.stride, value.columns);
    }
  } else if (std::isnan(getGain(in.sinks, 0))) {
    // Weights of hidden keys are NaN, too.
    std::fill_n(result, value.columns, NAN);
  }
  if (in.alpha)
    addScaled(result, getGain(in.alpha, 0),
              value.data + position * value.stride, value.columns);
}

/// Adds `beta_h sum_j w_ij (v_j + shaw_value[..])`.
void HeadEvaluation::addSoftmax(int64_t row, KeyRange keys,
                                llvm::MutableArrayRef<double> scores,
                                double *result) {
  // The sink takes its share of the weights and has no value.
  double sink = getGain(in.sinks, -std::numeric_limits<double>::infinity());
  double largest = sink;
  for (double score : scores)
    largest = getLarger(largest, score);
  // Without a key that is not hidden by its bias, all weights are 0.
  if (largest == -std::numeric_limits<double>::infinity())
    return;
  double sum = std::exp(sink - largest);
  for (double &score : scores) {
    score = std::exp(score - largest);
    sum += score;
  }
  double factor = getGain(in.beta, 1) / sum;
  for (int64_t j = keys.begin; j < keys.end; ++j) {
    double weight = factor * scores[j - keys.begin] *
                    getDropoutFactor(in, batch, head, sizes.queries, row, j);
    addScaled(result, weight, value.data + j * value.stride, value.columns);
    if (in.shawValue)
      addScaled(result, weight,
                in.shawValue->data().data() +
                    getShawRow(*in.shawValue, past + row, j) * value.columns,
                value.columns);
  }
}

FailureOr<Tensor> reference::prependPast(Evaluation &at, const Tensor &past,
                                         const Tensor &added) {
  llvm::SmallVector<int64_t> shape = added.shape;
  shape[1] += past.shape[1];
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  auto next = result->begin();
  int64_t pastSize = past.shape[1] * shape[2];
  int64_t addedSize = added.shape[1] * shape[2];
  for (int64_t b = 0; b < shape[0]; ++b) {
    next = llvm::copy(past.data().slice(b * pastSize, pastSize), next);
    next = llvm::copy(added.data().slice(b * addedSize, addedSize), next);
  }
  return at.wrap(std::move(*result), shape, added.type);
}

FailureOr<Tensor> reference::attend(Evaluation &at, SdpaOperands operands,
                                    ElementType type) {
  FailureOr<SdpaSizes> sizes = checkSdpa(at, operands);
  if (failed(sizes))
    return failure();
  int64_t heads = sizes->heads, width = heads * sizes->valueSize;
  llvm::SmallVector<int64_t> shape = {sizes->batch, sizes->queries, width};
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  if (result->empty())
    return at.wrap({}, shape, type);
  FailureOr<Tensor> key, value;
  if (operands.pastKey) {
    key = prependPast(at, *operands.pastKey, *operands.key);
    value = prependPast(at, *operands.pastValue, *operands.value);
    if (failed(key) || failed(value))
      return failure();
    operands.key = &*key;
    operands.value = &*value;
  }
  if (const Tensor *past = operands.pastLengths) {
    // Tokens read their own rows, too.
    llvm::SmallVector<int64_t> firsts;
    for (int64_t b = 0; b < sizes->batch; ++b) {
      int64_t position = sizes->getPast(operands, b);
      firsts.push_back(
          std::min(position, getKeys(operands, *sizes, b, position).begin));
    }
    auto unroll = [&](const Tensor &cache) {
      return unrollCache(at, {cache, operands.pages}, *past, firsts,
                         sizes->queries);
    };
    key = unroll(*operands.key);
    value = unroll(*operands.value);
    if (failed(key) || failed(value))
      return failure();
    operands.key = &*key;
    operands.value = &*value;
  }
  parallelFor(sizes->batch * heads,
              sizes->queries * sizes->keys *
                  (sizes->headSize + sizes->valueSize),
              [&](int64_t task) {
                int64_t batch = task / heads, head = task % heads;
                HeadEvaluation(operands, *sizes, batch, head,
                               at.frame.options.exactArithmetic)
                    .run(result->data() + batch * sizes->queries * width +
                             head * sizes->valueSize,
                         width);
              });
  return at.round(std::move(*result), shape, type);
}
