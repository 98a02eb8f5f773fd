//===- Weights.cpp - loads and locates operands ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Weights.h"

#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Execution/InputDrawing.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Expected;

ElementType drift::getElementTypeOf(Value value) {
  // Arguments of any other type are refused when the signature is read.
  return *parablock::getElementTypeOf(value.getType());
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Expected<ParameterSource> ParameterSource::create(func::FuncOp function,
                                                  runner::TensorFile *file,
                                                  uint64_t seed) {
  ParameterSource source;
  Expected<runner::Signature> signature = runner::readSignature(function);
  if (!signature)
    return signature.takeError();
  source.signature = std::move(*signature);
  source.file = file;
  source.seed = seed;
  return source;
}

Expected<Tensor> ParameterSource::load(unsigned argument) const {
  auto changed = changes.find(argument);
  if (changed != changes.end())
    return changed->second;
  const runner::Argument &parameter = signature.arguments[argument];
  if (file)
    return file->load(parameter, parameter.shape);
  return runner::drawArgument(parameter, parameter.shape, {}, seed);
}

ElementType ParameterSource::getStoredType(unsigned argument) const {
  const runner::Argument &parameter = signature.arguments[argument];
  const SafeTensorsEntry *entry = file ? file->lookup(parameter.name) : nullptr;
  return entry ? entry->type : parameter.type;
}

Expected<Tensors> drift::loadParameters(const Outline &outline, size_t given,
                                        const ParameterSource &source) {
  Tensors values;
  for (Value value : ArrayRef(outline.arguments).drop_front(given)) {
    Expected<Tensor> tensor =
        source.load(cast<BlockArgument>(value).getArgNumber());
    if (!tensor)
      return tensor.takeError();
    values.push_back(std::move(*tensor));
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

Expected<WeightSite> drift::locateWeight(Outliner &outliner, Value value) {
  Outline outline = outliner.outline(value);
  auto fail = [&] {
    return llvm::createStringError(
        "a weight is not a rearrangement of one parameter, so a corrected one "
        "cannot be written back");
  };
  if (outline.arguments.size() != 1)
    return fail();
  auto argument = cast<BlockArgument>(outline.arguments.front());
  auto type = cast<RankedTensorType>(argument.getType());
  // Numbers of elements as values: the result shows where an element moved, and
  // counting backwards distinguishes moves from arithmetic.
  int64_t count = type.getNumElements();
  std::vector<double> upwards(count), downwards(count);
  for (int64_t i = 0; i < count; ++i) {
    upwards[i] = static_cast<double>(i);
    downwards[i] = static_cast<double>(count - 1 - i);
  }
  ElementType element = getElementTypeOf(argument);
  Expected<Tensors> up = outline.runExact(
      makeTensor(element, type.getShape(), std::move(upwards)));
  if (!up)
    return up.takeError();
  Expected<Tensors> down = outline.runExact(
      makeTensor(element, type.getShape(), std::move(downwards)));
  if (!down)
    return down.takeError();
  WeightSite site;
  site.argument = argument.getArgNumber();
  std::vector<uint8_t> seen(count);
  for (auto [a, b] :
       llvm::zip_equal(up->front().data(), down->front().data())) {
    int64_t index = static_cast<int64_t>(a);
    if (a + b != static_cast<double>(count - 1) || index < 0 ||
        index >= count || static_cast<double>(index) != a || seen[index]++)
      return fail();
    site.indices.push_back(index);
  }
  return site;
}

/// Returns whether `op` is the only eventual reader of `parameter`.
static bool isReadOnlyBy(Value parameter, Operation *op) {
  WalkResult uses = walkUses(parameter, [&](OpOperand &use) -> WalkResult {
    Operation *user = use.getOwner();
    if (user == op)
      return WalkResult::skip();
    return success(user->getNumResults() == 1 &&
                   block::isWeightOnly(user->getResult(0)));
  });
  return !uses.wasInterrupted();
}

bool drift::isShared(Value weight, Operation *reader) {
  return walkSources(weight,
                     [&](Value source) -> WalkResult {
                       return success(!isa<BlockArgument>(source) ||
                                      isReadOnlyBy(source, reader));
                     })
      .wasInterrupted();
}

Tensor drift::addProduct(const Tensor &matrix, const Tensor &left,
                         const Tensor &right) {
  int64_t outputs = matrix.shape[0], inputs = matrix.shape[1];
  int64_t rank = right.shape[0];
  std::vector<double> sums(matrix.data());
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t r = 0; r < rank; ++r)
      for (int64_t i = 0; i < inputs; ++i)
        sums[o * inputs + i] +=
            left.data()[r * outputs + o] * right.data()[r * inputs + i];
  roundTo(matrix.type, sums);
  return makeTensor(matrix.type, matrix.shape, std::move(sums));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

SmallVector<Value> drift::getWeightOperands(Operation *op) {
  return llvm::to_vector(llvm::make_filter_range(
      op->getOperands(), [](Value v) { return block::isWeightOnly(v); }));
}

WeightLoader::WeightLoader(const Sublayer &sublayer, Outliner &outliner)
    : sublayer(sublayer) {
  auto add = [&](Value value) {
    if (value)
      values.push_back(value);
  };
  for (ArrayRef<Operation *> ops :
       {ArrayRef<Operation *>(sublayer.head), ArrayRef(sublayer.tail),
        ArrayRef(sublayer.postNorm)})
    for (Operation *op : ops)
      llvm::append_range(values, getWeightOperands(op));
  for (Value other : sublayer.others)
    add(block::isWeightOnly(other) ? other : Value());
  for (const Projection &projection : sublayer.inputs) {
    add(projection.weight);
    add(projection.bias);
  }
  add(sublayer.output.weight);
  add(sublayer.output.bias);
  outline = outliner.outline(values);
}

Expected<SublayerWeights>
WeightLoader::load(const ParameterSource &source) const {
  Expected<Tensors> parameters = loadParameters(outline, 0, source);
  if (!parameters)
    return parameters.takeError();
  Expected<Tensors> results = outline.runExact(*parameters);
  if (!results)
    return results.takeError();
  auto next = results->begin();
  SublayerWeights weights;
  auto takeOperands = [&](ArrayRef<Operation *> ops, Tensors &to) {
    for (Operation *op : ops)
      for (size_t i = getWeightOperands(op).size(); i > 0; --i)
        to.push_back(*next++);
  };
  takeOperands(sublayer.head, weights.head);
  takeOperands(sublayer.tail, weights.tail);
  takeOperands(sublayer.postNorm, weights.postNorm);
  for (Value other : sublayer.others)
    weights.others.push_back(block::isWeightOnly(other) ? *next++ : Tensor());
  auto takeLinear = [&](const Projection &projection) {
    LinearWeights linear;
    if (!projection.weight)
      return linear;
    linear.weight = *next++;
    int64_t outputs = linear.getOutputs();
    linear.bias = projection.bias ? *next++
                                  : makeTensor(linear.weight.type, outputs,
                                               std::vector<double>(outputs));
    return linear;
  };
  for (const Projection &projection : sublayer.inputs)
    weights.inputs.push_back(takeLinear(projection));
  weights.output = takeLinear(sublayer.output);
  return weights;
}

LinearWeights drift::getMixtureLinear(const Sublayer &sublayer,
                                      const SublayerWeights &weights,
                                      Value weight, Value bias) {
  LinearWeights linear;
  linear.weight = weights.others[sublayer.findOther(weight)];
  int64_t outputs = linear.getOutputs();
  linear.bias = bias ? weights.others[sublayer.findOther(bias)]
                     : makeTensor(linear.weight.type, outputs,
                                  std::vector<double>(outputs));
  return linear;
}

void drift::setMixtureLinear(const Sublayer &sublayer, SublayerWeights &weights,
                             Value weight, Value bias,
                             const LinearWeights &linear) {
  weights.others[sublayer.findOther(weight)] = linear.weight;
  if (bias)
    weights.others[sublayer.findOther(bias)] = linear.bias;
}
