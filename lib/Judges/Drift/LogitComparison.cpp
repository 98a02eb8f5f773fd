//===- LogitComparison.cpp - KL and agreement of logits -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LogitComparison.h"

#include <algorithm>
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

/// Maximum number of logits in memory at a time, of one stream.
static constexpr int64_t maxLogits = 1 << 22;

void LogitDrift::append(const LogitDrift &other) {
  kl.append(other.kl);
  agreement.append(other.agreement);
  originalNll.append(other.originalNll);
  nll.append(other.nll);
}

double LogitDrift::getPerplexityRatio() const {
  return std::exp(nll.getMean() - originalNll.getMean());
}

/// The logarithm of the softmax.
static std::vector<double> getLogSoftmax(ArrayRef<double> logits) {
  double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double logit : logits)
    sum += std::exp(logit - largest);
  double shift = largest + std::log(sum);
  std::vector<double> result(logits.size());
  for (size_t i = 0; i < logits.size(); ++i)
    result[i] = logits[i] - shift;
  return result;
}

size_t drift::getLargest(ArrayRef<double> values) {
  return std::max_element(values.begin(), values.end()) - values.begin();
}

namespace {
/// Compares one chunk.
class ChunkComparison {
public:
  ChunkComparison(const Model &model, const Tensors &weights,
                  const Chunk &chunk, bool exactly)
      : model(model), weights(weights), chunk(chunk), exactly(exactly),
        valid(model.data().getValid(chunk)), ids(model.data().getIds(chunk)) {}

  Error run(const Tensor &original, ArrayRef<Tensor> others,
            std::vector<LogitDrift> &results) {
    int64_t tokens = static_cast<int64_t>(valid.size());
    int64_t step = tokens;
    if (model.hasRowWiseEnd())
      step = std::max<int64_t>(1, maxLogits / model.getVocabulary());
    for (int64_t first = 0; first < tokens; first += step) {
      int64_t count = std::min(step, tokens - first);
      Expected<Tensor> wanted = runRows(original, first, count);
      if (!wanted)
        return wanted.takeError();
      if (Error error = checkOriginal(*wanted, first, count))
        return error;
      for (auto [other, result] : llvm::zip_equal(others, results)) {
        Expected<Tensor> got = runRows(other, first, count);
        if (!got)
          return got.takeError();
        for (int64_t i = 0; i < count; ++i)
          if (valid[first + i])
            compareToken(first + i, getRow(*wanted, i), getRow(*got, i),
                         result);
      }
    }
    return Error::success();
  }

private:
  Expected<Tensor> runRows(const Tensor &stream, int64_t first, int64_t count) {
    if (!model.hasRowWiseEnd())
      return model.runEnd(stream, weights, chunk, exactly);
    int64_t width = stream.shape.back();
    ArrayRef<double> rows = stream.data().slice(first * width, count * width);
    return model.runEnd(makeTensor(stream.type, {1, count, width}, rows.vec()),
                        weights, chunk, exactly);
  }

  /// Returns an error if a token has no distribution. A token may be excluded,
  /// by a logit of -inf.
  Error checkOriginal(const Tensor &wanted, int64_t first, int64_t count) {
    auto hasDistribution = [](ArrayRef<double> logits) {
      return std::isfinite(logits[getLargest(logits)]) &&
             llvm::none_of(logits, [](double x) { return std::isnan(x); });
    };
    for (int64_t i = 0; i < count; ++i)
      if (valid[first + i] && !hasDistribution(getRow(wanted, i)))
        return llvm::createStringError(
            "the original model makes logits without a distribution: weights "
            "or data hold NaN, infinities or numbers too large");
    return Error::success();
  }

  void compareToken(int64_t token, ArrayRef<double> wanted,
                    ArrayRef<double> got, LogitDrift &result) {
    std::vector<double> p = getLogSoftmax(wanted), q = getLogSoftmax(got);
    double kl = 0;
    for (size_t i = 0; i < p.size(); ++i)
      if (double share = std::exp(p[i]); share > 0)
        kl += share * (p[i] - q[i]);
    // Rounding may make it negative; NaN is kept.
    result.kl.add(kl < 0 ? 0 : kl);
    result.agreement.add(getLargest(wanted) == getLargest(got));
    int64_t length = model.data().numTokensPerRow();
    bool hasNext = (token + 1) % length != 0 && valid[token + 1];
    if (!ids || !hasNext || !model.isCausal())
      return;
    size_t next = static_cast<size_t>(ids->data()[token + 1]);
    if (next >= p.size())
      return;
    result.originalNll.add(-p[next]);
    result.nll.add(-q[next]);
  }

  const Model &model;
  const Tensors &weights;
  const Chunk &chunk;
  const bool exactly;
  std::vector<uint8_t> valid;
  std::optional<Tensor> ids;
};
} // namespace

Expected<std::vector<LogitDrift>>
drift::compareLogits(const Model &model, ArrayRef<Split> splits,
                     const Stream &original, ArrayRef<const Stream *> others,
                     bool exactly) {
  Expected<Tensors> weights = model.loadEnd();
  if (!weights)
    return weights.takeError();
  std::vector<std::vector<LogitDrift>> byChunk(
      model.data().chunks().size(), std::vector<LogitDrift>(others.size()));
  Error error = forEachChunk(
      model.data(), splits, [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensor> wanted = original.get(index);
        if (!wanted)
          return wanted.takeError();
        Tensors got;
        for (const Stream *other : others) {
          Expected<Tensor> tensor = other->get(index);
          if (!tensor)
            return tensor.takeError();
          got.push_back(std::move(*tensor));
        }
        return ChunkComparison(model, *weights, chunk, exactly)
            .run(*wanted, got, byChunk[index]);
      });
  if (error)
    return error;
  std::vector<LogitDrift> results(others.size());
  for (const std::vector<LogitDrift> &chunk : byChunk)
    for (auto [result, part] : llvm::zip_equal(results, chunk))
      result.append(part);
  return results;
}
