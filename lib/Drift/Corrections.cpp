//===- Corrections.cpp - weights fitted to the parallel form --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Corrections.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

namespace {
/// Features and targets of the tokens of one chunk.
struct Rows {
  std::vector<double> features, targets;
};

/// One half of the pair whose output weights can be fitted.
struct OutputSide {
  SublayerWeights *weights;
  const Sublayer *sublayer;
  bool isFirst;
  /// What each of its outputs is multiplied by on the way to the result.
  std::vector<double> gain;
};

class PairFitter {
public:
  PairFitter(const Model &model, const Candidate &candidate,
             const PairWeights &original, PairStreams streams,
             const CorrectionOptions &options)
      : model(model), pair(model.getPair(candidate)), streams(streams),
        options(options) {
    result.weights = original;
  }

  Expected<CorrectedPair> run(Correction correction) {
    PairWeights original = result.weights;
    Expected<double> before = measureDistance();
    if (!before)
      return before.takeError();
    if (Error error = fit(correction))
      return error;
    if (result.fits.empty())
      return std::move(result);
    roundWeights(pair.first(), result.weights.first);
    roundWeights(pair.second(), result.weights.second);
    Expected<double> after = measureDistance();
    if (!after)
      return after.takeError();
    result.heldOutRatio = getRatio(*after, *before);
    result.applied = *after < *before;
    if (!result.applied) {
      result.weights = original;
      result.reason = "not closer to the original on held-out tokens";
    }
    return std::move(result);
  }

private:
  Error fit(Correction correction) {
    Expected<std::vector<OutputSide>> sides = findOutputs();
    if (!sides)
      return sides.takeError();
    if (correction == Correction::MeanJacobian) {
      if (!sides->empty() && sides->front().isFirst)
        return foldJacobian(sides->front());
      result.reason = "the first branch has no output weights that its update "
                      "is linear in";
      return Error::success();
    }
    if (correction == Correction::Refit)
      if (Error error = refitInputs())
        return error;
    if (!sides->empty())
      return refitOutputs(*sides);
    result.reason = "neither branch has output weights that the result is "
                    "linear in";
    return Error::success();
  }

  Expected<std::vector<OutputSide>> findOutputs();
  Error foldJacobian(OutputSide &side);
  Error refitInputs();
  Error refitOutputs(ArrayRef<OutputSide> sides);
  Expected<double> measureDistance();
  void roundWeights(const SublayerRunner &runner, SublayerWeights &weights);

  using Collect = llvm::function_ref<Expected<Rows>(
      const Tensor &input, size_t index, const Chunk &chunk)>;
  Expected<Fit> solve(llvm::StringRef what, int64_t numFeatures,
                      int64_t numTargets, bool withBias, Collect collect);

  /// Appends row `row` of `tensor`.
  static void append(std::vector<double> &to, const Tensor &tensor,
                     size_t row) {
    ArrayRef<double> values = getRow(tensor, row);
    to.insert(to.end(), values.begin(), values.end());
  }

  const Model &model;
  const PairRunner &pair;
  PairStreams streams;
  const CorrectionOptions &options;
  CorrectedPair result;
};
} // namespace

//===----------------------------------------------------------------------===//
// Regressions
//===----------------------------------------------------------------------===//

/// Computes the rows of a few chunks at a time and adds them in order, so that
/// sums do not depend on threads.
Expected<Fit> PairFitter::solve(llvm::StringRef what, int64_t numFeatures,
                                int64_t numTargets, bool withBias,
                                Collect collect) {
  LeastSquares squares(numFeatures, numTargets);
  std::vector<size_t> chunks;
  for (auto [index, chunk] : llvm::enumerate(model.data().chunks()))
    if (chunk.split == Split::Fit)
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
  Expected<Fit> fit = squares.solve(options.ridge, withBias);
  if (fit)
    result.fits.push_back({what.str(), fit->samples, numFeatures, numTargets,
                           fit->ridge, fit->condition, fit->residual});
  return fit;
}

/// `weights.weight[o, f] += fit.weight[firstFeature + f, firstTarget + o] /
/// gain[o]`, and with `useBias` the bias likewise.
static void addFit(LinearWeights &weights, const Fit &fit, int64_t firstFeature,
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
  weights.weight =
      makeTensor(weights.weight.type, weights.weight.shape, std::move(weight));
  weights.bias =
      makeTensor(weights.bias.type, weights.bias.shape, std::move(bias));
}

//===----------------------------------------------------------------------===//
// Input refit
//===----------------------------------------------------------------------===//

