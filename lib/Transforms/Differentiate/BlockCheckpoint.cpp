//===- BlockCheckpoint.cpp - pass block-checkpoint ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CheckpointOptions.h"
#include "CheckpointPlans.h"
#include "LayerInverses.h"
#include "LayerSegments.h"
#include "RowChunks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/StepHalves.h"
#include "parablock/Transforms/StepMemory.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKCHECKPOINT
#include "parablock/Transforms/Differentiate/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
struct BlockCheckpointPass
    : public parablock::block::impl::BlockCheckpointBase<BlockCheckpointPass> {
  using BlockCheckpointBase::BlockCheckpointBase;

  void runOnOperation() final {
    if (failed(decide()))
      signalPassFailure();
  }

private:
  using Classes = std::vector<LayerClass>;

  bool repeatsLayers() const { return every > 1 || invert; }

  LogicalResult decide() {
    ModuleOp module = getOperation();
    func::FuncOp step = findStepOrFail(module, functionName);
    if (!step)
      return failure();
    std::optional<MemoryBudget> budget = MemoryBudget::parse(memoryBudget);
    if (!budget)
      return step->emitError()
             << "expected memory-budget to be bytes (as 65536, 512MiB, 2GiB), "
                "a share up to 100%, or min, got \""
             << memoryBudget << '"';
    if (every == 0)
      return step->emitError("expected every to be at least 1, got 0");
    llvm::Expected<const Chip &> known = findChip(chip);
    if (!known)
      return step->emitError() << llvm::toString(known.takeError());
    llvm::Expected<LayerChoices> wanted = LayerChoices::parse(layers);
    if (!wanted)
      return step->emitError() << llvm::toString(wanted.takeError());

    if (failed(checkChunks(step)))
      return failure();
    CountedSizes sizes = findCountedSizes(step);
    if (invert && every > 1)
      return step->emitError()
             << "option 'invert' requires every=1, got " << every.getValue();
    if (invert && !invertLayers(step, sizes, *known))
      return step->emitError() << "option 'invert' requires a layer of "
                                  "block-reversible with a gradient, got none";
    if (every > 1)
      repeatSegments(step, sizes, every, *known);
    auto all = LayerRecompute::collect(step, sizes, *known);
    llvm::Expected<Classes> classes = findClasses(all, *wanted, chunkRows > 0);
    if (!classes)
      return step->emitError() << llvm::toString(classes.takeError());
    // The cost is quadratic in the number of ops.
    size_t ops = 0;
    step->walk([&](Operation *) { ++ops; });
    size_t most = std::clamp<size_t>(400'000'000 / (ops * ops), 24, 256);
    std::vector<CheckpointPlan> plans = listPlans(*classes, all.size(), most);
    return choose(step, sizes, *known, *classes, plans, *budget);
  }

  LogicalResult checkChunks(func::FuncOp step) {
    if (!chunkRows)
      return success();
    for (Type type : step.getArgumentTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && !tensor.hasStaticShape())
        return step->emitError()
               << "option 'chunk-rows' requires static sizes, got " << type
               << ": generate the model with --batch=B --seq=T";
    return success();
  }

  /// Divides rows of all layers of `step`; returns the number of groups.
  unsigned divideAllRows(func::FuncOp step, bool isTrial) {
    unsigned divided = 0;
    if (chunkRows)
      for (LayerOp layer : step.getBody().front().getOps<LayerOp>())
        divided += divideRows(layer, chunkRows, isTrial);
    return divided;
  }

  /// Reports why no rows of `step` are divided.
  InFlightDiagnostic refuseChunks(func::FuncOp step) {
    InFlightDiagnostic error = step->emitError()
                               << "option 'chunk-rows' requires ";
    for (LayerOp layer : step.getBody().front().getOps<LayerOp>())
      for (const RowGroup &group : findRowGroups(layer, /*mayEscape=*/false))
        if (!group.obstacle) {
          auto wide = cast<RankedTensorType>(group.wide.front().getType());
          if (chunkRows < static_cast<uint64_t>(wide.getDimSize(0)))
            return std::move(error)
                   << "at least " << wide.getDimSize(0) << ", the batch, got "
                   << chunkRows.getValue();
        }
    return std::move(error)
           << "a feed-forward of more than " << chunkRows.getValue()
           << " rows, without experts and before --block-optimize, got none";
  }

  /// The choices of `plan`, layer by layer.
  static std::vector<const LayerChoice *>
  listPicked(const Classes &classes, const CheckpointPlan &plan) {
    std::vector<const LayerChoice *> picked(plan.picks.size());
    for (const LayerClass &own : classes)
      for (unsigned layer : own.layers)
        picked[layer] = &own.choices[plan.picks[layer]];
    return picked;
  }

  LogicalResult choose(func::FuncOp step, const CountedSizes &sizes,
                       const Chip &chip, const Classes &classes,
                       std::vector<CheckpointPlan> &plans,
                       const MemoryBudget &budget) {
    for (CheckpointPlan &plan : plans) {
      OwningOpRef<func::FuncOp> trial = step.clone();
      auto layers = LayerRecompute::collect(*trial, sizes, chip);
      for (auto [layer, choice] :
           llvm::zip_equal(layers, listPicked(classes, plan)))
        layer.apply(choice->choice);
      divideAllRows(*trial, /*isTrial=*/true);
      plan.peakBytes = simulatePeak(*trial, sizes);
    }
    uint64_t least = UINT64_MAX, all = plans.front().peakBytes;
    for (const CheckpointPlan &plan : plans)
      least = std::min(least, plan.peakBytes);
    uint64_t limit = budget.resolve(least, all);
    // The cheapest that fits. A smaller budget selects the same one, or one
    // with a smaller peak.
    const CheckpointPlan *best = nullptr;
    for (const CheckpointPlan &plan : plans)
      if (plan.peakBytes <= limit && (!best || plan.cost < best->cost))
        best = &plan;
    if (!best)
      return step->emitError()
             << "expected a memory budget of at least " << least
             << " bytes, the least peak of this step, got " << limit;
    auto layers = LayerRecompute::collect(step, sizes, chip);
    auto picked = listPicked(classes, *best);
    bool isAllKept = llvm::none_of(picked, [](const LayerChoice *choice) {
      return llvm::is_contained(choice->choice, true);
    });
    for (auto [layer, choice] : llvm::zip_equal(layers, picked)) {
      if (!isAllKept || repeatsLayers())
        layer.record(choice->choice);
      layer.apply(choice->choice);
    }
    if (repeatsLayers())
      recordSegments(step, sizes, chip);
    if (!divideAllRows(step, /*isTrial=*/false) && chunkRows)
      return refuseChunks(step);
    remarkAnalysis(step, "block-checkpoint", "memory-budget",
                   "the cheapest plan that fits the budget",
                   {{"budget_bytes", static_cast<double>(limit)},
                    {"peak_bytes", static_cast<double>(best->peakBytes)},
                    {"least_peak_bytes", static_cast<double>(least)},
                    {"most_peak_bytes", static_cast<double>(all)},
                    {"plans", static_cast<double>(plans.size())},
                    {"recompute_flops", best->cost.flops}});
    return success();
  }
};
} // namespace
