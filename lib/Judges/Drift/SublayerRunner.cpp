//===- SublayerRunner.cpp - runs heads, features and tails ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SublayerRunner.h"

#include "parablock/Judges/Reference/Matmul.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Expected;

Tensor drift::project(const Tensor &input, const LinearWeights &weights) {
  int64_t rows = input.getNumElements() / weights.getInputs();
  int64_t inner = weights.getInputs(), width = weights.getOutputs();
  std::vector<double> result(rows * width);
  reference::multiplyTransposed(
      {input.data().data(), rows, inner, inner},
      {weights.weight.data().data(), width, inner, inner}, result.data(),
      width);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t c = 0; c < width; ++c)
      result[row * width + c] += weights.bias.data()[c];
  SmallVector<int64_t> shape = input.shape;
  shape.back() = width;
  return makeTensor(input.type, shape, std::move(result));
}

Tensor drift::combine(double factor, const Tensor &a, double otherFactor,
                      const Tensor &b) {
  std::vector<double> result(a.data());
  for (auto [sum, other] : llvm::zip_equal(result, b.data()))
    sum = factor * sum + otherFactor * other;
  return makeTensor(a.type, a.shape, std::move(result));
}

SublayerRunner::SublayerRunner(const Sublayer &sublayer, RouterInput router,
                               Outliner &outliner)
    : model(sublayer), loader(sublayer, outliner),
      outlines(sublayer, outliner) {
  if (router == RouterInput::Serial && sublayer.readsByRouter())
    outlines.addRouted(sublayer, outliner);
  for (Value other : sublayer.others)
    if (other.getDefiningOp() && !block::isWeightOnly(other))
      madeOfInputs.try_emplace(other, outliner.outline(other));
}

