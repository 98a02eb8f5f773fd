//===- NaiveAttention.h - attention by the schoolbook -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One loop per index and the whole matrix of weights, so that nothing of the
// engine's way of computing can hide here.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_REFERENCE_NAIVEATTENTION_H
#define PARABLOCK_UNITTESTS_REFERENCE_NAIVEATTENTION_H

#include "RunText.h"

namespace parablock::unittest {

/// An attention, as text for the engine and as numbers for the formula. Empty
/// vectors and nulls are absent operands.
struct Attention {
  int64_t heads = 2, kvHeads = 1;
  Tensor query, key, value;
  Values lengths;
  Tensor relativeTable, shawKey, shawValue, alpha, beta, gamma;
  Tensor pastKey, pastValue;

  double scale = 0.7;
  bool causal = false;
  int64_t window = 0;
  double softcap = 0, alibiMax = 0;
  /// F64: ALiBi is not rounded.
  ElementType alibiType = ElementType::F64;
  std::string order = "scale_bias_cap";
  bool bidirectional = false;
  int64_t maxDistance = 128;

  Outcome run(const Options &options = exact()) const;
  Values compute() const;

private:
  double score(int64_t head, int64_t i, int64_t j, double product) const;
};

/// [2, 5] queries of 2 heads of 4; keys and values of 1 head, values of 3.
inline Attention makeAttention(int64_t tokens = 5) {
  Attention attention;
  attention.query = wild({2, tokens, 8}, 1);
  attention.key = wild({2, tokens, 4}, 2);
  attention.value = wild({2, tokens, 3}, 3);
  return attention;
}

inline Outcome Attention::run(const Options &options) const {
  std::string types, text = "%r = block.sdpa";
  std::vector<Tensor> arguments;
  auto add = [&](const std::string &keyword, const Tensor &operand) {
    if (!operand.values)
      return;
    text += keyword + " %a" + std::to_string(arguments.size());
    types += (arguments.empty() ? "" : ", ") + typeOf(operand);
    arguments.push_back(operand);
  };
  add("", query);
  add(",", key);
  add(",", value);
  if (!lengths.empty())
    add(" lengths", tensor({static_cast<int64_t>(lengths.size())}, lengths,
                           ElementType::I64));
  add(" relative", relativeTable);
  add(" shaw_key", shawKey);
  add(" shaw_value", shawValue);
  add(" alpha", alpha);
  add(" beta", beta);
  add(" gamma", gamma);
  add(" past_key", pastKey);
  add(" past_value", pastValue);
  Tensor result = query;
  result.shape[2] = value.shape[2] / kvHeads * heads;
  text += " {heads = " + std::to_string(heads) +
          " : i64, kv_heads = " + std::to_string(kvHeads) +
          " : i64, scores = #block.scores<scale = " + std::to_string(scale);
  if (causal)
    text += ", causal = true";
  if (window)
    text += ", window = " + std::to_string(window);
  if (softcap)
    text += ", softcap = " + std::to_string(softcap);
  if (alibiMax)
    text += ", alibi_max = " + std::to_string(alibiMax);
  text += ", order = " + order;
  if (alibiType != ElementType::F64)
    text += ", alibi_type = " + getElementTypeKeyword(alibiType).str();
  text += ">";
  if (relativeTable.values)
    text += ", buckets = #block.buckets<max_distance = " +
            std::to_string(maxDistance) +
            ", bidirectional = " + (bidirectional ? "true" : "false") + ">";
  text += "} : (" + types + ") -> " + typeOf(result);
  return runBody(text, typeOf(result), arguments, options);
}

/// The buckets of a table with `rows` rows, one distance after the other: a
/// bucket each up to half, then equal steps of the logarithm.
inline int64_t naiveBucket(int64_t rows, int64_t maxDistance,
                           bool bidirectional, int64_t distance) {
  int64_t count = bidirectional ? rows / 2 : rows;
  int64_t first = bidirectional && distance < 0 ? count : 0;
  int64_t x = bidirectional ? std::abs(distance) : distance < 0 ? 0 : distance;
  if (x < count / 2)
    return first + x;
  float half = count / 2;
  float steps = std::log(x / half) / std::log(maxDistance / half);
  int64_t bucket = count / 2 + int64_t(steps * (count - count / 2));
  return first + (bucket < count ? bucket : count - 1);
}

inline double Attention::score(int64_t head, int64_t i, int64_t j,
                               double product) const {
  double bias = 0;
  if (alibiMax) {
    int64_t power = 1;
    while (power < heads)
      power *= 2;
    // k of this head: in order, or first the even ones.
    int64_t k = head + 1;
    if (power != heads)
      k = head < power / 2 ? 2 * (head + 1) : 2 * (head - power / 2) + 1;
    double slope = std::pow(2.0, -alibiMax * k / power);
    bias = alibiType == ElementType::F64
               ? -slope * std::abs(i - j)
               : roundTo(alibiType,
                         roundTo(alibiType, slope) * roundTo(alibiType, j));
  }
  if (relativeTable.values)
    bias +=
        relativeTable.data()[naiveBucket(relativeTable.shape[0], maxDistance,
                                         bidirectional, i - j) *
                                 heads +
                             head];
  auto cap = [&](double x) {
    return softcap ? softcap * std::tanh(x / softcap) : x;
  };
  if (order == "scale_bias_cap")
    return cap(scale * product + bias);
  if (order == "bias_scale_cap")
    return cap(scale * (product + bias));
  return cap(scale * product) + bias;
}

inline Values Attention::compute() const {
  int64_t batch = query.shape[0], queries = query.shape[1];
  int64_t past = pastKey.values ? pastKey.shape[1] : 0;
  int64_t added = key.shape[1], keys = past + added;
  int64_t D = query.shape[2] / heads, E = value.shape[2] / kvHeads;
  auto read = [&](const Tensor &before, const Tensor &now, int64_t b, int64_t j,
                  int64_t column) {
    int64_t width = now.shape[2];
    return j < past ? before.data()[(b * past + j) * width + column]
                    : now.data()[(b * added + j - past) * width + column];
  };
  auto gain = [](const Tensor &tensor, int64_t head, double absent) {
    return !tensor.values ? absent
                          : tensor.data()[tensor.shape[0] == 1 ? 0 : head];
  };
  auto shawRow = [](const Tensor &table, int64_t i, int64_t j) {
    int64_t c = table.shape[0] / 2;
    return std::min(std::max(j - i, -c), c) + c;
  };
  Values result(batch * queries * heads * E);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t t = 0; t < queries; ++t) {
        int64_t i = past + t, g = h / (heads / kvHeads);
        Values weights(keys, 0.0), allowed(keys, 0.0);
        double sum = 0, count = 0;
        for (int64_t j = 0; j < keys; ++j) {
          if (causal && j > i)
            continue;
          if (window && (j <= i - window || (!causal && j >= i + window)))
            continue;
          if (!lengths.empty() && j >= past + lengths[b])
            continue;
          double product = 0;
          for (int64_t d = 0; d < D; ++d) {
            double q = query.data()[(b * queries + t) * heads * D + h * D + d];
            product += q * read(pastKey, key, b, j, g * D + d);
            if (shawKey.values)
              product += q * shawKey.data()[shawRow(shawKey, i, j) * D + d];
          }
          weights[j] = std::exp(score(h, i, j, product));
          sum += weights[j];
          allowed[j] = 1;
          count += 1;
        }
        for (int64_t e = 0; e < E; ++e) {
          double &r = result[(b * queries + t) * heads * E + h * E + e];
          for (int64_t j = 0; j < keys; ++j) {
            double v = read(pastValue, value, b, j, g * E + e);
            if (!allowed[j])
              continue;
            r -= gain(gamma, h, 0) * v / count;
            if (shawValue.values)
              v += shawValue.data()[shawRow(shawValue, i, j) * E + e];
            r += gain(beta, h, 1) * weights[j] / sum * v;
          }
          if (alpha.values)
            r += gain(alpha, h, 0) * read(pastValue, value, b, i, g * E + e);
        }
      }
  return result;
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_REFERENCE_NAIVEATTENTION_H
