//===- SublayerRunner.cpp - a sublayer, step by step ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SublayerRunner.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Reference/Matmul.h"
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

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// `ops`, the first of which reads `stream`, as a function of the stream and
/// of their weights.
static Outline makePath(Outliner &outliner, ArrayRef<Operation *> ops,
                        Value stream, Value end) {
  SmallVector<Type> types = {stream.getType()};
  for (Operation *op : ops)
    for (Value weight : getWeightOperands(op))
      types.push_back(weight.getType());
  return outliner.make(types, [&](OpBuilder &builder, ValueRange arguments) {
    IRMapping map;
    map.map(stream, arguments.front());
    ValueRange weights = arguments.drop_front();
    for (Operation *op : ops) {
      for (Value weight : getWeightOperands(op)) {
        map.map(weight, weights.front());
        weights = weights.drop_front();
      }
      builder.clone(*op, map);
    }
    return SmallVector<Value>{map.lookup(end)};
  });
}

static Value makeMlpFeatures(OpBuilder &builder, block::MlpOp op, Value input,
                             ValueRange weights, ValueRange biases) {
  auto makeLinear = [&](unsigned index) -> Value {
    Type type = block::withWidth(
        input, cast<RankedTensorType>(weights[index].getType()).getDimSize(0),
        cast<RankedTensorType>(input.getType()).getElementType());
    return block::LinearOp::create(builder, op.getLoc(), type, input,
                                   weights[index], biases[index]);
  };
  Value up = makeLinear(0);
  auto kind =
      block::ActivationAttr::get(builder.getContext(), op.getActivation());
  if (!op.getGateWeight())
    return block::ActivationOp::create(builder, op.getLoc(), up.getType(), up,
                                       kind);
  Value gate = makeLinear(1);
  return block::GateOp::create(builder, op.getLoc(), up.getType(), gate, up,
                               kind);
}

/// The attention without its output projection, and with a bias for each
/// projection.
static Value makeHeads(OpBuilder &builder, block::AttentionOp op, IRMapping map,
                       ValueRange biases) {
  auto clone = cast<block::AttentionOp>(builder.clone(*op, map));
  clone.getQBiasMutable().assign(biases[0]);
  clone.getKBiasMutable().assign(biases[1]);
  if (op.getVWeight())
    clone.getVBiasMutable().assign(biases[2]);
  clone.getOWeightMutable().clear();
  clone.getOBiasMutable().clear();
  int64_t width = op.getHeads() * op.getValueHeadSize();
  Type element =
      cast<RankedTensorType>(op.getInput().getType()).getElementType();
  clone.getResult().setType(
      block::withWidth(clone.getResult(), width, element));
  return clone.getResult();
}

Outline SublayerRunner::makeFeatures(Outliner &outliner) {
  Value input = model.op->getOperand(0);
  SmallVector<Type> types = {input.getType()};
  for (const Projection &projection : model.inputs) {
    auto type = cast<RankedTensorType>(projection.weight.getType());
    types.push_back(type);
    types.push_back(type.clone(type.getShape().take_front()));
  }
  llvm::append_range(types, ValueRange(model.others).getTypes());
  return outliner.make(types, [&](OpBuilder &builder, ValueRange arguments) {
    SmallVector<Value> weights, biases;
    IRMapping map;
    map.map(input, arguments.front());
    arguments = arguments.drop_front();
    for (const Projection &projection : model.inputs) {
      weights.push_back(arguments[0]);
      biases.push_back(arguments[1]);
      map.map(projection.weight, arguments[0]);
      arguments = arguments.drop_front(2);
    }
    map.map(ValueRange(model.others), arguments);
    Value result;
    if (auto attention = dyn_cast<block::AttentionOp>(model.op)) {
      // What is replaced in the clone may be anything of the right type.
      for (const Projection &projection : model.inputs)
        if (projection.bias)
          map.map(projection.bias, biases[&projection - model.inputs.begin()]);
      if (model.output.weight)
        map.map(model.output.weight, weights.front());
      if (model.output.bias)
        map.map(model.output.bias, biases.front());
      result = makeHeads(builder, attention, map, biases);
    } else {
      result = makeMlpFeatures(builder, cast<block::MlpOp>(model.op),
                               map.lookup(input), weights, biases);
    }
    return SmallVector<Value>{result};
  });
}