Error PairFitter::refitInputs() {
  SublayerWeights &weights = result.weights.second;
  const Sublayer &second = pair.second().sublayer();
  int64_t width = weights.inputs.front().getInputs(), targets = 0;
  bool hasBiases = true;
  for (auto [linear, projection] :
       llvm::zip_equal(weights.inputs, second.inputs)) {
    targets += linear.getOutputs();
    hasBiases &= static_cast<bool>(projection.bias);
  }
  bool withBias = options.addBiases || hasBiases;
  Expected<Fit> fit =
      solve("inputs", width, targets, withBias,
            [&](const Tensor &input, size_t index,
                const Chunk &chunk) -> Expected<Rows> {
              Expected<Tensor> firstNormed =
                  pair.first().runHead(input, result.weights.first);
              if (!firstNormed)
                return firstNormed.takeError();
              Expected<Tensor> normed =
                  pair.runSecondHead(input, *firstNormed, result.weights);
              if (!normed)
                return normed.takeError();
              Expected<Tensor> middle = streams.middle.get(index);
              if (!middle)
                return middle.takeError();
              Expected<Tensor> wanted = pair.second().runHead(*middle, weights);
              if (!wanted)
                return wanted.takeError();
              // A projection is linear: what it misses is its weight on what
              // its input misses.
              Tensor missing = combine(1, *wanted, -1, *normed);
              Tensors residuals;
              for (LinearWeights linear : weights.inputs) {
                linear.bias =
                    makeTensor(linear.bias.type, linear.bias.shape,
                               std::vector<double>(linear.getOutputs()));
                residuals.push_back(project(missing, linear));
              }
              Rows rows;
              for (auto [row, isValid] :
                   llvm::enumerate(model.data().getValid(chunk))) {
                if (!isValid)
                  continue;
                append(rows.features, *normed, row);
                for (const Tensor &residual : residuals)
                  append(rows.targets, residual, row);
              }
              return rows;
            });
  if (!fit)
    return fit.takeError();
  int64_t first = 0;
  for (LinearWeights &linear : weights.inputs) {
    addFit(linear, *fit, 0, first, {}, withBias);
    first += linear.getOutputs();
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Output refit
//===----------------------------------------------------------------------===//

Expected<std::vector<OutputSide>> PairFitter::findOutputs() {
  std::vector<OutputSide> sides;
  for (bool isFirst : {true, false}) {
    const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
    SublayerWeights &weights =
        isFirst ? result.weights.first : result.weights.second;
    if (!weights.output || !runner.hasLinearTail())
      continue;
    Expected<std::vector<double>> gain = runner.getTailGain(weights);
    if (!gain)
      return gain.takeError();
    bool reaches = true;
    for (double &factor : *gain) {
      factor *= isFirst ? pair.getFirstFactor() : pair.getSecondFactor();
      reaches &= std::fabs(factor) > 1e-9;
    }
    if (reaches)
      sides.push_back(
          {&weights, &runner.sublayer(), isFirst, std::move(*gain)});
  }
  return sides;
}

Error PairFitter::refitOutputs(ArrayRef<OutputSide> sides) {
  int64_t numFeatures = 0;
  const OutputSide *biasSide = nullptr;
  for (const OutputSide &side : sides) {
    numFeatures += side.weights->output.getInputs();
    if (side.sublayer->output.bias)
      biasSide = &side;
  }
  if (!biasSide && options.addBiases)
    biasSide = &sides.back();
  int64_t width = sides.front().weights->output.getOutputs();
  Expected<Fit> fit =
      solve("outputs", numFeatures, width, biasSide != nullptr,
            [&](const Tensor &input, size_t index,
                const Chunk &chunk) -> Expected<Rows> {
              Expected<PairValues> values =
                  pair.run(input, result.weights, model.data(), chunk);
              if (!values)
                return values.takeError();
              Expected<Tensor> target = streams.output.get(index);
              if (!target)
                return target.takeError();
              Tensor residual = combine(1, *target, -1, values->result);
              Rows rows;
              for (auto [row, isValid] :
                   llvm::enumerate(model.data().getValid(chunk))) {
                if (!isValid)
                  continue;
                for (const OutputSide &side : sides)
                  append(rows.features,
                         side.isFirst ? values->firstFeatures
                                      : values->secondFeatures,
                         row);
                append(rows.targets, residual, row);
              }
              return rows;
            });
  if (!fit)
    return fit.takeError();
  int64_t first = 0;
  for (const OutputSide &side : sides) {
    addFit(side.weights->output, *fit, first, 0, side.gain, &side == biasSide);
    first += side.weights->output.getInputs();
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Mean Jacobian
//===----------------------------------------------------------------------===//

/// With d the first branch's update and D its gains, `d (I + M) + c` in place
/// of d: `W' = D^-1 (I + M)^T D W` and likewise the bias.
Error PairFitter::foldJacobian(OutputSide &side) {
  LinearWeights &output = side.weights->output;
  int64_t width = output.getOutputs(), inputs = output.getInputs();
  bool withBias = options.addBiases || side.sublayer->output.bias;
  Expected<Fit> fit = solve(
      "jacobian", width, width, withBias,
      [&](const Tensor &input, size_t, const Chunk &chunk) -> Expected<Rows> {
        Expected<PairValues> values =
            pair.run(input, result.weights, model.data(), chunk);
        if (!values)
          return values.takeError();
        const Sublayer &first = pair.first().sublayer();
        Expected<Tensor> middle = pair.first().runSerial(
            input, result.weights.first, model.data(), chunk);
        if (!middle)
          return middle.takeError();
        Tensor base = combine(first.skipScale, input, 0, input);
        Expected<Tensor> with = pair.runSecondSerially(*middle, result.weights,
                                                       model.data(), chunk);
        if (!with)
          return with.takeError();
        Expected<Tensor> without =
            pair.runSecondSerially(base, result.weights, model.data(), chunk);
        if (!without)
          return without.takeError();
        Tensor defect = combine(1, *with, -1, *without);
        Rows rows;
        for (auto [row, isValid] :
             llvm::enumerate(model.data().getValid(chunk)))
          if (isValid) {
            append(rows.features, values->firstUpdate, row);
            append(rows.targets, defect, row);
          }
        return rows;
      });
  if (!fit)
    return fit.takeError();
  std::vector<double> weight(output.weight.data());
  std::vector<double> bias(output.bias.data());
  for (int64_t o = 0; o < width; ++o) {
    for (int64_t j = 0; j < width; ++j) {
      double factor = fit->weight[j * width + o] * side.gain[j] / side.gain[o];
      for (int64_t f = 0; f < inputs; ++f)
        weight[o * inputs + f] += factor * output.weight.data()[j * inputs + f];
      bias[o] += factor * output.bias.data()[j];
    }
    if (withBias)
      bias[o] += fit->bias[o] / side.gain[o];
  }
  output.weight =
      makeTensor(output.weight.type, output.weight.shape, std::move(weight));
  output.bias =
      makeTensor(output.bias.type, output.bias.shape, std::move(bias));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Judgement
//===----------------------------------------------------------------------===//

/// The squared distance of the pair's result to the target, on tokens that
/// nothing was fitted to.
Expected<double> PairFitter::measureDistance() {
  std::vector<double> byChunk(model.data().chunks().size());
  Error error = forEachChunk(
      model.data(), Split::Select,
      [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensor> input = streams.input.get(index);
        if (!input)
          return input.takeError();
        Expected<Tensor> target = streams.output.get(index);
        if (!target)
          return target.takeError();
        Expected<PairValues> values =
            pair.run(*input, result.weights, model.data(), chunk);
        if (!values)
          return values.takeError();
        for (auto [row, isValid] :
             llvm::enumerate(model.data().getValid(chunk)))
          if (isValid) {
            double distance =
                compareRows(getRow(*target, row), getRow(values->result, row))
                    .difference;
            byChunk[index] += distance * distance;
          }
        return Error::success();
      });
  if (error)
    return error;
  double sum = 0;
  for (double part : byChunk)
    sum += part;
  return sum;
}

/// What is measured is what a file of these weights holds.
void PairFitter::roundWeights(const SublayerRunner &runner,
                              SublayerWeights &weights) {
  auto round = [&](const Projection &projection, LinearWeights &linear) {
    if (!linear)
      return;
    ElementType stored = model.getStoredType(projection.weight);
    for (Tensor *tensor : {&linear.weight, &linear.bias}) {
      std::vector<double> values(tensor->data());
      roundTo(stored, values);
      roundTo(tensor->type, values);
      *tensor = makeTensor(tensor->type, tensor->shape, std::move(values));
    }
  };
  for (auto [projection, linear] :
       llvm::zip_equal(runner.sublayer().inputs, weights.inputs))
    round(projection, linear);
  round(runner.sublayer().output, weights.output);
}

Expected<CorrectedPair>
drift::correctPair(const Model &model, const Candidate &candidate,
                   Correction correction, const PairWeights &original,
                   PairStreams streams, const CorrectionOptions &options) {
  return PairFitter(model, candidate, original, streams, options)
      .run(correction);
}

int64_t drift::countUnknowns(const Model &model, const Candidate &candidate,
                             Correction correction) {
  if (correction == Correction::None)
    return 0;
  const PairRunner &pair = model.getPair(candidate);
  auto getWidth = [](const Projection &projection) -> int64_t {
    return projection.weight
               ? mlir::cast<mlir::RankedTensorType>(projection.weight.getType())
                     .getDimSize(1)
               : 0;
  };
  int64_t width = getWidth(pair.second().sublayer().inputs.front());
  if (correction == Correction::MeanJacobian)
    return width;
  int64_t outputs = 0;
  for (const SublayerRunner *runner : {&pair.first(), &pair.second()})
    if (runner->hasLinearTail())
      outputs += getWidth(runner->sublayer().output);
  return correction == Correction::Refit ? std::max(width, outputs) : outputs;
}
