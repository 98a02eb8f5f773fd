//===- StepMemory.cpp - lifetimes and peaks of a step ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/StepMemory.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Support/ArenaPlan.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/StepHalves.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

uint64_t block::countBytes(Value value, const CountedSizes &sizes) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isIntOrFloat())
    return 0;
  uint64_t elements = 1;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    elements *= !ShapedType::isDynamic(size) ? size
                : dim == 0                   ? sizes.batch
                                             : sizes.sequence;
  return (elements * type.getElementTypeBitWidth() + 7) / 8;
}

namespace {
/// The buffers of a function, in the order of the program.
class Schedule {
public:
  explicit Schedule(const CountedSizes &sizes) : sizes(sizes) {}

  void run(Block &block) {
    for (Operation &op : block.without_terminator()) {
      if (auto layer = dyn_cast<LayerOp>(op))
        runLayer(layer);
      else
        runOp(&op);
    }
    ++now;
    for (Value value : block.getTerminator()->getOperands())
      use(value);
  }

  std::vector<ArenaBuffer> buffers;

private:
  void runLayer(LayerOp layer) {
    Block &body = layer.getBody().front();
    run(body);
    for (auto [result, value] : llvm::zip_equal(
             layer.getResults(), body.getTerminator()->getOperands()))
      share(result, value);
  }

  void runOp(Operation *op) {
    ++now;
    for (Value value : findReads(op))
      use(value);
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return share(op->getResult(0), op->getOperand(0));
    if (isa<tensor::EmptyOp>(op))
      return;
    for (Value result : op->getResults())
      if (uint64_t bytes = countBytes(result, sizes);
          bytes && !isWeightOnly(result)) {
        bufferOf[result] = buffers.size();
        buffers.push_back({bytes, now, now});
      }
  }

  void use(Value value) {
    if (auto found = bufferOf.find(value); found != bufferOf.end())
      buffers[found->second].lastUse = now;
  }

  void share(Value value, Value with) {
    if (auto found = bufferOf.find(with); found != bufferOf.end()) {
      size_t buffer = found->second;
      bufferOf[value] = buffer;
    }
  }

  CountedSizes sizes;
  uint32_t now = 0;
  DenseMap<Value, size_t> bufferOf;
};
} // namespace

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

static void add(RecomputedWork &sum, const RecomputedWork &work) {
  sum.flops += work.flops;
  if (work.microseconds)
    sum.microseconds = sum.microseconds.value_or(0) + *work.microseconds;
}

/// Sums the entries of block-checkpoint in the log of `layer`.
static RecomputedWork sumRecomputed(LayerOp layer) {
  RecomputedWork sum;
  if (!layer.getLog())
    return sum;
  for (auto decision : layer.getLog()->getAsRange<DecisionAttr>()) {
    DictionaryAttr metrics = decision.getMetrics();
    if (decision.getPass() != "block-checkpoint" || !metrics)
      continue;
    RecomputedWork work;
    if (auto flops = metrics.getAs<FloatAttr>("recompute_flops"))
      work.flops = flops.getValueAsDouble();
    if (auto time = metrics.getAs<FloatAttr>("recompute_us"))
      work.microseconds = time.getValueAsDouble();
    add(sum, work);
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The parameter that a weight is made of, if there is one alone.
static StringAttr findParameterName(Value weight) {
  llvm::SetVector<Value> values;
  values.insert(weight);
  StringAttr found;
  for (size_t i = 0; i < values.size(); ++i) {
    if (Operation *maker = values[i].getDefiningOp()) {
      values.insert_range(findReads(maker));
      continue;
    }
    auto argument = cast<BlockArgument>(values[i]);
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    auto name = function ? function.getArgAttrOfType<StringAttr>(
                               argument.getArgNumber(), kParamAttr)
                         : StringAttr();
    if (!name || (found && found != name))
      return nullptr;
    found = name;
  }
  return found;
}

static std::string nameStep(Operation *op, StringRef label) {
  if (auto kernel = dyn_cast<KernelOp>(op))
    return stringifyKernelKind(kernel.getKind()).str();
  auto step = dyn_cast<StepOpInterface>(op);
  SmallVector<Value, 2> weights;
  if (step && isProduct(op))
    weights = step.getOperandsOf(OperandRole::Weight);
  StringAttr parameter =
      weights.size() == 1 ? findParameterName(weights.front()) : StringAttr();
  if (!parameter)
    return op->getName().stripDialect().str();
  StringRef name = parameter.getValue();
  name.consume_front((label + ".").str());
  name.consume_back(".weight");
  return name.str();
}

DenseMap<Operation *, std::string> block::nameSteps(LayerOp layer) {
  DenseMap<Operation *, std::string> names;
  llvm::StringMap<unsigned> counts;
  for (Operation &op : layer.getBody().front().without_terminator()) {
    std::string name = nameStep(&op, layer.getLabel());
    if (unsigned count = ++counts[name]; count > 1)
      name += "." + std::to_string(count);
    names[&op] = std::move(name);
  }
  return names;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

uint64_t block::simulatePeak(FunctionOpInterface step,
                             const CountedSizes &sizes) {
  Schedule schedule(sizes);
  schedule.run(step.getFunctionBody().front());
  return planArena(schedule.buffers).peakBytes;
}

StepMemory block::measureStep(FunctionOpInterface step,
                              const CountedSizes &sizes) {
  StepMemory memory;
  memory.peakBytes = simulatePeak(step, sizes);
  DenseMap<Operation *, DenseMap<Operation *, std::string>> names;
  llvm::MapVector<std::pair<StringAttr, uint64_t>, size_t> places;
  step->walk([&](LayerOp layer) {
    auto [place, isNew] = places.try_emplace(
        {layer.getLabelAttr(), layer.getIndex()}, memory.layers.size());
    if (isNew) {
      memory.layers.push_back({layer, 0, {}});
      names[layer] = nameSteps(layer);
    }
    RecomputedWork work = sumRecomputed(layer);
    add(memory.layers[place->second].recomputed, work);
    add(memory.recomputed, work);
  });
  for (Value saved : findHalves(step).saved) {
    uint64_t bytes = countBytes(saved, sizes);
    memory.savedBytes += bytes;
    Operation *maker = saved.getDefiningOp();
    Value made = saved;
    auto layer = dyn_cast<LayerOp>(maker);
    if (layer) {
      made = layer.getBody().front().getTerminator()->getOperand(
          cast<OpResult>(saved).getResultNumber());
      memory.layers[places[{layer.getLabelAttr(), layer.getIndex()}]]
          .savedBytes += bytes;
      maker = made.getDefiningOp();
    }
    std::string name = !layer  ? maker->getName().stripDialect().str()
                       : maker ? names[layer].lookup(maker)
                               : "argument";
    if (auto result = dyn_cast<OpResult>(made);
        result && result.getResultNumber() > 0)
      name += "#" + std::to_string(result.getResultNumber());
    memory.saved.push_back({std::move(name), layer, saved, bytes});
  }
  return memory;
}
