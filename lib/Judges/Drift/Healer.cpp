//===- Healer.cpp - steps of Adam and held-out measurements ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Healer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <atomic>
#include <cmath>
#include <mutex>
#include <random>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

/// Measurements on held-out rows in one run, and how many of them in a row may
/// bring nothing in the second half: large steps come first.
static constexpr uint64_t measurements = 20, patience = 6;
/// A logit that leaves other tokens a share of 0.
static constexpr double certainLogit = 1e4;

Healer::Healer(const HealPrograms &programs, const Healing &options,
               uint64_t seed, Tensors given, HealWeights weights,
               HealRows training, HealRows heldOut)
    : programs(programs), options(options), seed(seed),
      arguments(std::move(given)), weights(std::move(weights)),
      training(std::move(training)), heldOut(std::move(heldOut)),
      steps(options.tokens / countStepTokens(programs.getSizes())),
      interval(std::max<uint64_t>(1, llvm::divideCeil(steps, measurements))) {}

HealState Healer::makeState(Tensors start) {
  HealState state;
  state.weights = weights.start(std::move(start), seed);
  for (const Tensor &weight : state.weights) {
    state.first.emplace_back(weight.getNumElements());
    state.second.emplace_back(weight.getNumElements());
  }
  state.average = state.best = state.weights;
  return state;
}

/// Rises for a twentieth of the steps, then falls along a cosine.
double Healer::getRate(uint64_t step) const {
  double done = static_cast<double>(step) / static_cast<double>(steps);
  double warm = std::max(1.0, static_cast<double>(steps) / 20);
  double rise = std::min(1.0, static_cast<double>(step + 1) / warm);
  return options.getRate() * rise * 0.5 *
         (1 + std::cos(llvm::numbers::pi * done));
}

/// Each pass has an order of its own, which depends on the seed alone.
int64_t Healer::getTrainingRow(uint64_t position) {
  uint64_t count = training.rows.size();
  if (epoch != position / count) {
    epoch = position / count;
    order = training.rows;
    std::seed_seq sequence{static_cast<uint32_t>(seed),
                           static_cast<uint32_t>(seed >> 32),
                           static_cast<uint32_t>(*epoch)};
    std::mt19937_64 numbers(sequence);
    for (uint64_t i = count; i > 1; --i)
      std::swap(order[i - 1], order[numbers() % i]);
  }
  return order[position % count];
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Logits whose distribution is the next token of the text.
Tensor Healer::makeTextLogits(const Dataset &data,
                              ArrayRef<int64_t> rows) const {
  HealSizes sizes = programs.getSizes();
  int64_t vocabulary = programs.getVocabulary();
  std::vector<double> logits(sizes.rows * sizes.tokens * vocabulary);
  for (auto [index, row] : llvm::enumerate(rows)) {
    Tensor ids = *data.getIds({row, 1, Split::Fit});
    double *to =
        logits.data() + static_cast<int64_t>(index) * sizes.tokens * vocabulary;
    for (int64_t token = 0; token + 1 < sizes.tokens; ++token)
      to[token * vocabulary + static_cast<int64_t>(ids.data()[token + 1])] =
          certainLogit;
  }
  return makeTensor(ElementType::F32, {sizes.rows, sizes.tokens, vocabulary},
                    std::move(logits));
}

Expected<Tensors> Healer::makeArguments(const HealRows &from,
                                        ArrayRef<int64_t> rows,
                                        const Tensors &weights,
                                        HealTargets targets, size_t valid,
                                        int64_t &tokens) const {
  HealSizes sizes = programs.getSizes();
  Tensors all = arguments;
  for (auto [index, argument] : llvm::enumerate(all))
    if (!argument.values && index < from.data->countArguments())
      argument = from.data->gatherRows(index, rows);
  // The teacher has the first arguments, with the original weights.
  size_t numShared = from.data->countArguments();
  Tensors teacher;
  if (targets == HealTargets::Text)
    teacher.push_back(makeTextLogits(*from.data, rows));
  else if (Error error =
               programs.runTeacher(ArrayRef(all).take_front(numShared))
                   .moveInto(teacher))
    return std::move(error);
  std::vector<double> counted;
  for (auto [index, row] : llvm::enumerate(rows))
    for (uint8_t isToken : from.data->getValid({row, 1, Split::Fit}))
      counted.push_back(index < valid && isToken);
  if (targets == HealTargets::Text)
    for (int64_t row = 1; row <= sizes.rows; ++row)
      counted[row * sizes.tokens - 1] = 0;
  tokens = llvm::count(counted, 1.0);
  for (auto [argument, weight] :
       llvm::zip_equal(programs.getTrained(), weights))
    all[argument] = weight;
  all.push_back(teacher.front());
  all.push_back(makeTensor(ElementType::F32, {sizes.rows, sizes.tokens, 1},
                           std::move(counted)));
  for (size_t i = 0; i < programs.countStreams(); ++i)
    all.push_back(teacher[i + 1]);
  return all;
}

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

/// Calls `body` for each of `count` numbers, several at a time; returns the
/// first error.
static Error forEachCall(size_t count, llvm::function_ref<Error(size_t)> body) {
  std::mutex mutex;
  Error error = Error::success();
  llvm::parallelFor(0, count, [&](size_t i) {
    Error mine = body(i);
    std::lock_guard<std::mutex> lock(mutex);
    error = llvm::joinErrors(std::move(error), std::move(mine));
  });
  if (!error)
    return error;
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &each) {
    if (text.empty())
      text = each.message();
  });
  return llvm::createStringError(text);
}

