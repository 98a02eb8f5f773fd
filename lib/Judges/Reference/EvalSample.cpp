//===- EvalSample.cpp - evaluates the choice of tokens --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The definition of block.sample, word for word: the filters sort all tokens,
// and the draw adds up all shares.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Support/SeededBits.h"
#include "parablock/Support/TokenShares.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

namespace {
struct SamplingOptions {
  double temperature, topK, topP, minP, penalty;

  /// The first option out of range.
  const char *findFault() const {
    auto isWithin = [](double value, double least, double most) {
      return std::isfinite(value) && least <= value && value <= most;
    };
    constexpr double most = std::numeric_limits<double>::max();
    if (!isWithin(temperature, 0, most))
      return "a temperature of at least 0";
    if (!isWithin(topK, 0, most) || topK != std::floor(topK))
      return "a whole top_k of at least 0";
    if (!isWithin(topP, 0, 1))
      return "a top_p from 0 to 1";
    if (!isWithin(minP, 0, 1))
      return "a min_p from 0 to 1";
    return isWithin(penalty, 0, most) && penalty > 0
               ? nullptr
               : "a repetition penalty above 0";
  }
};

/// The scores of one row, and the tokens that stay.
class TokenRow {
public:
  TokenRow(const SamplingOptions &options, llvm::ArrayRef<double> logits,
           llvm::ArrayRef<double> seen)
      : options(options), scores(logits.begin(), logits.end()) {
    auto penalty = static_cast<float>(options.penalty);
    auto temperature = static_cast<float>(options.temperature);
    for (auto [score, isSeen] : llvm::zip_equal(scores, seen)) {
      if (isSeen != 0 && penalty != 1)
        score = score < 0 ? score * penalty : score / penalty;
      if (options.temperature != 0)
        score /= temperature;
    }
  }

  /// Returns the first of the best tokens; none if a score is NaN or the best
  /// one is infinite.
  std::optional<size_t> findBest() const {
    if (llvm::any_of(scores, [](float score) { return std::isnan(score); }))
      return std::nullopt;
    size_t best =
        std::max_element(scores.begin(), scores.end()) - scores.begin();
    return std::isfinite(scores[best]) ? std::optional(best) : std::nullopt;
  }

  size_t draw(size_t best, double point) {
    for (float score : scores)
      shares.push_back(shares::getShare(score, scores[best]));
    order.resize(scores.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](size_t a, size_t b) {
      return scores[a] == scores[b] ? a > b : scores[a] > scores[b];
    });
    if (options.topK > 0 && options.topK < static_cast<double>(order.size()))
      keepBest(static_cast<size_t>(options.topK));
    if (options.topP < 1)
      keepMass();
    uint64_t least = shares::getLeast(options.minP, shares::whole);
    for (uint64_t &share : shares)
      share = share < least ? 0 : share;
    uint64_t sum = std::accumulate(shares.begin(), shares.end(), uint64_t(0));
    uint64_t bound = shares::getBound(point, sum), below = 0;
    size_t token = 0;
    while ((below += shares[token]) <= bound)
      ++token;
    return token;
  }

private:
  void dropFrom(size_t rank) {
    for (size_t token : llvm::ArrayRef(order).drop_front(rank))
      shares[token] = 0;
  }
  void keepBest(size_t count) {
    float last = scores[order[count - 1]];
    while (count < order.size() && scores[order[count]] == last)
      ++count;
    dropFrom(count);
  }
  void keepMass() {
    uint64_t sum = std::accumulate(shares.begin(), shares.end(), uint64_t(0));
    uint64_t wanted = shares::getLeast(options.topP, sum), kept = 0;
    size_t count = 0;
    for (; count < order.size() && (count == 0 || kept < wanted); ++count)
      kept += shares[order[count]];
    dropFrom(count);
  }

  const SamplingOptions &options;
  std::vector<float> scores;
  std::vector<uint64_t> shares;
  /// Tokens from the best on, of equal ones the last first.
  std::vector<size_t> order;
};
} // namespace

