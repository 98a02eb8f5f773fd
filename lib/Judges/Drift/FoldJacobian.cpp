//===- FoldJacobian.cpp - the mean Jacobian in output weights -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PairFitter.h"

#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

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
