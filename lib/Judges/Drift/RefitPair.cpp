//===- RefitPair.cpp - fits inputs of a pair and its experts --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A mixture's projections of the stream are fitted like those of an MLP: the
// router to its old logits, shared experts to their old values, and the matrix
// of each expert on the rows that choose it. The output matrices of experts
// follow the pair's other output weights, one after another: each is fitted to
// what the result then lacks.
//
//===----------------------------------------------------------------------===//

#include "PairFitter.h"

#include "llvm/ADT/STLExtras.h"

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
  std::vector<LowRank> lowRank;
  for (const LinearWeights &linear : projections) {
    if (linear.isShared)
      lowRank.push_back({width, targets, linear.getOutputs(), options.lowRank});
    targets += linear.getOutputs();
  }
  Expected<Fit> fit = solve(
      what, width, targets, withBias,
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
          linear.bias = makeTensor(linear.bias.type, linear.bias.shape,
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
      },
      lowRank);
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
  const Sublayer &sublayer = runner.sublayer();
  bool withBias = llvm::all_of(sublayer.inputs, [&](const Projection &each) {
    return canFitBias(sublayer, each.bias) || (options.addBiases && !each.bias);
  });
  return fitInputs(
      isFirst ? "first inputs" : "inputs", weights.inputs, withBias,
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

/// A post-norm is linear in nothing, so each output projection is fitted to the
/// sum that it is part of in series: first the first one, whose sum the pair
/// computes as in series, but on what earlier pairs have made of the stream.
Error PairFitter::fitPostNorms(Correction correction,
                               std::vector<OutputSide> sides) {
  for (bool isFirst : {true, false}) {
    if (!isFirst && correction == Correction::Refit)
      if (Error error = refitInputs(/*isFirst=*/false))
        return error;
    for (OutputSide &side : sides) {
      if (side.isFirst != isFirst)
        continue;
      std::vector<OutputSide> one = {std::move(side)};
      if (Error error = refitOutputs(one))
        return error;
    }
    if (correction == Correction::Refit)
      if (Error error = refitExpertOutputs(isFirst))
        return error;
  }
  if (result.fits.empty())
    result.reason = "neither branch has output weights that its sum is linear "
                    "in";
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Routers and experts
//===----------------------------------------------------------------------===//

namespace {
/// The matrices of all experts, and their biases, as the fits of an operand
/// change them. Weights change when all experts are fitted.
class ExpertStack {
public:
  ExpertStack(SublayerWeights &weights, const Sublayer &sublayer,
              Value matrices, Value biases)
      : stack(weights.others[sublayer.findOther(matrices)]),
        biases(biases ? &weights.others[sublayer.findOther(biases)] : nullptr),
        transposed(sublayer.getMixture().getForm().getTransposed()),
        inputs(stack.shape[transposed ? 1 : 2]),
        outputs(stack.shape[transposed ? 2 : 1]), values(stack.data()) {
    if (this->biases)
      biasValues = this->biases->data().vec();
  }

  bool hasBias() const { return biases; }
  int64_t size() const { return stack.shape[0]; }

  /// Returns the weights of an expert before any fit, with a bias of zeros if
  /// it has none.
  LinearWeights get(int64_t expert) const {
    std::vector<double> own(inputs * outputs), bias(outputs);
    for (int64_t i = 0; i < inputs * outputs; ++i)
      own[i] = stack.data()[at(expert, i)];
    for (int64_t o = 0; biases && o < outputs; ++o)
      bias[o] = biases->data()[expert * outputs + o];
    LinearWeights result;
    result.weight = makeTensor(stack.type, {outputs, inputs}, std::move(own));
    result.bias = makeTensor(stack.type, outputs, std::move(bias));
    return result;
  }

  void set(int64_t expert, const LinearWeights &fitted) {
    for (int64_t i = 0; i < inputs * outputs; ++i)
      values[at(expert, i)] = fitted.weight.data()[i];
    for (int64_t o = 0; biases && o < outputs; ++o)
      biasValues[expert * outputs + o] = fitted.bias.data()[o];
  }

  /// Writes what was set into the weights.
  void store() {
    stack = makeTensor(stack.type, stack.shape, std::move(values));
    if (biases)
      *biases = makeTensor(biases->type, biases->shape, std::move(biasValues));
  }

private:
  /// The place of element `i` of the matrix [outputs, inputs] in the stack.
  int64_t at(int64_t expert, int64_t i) const {
    int64_t o = i / inputs, k = i % inputs;
    return expert * inputs * outputs +
           (transposed ? k * outputs + o : o * inputs + k);
  }

  Tensor &stack, *biases;
  bool transposed;
  int64_t inputs, outputs;
  std::vector<double> values, biasValues;
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
  ExpertStack stack(weights, sublayer, op.getUpWeight(), op.getUpBias());
  std::vector<int64_t> counts(stack.size());
  if (Error error = findChoices(counts))
    return error;
  result.experts.neededRows = minTokensPerUnknown * sublayer.getWidth();
  for (int64_t expert = 0; expert < stack.size(); ++expert) {
    if (counts[expert] < result.experts.neededRows) {
      ++result.experts.left;
      continue;
    }
    LinearWeights matrix = stack.get(expert);
    if (Error error = fitInputs(
            "expert " + std::to_string(expert), matrix, stack.hasBias(),
            [&](const Tensor &input, size_t, const Chunk &chunk) {
              return pair.runSecondHead(input, result.weights, model.data(),
                                        chunk);
            },
            [&](const Tensor &, size_t index, const Chunk &) {
              return readOriginal(index);
            },
            [&](size_t index, size_t row) {
              return llvm::is_contained(choices[index][row], expert);
            }))
      return error;
    stack.set(expert, matrix);
    ++result.experts.refitted;
  }
  stack.store();
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
// Output matrices of experts
//===----------------------------------------------------------------------===//

Error PairFitter::findExpertRows(bool isFirst, ExpertRows &rows) {
  const Dataset &data = model.data();
  const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
  const SublayerWeights &weights =
      isFirst ? result.weights.first : result.weights.second;
  rows.missing = streams.input.makeLike();
  rows.normed = streams.input.makeLike();
  rows.routed.resize(data.chunks().size());
  auto run = [&](size_t index, const Chunk &chunk) -> Error {
    Expected<Tensor> input = streams.input.get(index);
    if (!input)
      return input.takeError();
    Expected<std::optional<Tensor>> older = getOlder(index);
    if (!older)
      return older.takeError();
    Expected<PairValues> values = pair.run(*input, result.weights, data, chunk,
                                           *older ? &**older : nullptr);
    if (!values)
      return values.takeError();
    Expected<Tensor> missing = findMissing(isFirst, *values, index, chunk);
    if (!missing)
      return missing.takeError();
    Tensor normed = isFirst ? values->firstNormed : values->secondNormed;
    Expected<Tensor> router =
        isFirst || !pair.hasSerialRouter()
            ? Expected<Tensor>(normed)
            : pair.runRouterHead(*input, result.weights, data, chunk);
    if (!router)
      return router.takeError();
    Expected<Tensors> routed = runner.runRoute(*router, weights, data, chunk);
    if (!routed)
      return routed.takeError();
    rows.routed[index] = std::move(*routed);
    if (Error error = rows.missing.set(index, std::move(*missing)))
      return error;
    return rows.normed.set(index, std::move(normed));
  };
  if (Error error = forEachChunk(data, {Split::Fit, Split::Select}, run))
    return error;
  for (auto [index, chunk] : llvm::enumerate(data.chunks())) {
    if (chunk.split != Split::Fit)
      continue;
    llvm::ArrayRef<double> experts = rows.routed[index][0].data();
    size_t slots = rows.routed[index][0].shape.back();
    for (auto [row, isValid] : llvm::enumerate(data.getValid(chunk)))
      for (double expert : experts.slice(row * slots, slots))
        if (isValid)
          ++rows.counts[static_cast<size_t>(expert)];
  }
  return Error::success();
}

/// Fits one expert's output matrix, with a row for its bias behind it, and
/// takes what it adds from the rows' missing values.
Expected<Fit> PairFitter::fitExpertOutput(bool isFirst, ExpertRows &rows,
                                          int64_t expert, bool withBias) {
  const Dataset &data = model.data();
  const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
  const SublayerWeights &weights =
      isFirst ? result.weights.first : result.weights.second;
  /// The features of each row of a chunk; empty where it has other experts.
  auto readFeatures =
      [&](size_t index) -> Expected<std::vector<std::vector<double>>> {
    Expected<Tensor> normed = rows.normed.get(index);
    if (!normed)
      return normed.takeError();
    const Tensors &routed = rows.routed[index];
    Expected<Tensor> hidden =
        runner.runExpertHidden(*normed, routed, expert, weights);
    if (!hidden)
      return hidden.takeError();
    bool weighsInput = runner.sublayer().getMixture().getForm().getWeigh() ==
                       block::Weigh::Input;
    int64_t slots = routed[0].shape.back();
    std::vector<std::vector<double>> features(routed[0].getNumElements() /
                                              slots);
    for (int64_t slot = 0; slot < routed[0].getNumElements(); ++slot)
      if (static_cast<int64_t>(routed[0].data()[slot]) == expert) {
        std::vector<double> &own = features[slot / slots];
        own = getRow(*hidden, slot / slots).vec();
        if (withBias)
          own.push_back(weighsInput ? 1 : routed[1].data()[slot]);
      }
    return features;
  };
  block::MoeOp op = runner.sublayer().getMixture();
  auto down = llvm::cast<mlir::RankedTensorType>(op.getDownWeight().getType());
  int64_t hidden = down.getDimSize(op.getForm().getTransposed() ? 1 : 2);
  Expected<Fit> fit = solve(
      "output of expert " + std::to_string(expert), hidden + withBias,
      runner.sublayer().getWidth(), /*withBias=*/false,
      [&](const Tensor &, size_t index, const Chunk &chunk) -> Expected<Rows> {
        Expected<Tensor> missing = rows.missing.get(index);
        if (!missing)
          return missing.takeError();
        auto features = readFeatures(index);
        if (!features)
          return features.takeError();
        Rows made;
        for (auto [row, isValid] : llvm::enumerate(data.getValid(chunk)))
          if (isValid && !(*features)[row].empty()) {
            llvm::append_range(made.features, (*features)[row]);
            append(made.targets, *missing, row);
          }
        return made;
      });
  if (!fit)
    return fit;
  Error error = forEachChunk(
      data, {Split::Fit, Split::Select},
      [&](size_t index, const Chunk &) -> Error {
        Expected<Tensor> missing = rows.missing.get(index);
        if (!missing)
          return missing.takeError();
        auto features = readFeatures(index);
        if (!features)
          return features.takeError();
        std::vector<double> left(missing->data());
        for (auto [row, own] : llvm::enumerate(*features))
          for (auto [f, feature] : llvm::enumerate(own))
            for (int64_t o = 0; o < fit->numTargets; ++o)
              left[row * fit->numTargets + o] -=
                  feature * fit->weight[f * fit->numTargets + o];
        return rows.missing.set(
            index, makeTensor(missing->type, missing->shape, std::move(left)));
      });
  if (error)
    return error;
  return fit;
}

Error PairFitter::refitExpertOutputs(bool isFirst) {
  const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
  SublayerWeights &weights =
      isFirst ? result.weights.first : result.weights.second;
  block::MoeOp op = runner.sublayer().getMixture();
  // Routers of the second branch would read what the first one's outputs
  // become.
  if (!op || !runner.hasLinearTail() || (isFirst && pair.hasSerialRouter()))
    return Error::success();
  Expected<std::vector<double>> gain = getOutputGain(isFirst);
  if (!gain)
    return gain.takeError();
  if (gain->empty())
    return Error::success();
  ExpertStack stack(weights, runner.sublayer(), op.getDownWeight(),
                    op.getDownBias());
  ExpertRows rows;
  rows.counts.resize(stack.size());
  if (Error error = findExpertRows(isFirst, rows))
    return error;
  for (int64_t expert = 0; expert < stack.size(); ++expert) {
    LinearWeights matrix = stack.get(expert);
    int64_t unknowns = matrix.getInputs() + stack.hasBias();
    result.outputs.neededRows = minTokensPerUnknown * unknowns;
    if (rows.counts[expert] < result.outputs.neededRows) {
      ++result.outputs.left;
      continue;
    }
    Expected<Fit> fit = fitExpertOutput(isFirst, rows, expert, stack.hasBias());
    if (!fit)
      return fit.takeError();
    // The bias is the last row of the fit.
    size_t bias = (unknowns - 1) * fit->numTargets;
    if (stack.hasBias())
      fit->bias.assign(fit->weight.begin() + bias, fit->weight.end());
    addFit(matrix, *fit, 0, 0, *gain, stack.hasBias());
    stack.set(expert, matrix);
    ++result.outputs.refitted;
  }
  stack.store();
  return Error::success();
}