SublayerRunner::SublayerRunner(const Sublayer &sublayer, Outliner &outliner)
    : model(sublayer), loader(sublayer, outliner) {
  Value input = model.op->getOperand(0);
  head = makePath(outliner, model.head, model.stream, input);
  features = makeFeatures(outliner);
  tail = makePath(outliner, model.tail, model.op->getResult(0),
                  block::ResidualOp(model.residual).getBranches().front());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Runs a function of one result.
static Expected<Tensor> runOne(const Outline &outline, Tensors arguments) {
  Expected<Tensors> results = outline.run(arguments);
  if (!results)
    return results.takeError();
  return std::move(results->front());
}

static Tensors concatenate(const Tensor &first, const Tensors &rest) {
  Tensors all = {first};
  llvm::append_range(all, rest);
  return all;
}

Expected<Tensor> SublayerRunner::runHead(const Tensor &stream,
                                         const SublayerWeights &weights) const {
  return runOne(head, concatenate(stream, weights.head));
}

block::NormAttr SublayerRunner::getHeadNorm() const {
  if (model.head.size() != 1)
    return {};
  auto norm = dyn_cast<block::NormOp>(model.head.front());
  return norm ? norm.getForm() : block::NormAttr();
}

Outline SublayerRunner::makeHeadAs(Outliner &outliner,
                                   block::NormAttr form) const {
  Outline made =
      makePath(outliner, model.head, model.stream, model.op->getOperand(0));
  made.function.walk([&](block::NormOp norm) {
    block::NormAttr own = norm.getForm();
    norm.setFormAttr(block::NormAttr::get(
        norm.getContext(), form.getKind(), form.getEps(), form.getEpsForm(),
        own.getGammaForm(), own.getRounding()));
  });
  return made;
}

Expected<Tensor>
SublayerRunner::runHeadAs(const Outline &headAs, const Tensor &stream,
                          const SublayerWeights &weights) const {
  return runOne(headAs, concatenate(stream, weights.head));
}

Expected<Tensor> SublayerRunner::runFeatures(const Tensor &normed,
                                             const SublayerWeights &weights,
                                             const Dataset &data,
                                             const Chunk &chunk) const {
  Tensors arguments = {normed};
  for (const LinearWeights &linear : weights.inputs) {
    arguments.push_back(linear.weight);
    arguments.push_back(linear.bias);
  }
  for (auto [value, tensor] : llvm::zip_equal(model.others, weights.others))
    arguments.push_back(tensor.values ? tensor : data.getInput(value, chunk));
  return runOne(features, std::move(arguments));
}

Expected<Tensor> SublayerRunner::runEnd(const Tensor &features,
                                        const SublayerWeights &weights) const {
  Tensor result = weights.output ? project(features, weights.output) : features;
  if (model.tail.empty())
    return result;
  result.type = getElementTypeOf(model.op->getResult(0));
  return runOne(tail, concatenate(result, weights.tail));
}

Expected<Tensor> SublayerRunner::runBranch(const Tensor &stream,
                                           const SublayerWeights &weights,
                                           const Dataset &data,
                                           const Chunk &chunk) const {
  Expected<Tensor> normed = runHead(stream, weights);
  if (!normed)
    return normed;
  Expected<Tensor> hidden = runFeatures(*normed, weights, data, chunk);
  return hidden ? runEnd(*hidden, weights) : std::move(hidden);
}

Expected<Tensor> SublayerRunner::runSerial(const Tensor &stream,
                                           const SublayerWeights &weights,
                                           const Dataset &data,
                                           const Chunk &chunk) const {
  Expected<Tensor> branch = runBranch(stream, weights, data, chunk);
  if (!branch)
    return branch;
  return combine(model.skipScale, stream, model.branchScale, *branch);
}

bool SublayerRunner::hasLinearTail() const {
  return llvm::all_of(model.tail,
                      [](Operation *op) { return isa<block::ScaleOp>(op); });
}

Expected<std::vector<double>>
SublayerRunner::getTailGain(const SublayerWeights &weights) const {
  Value result = model.op->getResult(0);
  int64_t width = cast<RankedTensorType>(result.getType()).getShape().back();
  Tensor ones = makeTensor(getElementTypeOf(result), {1, 1, width},
                           std::vector<double>(width, 1.0));
  if (model.tail.empty())
    return ones.data().vec();
  Expected<Tensor> gain = runOne(tail, concatenate(ones, weights.tail));
  if (!gain)
    return gain.takeError();
  return gain->data().vec();
}
