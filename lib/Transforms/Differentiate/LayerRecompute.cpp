//===- LayerRecompute.cpp - what backward layers compute again ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LayerRecompute.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/StepMemory.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

void RecomputeCost::add(const RecomputeCost &other, double times) {
  outputProjections += times * other.outputProjections;
  flops += times * other.flops;
  bytes += times * other.bytes;
  ops += times * other.ops;
  seconds += times * other.seconds;
}

bool RecomputeCost::operator<(const RecomputeCost &other) const {
  return std::tie(outputProjections, flops, bytes, ops) <
         std::tie(other.outputProjections, other.flops, other.bytes, other.ops);
}

//===----------------------------------------------------------------------===//
// The steps of a layer
//===----------------------------------------------------------------------===//

/// Returns whether `op` is a product whose result runs into a residual before
/// another product, or an attention, reads it.
static bool isOutputProjection(Operation *op) {
  if (!isProduct(op))
    return false;
  llvm::SetVector<Value> values(op->result_begin(), op->result_end());
  bool found = false;
  for (size_t i = 0; i < values.size() && !found; ++i)
    forEachUse(values[i], [&](OpOperand &use) {
      Operation *user = use.getOwner();
      found |= isa<ResidualOp>(user);
      if (!isProduct(user) && !isAttentionCore(user) && !isa<YieldOp>(user))
        values.insert_range(user->getResults());
    });
  return found;
}

static RecomputeCost estimateStep(Operation *op, const CostModel &model) {
  RecomputeCost cost;
  op->walk([&](Operation *inner) {
    Cost apart = model.estimateApart(inner);
    cost.flops += apart.flops;
    cost.bytes += apart.bytes;
    cost.seconds += apart.seconds;
    cost.outputProjections += isOutputProjection(inner);
    ++cost.ops;
  });
  return cost;
}

/// The backward layer of `layer`, if that alone reads `result` outside of it.
static LayerOp findOnlyReader(OpResult result) {
  auto layer = cast<LayerOp>(result.getOwner());
  LayerOp reader;
  for (Operation *user : result.getUsers()) {
    auto other = dyn_cast_if_present<LayerOp>(
        layer->getBlock()->findAncestorOpInBlock(*user));
    if (!other || !other.getBackward() || (reader && reader != other) ||
        other.getLabel() != layer.getLabel() ||
        other.getIndex() != layer.getIndex())
      return nullptr;
    reader = other;
  }
  return reader;
}

LayerRecompute::LayerRecompute(LayerOp forward, LayerOp backward,
                               const CountedSizes &sizes, const Chip &chip)
    : forward(forward), backward(backward), sizes(sizes) {
  CostModel model(chip, sizes);
  hasTimes = model.hasTimes();
  Block &body = forward.getBody().front();
  DenseMap<Operation *, unsigned> numbers;
  for (Operation &op : body.without_terminator()) {
    numbers[&op] = steps.size();
    steps.push_back({&op, estimateStep(&op, model), {}});
  }
  for (RowGroup &group : findRowGroups(forward, /*mayEscape=*/true))
    if (!group.obstacle)
      rowGroups.push_back(std::move(group));
  findCandidates();
  ValueRange yielded = body.getTerminator()->getOperands();
  for (Step &step : steps)
    for (Value value : findReads(step.op)) {
      Operation *maker = value.getDefiningOp();
      auto number = numbers.find(maker);
      if (!maker || number == numbers.end())
        continue;
      bool isSaved = llvm::is_contained(yielded, value);
      if (!isSaved || steps[number->second].candidate >= 0)
        step.reads.emplace_back(number->second, isSaved);
    }
}

std::string LayerRecompute::getUniqueLabel() const {
  return (getLabel() + "#" + Twine(LayerOp(forward).getIndex())).str();
}

