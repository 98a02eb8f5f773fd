//===- WeightLaunches.cpp - adds launches that pack weights ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WeightLaunches.h"

#include "parablock/Conversion/PackWeights/WeightKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Maximum number of elements that code for one element of a weight reads or
/// computes: an element is recomputed at every use.
static constexpr uint64_t kMostElements = 4096;

/// Returns how many elements code for one element of `value` has.
static uint64_t countElementsOf(Value value,
                                llvm::DenseMap<Value, uint64_t> &known) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  uint64_t count = 1;
  if (Operation *op = value.getDefiningOp(); op && isWeightWork(op))
    for (Value read : getWeightSources(op))
      count = llvm::SaturatingAdd(count, countElementsOf(read, known));
  return known[value] = count;
}

FailureOr<Launch> WeightLaunches::makeLaunch(Operation *user, Value value,
                                             const PanelLayout *layout,
                                             bool &isOnce) {
  llvm::DenseMap<Value, uint64_t> known;
  if (uint64_t count = countElementsOf(value, known); count > kMostElements)
    return user->emitError()
           << "no CPU code for a weight of which an element is computed from "
           << count << " elements of others: expected at most "
           << kMostElements;
  KernelCode kernel = library.lookupOrBuild(value, layout);
  Launch launch = plan.start(kernel);
  isOnce = true;
  for (Value leaf : findLeaves(value)) {
    FailureOr<plan::TensorOp> tensor = source.getTensor(user, leaf);
    if (failed(tensor))
      return failure();
    isOnce &= source.isConstant(leaf);
    launch.inputs.push_back(*tensor);
  }
  return launch;
}

/// Returns the sizes of a tensor of static shape.
static Shape getStaticShape(Value value) {
  Shape shape;
  for (int64_t size : cast<RankedTensorType>(value.getType()).getShape())
    shape.push_back(makeSize(value.getContext(), size));
  return shape;
}

static Shape getPackedShape(MLIRContext *context, const PanelLayout &layout) {
  auto panels = static_cast<int64_t>(layout.panels.size());
  return {makeSize(context, panels), makeSize(context, layout.depth),
          makeSize(context, layout.columns)};
}

FailureOr<plan::TensorOp> WeightLaunches::getTensor(Operation *user,
                                                    Value value,
                                                    const PanelLayout *layout) {
  if (layout)
    for (const PackedWeight &known : packed)
      if (known.value == value && known.layout == *layout)
        return known.tensor;
  Operation *producer = value.getDefiningOp();
  if (producer && !isWeightWork(producer) && !plan.lookup(value))
    return user->emitError() << "no CPU code for an operand made by '"
                             << producer->getName() << "'";
  FailureOr<Type> element = getStoredType(user, value.getType());
  if (failed(element))
    return failure();
  bool isOnce = true;
  FailureOr<Launch> launch = makeLaunch(user, value, layout, isOnce);
  if (failed(launch))
    return failure();
  plan::TensorOp tensor = plan.addTensor(
      isOnce ? plan::TensorKind::Packed : plan::TensorKind::Temporary,
      "packed" + Twine(plan.countTensors()), *element,
      layout ? getPackedShape(value.getContext(), *layout)
             : getStaticShape(value));
  if (layout)
    packed.push_back({value, *layout, tensor});
  else
    plan.assign(value, tensor);
  launch->outputs = {tensor};
  plan.addLaunch(*launch, isOnce);
  return tensor;
}

FailureOr<plan::TensorOp> WeightLaunches::makeCopy(Operation *user,
                                                   Value value) {
  FailureOr<Type> element = getStoredType(user, value.getType());
  if (failed(element))
    return failure();
  bool isOnce = true;
  FailureOr<Launch> launch =
      makeLaunch(user, value, /*layout=*/nullptr, isOnce);
  if (failed(launch))
    return failure();
  plan::TensorOp tensor = plan.addTensor(plan::TensorKind::Temporary, "",
                                         *element, getStaticShape(value));
  launch->outputs = {tensor};
  plan.addLaunch(*launch);
  return tensor;
}
