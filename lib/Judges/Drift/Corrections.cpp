//===- Corrections.cpp - fits and checks corrections ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PairFitter.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

Expected<CorrectedPair> PairFitter::run(Correction correction) {
  markShared(pair.first(), result.weights.first);
  markShared(pair.second(), result.weights.second);
  PairWeights original = result.weights;
  Expected<double> before = measureDistance();
  if (!before)
    return before.takeError();
  if (Error error = fit(correction))
    return error;
  if (result.fits.empty())
    return std::move(result);
  roundWeights(pair.first(), original.first, result.weights.first);
  roundWeights(pair.second(), original.second, result.weights.second);
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

Error PairFitter::fit(Correction correction) {
  Expected<std::vector<OutputSide>> sides = findOutputs();
  if (!sides)
    return sides.takeError();
  if (correction == Correction::MeanJacobian) {
    if (!sides->empty() && sides->front().isFirst && !sides->front().mixture)
      return foldJacobian(sides->front());
    result.reason = "the first branch has no output weights that its update "
                    "is linear in";
    return Error::success();
  }
  if (pair.hasPostNorms())
    return fitPostNorms(correction, std::move(*sides));
  if (correction == Correction::Refit) {
    if (streams.older)
      if (Error error = refitInputs(/*isFirst=*/true))
        return error;
    if (Error error = refitInputs(/*isFirst=*/false))
      return error;
  }
  if (!sides->empty()) {
    if (Error error = refitOutputs(*sides))
      return error;
    // A router behind the attention reads what its output became.
    block::MoeOp mixture = pair.second().sublayer().getMixture();
    if (correction == Correction::Refit && mixture && pair.hasSerialRouter())
      if (Error error = refitRouter(mixture))
        return error;
  }
  if (correction == Correction::Refit)
    for (bool isFirst : {true, false})
      if (Error error = refitExpertOutputs(isFirst))
        return error;
  if (!sides->empty() || result.outputs.refitted != 0)
    return Error::success();
  result.reason = "neither branch has output weights that the result is "
                  "linear in";
  return Error::success();
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

Expected<std::vector<double>> PairFitter::getOutputGain(bool isFirst) {
  const SublayerRunner &runner = isFirst ? pair.first() : pair.second();
  Expected<std::vector<double>> gain = runner.getTailGain(
      isFirst ? result.weights.first : result.weights.second);
  if (!gain)
    return gain;
  double scale = isFirst ? pair.getFirstFactor() : pair.getSecondFactor();
  if (block::MoeOp mixture = runner.sublayer().getMixture())
    scale *= mixture.getScale().convertToDouble();
  for (double &factor : *gain) {
    factor *= scale;
    if (std::fabs(factor) <= 1e-9)
      return std::vector<double>();
  }
  return gain;
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
    Expected<std::vector<double>> gain = getOutputGain(isFirst);
    if (!gain)
      return gain.takeError();
    if (!gain->empty())
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
  // Features of shared matrices come first; their changes have one rank.
  llvm::stable_sort(sides, [](const OutputSide &a, const OutputSide &b) {
    return a.weights.isShared > b.weights.isShared;
  });
  bool isFirst = sides.front().isFirst;
  int64_t width = sides.front().weights.getOutputs();
  int64_t numFeatures = 0;
  LowRank lowRank = {0, 0, width, options.lowRank};
  const OutputSide *biasSide = nullptr;
  for (const OutputSide &side : sides) {
    numFeatures += side.weights.getInputs();
    if (side.weights.isShared)
      lowRank.numFeatures = numFeatures;
    if (canFitBias(*side.sublayer, side.sublayer->output.bias))
      biasSide = &side;
  }
  if (!biasSide && options.addBiases)
    for (const OutputSide &side : sides)
      if (side.sublayer->takesBiases() && !side.sublayer->output.bias)
        biasSide = &side;
  Expected<Fit> fit = solve(
      pair.hasPostNorms() && isFirst ? "first outputs" : "outputs", numFeatures,
      width, biasSide != nullptr,
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
        Expected<Tensor> residual = findMissing(isFirst, *values, index, chunk);
        if (!residual)
          return residual.takeError();
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
          append(rows.targets, *residual, row);
        }
        return rows;
      },
      lowRank.numFeatures ? llvm::ArrayRef(lowRank)
                          : llvm::ArrayRef<LowRank>());
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

//===----------------------------------------------------------------------===//
// Judgement
//===----------------------------------------------------------------------===//

/// Returns the squared distance of the pair's result to the target, on tokens
/// that no fit used.
Expected<double> PairFitter::measureDistance() {
  std::vector<double> byChunk(model.data().chunks().size());
  Error error =
      forEachChunk(model.data(), Split::Select,
                   [&](size_t index, const Chunk &chunk) -> Error {
                     Expected<Tensor> input = streams.input.get(index);
                     if (!input)
                       return input.takeError();
                     Expected<Tensor> target = streams.output.get(index);
                     if (!target)
                       return target.takeError();
                     Expected<std::optional<Tensor>> older = getOlder(index);
                     if (!older)
                       return older.takeError();
                     Expected<Tensor> made =
                         pair.runResult(*input, result.weights, model.data(),
                                        chunk, *older ? &**older : nullptr);
                     if (!made)
                       return made.takeError();
                     for (auto [row, isValid] :
                          llvm::enumerate(model.data().getValid(chunk)))
                       if (isValid) {
                         double distance = compareRows(getRow(*target, row),
                                                       getRow(*made, row))
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

/// Rounds like a file of these weights, so that measurements hold for the
/// file.
void PairFitter::roundWeights(const SublayerRunner &runner,
                              const SublayerWeights &original,
                              SublayerWeights &weights) {
  auto round = [&](const Projection &projection, const LinearWeights &before,
                   LinearWeights &linear) {
    if (!linear)
      return;
    ElementType stored = model.getStoredType(projection.weight);
    for (Tensor *tensor :
         {&linear.weight, &linear.bias, &linear.left, &linear.right}) {
      if (!tensor->values)
        continue;
      std::vector<double> values(tensor->data());
      roundTo(stored, values);
      roundTo(tensor->type, values);
      *tensor = makeTensor(tensor->type, tensor->shape, std::move(values));
    }
    if (linear.left.values)
      linear.weight = addProduct(before.weight, linear.left, linear.right);
  };
  for (auto [projection, before, linear] : llvm::zip_equal(
           runner.sublayer().inputs, original.inputs, weights.inputs))
    round(projection, before, linear);
  round(runner.sublayer().output, original.output, weights.output);
  if (!runner.sublayer().getMixture())
    return;
  for (auto [value, tensor] :
       llvm::zip_equal(runner.sublayer().others, weights.others)) {
    std::vector<double> values(tensor.data());
    roundTo(model.getStoredType(value), values);
    roundTo(tensor.type, values);
    tensor = makeTensor(tensor.type, tensor.shape, std::move(values));
  }
}

Expected<CorrectedPair>
drift::correctPair(const Model &model, const Candidate &candidate,
                   Correction correction, const PairWeights &original,
                   PairStreams streams, const CorrectionOptions &options) {
  return PairFitter(model, candidate, original, streams, options)
      .run(correction);
}

/// Returns the projection that an output refit fits, if there is one.
static Projection getOutput(const Sublayer &sublayer) {
  if (block::MoeOp mixture = sublayer.getMixture())
    return {"shared_down", mixture.getSharedDown(), {}};
  return sublayer.output;
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
  int64_t width = pair.second().sublayer().getWidth();
  if (correction == Correction::MeanJacobian)
    return width;
  int64_t outputs = 0;
  for (const SublayerRunner *runner : {&pair.first(), &pair.second()})
    if (runner->hasLinearTail()) {
      // Of post-norms, each output projection is fitted alone.
      int64_t own = getWidth(getOutput(runner->sublayer()));
      outputs = pair.hasPostNorms() ? std::max(outputs, own) : outputs + own;
    }
  return correction == Correction::Refit ? std::max(width, outputs) : outputs;
}

namespace {
/// A matrix that a correction fits; its projection has a bias if that is
/// fitted, too.
struct FittedMatrix {
  const Sublayer *sublayer;
  Projection projection;

  bool isOfExperts() const { return sublayer->getMixture() != nullptr; }
  bool isShared(mlir::Value value) const {
    return value && drift::isShared(value, sublayer->op);
  }
};
} // namespace

/// Adds the matrices of a mixture that `correction` fits.
static void listMixture(const PairRunner &pair, const SublayerRunner &runner,
                        Correction correction,
                        std::vector<FittedMatrix> &fitted) {
  const Sublayer &sublayer = runner.sublayer();
  block::MoeOp op = sublayer.getMixture();
  bool isFirst = &runner == &pair.first();
  auto add = [&](llvm::StringRef name, mlir::Value weight, mlir::Value bias) {
    if (weight)
      fitted.push_back({&sublayer, {name, weight, bias}});
  };
  if (correction == Correction::Refit && !isFirst) {
    add("router", op.getRouterWeight(), op.getRouterBias());
    add("shared_up", op.getSharedUp(), {});
    add("shared_gate", op.getSharedGate(), {});
    add("shared_router", op.getSharedRouter(), {});
    add("up", op.getUpWeight(), op.getUpBias());
  }
  if (!runner.hasLinearTail() || correction == Correction::MeanJacobian)
    return;
  if (!pair.hasSharedStream())
    add("shared_down", op.getSharedDown(), {});
  if (correction == Correction::Refit && !(isFirst && pair.hasSerialRouter()))
    add("down", op.getDownWeight(), op.getDownBias());
}

/// Returns the matrices of a pair that `correction` fits.
static std::vector<FittedMatrix> listFitted(const Model &model,
                                            const Candidate &candidate,
                                            Correction correction,
                                            bool addBiases) {
  std::vector<FittedMatrix> fitted;
  const PairRunner &pair = model.getPair(candidate);
  // Of both output projections, the second one has its bias fitted.
  bool hasBias = false;
  for (const SublayerRunner *runner : {&pair.second(), &pair.first()}) {
    const Sublayer &sublayer = runner->sublayer();
    bool isFirst = runner == &pair.first();
    if (sublayer.getMixture()) {
      listMixture(pair, *runner, correction, fitted);
      continue;
    }
    if (correction == Correction::Refit && (!isFirst || model.isLadder())) {
      bool fitsBiases =
          llvm::all_of(sublayer.inputs, [&](const Projection &each) {
            return each.bias || addBiases;
          });
      for (Projection projection : sublayer.inputs) {
        if (!fitsBiases)
          projection.bias = {};
        fitted.push_back({&sublayer, projection});
      }
    }
    if (!sublayer.output.weight || !runner->hasLinearTail() ||
        (!isFirst && correction == Correction::MeanJacobian))
      continue;
    Projection output = sublayer.output;
    if (hasBias && !pair.hasPostNorms())
      output.bias = {};
    hasBias |= static_cast<bool>(output.bias);
    fitted.push_back({&sublayer, output});
  }
  return fitted;
}

bool drift::fitsSharedMatrix(const Model &model, const Candidate &candidate,
                             Correction correction) {
  return llvm::any_of(
      listFitted(model, candidate, correction, /*addBiases=*/false),
      [](const FittedMatrix &each) {
        return each.isShared(each.projection.weight);
      });
}

/// Returns the sublayer whose fit would change other layers, with why and a way
/// out; null if none would.
static std::pair<const Sublayer *, std::string>
findSharing(const std::vector<FittedMatrix> &fitted, Correction correction,
            bool hasLowRank) {
  const std::string another = ": choose a --correction that leaves it";
  for (const FittedMatrix &each : fitted) {
    bool takesLowRank =
        !each.isOfExperts() && correction != Correction::MeanJacobian;
    if (!each.isShared(each.projection.weight) || (takesLowRank && hasLowRank))
      continue;
    std::string found = "other layers read the matrix '" +
                        each.projection.name.str() + "', too";
    if (each.isOfExperts() || hasLowRank)
      return {each.sublayer,
              found + ", and no change of low rank is fitted of it" + another};
    return {each.sublayer,
            found + ": --low-rank=R beside --correction=output-refit or refit "
                    "fits a change for this layer alone"};
  }
  // Beside changes of low rank, shared biases of projections stay.
  for (const FittedMatrix &each : fitted)
    if ((each.isOfExperts() || !hasLowRank) &&
        each.isShared(each.projection.bias))
      return {each.sublayer, "other layers read the bias of '" +
                                 each.projection.name.str() + "', too" +
                                 another};
  return {nullptr, std::string()};
}

Error drift::checkCorrection(const Model &model, const Candidate &candidate,
                             Correction correction,
                             const CorrectionOptions &options) {
  bool addBiases = options.addBiases;
  const PairRunner &pair = model.getPair(candidate);
  const Sublayer &first = pair.first().sublayer(),
                 &second = pair.second().sublayer();
  auto fail = [&](const Sublayer &sublayer, const llvm::Twine &why) {
    return llvm::createStringError(
        "pair " + candidate.pair.getName() + ": layer " +
        llvm::Twine(sublayer.getLayerIndex()) + ", " + sublayer.describe() +
        ": " + why + ", or --blocks can leave the pair out");
  };
  if (correction == Correction::MeanJacobian && pair.hasPostNorms())
    return fail(first, "--correction=mean-jacobian requires a second branch "
                       "that reads the first one's update, got one that reads "
                       "its norm: --correction=output-refit or refit");
  if (correction == Correction::Refit) {
    // In a ladder, both branches read another stream than in series.
    for (const Sublayer *sublayer : {&first, &second})
      if (sublayer->inputs.empty() &&
          (sublayer == &second ? !sublayer->getMixture() : model.isLadder()))
        return fail(*sublayer,
                    "--correction=refit requires projections of the stream "
                    "that are operands of one attention, MLP or mixture: "
                    "--correction=output-refit fits output projections alone");
  }
  auto [sharing, why] =
      findSharing(listFitted(model, candidate, correction, addBiases),
                  correction, options.lowRank != 0);
  if (sharing)
    return fail(*sharing, why);
  if (!addBiases || correction == Correction::None)
    return Error::success();
  bool onlyFirst = correction == Correction::MeanJacobian;
  const Sublayer *without = nullptr;
  for (const Sublayer *sublayer : {&first, &second}) {
    if (!getOutput(*sublayer).weight || (onlyFirst && sublayer == &second))
      continue;
    if (sublayer->takesBiases() || sublayer->output.bias)
      return Error::success();
    without = sublayer;
  }
  if (!without)
    return Error::success();
  return fail(*without, "--add-biases: the output projection takes no bias: "
                        "leave the flag out");
}

//===----------------------------------------------------------------------===//
// The mean Jacobian in output weights
//===----------------------------------------------------------------------===//

/// With d the first branch's update and D its gains, replaces d by `d (I + M) +
/// c`: `W' = D^-1 (I + M)^T D W` and likewise the bias.
Error PairFitter::foldJacobian(OutputSide &side) {
  LinearWeights &output = side.weights;
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
        Expected<Tensor> with = pair.runSecondSerially(
            *middle, *middle, result.weights, model.data(), chunk);
        if (!with)
          return with.takeError();
        Expected<Tensor> without = pair.runSecondSerially(
            base, *middle, result.weights, model.data(), chunk);
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
  keep(side);
  return Error::success();
}
