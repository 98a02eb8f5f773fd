//===- EvalSdpaGrad.cpp - evaluates gradients of attention ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GetSdpaOperands.h"
#include "Registry.h"
#include "Scores.h"
#include "SdpaSizes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Reference/Matmul.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

namespace {
/// Gradients by operands that all heads, or all batch rows, share.
struct SharedGradients {
  std::vector<double> relativeTable, shawKey, shawValue, alpha, beta, gamma,
      scoreBias, sinks;

  /// Allocates them; that of `score_bias`, which may be large, only if
  /// requested.
  static SharedGradients makeFor(const SdpaOperands &in, bool takesBias) {
    auto zeros = [](const Tensor *like) {
      return std::vector<double>(like ? like->getNumElements() : 0);
    };
    return {zeros(in.relativeTable),
            zeros(in.shawKey),
            zeros(in.shawValue),
            zeros(in.alpha),
            zeros(in.beta),
            zeros(in.gamma),
            zeros(takesBias ? in.scoreBias : nullptr),
            zeros(in.sinks)};
  }

  void add(const SharedGradients &other) {
    for (auto part :
         {&SharedGradients::relativeTable, &SharedGradients::shawKey,
          &SharedGradients::shawValue, &SharedGradients::alpha,
          &SharedGradients::beta, &SharedGradients::gamma,
          &SharedGradients::scoreBias, &SharedGradients::sinks})
      for (auto [sum, added] : llvm::zip_equal(this->*part, other.*part))
        sum += added;
  }
};

/// Gradients by queries, and by keys and values with past ones first.
struct RowGradients {
  std::vector<double> query, key, value;
};

/// One query head of one batch row.
class HeadGradient {
public:
  HeadGradient(const SdpaOperands &in, const SdpaSizes &sizes,
               const Tensor &gradient, int64_t batch, int64_t head,
               bool isExact, RowGradients &byRows, SharedGradients &byShared)
      : in(in), sizes(sizes), gradient(gradient), batch(batch), head(head),
        isExact(isExact),
        bias(in.scores, in.buckets, in.relativeTable, in.slopes, head,
             sizes.heads, sizes.past + sizes.queries, sizes.keys),
        pipeline(in.scores), byRows(byRows), byShared(byShared) {}

  void run() {
    for (int64_t row = 0; row < sizes.queries; ++row)
      runRow(row);
  }

private:
  /// A key that a query may see.
  struct Pair {
    double weight, product, bias;
    /// The factor of dropout, and `(v_j + shaw_value[..]) . gradient_i`
    /// multiplied by it.
    double kept, pull;
    int64_t key, shawKeyRow, shawValueRow, biasPlace;
  };

  void runRow(int64_t row);
  void addSoftmax(int64_t row, llvm::MutableArrayRef<Pair> pairs);
  Pair openPair(int64_t row, int64_t key, int64_t firstOfSequence,
                const double *dy) const;

  int64_t findRow(int64_t rows, int64_t row, int64_t of, int64_t parts,
                  int64_t size) const {
    return ((batch * rows + row) * parts + of) * size;
  }
  int64_t findQuery(int64_t row) const {
    return findRow(sizes.queries, row, head, sizes.heads, sizes.headSize);
  }
  int64_t findKey(int64_t row) const {
    return findRow(sizes.keys, row, sizes.getKvHead(head), sizes.kvHeads,
                   sizes.headSize);
  }
  int64_t findValue(int64_t row) const {
    return findRow(sizes.keys, row, sizes.getKvHead(head), sizes.kvHeads,
                   sizes.valueSize);
  }
  int64_t findGain(const Tensor &gain) const {
    return gain.shape[0] == 1 ? 0 : head;
  }
  double getGain(const Tensor *gain, double absent) const {
    return gain ? gain->data()[findGain(*gain)] : absent;
  }

  const SdpaOperands &in;
  const SdpaSizes &sizes;
  const Tensor &gradient;
  const int64_t batch, head;
  const bool isExact;
  const HeadBias bias;
  const ScorePipeline pipeline;
  RowGradients &byRows;
  SharedGradients &byShared;
};
} // namespace

static double dot(const double *a, const double *b, int64_t size) {
  return std::inner_product(a, a + size, b, 0.0);
}