/// Candidates are ops, at most 12 and those of most bytes, that the backward
/// layer alone reads results of. Statistics of rows are small, and always kept.
void LayerRecompute::findCandidates() {
  constexpr size_t most = 12;
  Operation *yield = forward.getBody().front().getTerminator();
  for (auto [number, step] : llvm::enumerate(steps)) {
    auto facts = dyn_cast<StepOpInterface>(step.op);
    if (!isMemoryEffectFree(step.op) || (facts && facts.makesStatistics()) ||
        llvm::all_of(step.op->getResults(), isWeightOnly))
      continue;
    uint64_t bytes = 0;
    bool isCandidate = true;
    for (OpOperand &operand : yield->getOpOperands()) {
      OpResult result = forward->getResult(operand.getOperandNumber());
      if (operand.get().getDefiningOp() != step.op || result.use_empty())
        continue;
      bytes += countBytes(result, sizes);
      isCandidate &= findOnlyReader(result) == backward;
    }
    if (isCandidate && bytes)
      candidates.emplace_back(number, bytes);
  }
  if (candidates.size() > most) {
    llvm::sort(candidates, [](auto a, auto b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    candidates.truncate(most);
    llvm::sort(candidates);
  }
  DenseMap<Operation *, std::string> nameOf = nameSteps(forward);
  for (auto [place, candidate] : llvm::enumerate(candidates)) {
    steps[candidate.first].candidate = static_cast<int>(place);
    names.push_back(nameOf.lookup(steps[candidate.first].op));
  }
}

std::vector<LayerRecompute> LayerRecompute::collect(FunctionOpInterface step,
                                                    const CountedSizes &sizes,
                                                    const Chip &chip) {
  std::vector<LayerRecompute> layers;
  for (auto layer : step.getFunctionBody().front().getOps<LayerOp>()) {
    LayerOp backward;
    for (OpResult result : layer->getResults())
      if (LayerOp reader = findOnlyReader(result))
        backward = reader;
    if (backward)
      layers.emplace_back(layer, backward, sizes, chip);
  }
  return layers;
}

std::string LayerRecompute::describeForm() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Step &step : steps) {
    os << step.op->getName() << step.op->getAttrDictionary() << "->";
    llvm::interleaveComma(step.op->getResultTypes(), os);
    for (auto [number, isSaved] : step.reads)
      os << " " << number << isSaved;
    os << (step.candidate >= 0 ? " candidate\n" : "\n");
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Effects of a choice
//===----------------------------------------------------------------------===//

bool LayerRecompute::canDivideRows(const Choice &choice) const {
  SmallVector<bool> repeated = findRepeated(choice);
  for (const RowGroup &group : rowGroups)
    for (auto [step, again] : llvm::zip_equal(steps, repeated)) {
      bool isWide = group.wide.contains(step.op->getResult(0));
      if (group.ops.contains(step.op) &&
          (isWide ? step.candidate >= 0 && !choice[step.candidate] : again))
        return false;
    }
  return true;
}

uint64_t LayerRecompute::countKept(const Choice &choice) const {
  uint64_t kept = 0;
  for (auto [again, candidate] : llvm::zip_equal(choice, candidates))
    kept += again ? 0 : candidate.second;
  return kept;
}

SmallVector<bool> LayerRecompute::findRepeated(const Choice &choice) const {
  SmallVector<bool> repeated(steps.size());
  for (auto [again, candidate] : llvm::zip_equal(choice, candidates))
    repeated[candidate.first] = again;
  for (size_t i = steps.size(); i-- > 0;) {
    if (!repeated[i])
      continue;
    for (auto [number, isSaved] : steps[i].reads) {
      int candidate = steps[number].candidate;
      if (candidate < 0 || !isSaved || choice[candidate])
        repeated[number] = true;
    }
  }
  return repeated;
}

RecomputeCost LayerRecompute::estimate(const Choice &choice) const {
  RecomputeCost cost;
  for (auto [step, again] : llvm::zip_equal(steps, findRepeated(choice)))
    if (again)
      cost.add(step.cost);
  return cost;
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Clones ops of a forward layer into the backward one.
class Repeater {
public:
  Repeater(LayerOp forward, const SmallPtrSetImpl<Operation *> &chosen)
      : body(&forward.getBody().front()), builder(forward.getContext()) {
    for (auto [result, value] : llvm::zip_equal(
             forward.getResults(), body->getTerminator()->getOperands())) {
      Operation *maker = value.getDefiningOp();
      if (chosen.contains(maker))
        dropped[result] = value;
      else if (maker && maker->getBlock() == body)
        again.map(value, result);
    }
  }

  /// Has `reader` and the ops in its regions read what is computed again right
  /// before it.
  void serve(Operation *reader) {
    builder.setInsertionPoint(reader);
    reader->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (Value value = dropped.lookup(operand.get()))
          operand.set(repeat(value));
    });
  }

private:
  Value repeat(Value value) {
    Operation *maker = value.getDefiningOp();
    if (Value made = again.lookupOrNull(value))
      return made;
    if (!maker || maker->getBlock() != body)
      return value;
    for (Value read : findReads(maker))
      again.map(read, repeat(read));
    // A result of it may be kept: the others alone are new.
    Operation *clone = builder.clone(*maker, again);
    return clone->getResult(cast<OpResult>(value).getResultNumber());
  }

  Block *body;
  OpBuilder builder;
  DenseMap<Value, Value> dropped;
  IRMapping again;
};
} // namespace

