//===- RefitPair.cpp - fits inputs and outputs of a pair ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A mixture's projections of the stream are fitted like those of an MLP: the
// router to its old logits, shared experts to their old values, and the matrix
// of each expert on the rows that choose it.
//
//===----------------------------------------------------------------------===//

#include "PairFitter.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;
using mlir::Value;

//===----------------------------------------------------------------------===//
// Input refit
//===----------------------------------------------------------------------===//

Error PairFitter::fitInputs(llvm::StringRef what,
                            llvm::MutableArrayRef<LinearWeights> projections,
                            bool withBias, Read read, Read readWanted,
                            Filter filter) {
  int64_t width = projections.front().getInputs(), targets = 0;
  for (const LinearWeights &linear : projections)
    targets += linear.getOutputs();
  Expected<Fit> fit =
      solve(what, width, targets, withBias,
            [&](const Tensor &input, size_t index,
                const Chunk &chunk) -> Expected<Rows> {
              Expected<Tensor> normed = read(input, index, chunk);
              if (!normed)
                return normed.takeError();
              Expected<Tensor> wanted = readWanted(input, index, chunk);
              if (!wanted)
                return wanted.takeError();
              // A projection is linear: its error is its weight times the error
              // of its input.
              Tensor missing = combine(1, *wanted, -1, *normed);
              Tensors residuals;
              for (LinearWeights linear : projections) {
                linear.bias =
                    makeTensor(linear.bias.type, linear.bias.shape,
                               std::vector<double>(linear.getOutputs()));
                residuals.push_back(project(missing, linear));
              }
              Rows rows;
              for (auto [row, isValid] :
                   llvm::enumerate(model.data().getValid(chunk))) {
                if (!isValid || (filter && !filter(index, row)))
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
  for (LinearWeights &linear : projections) {
    addFit(linear, *fit, 0, first, {}, withBias);
    first += linear.getOutputs();
  }
  return Error::success();
}

/// Fits the projections of one branch to their values in series. The second
/// branch lacks the first one's update, and in a ladder the first branch lacks
/// that of the sum before the pair.
Error PairFitter::refitInputs(bool isFirst) {
  SublayerWeights &weights =
      isFirst ? result.weights.first : result.weights.second;
  const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
  if (block::MoeOp mixture = runner.sublayer().getMixture())
    return refitMixture(mixture);
  bool hasBiases =
      llvm::all_of(runner.sublayer().inputs, [](const Projection &projection) {
        return static_cast<bool>(projection.bias);
      });
  return fitInputs(
      isFirst ? "first inputs" : "inputs", weights.inputs,
      options.addBiases || hasBiases,
      [&](const Tensor &input, size_t index,
          const Chunk &chunk) -> Expected<Tensor> {
        if (!isFirst)
          return pair.runSecondHead(input, result.weights, model.data(), chunk);
        Expected<std::optional<Tensor>> older = getOlder(index);
        if (!older)
          return older.takeError();
        return runner.runHead(**older, weights);
      },
      [&](const Tensor &, size_t index, const Chunk &) -> Expected<Tensor> {
        Expected<Tensor> original =
            (isFirst ? *streams.original : streams.middle).get(index);
        if (!original)
          return original;
        return runner.runHead(*original, weights);
      });
}

//===----------------------------------------------------------------------===//
// Routers and experts
//===----------------------------------------------------------------------===//

namespace {
/// One expert's matrix and bias within stacks.
class ExpertMatrix {
public:
  ExpertMatrix(const Tensor &stack, const Tensor *biases, bool transposed,
               int64_t expert)
      : transposed(transposed), expert(expert),
        inputs(stack.shape[transposed ? 1 : 2]),
        outputs(stack.shape[transposed ? 2 : 1]) {
    std::vector<double> values(inputs * outputs), bias(outputs);
    for (int64_t i = 0; i < inputs * outputs; ++i)
      values[i] = stack.data()[at(i)];
    for (int64_t o = 0; biases && o < outputs; ++o)
      bias[o] = biases->data()[expert * outputs + o];
    linear = {makeTensor(stack.type, {outputs, inputs}, std::move(values)),
              makeTensor(stack.type, outputs, std::move(bias))};
  }

  /// Writes the matrix and, unless it is null, the bias into values of stacks.
  void write(std::vector<double> &stack, std::vector<double> *biases) const {
    for (int64_t i = 0; i < inputs * outputs; ++i)
      stack[at(i)] = linear.weight.data()[i];
    for (int64_t o = 0; biases && o < outputs; ++o)
      (*biases)[expert * outputs + o] = linear.bias.data()[o];
  }

  LinearWeights linear;

private:
  /// The place of element `i` of the matrix [outputs, inputs] in the stack.
  int64_t at(int64_t i) const {
    int64_t o = i / inputs, k = i % inputs;
    return expert * inputs * outputs +
           (transposed ? k * outputs + o : o * inputs + k);
  }

  bool transposed;
  int64_t expert, inputs, outputs;
};
} // namespace

/// Returns what the second branch reads behind its head in the original.
Expected<Tensor> PairFitter::readOriginal(size_t index) {
  Expected<Tensor> middle = streams.middle.get(index);
  if (!middle)
    return middle;
  return pair.second().runHead(*middle, result.weights.second);
}

Error PairFitter::refitRouter(block::MoeOp op) {
  SublayerWeights &weights = result.weights.second;
  const Sublayer &sublayer = pair.second().sublayer();
  LinearWeights router = getMixtureLinear(
      sublayer, weights, op.getRouterWeight(), op.getRouterBias());
  Error error = fitInputs(
      "router", router, op.getRouterBias() != nullptr,
      [&](const Tensor &input, size_t, const Chunk &chunk) {
        return pair.runRouterHead(input, result.weights, model.data(), chunk);
      },
      [&](const Tensor &, size_t index, const Chunk &) {
        return readOriginal(index);
      });
  if (!error)
    setMixtureLinear(sublayer, weights, op.getRouterWeight(),
                     op.getRouterBias(), router);
  return error;
}

/// Fits up, gate and router of shared experts.
Error PairFitter::refitShared(block::MoeOp op) {
  SublayerWeights &weights = result.weights.second;
  const Sublayer &sublayer = pair.second().sublayer();
  std::vector<Value> values;
  std::vector<LinearWeights> shared;
  for (Value value : {Value(op.getSharedUp()), Value(op.getSharedGate()),
                      Value(op.getSharedRouter())}) {
    if (!value)
      continue;
    values.push_back(value);
    shared.push_back(getMixtureLinear(sublayer, weights, value, {}));
  }
  if (values.empty())
    return Error::success();
  if (Error error = fitInputs(
          "shared inputs", shared, /*withBias=*/false,
          [&](const Tensor &input, size_t, const Chunk &chunk) {
            return pair.runSecondHead(input, result.weights, model.data(),
                                      chunk);
          },
          [&](const Tensor &, size_t index, const Chunk &) {
            return readOriginal(index);
          }))
    return error;
  for (auto [value, linear] : llvm::zip_equal(values, shared))
    setMixtureLinear(sublayer, weights, value, {}, linear);
  return Error::success();
}

/// Notes for each chunk of the fit and select splits which experts each row
/// chooses, and counts the rows of each expert to fit by.
Error PairFitter::findChoices(std::vector<int64_t> &counts) {
  const Dataset &data = model.data();
  choices.assign(data.chunks().size(), {});
  if (Error error =
          forEachChunk(data, {Split::Fit, Split::Select},
                       [&](size_t index, const Chunk &chunk) -> Error {
                         Expected<Tensor> input = streams.input.get(index);
                         if (!input)
                           return input.takeError();
                         Expected<Tensor> router = pair.runRouterHead(
                             *input, result.weights, data, chunk);
                         if (!router)
                           return router.takeError();
                         auto found = pair.second().findExperts(
                             *router, result.weights.second, data, chunk);
                         if (!found)
                           return found.takeError();
                         choices[index] = std::move(*found);
                         return Error::success();
                       }))
    return error;
  for (auto [index, chunk] : llvm::enumerate(data.chunks())) {
    if (chunk.split != Split::Fit)
      continue;
    for (auto [row, isValid] : llvm::enumerate(data.getValid(chunk)))
      for (int64_t expert : choices[index][row])
        if (isValid)
          ++counts[expert];
  }
  return Error::success();
}

/// Fits the projections of the stream of each expert that enough rows choose.
Error PairFitter::refitExperts(block::MoeOp op) {
  SublayerWeights &weights = result.weights.second;
  const Sublayer &sublayer = pair.second().sublayer();
  Tensor &stack = weights.others[sublayer.findOther(op.getUpWeight())];
  Tensor *biases = op.getUpBias()
                       ? &weights.others[sublayer.findOther(op.getUpBias())]
                       : nullptr;
  std::vector<int64_t> counts(stack.shape[0]);
  if (Error error = findChoices(counts))
    return error;
  std::vector<double> values(stack.data()), biasValues;
  if (biases)
    biasValues.assign(biases->data().begin(), biases->data().end());
  result.neededRows = minTokensPerUnknown * sublayer.getWidth();
  for (auto [expert, count] : llvm::enumerate(counts)) {
    if (count < result.neededRows) {
      ++result.leftExperts;
      continue;
    }
    ExpertMatrix matrix(stack, biases, op.getForm().getTransposed(),
                        static_cast<int64_t>(expert));
    if (Error error = fitInputs(
            "expert " + std::to_string(expert), matrix.linear,
            biases != nullptr,
            [&](const Tensor &input, size_t, const Chunk &chunk) {
              return pair.runSecondHead(input, result.weights, model.data(),
                                        chunk);
            },
            [&](const Tensor &, size_t index, const Chunk &) {
              return readOriginal(index);
            },
            [&, expert = static_cast<int64_t>(expert)](size_t index,
                                                       size_t row) {
              return llvm::is_contained(choices[index][row], expert);
            }))
      return error;
    matrix.write(values, biases ? &biasValues : nullptr);
    ++result.refittedExperts;
  }
  stack = makeTensor(stack.type, stack.shape, std::move(values));
  if (biases)
    *biases = makeTensor(biases->type, biases->shape, std::move(biasValues));
  return Error::success();
}

Error PairFitter::refitMixture(block::MoeOp op) {
  if (Error error = refitRouter(op))
    return error;
  if (Error error = refitShared(op))
    return error;
  return refitExperts(op);
}

//===----------------------------------------------------------------------===//
// Output refit
//===----------------------------------------------------------------------===//

Expected<Tensor> PairFitter::readOutput(const OutputSide &side,
                                        const PairValues &values,
                                        const Chunk &chunk) {
  if (side.mixture && side.isFirst)
    return pair.first().runSharedHidden(
        values.firstNormed, result.weights.first, model.data(), chunk);
  if (side.mixture)
    return pair.second().runSharedHidden(
        values.secondNormed, result.weights.second, model.data(), chunk);
  return side.isFirst ? values.firstFeatures : values.secondFeatures;
}

Expected<std::vector<OutputSide>> PairFitter::findOutputs() {
  std::vector<OutputSide> sides;
  for (bool isFirst : {true, false}) {
    const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
    SublayerWeights &weights =
        isFirst ? result.weights.first : result.weights.second;
    block::MoeOp mixture = runner.sublayer().getMixture();
    // In a shortcut, the attention reads what shared experts add.
    if (mixture && (!mixture.getSharedDown() || pair.hasSharedStream()))
      mixture = {};
    if ((!weights.output && !mixture) || !runner.hasLinearTail())
      continue;
    Expected<std::vector<double>> gain = runner.getTailGain(weights);
    if (!gain)
      return gain.takeError();
    bool reaches = true;
    for (double &factor : *gain) {
      factor *= isFirst ? pair.getFirstFactor() : pair.getSecondFactor();
      if (mixture)
        factor *= mixture.getScale().convertToDouble();
      reaches &= std::fabs(factor) > 1e-9;
    }
    if (reaches)
      sides.push_back({mixture ? getMixtureLinear(runner.sublayer(), weights,
                                                  mixture.getSharedDown(), {})
                               : weights.output,
                       &runner.sublayer(), isFirst, mixture, std::move(*gain)});
  }
  return sides;
}

void PairFitter::keep(const OutputSide &side) {
  SublayerWeights &weights =
      side.isFirst ? result.weights.first : result.weights.second;
  if (block::MoeOp mixture = side.mixture)
    setMixtureLinear(*side.sublayer, weights, mixture.getSharedDown(), {},
                     side.weights);
  else
    weights.output = side.weights;
}

Error PairFitter::refitOutputs(std::vector<OutputSide> &sides) {
  int64_t numFeatures = 0;
  const OutputSide *biasSide = nullptr;
  for (const OutputSide &side : sides) {
    numFeatures += side.weights.getInputs();
    if (side.sublayer->output.bias)
      biasSide = &side;
  }
  if (!biasSide && options.addBiases)
    for (const OutputSide &side : sides)
      if (side.sublayer->takesBiases())
        biasSide = &side;
  int64_t width = sides.front().weights.getOutputs();
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
              Tensors features;
              for (const OutputSide &side : sides) {
                Expected<Tensor> read = readOutput(side, *values, chunk);
                if (!read)
                  return read.takeError();
                features.push_back(std::move(*read));
              }
              Rows rows;
              for (auto [row, isValid] :
                   llvm::enumerate(model.data().getValid(chunk))) {
                if (!isValid)
                  continue;
                for (const Tensor &feature : features)
                  append(rows.features, feature, row);
                append(rows.targets, residual, row);
              }
              return rows;
            });
  if (!fit)
    return fit.takeError();
  int64_t first = 0;
  for (OutputSide &side : sides) {
    addFit(side.weights, *fit, first, 0, side.gain, &side == biasSide);
    first += side.weights.getInputs();
    keep(side);
  }
  return Error::success();
}
