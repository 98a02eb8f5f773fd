//===- BlockCheckpoint.cpp - memory of a step within a budget -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LayerRecompute.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/StepHalves.h"
#include "parablock/Transforms/StepMemory.h"
#include "llvm/ADT/MapVector.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKCHECKPOINT
#include "parablock/Transforms/Differentiate/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// The budget
//===----------------------------------------------------------------------===//

namespace {
/// Bytes, or a share of what lies between the least peak and that with
/// everything kept.
struct Budget {
  double number = 0;
  bool isShare = false;

  uint64_t resolve(uint64_t least, uint64_t most) const {
    double spread = static_cast<double>(most - least) * number / 100;
    return isShare ? least + static_cast<uint64_t>(spread)
                   : static_cast<uint64_t>(number);
  }
};
} // namespace

static std::optional<Budget> readBudget(StringRef text) {
  if (text == "min")
    return Budget{0, true};
  Budget budget;
  double unit = 1;
  if (text.consume_back("%"))
    budget.isShare = true;
  else if (text.consume_back("KiB"))
    unit = 1024;
  else if (text.consume_back("MiB"))
    unit = 1048576;
  else if (text.consume_back("GiB"))
    unit = 1073741824;
  // No sign, exponent or name of a number.
  if (text.empty() ||
      text.find_first_not_of("0123456789.") != StringRef::npos ||
      text.getAsDouble(budget.number))
    return std::nullopt;
  budget.number *= unit;
  if (budget.number > (budget.isShare ? 100.0 : 9.2e18))
    return std::nullopt;
  return budget;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

namespace {
/// Layers of equal structure.
struct LayerClass {
  SmallVector<unsigned> layers;
};

/// A choice for each class, and what it keeps and costs.
struct Plan {
  SmallVector<LayerRecompute::Choice> choices;
  uint64_t keptBytes = 0, peakBytes = 0;
  RecomputeCost cost;
};
} // namespace

/// Leaves plans of which none keeps as little as another for the same price or
/// less, the one that keeps most first.
static void prune(std::vector<Plan> &plans) {
  llvm::sort(plans, [](const Plan &a, const Plan &b) {
    if (a.cost < b.cost || b.cost < a.cost)
      return a.cost < b.cost;
    return std::tie(a.keptBytes, a.choices) < std::tie(b.keptBytes, b.choices);
  });
  std::vector<Plan> front;
  for (Plan &plan : plans)
    if (front.empty() || plan.keptBytes < front.back().keptBytes)
      front.push_back(std::move(plan));
  plans = std::move(front);
}

/// Takes every so many of `plans`, the ends among them.
static void thin(std::vector<Plan> &plans, size_t most) {
  if (plans.size() <= most)
    return;
  std::vector<Plan> taken;
  for (size_t i = 0; i < most; ++i)
    taken.push_back(plans[i * (plans.size() - 1) / (most - 1)]);
  plans = std::move(taken);
}

/// All choices for one layer.
static std::vector<Plan> enumerate(const LayerRecompute &layer) {
  std::vector<Plan> plans;
  for (uint64_t bits = 0; bits < uint64_t(1) << layer.getNumCandidates();
       ++bits) {
    LayerRecompute::Choice choice;
    for (unsigned i = 0; i < layer.getNumCandidates(); ++i)
      choice.push_back(bits >> i & 1);
    uint64_t kept = layer.countKept(choice);
    RecomputeCost cost = layer.estimate(choice);
    plans.push_back({{std::move(choice)}, kept, 0, cost});
  }
  prune(plans);
  return plans;
}

namespace {
struct BlockCheckpointPass
    : public parablock::block::impl::BlockCheckpointBase<BlockCheckpointPass> {
  using BlockCheckpointBase::BlockCheckpointBase;

  void runOnOperation() final {
    if (failed(decide()))
      signalPassFailure();
  }

  LogicalResult decide() {
    ModuleOp module = getOperation();
    auto step = module.lookupSymbol<func::FuncOp>("main_step");
    if (!step || !isStep(step))
      return module.emitError("expected a function @main_step with gradients, "
                              "which block-differentiate makes");
    std::optional<Budget> budget = readBudget(memoryBudget);
    if (!budget)
      return step->emitError()
             << "expected memory-budget to be bytes (as 65536, 512MiB, 2GiB), "
                "a share up to 100%, or min, got \""
             << memoryBudget << '"';
    CountedSizes sizes = findCountedSizes(step);
    std::vector<LayerRecompute> layers = LayerRecompute::collect(step, sizes);
    llvm::MapVector<StringAttr, LayerClass> classes;
    for (auto [number, layer] : llvm::enumerate(layers))
      classes[StringAttr::get(&getContext(), layer.describeForm())]
          .layers.push_back(number);

    std::vector<Plan> plans = {Plan()};
    for (auto &[form, members] : classes) {
      double times = members.layers.size();
      std::vector<Plan> joined;
      for (const Plan &own : enumerate(layers[members.layers.front()]))
        for (const Plan &before : plans) {
          Plan plan = before;
          plan.choices.push_back(own.choices.front());
          plan.keptBytes += own.keptBytes * members.layers.size();
          plan.cost.add(own.cost, times);
          joined.push_back(std::move(plan));
        }
      plans = std::move(joined);
      prune(plans);
      thin(plans, mostPlans);
    }
    return choose(step, sizes, classes.takeVector(), plans, *budget);
  }

private:
  /// How many plans are simulated.
  static constexpr size_t mostPlans = 24;
  using Classes = SmallVectorImpl<std::pair<StringAttr, LayerClass>>;

  static void apply(func::FuncOp step, const CountedSizes &sizes,
                    const Classes &classes, const Plan &plan) {
    std::vector<LayerRecompute> layers = LayerRecompute::collect(step, sizes);
    for (auto [choice, members] : llvm::zip_equal(plan.choices, classes))
      for (unsigned number : members.second.layers)
        layers[number].apply(choice);
  }

  LogicalResult choose(func::FuncOp step, const CountedSizes &sizes,
                       const Classes &classes, std::vector<Plan> &plans,
                       const Budget &budget) {
    for (Plan &plan : plans) {
      OwningOpRef<func::FuncOp> trial = step.clone();
      apply(*trial, sizes, classes, plan);
      plan.peakBytes = measureStep(*trial, sizes).peakBytes;
    }
    uint64_t least = UINT64_MAX, all = plans.front().peakBytes;
    for (const Plan &plan : plans)
      least = std::min(least, plan.peakBytes);
    uint64_t limit = budget.resolve(least, all);
    // The cheapest that fits. A smaller budget takes the same one, or one that
    // fits it, of a smaller peak.
    const Plan *best = nullptr;
    for (const Plan &plan : plans)
      if (plan.peakBytes <= limit && (!best || plan.cost < best->cost))
        best = &plan;
    if (!best)
      return step->emitError()
             << "expected a memory budget of at least " << least
             << " bytes, the least peak of this step, got " << limit;
    std::vector<LayerRecompute> layers = LayerRecompute::collect(step, sizes);
    for (auto [choice, members] : llvm::zip_equal(best->choices, classes))
      for (unsigned number : members.second.layers)
        layers[number].record(choice);
    apply(step, sizes, classes, *best);
    remarkAnalysis(step, "block-checkpoint", "memory-budget",
                   "the cheapest plan that fits the budget",
                   {{"budget_bytes", static_cast<double>(limit)},
                    {"peak_bytes", static_cast<double>(best->peakBytes)},
                    {"least_peak_bytes", static_cast<double>(least)},
                    {"most_peak_bytes", static_cast<double>(all)},
                    {"recompute_flops", best->cost.flops}});
    return success();
  }
};
} // namespace