Expected<double> Healer::measure(const Tensors &weights) const {
  size_t perCall = programs.getSizes().rows;
  size_t calls = llvm::divideCeil(heldOut.rows.size(), perCall);
  std::vector<double> losses(calls);
  std::vector<int64_t> counts(calls);
  Error error = forEachCall(calls, [&](size_t call) -> Error {
    std::vector<int64_t> rows;
    size_t begin = call * perCall;
    size_t valid = std::min(perCall, heldOut.rows.size() - begin);
    for (size_t i = 0; i < perCall; ++i)
      rows.push_back(heldOut.rows[begin + std::min(i, valid - 1)]);
    Expected<Tensors> values = makeArguments(
        heldOut, rows, weights, HealTargets::Teacher, valid, counts[call]);
    if (!values)
      return values.takeError();
    return programs.runLoss(*values).moveInto(losses[call]);
  });
  if (error)
    return std::move(error);
  double sum = 0, tokens = 0;
  for (auto [loss, count] : llvm::zip_equal(losses, counts)) {
    sum += loss;
    tokens += static_cast<double>(count);
  }
  return sum / std::max(1.0, tokens);
}

/// Measures, and keeps the weights if they are the best so far.
Error Healer::watch(HealState &state) {
  Expected<double> kl = measure(weights.compose(state.average));
  if (!kl)
    return kl.takeError();
  bool isFirst = state.history.empty();
  state.history.emplace_back(state.step, *kl);
  if (isFirst || *kl < state.bestKl) {
    state.bestKl = *kl;
    state.bestStep = state.step;
    state.best = state.average;
  } else if (!std::isfinite(*kl)) {
    state.end = "the loss is not finite";
  } else if (state.step >= steps / 2 &&
             state.step - state.bestStep >= patience * interval) {
    state.end = programs.comparesStreams()
                    ? "the error on held-out rows no longer falls"
                    : "KL on held-out rows no longer falls";
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// One step of Adam, by `gradients` over `tokens` tokens. Returns false if a
/// moment is not finite: the weight would stay as it is, or become NaN.
static bool update(Tensor &weight, std::vector<float> &first,
                   std::vector<float> &second, ArrayRef<double> gradient,
                   double tokens, double rate, uint64_t step) {
  constexpr double decayFirst = 0.9, decaySecond = 0.99, epsilon = 1e-12;
  double count = static_cast<double>(step + 1);
  double unbiasFirst = 1 - std::pow(decayFirst, count);
  double unbiasSecond = 1 - std::pow(decaySecond, count);
  bool isFinite = true;
  std::vector<double> values(weight.data());
  for (auto [value, m, v, sum] :
       llvm::zip_equal(values, first, second, gradient)) {
    double g = sum / tokens;
    m = static_cast<float>(decayFirst * m + (1 - decayFirst) * g);
    v = static_cast<float>(decaySecond * v + (1 - decaySecond) * g * g);
    isFinite &= std::isfinite(m) && std::isfinite(v);
    value -= rate * (m / unbiasFirst) / (std::sqrt(v / unbiasSecond) + epsilon);
  }
  weight = makeTensor(weight.type, weight.shape, std::move(values));
  return isFinite;
}

/// Returns the running mean after one step, over the last tenth of few steps
/// and about the last fifty of many.
static Tensor average(const Tensor &mean, const Tensor &weight, uint64_t step) {
  double count = static_cast<double>(step);
  double kept = std::min(0.98, (1 + count) / (10 + count));
  std::vector<double> values(mean.data());
  for (auto [value, next] : llvm::zip_equal(values, weight.data()))
    value = kept * value + (1 - kept) * next;
  return makeTensor(mean.type, mean.shape, std::move(values));
}

Error Healer::step(HealState &state) {
  size_t perCall = programs.getSizes().rows;
  std::vector<std::vector<int64_t>> rows(healLanes);
  uint64_t position = state.step * perCall * healLanes;
  for (std::vector<int64_t> &own : rows)
    while (own.size() < perCall)
      own.push_back(getTrainingRow(position++));
  Tensors composed = weights.compose(state.weights);
  std::vector<Tensors> results(healLanes);
  std::vector<int64_t> counts(healLanes);
  Error error = forEachCall(healLanes, [&](size_t call) -> Error {
    Expected<Tensors> values = makeArguments(
        training, rows[call], composed, options.targets, perCall, counts[call]);
    if (!values)
      return values.takeError();
    return programs.runStep(*values).moveInto(results[call]);
  });
  if (error)
    return error;
  int64_t tokens = 0;
  for (int64_t count : counts)
    tokens += count;
  double rate = getRate(state.step);
  Gradients sums(composed.size());
  llvm::parallelFor(0, sums.size(), [&](size_t i) {
    sums[i] = results.front()[i].data();
    for (const Tensors &other : ArrayRef(results).drop_front())
      for (auto [sum, value] : llvm::zip_equal(sums[i], other[i].data()))
        sum += value;
  });
  Gradients gradients = weights.pullBack(state.weights, std::move(sums));
  std::atomic<bool> isFinite = true;
  llvm::parallelFor(0, state.weights.size(), [&](size_t i) {
    if (!update(state.weights[i], state.first[i], state.second[i], gradients[i],
                std::max<double>(1, static_cast<double>(tokens)), rate,
                state.step))
      isFinite = false;
    state.average[i] = average(state.average[i], state.weights[i], state.step);
  });
  if (!isFinite && state.step == 0)
    return llvm::createStringError(
        "--heal: expected gradients whose squares float32 holds, got larger "
        "ones in step 1: give a smaller --heal-streams, or check the data");
  if (!isFinite)
    state.end = "gradients are too large for float32";
  ++state.step;
  state.tokens += tokens;
  return Error::success();
}

Error Healer::run(HealState &state, Progress &progress,
                  llvm::function_ref<Error(const HealState &)> save) {
  uint64_t last = std::min(steps, options.stop.value_or(steps));
  while (state.end.empty()) {
    bool isMeasured =
        !state.history.empty() && state.history.back().first == state.step;
    if (!isMeasured && (state.step % interval == 0 || state.step == steps))
      if (Error error = watch(state))
        return error;
    bool isLast = state.step >= last || !state.end.empty();
    if (isLast || state.step % interval == 0)
      if (Error error = save(state))
        return error;
    if (isLast)
      return Error::success();
    std::string text;
    llvm::raw_string_ostream(text)
        << "healing: step " << state.step + 1 << " of " << steps
        << (programs.comparesStreams() ? ", squared error" : ", KL")
        << llvm::format(" a token %.4g, at best %.4g",
                        state.history.back().second, state.bestKl);
    progress.show(text);
    if (Error error = step(state))
      return error;
  }
  return Error::success();
}