static LogicalResult checkSizes(block::SampleOp op, Evaluation &at) {
  int64_t batch = at.get(op.getLogits()).shape[0];
  std::pair<llvm::StringRef, Value> rows[] = {
      {"ids", op.getIds()},       {"options", op.getOptions()},
      {"random", op.getRandom()}, {"seen", op.getSeen()},
      {"ended", op.getEnded()},   {"lengths", op.getLengths()},
      {"step", op.getStep()}};
  for (auto [name, value] : rows)
    if (failed(
            at.checkSize(name, at.get(value), 0, batch, "one per batch row")))
      return failure();
  if (failed(at.checkSize("options", at.get(op.getOptions()), 1, 5,
                          "temperature, top_k, top_p, min_p and penalty")) ||
      failed(at.checkSize("random", at.get(op.getRandom()), 1, 2,
                          "halves of the state")) ||
      failed(
          at.checkSize("padding", at.get(op.getPadding()), 0, 1, "one token")))
    return failure();
  if (at.get(op.getLogits()).shape[1] > 0)
    return success();
  return at.error() << "expected logits of at least one token, got none";
}

static FailureOr<Tensors> evalSample(block::SampleOp op, Evaluation &at) {
  if (failed(checkSizes(op, at)))
    return failure();
  const Tensor &logits = at.get(op.getLogits());
  size_t batch = logits.shape[0], rows = logits.shape[1],
         vocabulary = logits.shape[2];
  auto copy = [&](Value value) {
    return std::vector<double>(at.get(value).data());
  };
  std::vector<double> seen = copy(op.getSeen()), ended = copy(op.getEnded()),
                      lengths = copy(op.getLengths()),
                      step = copy(op.getStep());
  std::vector<double> tokens(batch, at.get(op.getPadding()).data()[0]);
  for (size_t row = 0; row < batch; ++row) {
    bool isRunning = ended[row] == 0;
    double number = step[row];
    ++step[row];
    if (isRunning)
      lengths[row] += static_cast<double>(at.get(op.getIds()).shape[1]);
    if (!isRunning || number < 0)
      continue;
    llvm::ArrayRef<double> given =
        at.get(op.getOptions()).data().slice(5 * row, 5);
    SamplingOptions options = {given[0], given[1], given[2], given[3],
                               given[4]};
    if (const char *fault = options.findFault())
      return at.error() << "expected " << fault << " for row " << row;
    auto marks =
        llvm::MutableArrayRef(seen).slice(row * vocabulary, vocabulary);
    TokenRow own(
        options,
        logits.data().slice(((row + 1) * rows - 1) * vocabulary, vocabulary),
        marks);
    std::optional<size_t> token = own.findBest();
    if (!token) {
      ended[row] = -1 - number;
      continue;
    }
    if (options.temperature != 0) {
      llvm::ArrayRef<double> halves =
          at.get(op.getRandom()).data().slice(2 * row, 2);
      uint64_t state = static_cast<uint64_t>(halves[0]) +
                       (static_cast<uint64_t>(halves[1]) << 32);
      token = own.draw(
          *token, SeededBits(state).uniform(static_cast<uint64_t>(number)));
    }
    tokens[row] = static_cast<double>(*token);
    marks[*token] = 1;
    ended[row] = llvm::is_contained(at.get(op.getStops()).data(), tokens[row]);
  }
  Tensors results;
  auto add = [&](std::vector<double> values, Value like) {
    const Tensor &tensor = at.get(like);
    results.push_back(at.wrap(std::move(values), tensor.shape, tensor.type));
  };
  results.push_back(at.wrap(std::move(tokens), {static_cast<int64_t>(batch), 1},
                            ElementType::I64));
  add(std::move(seen), op.getSeen());
  add(std::move(ended), op.getEnded());
  add(std::move(lengths), op.getLengths());
  add(std::move(step), op.getStep());
  return results;
}

void reference::addSampleEvaluators(Registry &registry) {
  registry.add<block::SampleOp>(evalSample);
}
