//===- Scores.h - masks and biases of scores --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_SCORES_H
#define PARABLOCK_LIB_REFERENCE_SCORES_H

#include "Evaluation.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock::reference {

/// ALiBi's slopes for `heads` heads.
std::vector<double> computeAlibiSlopes(int64_t heads, double maxExponent);

/// The bucket of key j for query i in a table of `rows` rows;
/// `distance = i - j`.
int64_t computeBucket(block::BucketsAttr buckets, int64_t rows,
                      int64_t distance);

/// The keys that one query may see: always a range.
struct KeyRange {
  int64_t begin, end;
  bool empty() const { return begin >= end; }
  int64_t size() const { return empty() ? 0 : end - begin; }
};

/// The keys that position `query` may see among the first `validKeys`.
KeyRange getAllowedKeys(block::ScoresAttr scores, int64_t query,
                        int64_t validKeys);

/// Returns the rows of the sequence of row `position`: none after the last one,
/// all `rows` without `cu_seqlens`.
KeyRange findSequence(const Tensor *bounds, int64_t position, int64_t rows);

/// Row of a Shaw table for key `key` and query `query`.
int64_t getShawRow(const Tensor &table, int64_t query, int64_t key);

/// Returns the index in `score_bias` of a batch row, head, query's row and key;
/// a dimension of 1 is broadcast.
int64_t findScoreBias(const Tensor &bias, int64_t batch, int64_t head,
                      int64_t row, int64_t key);

/// Adds an element of `score_bias`. The sum is rounded to f32, so that large
/// negative numbers absorb the score.
double addScoreBias(double score, double bias, bool isExact);

/// Returns the larger of two scores, and NaN if one of them is: a softmax of
/// NaN is NaN, also where all other keys are hidden.
double getLarger(double a, double b);

/// `result += factor * row`, of `width` elements.
void addScaled(double *result, double factor, const double *row, int64_t width);

/// The bias of one head: ALiBi's and the bucketed table's entry.
class HeadBias {
public:
  /// For queries before position `queries` and as many keys as `keys`;
  /// `relativeTable` is null without `buckets`, `slopes` if ALiBi computes
  /// them.
  HeadBias(block::ScoresAttr scores, block::BucketsAttr buckets,
           const Tensor *relativeTable, const Tensor *slopes, int64_t head,
           int64_t heads, int64_t queries, int64_t keys);

  double get(int64_t query, int64_t key) const {
    double bias = 0;
    if (!byKey.empty())
      bias += byKey[key];
    if (!byDistance.empty())
      bias += byDistance[query - key + keys];
    return bias;
  }

private:
  int64_t keys;
  std::vector<double> byDistance;
  /// ALiBi in its rounded form, which only counts keys.
  std::vector<double> byKey;
};

/// The way of `q.k` (with its Shaw term) to the softmax.
class ScorePipeline {
public:
  explicit ScorePipeline(block::ScoresAttr scores);
  double apply(double product, double bias) const;

  /// The derivatives of the score by the product and by the bias.
  struct Slopes {
    double byProduct, byBias;
  };
  Slopes differentiate(double product, double bias) const;

private:
  double cap(double score) const;

  const double scale;
  /// 0: none.
  const double limit;
  const block::ScoreOrder order;
};

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_SCORES_H
