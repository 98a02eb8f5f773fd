//===- StartedSteps.cpp - steps that are started and awaited --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Plan/StartedSteps.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::plan;

namespace {
/// A launch or an exchange.
struct Step {
  explicit Step(Operation &op) : op(&op) {
    llvm::TypeSwitch<Operation *>(&op)
        .Case<LaunchOp, ExchangeOp>([&](auto step) {
          inputs = step.getInputs();
          outputs = step.getOutputs();
          starts = step.getStarts();
          awaits = step.getAwaits();
        })
        .Default([&](Operation *other) { inputs = other->getOperands(); });
    auto launch = dyn_cast<LaunchOp>(&op);
    reports = launch && launch.getReports();
  }

  Operation *op;
  OperandRange inputs{nullptr, 0}, outputs{nullptr, 0};
  bool starts = false, awaits = false, reports = false;
};

/// The tensors that steps read and write.
class Uses {
public:
  void add(const Step &step) {
    for (Value tensor : step.inputs)
      read.insert(getOwner(tensor));
    for (Value tensor : step.outputs)
      written.insert(getOwner(tensor));
  }

  /// Returns whether `step` must stay behind these steps.
  bool precede(const Step &step) const {
    return llvm::any_of(step.inputs,
                        [&](Value tensor) {
                          return written.contains(getOwner(tensor));
                        }) ||
           llvm::any_of(step.outputs, [&](Value tensor) {
             return written.contains(getOwner(tensor)) ||
                    read.contains(getOwner(tensor));
           });
  }

private:
  DenseSet<TensorOp> read, written;
};
} // namespace

static DenseSet<Value> getTensors(const Step &step) {
  DenseSet<Value> tensors(step.inputs.begin(), step.inputs.end());
  tensors.insert(step.outputs.begin(), step.outputs.end());
  return tensors;
}

/// Returns whether the second step may await the first. Kernels differ.
static bool isAwaitOf(const Step &start, const Step &await) {
  if (start.op->getName() != await.op->getName() ||
      getTensors(start) != getTensors(await))
    return false;
  auto first = dyn_cast<ExchangeOp>(start.op);
  auto second = dyn_cast<ExchangeOp>(await.op);
  return !first || (first.getStep() == second.getStep() &&
                    first.getDim() == second.getDim());
}

LogicalResult parablock::plan::verifyStartedSteps(RunOp run) { // [PLAN-20]
  SmallVector<Step> started;
  for (Operation &op : run.getBody().front()) {
    Step step(op);
    if (step.awaits) {
      auto own = llvm::find_if(
          started, [&](const Step &other) { return isAwaitOf(other, step); });
      if (own == started.end())
        return op.emitOpError("expects to await an earlier step of the same "
                              "kind, with the same tensors, that is not "
                              "awaited yet");
      started.erase(own);
    }
    if (step.reports && !started.empty())
      return op.emitOpError("expects to report when no step is started that is "
                            "not awaited: a run may end here")
                 .attachNote(started.front().op->getLoc())
             << "started here";
    for (const Step &other : started) {
      Uses uses;
      uses.add(other);
      if (uses.precede(step))
        return op.emitOpError("expects tensors of a step that was started to "
                              "stay as they are until it is awaited")
                   .attachNote(other.op->getLoc())
               << "started here";
    }
    if (step.starts)
      started.push_back(step);
  }
  if (!started.empty())
    return started.front().op->emitOpError("expects a step that awaits it");
  return success();
}

/// Moves a step that starts something up to the last step that it needs, or
/// that reports. Started steps stay in their order.
static void hoist(Operation *op) {
  Step step(*op);
  Operation *before = op;
  for (Operation *other = op->getPrevNode(); other;
       other = other->getPrevNode()) {
    Step earlier(*other);
    Uses uses;
    uses.add(earlier);
    if (earlier.starts || earlier.reports || uses.precede(step))
      break;
    before = other;
  }
  op->moveBefore(before);
}

void parablock::plan::delayAwaits(RunOp run) {
  Block &body = run.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    if (Step(op).starts)
      hoist(&op);
  SmallVector<Operation *> all;
  for (Operation &op : body.without_terminator())
    all.push_back(&op);
  SmallVector<Operation *> delayed;
  // The latest step that was started.
  Operation *started = nullptr;
  Uses uses;
  // Those that are not delayed stay where they are.
  auto flush = [&](Operation *before) {
    for (Operation *op : delayed)
      op->moveBefore(before);
    delayed.clear();
    uses = Uses();
  };
  for (Operation *op : all) {
    Step step(*op);
    bool isBehind = uses.precede(step);
    if (step.awaits || (isBehind && (step.starts || step.reports))) {
      flush(op);
      isBehind = step.awaits;
    }
    if (step.starts)
      started = op;
    // A run may end with a report: steps are started behind it.
    if (step.reports && !delayed.empty())
      started->moveAfter(op);
    if (!isBehind)
      continue;
    delayed.push_back(op);
    uses.add(step);
  }
  flush(body.getTerminator());
}
