//===- StepMemory.cpp - what a step needs of memory -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/StepMemory.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Support/ArenaPlan.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/StepHalves.h"

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

/// Adds up what block-checkpoint says in the logs of layers.
static double sumRecomputeFlops(FunctionOpInterface step) {
  double flops = 0;
  step->walk([&](LayerOp layer) {
    if (!layer.getLog())
      return;
    for (auto decision : layer.getLog()->getAsRange<DecisionAttr>())
      if (decision.getPass() == "block-checkpoint" && decision.getMetrics())
        if (auto metric =
                decision.getMetrics().getAs<FloatAttr>("recompute_flops"))
          flops += metric.getValueAsDouble();
  });
  return flops;
}

StepMemory block::measureStep(FunctionOpInterface step,
                              const CountedSizes &sizes) {
  Schedule schedule(sizes);
  schedule.run(step.getFunctionBody().front());
  StepMemory memory;
  memory.peakBytes = planArena(schedule.buffers).peakBytes;
  for (Value saved : findHalves(step).saved)
    memory.savedBytes += countBytes(saved, sizes);
  memory.recomputeFlops = sumRecomputeFlops(step);
  return memory;
}
