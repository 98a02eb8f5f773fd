//===- Scores.cpp - masks and biases of one head --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scores.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace parablock;
using namespace parablock::reference;

//===----------------------------------------------------------------------===//
// Biases
//===----------------------------------------------------------------------===//

std::vector<double> reference::computeAlibiSlopes(int64_t heads,
                                                  double maxExponent) {
  int64_t power = llvm::PowerOf2Ceil(heads);
  auto slope = [&](int64_t k) {
    return std::exp2(-maxExponent * static_cast<double>(k) /
                     static_cast<double>(power));
  };
  std::vector<double> slopes;
  if (power == heads) {
    for (int64_t k = 1; k <= power; ++k)
      slopes.push_back(slope(k));
    return slopes;
  }
  for (int64_t k = 2; k <= power; k += 2)
    slopes.push_back(slope(k));
  for (int64_t k = 1; k <= power; k += 2)
    slopes.push_back(slope(k));
  slopes.resize(heads);
  return slopes;
}

int64_t reference::computeBucket(block::BucketsAttr buckets, int64_t rows,
                                 int64_t distance) {
  bool bidirectional = buckets.getBidirectional();
  int64_t count = bidirectional ? rows / 2 : rows;
  int64_t start = bidirectional && distance < 0 ? count : 0;
  int64_t x =
      bidirectional ? std::abs(distance) : std::max<int64_t>(distance, 0);
  int64_t exact = count / 2;
  if (x < exact)
    return start + x;
  // In f32: at bucket edges the last bit of the quotient decides.
  float steps = std::log(static_cast<float>(x) / static_cast<float>(exact)) /
                std::log(static_cast<float>(buckets.getMaxDistance()) /
                         static_cast<float>(exact)) *
                static_cast<float>(count - exact);
  if (steps >= static_cast<float>(count - exact))
    return start + count - 1;
  return start + std::min(count - 1, exact + static_cast<int64_t>(steps));
}

HeadBias::HeadBias(block::ScoresAttr scores, block::BucketsAttr buckets,
                   const Tensor *relativeTable, const Tensor *slopes,
                   int64_t head, int64_t heads, int64_t queries, int64_t keys)
    : keys(keys) {
  double slope = 0;
  if (slopes)
    slope = slopes->data()[head];
  else if (scores.getAlibiMax())
    slope = computeAlibiSlopes(heads,
                               scores.getAlibiMax().getValueAsDouble())[head];
  if (scores.getAlibiType()) {
    // Part of the form, so that exact arithmetic rounds here too.
    ElementType type = *getElementTypeOf(scores.getAlibiType());
    slope = roundTo(type, slope);
    for (int64_t key = 0; key < keys; ++key)
      byKey.push_back(
          roundTo(type, slope * roundTo(type, static_cast<double>(key))));
    slope = 0;
  }
  if (slope == 0 && !relativeTable)
    return;
  byDistance.resize(queries + keys + 1);
  for (int64_t distance = -keys; distance <= queries; ++distance) {
    double &bias = byDistance[distance + keys];
    bias = -slope * static_cast<double>(std::abs(distance));
    if (!relativeTable)
      continue;
    int64_t bucket = computeBucket(buckets, relativeTable->shape[0], distance);
    bias += relativeTable->data()[bucket * heads + head];
  }
}

int64_t reference::findScoreBias(const Tensor &bias, int64_t batch,
                                 int64_t head, int64_t row, int64_t key) {
  const int64_t place[] = {batch, head, row, key};
  int64_t at = 0;
  for (auto [size, index] : llvm::zip(bias.shape, place))
    at = at * size + (size == 1 ? 0 : index);
  return at;
}

double reference::getLarger(double a, double b) {
  return a > b || std::isnan(a) ? a : b;
}

double reference::addScoreBias(double score, double bias, bool isExact) {
  double sum = score + bias;
  return isExact ? sum : roundTo(ElementType::F32, sum);
}

void reference::addScaled(double *result, double factor, const double *row,
                          int64_t width) {
  for (int64_t c = 0; c < width; ++c)
    result[c] += factor * row[c];
}

//===----------------------------------------------------------------------===//
// Masks and order
//===----------------------------------------------------------------------===//

KeyRange reference::getAllowedKeys(block::ScoresAttr scores, int64_t query,
                                   int64_t validKeys) {
  KeyRange range = {0, validKeys};
  if (scores.getCausal())
    range.end = std::min(range.end, query + 1);
  if (std::optional<int64_t> window = scores.getWindow()) {
    range.begin = std::max<int64_t>(0, query - *window + 1);
    if (!scores.getCausal() && *window < validKeys)
      range.end = std::min(range.end, query + *window);
  }
  return range;
}

KeyRange reference::findSequence(const Tensor *bounds, int64_t position,
                                 int64_t rows) {
  if (!bounds)
    return {0, rows};
  auto end = llvm::upper_bound(bounds->data(), static_cast<double>(position));
  auto last = bounds->data().back();
  if (end == bounds->data().end())
    return {static_cast<int64_t>(last), static_cast<int64_t>(last)};
  return {static_cast<int64_t>(*std::prev(end)), static_cast<int64_t>(*end)};
}

int64_t reference::getShawRow(const Tensor &table, int64_t query, int64_t key) {
  int64_t reach = table.shape[0] / 2;
  return std::clamp(key - query, -reach, reach) + reach;
}

ScorePipeline::ScorePipeline(block::ScoresAttr scores)
    : scale(scores.getScaleValue()),
      limit(scores.getSoftcap() ? scores.getSoftcap().getValueAsDouble() : 0),
      order(scores.getOrder()) {}

double ScorePipeline::cap(double score) const {
  return limit == 0 ? score : limit * std::tanh(score / limit);
}

double ScorePipeline::apply(double product, double bias) const {
  switch (order) {
  case block::ScoreOrder::ScaleBiasCap:
    return cap(product * scale + bias);
  case block::ScoreOrder::BiasScaleCap:
    return cap((product + bias) * scale);
  case block::ScoreOrder::ScaleCapBias:
    return cap(product * scale) + bias;
  }
  llvm_unreachable("every order has its case");
}

ScorePipeline::Slopes ScorePipeline::differentiate(double product,
                                                   double bias) const {
  bool capsBias = order != block::ScoreOrder::ScaleCapBias;
  double bounded = !capsBias ? cap(product * scale) : apply(product, bias);
  double ofCap = limit == 0 ? 1 : 1 - (bounded / limit) * (bounded / limit);
  switch (order) {
  case block::ScoreOrder::ScaleBiasCap:
    return {scale * ofCap, ofCap};
  case block::ScoreOrder::BiasScaleCap:
    return {scale * ofCap, scale * ofCap};
  case block::ScoreOrder::ScaleCapBias:
    return {scale * ofCap, 1};
  }
  llvm_unreachable("every order has its case");
}
