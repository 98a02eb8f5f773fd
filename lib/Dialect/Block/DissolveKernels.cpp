//===- DissolveKernels.cpp - inlines kernels and whole-row statistics -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/DissolveKernels.h"

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/StatisticsRow.h"

using namespace mlir;
using namespace parablock::block;

static void inlineBody(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), kernel.getInputs()))
    argument.replaceAllUsesWith(input);
  auto yield = cast<YieldOp>(body.getTerminator());
  kernel.replaceAllUsesWith(yield.getValues());
  yield.erase();
  kernel->getBlock()->getOperations().splice(kernel->getIterator(),
                                             body.getOperations());
  kernel.erase();
}

/// Returns the rows that `merge` is of; null if unknown. Those that are taken
/// with their statistics are what a norm reads.
static Value findMergedRow(MergeStatsOp merge) {
  auto taken = merge.getMoment().getDefiningOp<TakeRowsOp>();
  if (!taken)
    return findStatisticsRow(merge.getMoment());
  Value all = findStatisticsRow(taken.getInput());
  for (Operation *user : merge->getUsers())
    if (auto norm = dyn_cast<NormalizeOp>(user))
      if (auto rows = norm.getInput().getDefiningOp<TakeRowsOp>();
          rows && rows.getInput() == all && rows.getRows() == taken.getRows())
        return rows;
  return {};
}

static void unmergeStats(MergeStatsOp merge) {
  Value row = findMergedRow(merge);
  if (!row)
    return;
  OpBuilder builder(merge);
  auto stats =
      NormStatsOp::create(builder, merge.getLoc(), merge.getResultTypes(), row,
                          static_cast<bool>(merge.getMean()));
  merge.replaceAllUsesWith(stats.getStatistics());
  SmallVector<Value> partials(merge->getOperands());
  merge.erase();
  for (Value partial : partials)
    if (auto take = partial.getDefiningOp<TakeRowsOp>();
        take && take->use_empty())
      take.erase();
}

/// Replaces `layer` by one without its unread results.
static void dropUnusedResults(LayerOp layer) {
  auto yield = cast<YieldOp>(layer.getBody().front().getTerminator());
  SmallVector<Value> yielded;
  SmallVector<Value> kept;
  for (auto [value, result] :
       llvm::zip_equal(yield.getValues(), layer.getResults()))
    if (!result.use_empty() || !value.getDefiningOp<PartialStatsOp>()) {
      yielded.push_back(value);
      kept.push_back(result);
    }
  if (kept.size() == layer.getNumResults())
    return;
  yield.getValuesMutable().assign(yielded);
  OperationState state(layer.getLoc(), LayerOp::getOperationName(),
                       ValueRange(), ValueRange(kept).getTypes(),
                       layer->getAttrs());
  state.addRegion()->takeBody(layer.getBody());
  Operation *smaller = OpBuilder(layer).create(state);
  for (auto [before, after] : llvm::zip_equal(kept, smaller->getResults()))
    before.replaceAllUsesWith(after);
  layer.erase();
}

static void forgetKernels(LayerOp layer) {
  ArrayAttr entries = layer.getLogAttr();
  if (!entries)
    return;
  SmallVector<Attribute> log;
  for (Attribute entry : entries)
    if (cast<DecisionAttr>(entry).getPass() != "block-form-kernels")
      log.push_back(entry);
  layer.setLogAttr(ArrayAttr::get(layer.getContext(), log));
}

template <typename OpT> static SmallVector<OpT> collect(Operation *root) {
  SmallVector<OpT> found;
  root->walk([&](OpT op) { found.push_back(op); });
  return found;
}

bool parablock::block::dissolveKernels(Operation *root) {
  SmallVector<KernelOp> kernels = collect<KernelOp>(root);
  if (kernels.empty())
    return false;
  for (KernelOp kernel : kernels)
    inlineBody(kernel);
  for (MergeStatsOp merge : collect<MergeStatsOp>(root))
    unmergeStats(merge);
  for (LayerOp layer : collect<LayerOp>(root)) {
    forgetKernels(layer);
    dropUnusedResults(layer);
  }
  for (PartialStatsOp stats : collect<PartialStatsOp>(root))
    if (stats->use_empty())
      stats.erase();
  return true;
}
