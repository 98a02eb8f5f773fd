//===- CheckpointPlans.cpp - lists and prunes plans -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CheckpointPlans.h"

#include "CheckpointOptions.h"
#include "parablock/Transforms/Differentiate/Checkpoints.h"
#include "parablock/Transforms/StepMemory.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// Removes dominated entries, the one that keeps most first: for each remaining
/// one, no other keeps as little at the same or a lower price.
template <typename T> static void prune(std::vector<T> &all) {
  llvm::stable_sort(all, [](const T &a, const T &b) {
    if (a.cost < b.cost || b.cost < a.cost)
      return a.cost < b.cost;
    return a.keptBytes < b.keptBytes;
  });
  std::vector<T> front;
  for (T &one : all)
    if (front.empty() || one.keptBytes < front.back().keptBytes)
      front.push_back(std::move(one));
  all = std::move(front);
}

/// Keeps evenly spaced `plans`, including the ends.
static void thin(std::vector<CheckpointPlan> &plans, size_t most) {
  if (plans.size() <= most)
    return;
  std::vector<CheckpointPlan> taken;
  for (size_t i = 0; i < most; ++i)
    taken.push_back(std::move(plans[i * (plans.size() - 1) / (most - 1)]));
  plans = std::move(taken);
}

std::vector<LayerChoice> block::listChoices(const LayerRecompute &layer,
                                            bool dividesRows) {
  std::vector<LayerChoice> choices;
  unsigned candidates = layer.getNumCandidates();
  for (uint64_t bits = 0; bits < uint64_t(1) << candidates; ++bits) {
    LayerRecompute::Choice choice;
    for (unsigned i = 0; i < candidates; ++i)
      choice.push_back(bits >> i & 1);
    if (dividesRows && !layer.canDivideRows(choice))
      continue;
    uint64_t kept = layer.countKept(choice);
    RecomputeCost cost = layer.estimate(choice);
    choices.push_back({std::move(choice), kept, cost});
  }
  // Rows that no choice can divide stay whole, with a remark.
  if (choices.empty())
    return listChoices(layer, /*dividesRows=*/false);
  prune(choices);
  return choices;
}

/// Adds one more layer of a class to plans.
static std::vector<CheckpointPlan> addLayer(ArrayRef<CheckpointPlan> plans,
                                            ArrayRef<LayerChoice> choices) {
  std::vector<CheckpointPlan> longer;
  for (const CheckpointPlan &before : plans)
    for (auto [place, choice] : llvm::enumerate(choices)) {
      CheckpointPlan plan = before;
      plan.picks.push_back(place);
      plan.keptBytes += choice.keptBytes;
      plan.cost.add(choice.cost);
      longer.push_back(std::move(plan));
    }
  prune(longer);
  return longer;
}

std::vector<CheckpointPlan> block::listPlans(ArrayRef<LayerClass> classes,
                                             size_t numLayers, size_t most) {
  // Many more than are simulated, so that the selection is spread evenly.
  constexpr size_t mostBetween = 1024;
  std::vector<CheckpointPlan> plans = {CheckpointPlan()};
  for (const LayerClass &own : classes)
    for (size_t i = 0; i < own.layers.size(); ++i) {
      plans = addLayer(plans, own.choices);
      thin(plans, mostBetween);
    }
  thin(plans, most);
  // Class by class becomes layer by layer.
  for (CheckpointPlan &plan : plans) {
    std::vector<unsigned> picks(numLayers);
    auto next = plan.picks.begin();
    for (const LayerClass &own : classes) {
      auto end = next + static_cast<ptrdiff_t>(own.layers.size());
      // Later choices keep less.
      std::sort(next, end, std::greater<>());
      for (unsigned layer : own.layers)
        picks[layer] = *next++;
    }
    plan.picks = std::move(picks);
  }
  return plans;
}

llvm::Expected<std::vector<LayerClass>>
block::findClasses(ArrayRef<LayerRecompute> layers, const LayerChoices &wanted,
                   bool dividesRows) {
  if (llvm::Error error = wanted.check(layers))
    return error;
  llvm::MapVector<StringAttr, LayerClass> classes;
  for (auto [number, layer] : llvm::enumerate(layers)) {
    std::optional<StringRef> kept = wanted.find(layer);
    std::string form = layer.describeForm() + kept.value_or("").str();
    LayerClass &own = classes[StringAttr::get(
        LayerOp(layer.getForward()).getContext(), form)];
    own.layers.push_back(number);
    if (!kept) {
      if (own.choices.empty())
        own.choices = listChoices(layer, dividesRows);
      continue;
    }
    auto choice = LayerChoices::resolve(*kept, layer);
    if (!choice)
      return choice.takeError();
    if (dividesRows && !layer.canDivideRows(*choice))
      return llvm::createStringError(
          "option 'chunk-rows' requires layers to compute values between the "
          "products of a feed-forward again, and to keep what needs its last "
          "product, got layer '" +
          layer.getLabel() + "' that keeps '" + *kept +
          "': name what it keeps, or let the budget decide");
    own.choices = {
        {*choice, layer.countKept(*choice), layer.estimate(*choice)}};
  }
  std::vector<LayerClass> found;
  for (auto &[form, own] : classes)
    found.push_back(std::move(own));
  return found;
}

/// Prints what `choice` keeps, in the syntax of LayerChoices.
static std::string spell(const LayerRecompute &layer,
                         const LayerRecompute::Choice &choice) {
  if (!llvm::is_contained(choice, true))
    return "all";
  std::string kept;
  for (auto [again, name] : llvm::zip_equal(choice, layer.getNames()))
    if (!again)
      kept += (kept.empty() ? "" : "+") + name;
  return kept.empty() ? "nothing" : kept;
}

llvm::Expected<std::vector<Checkpoint>>
block::listCheckpoints(FunctionOpInterface step, size_t most) {
  auto layers = LayerRecompute::collect(step, findCountedSizes(step),
                                        llvm::cantFail(findChip("cpu")));
  auto classes = findClasses(layers, LayerChoices(), /*dividesRows=*/false);
  if (!classes)
    return classes.takeError();
  std::vector<Checkpoint> found;
  for (const CheckpointPlan &plan : listPlans(*classes, layers.size(), most)) {
    Checkpoint &own = found.emplace_back();
    own.keptBytes = plan.keptBytes;
    own.flops = plan.cost.flops;
    std::vector<std::string> kept(layers.size());
    for (const LayerClass &each : *classes)
      for (unsigned layer : each.layers)
        kept[layer] =
            spell(layers[layer], each.choices[plan.picks[layer]].choice);
    for (auto [layer, text] : llvm::zip_equal(layers, kept))
      own.layers +=
          (own.layers.empty() ? "" : ",") + layer.getUniqueLabel() + ":" + text;
  }
  return found;
}
