//===- PairRunner.cpp - runs both branches of a pair ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PairRunner.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::Expected;

PairRunner::PairRunner(const SublayerRunner &first,
                       const SublayerRunner &second, const ParallelForm &form,
                       Outliner &outliner)
    : one(first), two(second) {
  const Sublayer &a = first.sublayer(), &b = second.sublayer();
  auto getFactor = [&](const Sublayer &sublayer) {
    return form.scale *
           (sublayer.isAttention() ? form.attentionScale : form.mlpScale);
  };
  // Pairs of one form: both sublayers have post-norms, or neither.
  normsSums = !b.postNorm.empty();
  skipFactor = normsSums ? 1 : a.skipScale * b.skipScale;
  middleFactor = a.branchScale * getFactor(a);
  firstFactor = normsSums ? middleFactor : b.skipScale * middleFactor;
  secondFactor = b.branchScale * getFactor(b);
  separatesRouter = form.router == RouterInput::Serial && b.readsByRouter();
  block::MoeOp mixture = a.getMixture();
  readsShared = form.shortcut && mixture && mixture.getSharedUp();
  block::NormAttr norm = first.getHeadNorm();
  if (form.norm == SecondNorm::Separate || !norm || !second.getHeadNorm())
    return;
  if (form.norm == SecondNorm::Shared)
    rebasedHead = makeHeadAs(b, outliner, norm);
  else
    sharesNorm = true;
}

Expected<Tensor> PairRunner::runSecondStream(const Tensor &stream,
                                             const PairWeights &weights,
                                             const Dataset &data,
                                             const Chunk &chunk) const {
  if (!readsShared)
    return stream;
  Expected<Tensor> normed = one.runHead(stream, weights.first);
  if (!normed)
    return normed;
  Expected<Tensor> hidden =
      one.runSharedHidden(*normed, weights.first, data, chunk);
  if (!hidden)
    return hidden;
  block::MoeOp mixture = one.sublayer().getMixture();
  LinearWeights down = getMixtureLinear(one.sublayer(), weights.first,
                                        mixture.getSharedDown(), {});
  return combine(one.sublayer().skipScale, stream,
                 middleFactor * mixture.getScale().convertToDouble(),
                 project(*hidden, down));
}

Expected<Tensor> PairRunner::runSecondHead(const Tensor &input,
                                           const PairWeights &weights,
                                           const Dataset &data,
                                           const Chunk &chunk) const {
  Expected<Tensor> read = runSecondStream(input, weights, data, chunk);
  if (!read)
    return read;
  const Tensor &stream = *read;
  if (sharesNorm)
    return one.runHead(stream, weights.first);
  if (rebasedHead)
    return two.runHeadAs(*rebasedHead, stream, weights.second);
  return two.runHead(stream, weights.second);
}

Tensor PairRunner::sumFirst(const Tensor &stream, const Tensor &branch) const {
  return combine(one.sublayer().skipScale, stream, middleFactor, branch);
}

llvm::Error PairRunner::normSums(const Tensor &stream, const Tensor &first,
                                 const Tensor &second,
                                 const PairWeights &weights,
                                 PairValues &values) const {
  values.firstSum = sumFirst(stream, first);
  Expected<Tensor> middle = one.finish(values.firstSum, weights.first);
  if (!middle)
    return middle.takeError();
  values.secondSum =
      combine(two.sublayer().skipScale, *middle, secondFactor, second);
  return two.finish(values.secondSum, weights.second).moveInto(values.result);
}

Expected<Tensor> PairRunner::runRouterHead(const Tensor &stream,
                                           const PairWeights &weights,
                                           const Dataset &data,
                                           const Chunk &chunk) const {
  if (!separatesRouter)
    return runSecondHead(stream, weights, data, chunk);
  Expected<Tensor> first = one.runBranch(stream, weights.first, data, chunk);
  if (!first)
    return first;
  return two.runHead(sumFirst(stream, *first), weights.second);
}