/// `weight` is the score here.
HeadGradient::Pair HeadGradient::openPair(int64_t row, int64_t key,
                                          int64_t firstOfSequence,
                                          const double *dy) const {
  int64_t position = sizes.past + row, width = sizes.headSize;
  const double *q = in.query->data().data() + findQuery(row);
  Pair pair = {};
  pair.key = key;
  pair.product = dot(q, in.key->data().data() + findKey(key), width);
  if (in.shawKey) {
    pair.shawKeyRow = getShawRow(*in.shawKey, position, key);
    pair.product +=
        dot(q, in.shawKey->data().data() + pair.shawKeyRow * width, width);
  }
  pair.bias = bias.get(position - firstOfSequence, key - firstOfSequence);
  pair.weight = pipeline.apply(pair.product, pair.bias);
  if (in.scoreBias) {
    pair.biasPlace = findScoreBias(*in.scoreBias, batch, head, row, key);
    pair.weight = addScoreBias(pair.weight,
                               in.scoreBias->data()[pair.biasPlace], isExact);
  }
  pair.kept = getDropoutFactor(in, batch, head, sizes.queries, row, key);
  pair.pull =
      dot(in.value->data().data() + findValue(key), dy, sizes.valueSize);
  if (in.shawValue) {
    pair.shawValueRow = getShawRow(*in.shawValue, position, key);
    pair.pull +=
        dot(in.shawValue->data().data() + pair.shawValueRow * sizes.valueSize,
            dy, sizes.valueSize);
  }
  // Dropped elements may hold any value.
  pair.pull = pair.kept == 0 ? 0 : pair.kept * pair.pull;
  return pair;
}

void HeadGradient::addSoftmax(int64_t row, llvm::MutableArrayRef<Pair> pairs) {
  const double *dy =
      gradient.data().data() +
      findRow(sizes.queries, row, head, sizes.heads, sizes.valueSize);
  double sink = getGain(in.sinks, -std::numeric_limits<double>::infinity());
  double largest = sink;
  for (const Pair &pair : pairs)
    largest = getLarger(largest, pair.weight);
  if (largest == -std::numeric_limits<double>::infinity())
    return;
  double sinkWeight = std::exp(sink - largest), sum = sinkWeight;
  for (Pair &pair : pairs)
    sum += pair.weight = std::exp(pair.weight - largest);
  double mean = 0, beta = getGain(in.beta, 1);
  for (Pair &pair : pairs) {
    pair.weight /= sum;
    // A hidden key may hold anything.
    mean += pair.weight == 0 ? 0 : pair.weight * pair.pull;
  }
  if (in.beta)
    byShared.beta[findGain(*in.beta)] += mean;
  if (in.sinks)
    byShared.sinks[findGain(*in.sinks)] -= beta * sinkWeight / sum * mean;

  int64_t width = sizes.headSize;
  const double *q = in.query->data().data() + findQuery(row);
  double *dq = byRows.query.data() + findQuery(row);
  for (const Pair &pair : pairs) {
    if (pair.weight == 0)
      continue;
    double share = beta * pair.weight * pair.kept;
    addScaled(byRows.value.data() + findValue(pair.key), share, dy,
              sizes.valueSize);
    if (in.shawValue)
      addScaled(byShared.shawValue.data() + pair.shawValueRow * sizes.valueSize,
                share, dy, sizes.valueSize);
    double byScore = beta * pair.weight * (pair.pull - mean);
    ScorePipeline::Slopes slopes =
        pipeline.differentiate(pair.product, pair.bias);
    double byProduct = byScore * slopes.byProduct;
    addScaled(dq, byProduct, in.key->data().data() + findKey(pair.key), width);
    addScaled(byRows.key.data() + findKey(pair.key), byProduct, q, width);
    if (in.shawKey) {
      addScaled(dq, byProduct,
                in.shawKey->data().data() + pair.shawKeyRow * width, width);
      addScaled(byShared.shawKey.data() + pair.shawKeyRow * width, byProduct, q,
                width);
    }
    if (in.relativeTable) {
      int64_t distance = sizes.past + row - pair.key;
      int64_t bucket =
          computeBucket(in.buckets, in.relativeTable->shape[0], distance);
      byShared.relativeTable[bucket * sizes.heads + head] +=
          byScore * slopes.byBias;
    }
    if (!byShared.scoreBias.empty())
      byShared.scoreBias[pair.biasPlace] += byScore;
  }
}

void HeadGradient::runRow(int64_t row) {
  int64_t position = sizes.past + row, width = sizes.valueSize;
  const double *dy = gradient.data().data() +
                     findRow(sizes.queries, row, head, sizes.heads, width);
  const double *values = in.value->data().data();
  KeyRange keys = getKeys(in, sizes, batch, position);
  int64_t first = findSequence(in.cuSeqlens, position, sizes.keys).begin;
  std::vector<Pair> pairs;
  for (int64_t j = keys.begin; j < keys.end; ++j)
    pairs.push_back(openPair(row, j, first, dy));
  addSoftmax(row, pairs);
  if (in.gamma && !pairs.empty()) {
    double count = static_cast<double>(keys.size());
    double factor = -getGain(in.gamma, 0) / count;
    for (int64_t j = keys.begin; j < keys.end; ++j) {
      addScaled(byRows.value.data() + findValue(j), factor, dy, width);
      byShared.gamma[findGain(*in.gamma)] -=
          dot(values + findValue(j), dy, width) / count;
    }
  }
  if (in.alpha) {
    addScaled(byRows.value.data() + findValue(position), getGain(in.alpha, 0),
              dy, width);
    byShared.alpha[findGain(*in.alpha)] +=
        dot(values + findValue(position), dy, width);
  }
}

