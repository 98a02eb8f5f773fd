//===- PairFitter.cpp - sums equations of a correction --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PairFitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

Expected<std::optional<Tensor>> PairFitter::getOlder(size_t chunk) const {
  if (!streams.older)
    return std::nullopt;
  Expected<Tensor> older = streams.older->get(chunk);
  if (!older)
    return older.takeError();
  return std::optional<Tensor>(std::move(*older));
}

Expected<Tensor> PairFitter::findMissing(bool isFirst, const PairValues &values,
                                         size_t index, const Chunk &chunk) {
  if (!pair.hasPostNorms()) {
    Expected<Tensor> target = streams.output.get(index);
    if (!target)
      return target;
    return combine(1, *target, -1, values.result);
  }
  const Stream &read = isFirst ? *streams.original : streams.middle;
  Expected<Tensor> stream = read.get(index);
  if (!stream)
    return stream;
  const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
  Expected<Tensor> target =
      runner.runSum(*stream, isFirst ? unchanged.first : unchanged.second,
                    model.data(), chunk);
  if (!target)
    return target;
  return combine(1, *target, -1, isFirst ? values.firstSum : values.secondSum);
}

/// Ridges that a fit chooses from, relative to the mean of the Gram matrix's
/// diagonal, and the one where it begins.
static constexpr double ridges[] = {1e-4, 1e-3, 1e-2, 1e-1, 1, 10};
static constexpr int firstRidge = 2;

/// Computes the rows of a few chunks at a time and adds them in order, so that
/// sums do not depend on threads.
Error PairFitter::sumRows(Split split, Collect collect, LeastSquares &squares) {
  std::vector<size_t> chunks;
  for (auto [index, chunk] : llvm::enumerate(model.data().chunks()))
    if (chunk.split == split)
      chunks.push_back(index);
  size_t step = llvm::parallel::strategy.compute_thread_count();
  for (size_t first = 0; first < chunks.size(); first += step) {
    size_t count = std::min(step, chunks.size() - first);
    std::vector<std::optional<Expected<Rows>>> rows(count);
    llvm::parallelFor(0, count, [&](size_t i) {
      size_t index = chunks[first + i];
      Expected<Tensor> input = streams.input.get(index);
      if (input)
        rows[i].emplace(collect(*input, index, model.data().chunks()[index]));
      else
        rows[i].emplace(input.takeError());
    });
    Error error = Error::success();
    for (std::optional<Expected<Rows>> &part : rows) {
      if (!*part)
        error = llvm::joinErrors(std::move(error), part->takeError());
      else if (!error)
        squares.add((*part)->features, (*part)->targets);
    }
    if (error)
      return error;
  }
  return Error::success();
}

/// Solves with the ridge of the request. Without one, walks from the first
/// ridge to larger or smaller ones as long as the error on the select split
/// falls.
Expected<Fit> PairFitter::solve(llvm::StringRef what, int64_t numFeatures,
                                int64_t numTargets, bool withBias,
                                Collect collect, ArrayRef<LowRank> lowRank) {
  LeastSquares squares(numFeatures, numTargets);
  if (Error error = sumRows(Split::Fit, collect, squares))
    return error;
  double ridge = options.ridge.value_or(ridges[firstRidge]);
  Expected<Fit> best = squares.solve(ridge, withBias, lowRank);
  if (!best)
    return llvm::createStringError("pair " + name + ", " + what + ": " +
                                   llvm::toString(best.takeError()));
  if (!options.ridge) {
    LeastSquares heldOut(numFeatures, numTargets);
    if (Error error = sumRows(Split::Select, collect, heldOut))
      return error;
    double least = heldOut.measureError(*best);
    for (int step : {1, -1}) {
      bool falls = false;
      for (int at = firstRidge + step; at >= 0 && at < int(std::size(ridges));
           at += step) {
        Expected<Fit> fit = squares.solve(ridges[at], withBias, lowRank);
        if (!fit) {
          // A ridge that leaves the Gram matrix singular is too small.
          llvm::consumeError(fit.takeError());
          break;
        }
        double error = heldOut.measureError(*fit);
        if (error >= least)
          break;
        falls = true;
        best = std::move(fit);
        least = error;
        ridge = ridges[at];
      }
      if (falls)
        break;
    }
  }
  result.fits.push_back({what.str(), best->samples, numFeatures, numTargets,
                         best->ridge, ridge, best->condition, best->residual});
  for (const Factorised &factors : best->factors)
    result.fits.back().rank = std::max(result.fits.back().rank, factors.rank);
  return best;
}

void PairFitter::markShared(const SublayerRunner &runner,
                            SublayerWeights &weights) const {
  const Sublayer &sublayer = runner.sublayer();
  auto mark = [&](const Projection &projection, LinearWeights &linear) {
    linear.isShared = options.lowRank && projection.weight &&
                      isShared(projection.weight, sublayer.op);
  };
  for (auto [projection, linear] :
       llvm::zip_equal(sublayer.inputs, weights.inputs))
    mark(projection, linear);
  mark(sublayer.output, weights.output);
}

void drift::addFit(LinearWeights &weights, const Fit &fit, int64_t firstFeature,
                   int64_t firstTarget, ArrayRef<double> gain, bool useBias) {
  std::vector<double> weight(weights.weight.data());
  std::vector<double> bias(weights.bias.data());
  int64_t outputs = weights.getOutputs(), inputs = weights.getInputs();
  for (int64_t o = 0; o < outputs; ++o) {
    double factor = gain.empty() ? 1 : 1 / gain[o];
    for (int64_t f = 0; f < inputs; ++f)
      weight[o * inputs + f] +=
          factor *
          fit.weight[(firstFeature + f) * fit.numTargets + firstTarget + o];
    if (useBias)
      bias[o] += factor * fit.bias[firstTarget + o];
  }
  ElementType type = weights.weight.type;
  for (const Factorised &factors : fit.factors) {
    if (!weights.isShared || factors.firstTarget != firstTarget)
      continue;
    int64_t rank = factors.rank;
    std::vector<double> left(rank * outputs), right(rank * inputs);
    int64_t features = static_cast<int64_t>(factors.right.size()) / rank;
    for (int64_t r = 0; r < rank; ++r) {
      for (int64_t o = 0; o < outputs; ++o)
        left[r * outputs + o] =
            factors.left[r * outputs + o] / (gain.empty() ? 1 : gain[o]);
      std::copy_n(&factors.right[r * features + firstFeature], inputs,
                  &right[r * inputs]);
    }
    weights.left = makeTensor(type, {rank, outputs}, std::move(left));
    weights.right = makeTensor(type, {rank, inputs}, std::move(right));
  }
  weights.weight = makeTensor(type, weights.weight.shape, std::move(weight));
  weights.bias =
      makeTensor(weights.bias.type, weights.bias.shape, std::move(bias));
}