static Tensor scale(double factor, const Tensor &tensor) {
  std::vector<double> values(tensor.data());
  for (double &value : values)
    value *= factor;
  return makeTensor(tensor.type, tensor.shape, std::move(values));
}

Expected<PairValues> PairRunner::run(const Tensor &stream,
                                     const PairWeights &weights,
                                     const Dataset &data, const Chunk &chunk,
                                     const Tensor *older) const {
  PairValues values;
  auto keep = [](Expected<Tensor> from, Tensor &to) {
    if (from)
      to = std::move(*from);
    return from.takeError();
  };
  if (llvm::Error error =
          keep(one.runHead(older ? *older : stream, weights.first),
               values.firstNormed))
    return error;
  if (llvm::Error error =
          keep(one.runFeatures(values.firstNormed, weights.first, data, chunk),
               values.firstFeatures))
    return error;
  if (llvm::Error error = keep(runSecondHead(stream, weights, data, chunk),
                               values.secondNormed))
    return error;
  Expected<Tensor> first = one.runEnd(values.firstFeatures, weights.first);
  if (!first)
    return first.takeError();
  Tensor router;
  if (separatesRouter)
    if (llvm::Error error =
            keep(two.runHead(sumFirst(stream, *first), weights.second), router))
      return error;
  if (llvm::Error error =
          keep(two.runFeatures(values.secondNormed, weights.second, data, chunk,
                               separatesRouter ? &router : nullptr),
               values.secondFeatures))
    return error;
  Expected<Tensor> second = two.runEnd(values.secondFeatures, weights.second);
  if (!second)
    return second.takeError();
  values.firstUpdate = scale(firstFactor, *first);
  values.secondUpdate = scale(secondFactor, *second);
  if (normsSums) {
    if (llvm::Error error = normSums(stream, *first, *second, weights, values))
      return error;
    return values;
  }
  values.result = add(stream, values.firstUpdate, values.secondUpdate);
  return values;
}

Tensor PairRunner::add(const Tensor &stream, const Tensor &firstUpdate,
                       const Tensor &secondUpdate) const {
  return combine(1, combine(skipFactor, stream, 1, firstUpdate), 1,
                 secondUpdate);
}

Expected<Tensor> PairRunner::runResult(const Tensor &stream,
                                       const PairWeights &weights,
                                       const Dataset &data, const Chunk &chunk,
                                       const Tensor *older,
                                       Tensor *middle) const {
  if (needsSteps()) {
    Expected<PairValues> values = run(stream, weights, data, chunk, older);
    if (!values)
      return values.takeError();
    return std::move(values->result);
  }
  Expected<Tensor> first =
      one.runBranch(older ? *older : stream, weights.first, data, chunk);
  if (!first)
    return first;
  Tensor between;
  if (middle || separatesRouter)
    between = sumFirst(stream, *first);
  Expected<Tensor> read = runSecondStream(stream, weights, data, chunk);
  if (!read)
    return read;
  Expected<Tensor> second =
      two.runBranch(*read, weights.second, data, chunk, /*exactly=*/false,
                    separatesRouter ? &between : nullptr);
  if (middle)
    *middle = std::move(between);
  if (!second)
    return second;
  if (normsSums) {
    PairValues values;
    if (llvm::Error error = normSums(stream, *first, *second, weights, values))
      return error;
    return std::move(values.result);
  }
  return add(stream, scale(firstFactor, *first), scale(secondFactor, *second));
}

Expected<Tensor>
PairRunner::runSecondSerially(const Tensor &middle, const Tensor &fresh,
                              const PairWeights &weights, const Dataset &data,
                              const Chunk &chunk, bool exactly) const {
  Expected<Tensor> branch =
      two.runBranch(middle, weights.second, data, chunk, exactly,
                    separatesRouter ? &fresh : nullptr);
  if (!branch)
    return branch;
  return scale(two.sublayer().branchScale, *branch);
}