/// Lists what a log says of work that is done again.
static SmallVector<Metric> listWork(const RecomputeCost &cost, bool hasTimes) {
  SmallVector<Metric> metrics = {{"output_projections", cost.outputProjections},
                                 {"recompute_flops", cost.flops}};
  if (hasTimes)
    metrics.push_back({"recompute_us", 1e6 * cost.seconds});
  return metrics;
}

void LayerRecompute::record(const Choice &choice) const {
  SmallVector<bool> pending = findRepeated(choice);
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    auto [number, bytes] = candidate;
    Location location = steps[number].op->getLoc();
    if (!choice[i]) {
      recordChoice(backward, location, "block-checkpoint", "keeps " + names[i],
                   {{"kept_bytes", static_cast<double>(bytes)}});
      continue;
    }
    // It and what is done again for it and for no earlier value.
    RecomputeCost cost;
    SmallVector<unsigned> reads = {number};
    while (!reads.empty()) {
      unsigned read = reads.pop_back_val();
      if (!pending[read])
        continue;
      pending[read] = false;
      cost.add(steps[read].cost);
      for (auto [maker, isSaved] : steps[read].reads)
        reads.push_back(maker);
    }
    SmallVector<Metric> metrics = listWork(cost, hasTimes);
    metrics.push_back({"saved_bytes", static_cast<double>(bytes)});
    recordChoice(backward, location, "block-checkpoint",
                 "computes " + names[i] + " again", metrics);
  }
}

void block::recordRepeatedLayer(LayerOp layer, const CountedSizes &sizes,
                                const Chip &chip) {
  CostModel model(chip, sizes);
  RecomputeCost cost;
  for (Operation &op : layer.getBody().front().without_terminator())
    cost.add(estimateStep(&op, model));
  recordChoice(layer, layer.getLoc(), "block-checkpoint",
               "computes the layer again", listWork(cost, model.hasTimes()));
}

void LayerRecompute::apply(const Choice &choice) {
  if (!llvm::is_contained(choice, true))
    return;
  SmallPtrSet<Operation *, 8> chosen;
  for (auto [again, candidate] : llvm::zip_equal(choice, candidates))
    if (again)
      chosen.insert(steps[candidate.first].op);
  Repeater repeater(forward, chosen);
  for (Operation &op : backward.getBody().front())
    repeater.serve(&op);
  IRRewriter rewriter(forward->getContext());
  dropUnreadResults(rewriter, forward);
}