llvm::Error SublayerRunner::prepare(Preparation &preparation, bool steps) {
  for (Outline *outline : {&outlines.branch, &outlines.routedBranch})
    if (outline->function)
      if (llvm::Error error = preparation.prepare(*outline))
        return error;
  if (!steps)
    return llvm::Error::success();
  for (Outline *outline : {&outlines.features, &outlines.routedFeatures})
    if (outline->function)
      if (llvm::Error error = preparation.prepare(*outline))
        return error;
  return outlines.end.function ? preparation.prepare(outlines.end)
                               : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The only result of a function.
static Expected<Tensor> getOnly(Expected<Tensors> results) {
  if (!results)
    return results.takeError();
  return std::move(results->front());
}

static void append(Tensors &to, const LinearWeights &linear) {
  to.push_back(linear.weight);
  to.push_back(linear.bias);
}

static Tensors concatenate(const Tensor &first, const Tensors &rest) {
  Tensors all = {first};
  llvm::append_range(all, rest);
  return all;
}

Expected<Tensor> SublayerRunner::runHead(const Tensor &stream,
                                         const SublayerWeights &weights) const {
  return getOnly(outlines.head.run(concatenate(stream, weights.head)));
}

block::NormAttr SublayerRunner::getHeadNorm() const {
  if (model.head.size() != 1)
    return {};
  auto norm = dyn_cast<block::NormOp>(model.head.front());
  return norm ? norm.getForm() : block::NormAttr();
}

Expected<Tensor>
SublayerRunner::runHeadAs(const Outline &headAs, const Tensor &stream,
                          const SublayerWeights &weights) const {
  return getOnly(headAs.run(concatenate(stream, weights.head)));
}

llvm::Error SublayerRunner::appendInner(Tensors &to,
                                        const SublayerWeights &weights,
                                        const Dataset &data,
                                        const Chunk &chunk) const {
  for (const LinearWeights &linear : weights.inputs)
    append(to, linear);
  for (auto [value, tensor] : llvm::zip_equal(model.others, weights.others)) {
    auto made = madeOfInputs.find(value);
    if (made == madeOfInputs.end()) {
      to.push_back(tensor.values ? tensor : data.getInput(value, chunk));
      continue;
    }
    Tensors inputs;
    for (Value input : made->second.arguments)
      inputs.push_back(data.getInput(input, chunk));
    Expected<Tensor> result = getOnly(made->second.runExact(inputs));
    if (!result)
      return result.takeError();
    to.push_back(std::move(*result));
  }
  return llvm::Error::success();
}

static void appendEnd(Tensors &to, const SublayerWeights &weights) {
  if (weights.output)
    append(to, weights.output);
  llvm::append_range(to, weights.tail);
}

Expected<Tensor> SublayerRunner::runFeatures(const Tensor &normed,
                                             const SublayerWeights &weights,
                                             const Dataset &data,
                                             const Chunk &chunk,
                                             const Tensor *router) const {
  Tensors arguments = {normed};
  if (router)
    arguments.push_back(*router);
  if (llvm::Error error = appendInner(arguments, weights, data, chunk))
    return error;
  return getOnly(
      (router ? outlines.routedFeatures : outlines.features).run(arguments));
}

Expected<std::vector<reference::Choice>>
SublayerRunner::findExperts(const Tensor &normed,
                            const SublayerWeights &weights, const Dataset &data,
                            const Chunk &chunk) const {
  Tensors arguments = {normed};
  if (llvm::Error error = appendInner(arguments, weights, data, chunk))
    return error;
  Expected<std::vector<reference::RoutedRow>> rows =
      outlines.features.findRoutes(arguments);
  if (!rows)
    return rows.takeError();
  std::vector<reference::Choice> choices;
  for (reference::RoutedRow &row : *rows) {
    llvm::sort(row.experts);
    choices.push_back(std::move(row.experts));
  }
  return choices;
}

Expected<Tensor> SublayerRunner::runSharedHidden(const Tensor &normed,
                                                 const SublayerWeights &weights,
                                                 const Dataset &data,
                                                 const Chunk &chunk) const {
  Tensors arguments = {normed};
  if (llvm::Error error = appendInner(arguments, weights, data, chunk))
    return error;
  return getOnly(outlines.sharedHidden.runExact(arguments));
}

Expected<Tensors> SublayerRunner::runRoute(const Tensor &router,
                                           const SublayerWeights &weights,
                                           const Dataset &data,
                                           const Chunk &chunk) const {
  Tensors arguments = {router};
  if (llvm::Error error = appendInner(arguments, weights, data, chunk))
    return error;
  return outlines.route.runExact(arguments);
}

/// Returns element `at` of the first dimension of `stack`, as a stack of one.
static Tensor takeOne(const Tensor &stack, int64_t at) {
  SmallVector<int64_t> shape(stack.shape);
  int64_t size = stack.getNumElements() / shape.front();
  shape.front() = 1;
  return makeTensor(stack.type, shape,
                    stack.data().slice(at * size, size).vec());
}

Expected<Tensor>
SublayerRunner::runExpertHidden(const Tensor &normed, const Tensors &routed,
                                int64_t expert,
                                const SublayerWeights &weights) const {
  block::MoeOp op = model.getMixture();
  auto getOther = [&](Value value) {
    return weights.others[model.findOther(value)];
  };
  int64_t rows = normed.getNumElements() / normed.shape.back(),
          slots = routed[0].shape.back();
  // Another expert is an index beyond the stack of one, with the weight 0.
  std::vector<double> indices(rows, 1), factors(rows);
  for (int64_t slot = 0; slot < rows * slots; ++slot)
    if (static_cast<int64_t>(routed[0].data()[slot]) == expert) {
      indices[slot / slots] = 0;
      factors[slot / slots] = routed[1].data()[slot];
    }
  SmallVector<int64_t> shape(normed.shape);
  shape.back() = 1;
  Tensors arguments = {normed,
                       makeTensor(ElementType::I64, shape, std::move(indices)),
                       makeTensor(ElementType::F32, shape, std::move(factors)),
                       takeOne(getOther(op.getUpWeight()), expert)};
  if (op.getUpBias())
    arguments.push_back(takeOne(getOther(op.getUpBias()), expert));
  Tensor down = getOther(op.getDownWeight());
  int64_t hidden = down.shape[op.getForm().getTransposed() ? 1 : 2];
  std::vector<double> identity(hidden * hidden);
  for (int64_t i = 0; i < hidden; ++i)
    identity[i * hidden + i] = 1;
  arguments.push_back(
      makeTensor(down.type, {1, hidden, hidden}, std::move(identity)));
  return getOnly(outlines.expertHidden.runExact(arguments));
}

Expected<Tensor> SublayerRunner::runEnd(const Tensor &features,
                                        const SublayerWeights &weights) const {
  if (!outlines.end.function)
    return features;
  Tensors arguments = {features};
  appendEnd(arguments, weights);
  return getOnly(outlines.end.run(arguments));
}

Expected<Tensor> SublayerRunner::runBranch(const Tensor &stream,
                                           const SublayerWeights &weights,
                                           const Dataset &data,
                                           const Chunk &chunk, bool exactly,
                                           const Tensor *fresh) const {
  Tensors arguments = {stream};
  if (fresh)
    arguments.push_back(*fresh);
  llvm::append_range(arguments, weights.head);
  if (llvm::Error error = appendInner(arguments, weights, data, chunk))
    return error;
  appendEnd(arguments, weights);
  const Outline &branch = fresh ? outlines.routedBranch : outlines.branch;
  return getOnly(exactly ? branch.runExact(arguments) : branch.run(arguments));
}

Expected<Tensor> SublayerRunner::finish(Tensor sum,
                                        const SublayerWeights &weights) const {
  if (!outlines.postNorm.function)
    return std::move(sum);
  return getOnly(outlines.postNorm.run(concatenate(sum, weights.postNorm)));
}

Expected<Tensor> SublayerRunner::runSum(const Tensor &stream,
                                        const SublayerWeights &weights,
                                        const Dataset &data,
                                        const Chunk &chunk) const {
  Expected<Tensor> branch = runBranch(stream, weights, data, chunk);
  if (!branch)
    return branch;
  return combine(model.skipScale, stream, model.branchScale, *branch);
}

Expected<Tensor> SublayerRunner::runSerial(const Tensor &stream,
                                           const SublayerWeights &weights,
                                           const Dataset &data,
                                           const Chunk &chunk) const {
  Expected<Tensor> sum = runSum(stream, weights, data, chunk);
  if (!sum)
    return sum;
  return finish(std::move(*sum), weights);
}

bool SublayerRunner::hasLinearTail() const {
  return llvm::all_of(model.tail,
                      [](Operation *op) { return isa<block::ScaleOp>(op); });
}

/// Returns the tail's gains, by applying it to ones.
Expected<std::vector<double>>
SublayerRunner::getTailGain(const SublayerWeights &weights) const {
  Value result = model.result;
  int64_t width = cast<RankedTensorType>(result.getType()).getShape().back();
  std::vector<double> ones(width, 1.0);
  if (model.tail.empty())
    return ones;
  Expected<Tensor> gain = getOnly(outlines.tail.runExact(
      concatenate(makeTensor(getElementTypeOf(result), {1, 1, width}, ones),
                  weights.tail)));
  if (!gain)
    return gain.takeError();
  return gain->data().vec();
}
