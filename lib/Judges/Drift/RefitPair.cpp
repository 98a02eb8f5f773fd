//===- RefitPair.cpp - fits inputs and outputs of a pair ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PairFitter.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Input refit
//===----------------------------------------------------------------------===//

/// Fits the projections of one branch to their values in series. The second
/// branch lacks the first one's update, and in a ladder the first branch lacks
/// that of the sum before the pair.
Error PairFitter::refitInputs(bool isFirst) {
  SublayerWeights &weights =
      isFirst ? result.weights.first : result.weights.second;
  const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
  int64_t width = weights.inputs.front().getInputs(), targets = 0;
  bool hasBiases = true;
  for (auto [linear, projection] :
       llvm::zip_equal(weights.inputs, runner.sublayer().inputs)) {
    targets += linear.getOutputs();
    hasBiases &= static_cast<bool>(projection.bias);
  }
  bool withBias = options.addBiases || hasBiases;
  Expected<Fit> fit =
      solve(isFirst ? "first inputs" : "inputs", width, targets, withBias,
            [&](const Tensor &input, size_t index,
                const Chunk &chunk) -> Expected<Rows> {
              Expected<std::optional<Tensor>> older = getOlder(index);
              if (!older)
                return older.takeError();
              Expected<Tensor> normed =
                  isFirst ? runner.runHead(**older, weights)
                          : pair.runSecondHead(input, result.weights);
              if (!normed)
                return normed.takeError();
              Expected<Tensor> original =
                  (isFirst ? *streams.original : streams.middle).get(index);
              if (!original)
                return original.takeError();
              Expected<Tensor> wanted = runner.runHead(*original, weights);
              if (!wanted)
                return wanted.takeError();
              // A projection is linear: its error is its weight times the error
              // of its input.
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
    for (const OutputSide &side : sides)
      if (side.sublayer->takesBiases())
        biasSide = &side;
  int64_t width = sides.front().weights->output.getOutputs();
  Expected<Fit> fit =
      solve("outputs", numFeatures, width, biasSide != nullptr,
            [&](const Tensor &input, size_t index,
                const Chunk &chunk) -> Expected<Rows> {
              Expected<std::optional<Tensor>> older = getOlder(index);
              if (!older)
                return older.takeError();
              Expected<PairValues> values =
                  pair.run(input, result.weights, model.data(), chunk,
                           *older ? &**older : nullptr);
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