/// Rows `first` to `first + count - 1` of each batch row.
static std::vector<double> takeRows(llvm::ArrayRef<double> all, int64_t batch,
                                    int64_t rows, int64_t first,
                                    int64_t count) {
  std::vector<double> taken;
  if (all.empty())
    return taken;
  int64_t width = static_cast<int64_t>(all.size()) / (batch * rows);
  for (int64_t b = 0; b < batch; ++b)
    llvm::append_range(taken,
                       all.slice((b * rows + first) * width, count * width));
  return taken;
}

static FailureOr<Tensors> evalSdpaGrad(block::SdpaGradOp op, Evaluation &at) {
  SdpaOperands in = getScoreOperands(op, at);
  in.query = &at.get(op.getQuery());
  in.key = &at.get(op.getKey());
  in.value = &at.get(op.getValue());
  const Tensor &gradient = at.get(op.getGradient());
  FailureOr<SdpaSizes> sizes = checkSdpa(at, in);
  if (failed(sizes) ||
      failed(at.checkSize("gradient", gradient, 0, sizes->batch,
                          "batch of the query")) ||
      failed(at.checkSize("gradient", gradient, 1, sizes->queries,
                          "rows of the query")))
    return failure();
  FailureOr<Tensor> allKeys = *in.key, allValues = *in.value;
  if (in.pastKey) {
    allKeys = prependPast(at, *in.pastKey, *in.key);
    allValues = prependPast(at, *in.pastValue, *in.value);
    if (failed(allKeys) || failed(allValues))
      return failure();
    in.key = &*allKeys;
    in.value = &*allValues;
  }

  RowGradients byRows = {std::vector<double>(in.query->getNumElements()),
                         std::vector<double>(in.key->getNumElements()),
                         std::vector<double>(in.value->getNumElements())};
  bool takesBias = llvm::is_contained(op.getWrt().getAsValueRange<StringAttr>(),
                                      "score_bias");
  SharedGradients byShared = SharedGradients::makeFor(in, takesBias);
  // Each key head belongs to one call; gradients that calls share are summed
  // separately.
  int64_t calls = sizes->batch * sizes->kvHeads;
  int64_t group = sizes->heads / sizes->kvHeads;
  std::vector<SharedGradients> parts(calls);
  parallelFor(calls,
              sizes->queries * sizes->keys * group *
                  (sizes->headSize + sizes->valueSize),
              [&](int64_t call) {
                parts[call] = SharedGradients::makeFor(in, takesBias);
                int64_t first = call % sizes->kvHeads * group;
                for (int64_t head = first; head < first + group; ++head)
                  HeadGradient(in, *sizes, gradient, call / sizes->kvHeads,
                               head, at.frame.options.exactArithmetic, byRows,
                               parts[call])
                      .run();
              });
  for (const SharedGradients &part : parts)
    byShared.add(part);

  auto take = [&](llvm::ArrayRef<double> all, bool isPast) {
    int64_t added = sizes->keys - sizes->past;
    return takeRows(all, sizes->batch, sizes->keys, isPast ? 0 : sizes->past,
                    isPast ? sizes->past : added);
  };
  using Found = std::pair<Value, std::vector<double>>;
  const Found all[] = {{op.getQuery(), byRows.query},
                       {op.getKey(), take(byRows.key, false)},
                       {op.getValue(), take(byRows.value, false)},
                       {op.getRelativeTable(), byShared.relativeTable},
                       {op.getShawKey(), byShared.shawKey},
                       {op.getShawValue(), byShared.shawValue},
                       {op.getAlpha(), byShared.alpha},
                       {op.getBeta(), byShared.beta},
                       {op.getGamma(), byShared.gamma},
                       {op.getPastKey(), take(byRows.key, true)},
                       {op.getPastValue(), take(byRows.value, true)},
                       {op.getScoreBias(), byShared.scoreBias},
                       {op.getSinks(), byShared.sinks}};
  static constexpr llvm::StringLiteral names[] = {
      "query",      "key",        "value", "relative_table", "shaw_key",
      "shaw_value", "alpha",      "beta",  "gamma",          "past_key",
      "past_value", "score_bias", "sinks"};
  Tensors results;
  for (auto [index, wrt] :
       llvm::enumerate(op.getWrt().getAsValueRange<StringAttr>())) {
    const auto &[operand, values] =
        all[llvm::find(names, wrt) - std::begin(names)];
    results.push_back(
        at.round(values, at.get(operand).shape, at.getResultType(index)));
  }
  return results;
}

void reference::addSdpaGradEvaluators(Registry &registry) {
  registry.add<block::SdpaGradOp>(evalSdpaGrad);
}
