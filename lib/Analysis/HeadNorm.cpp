//===- HeadNorm.cpp - norms of heads, as opposed to rows ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/HeadNorm.h"

#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// Columns that a tile of every chip can hold.
static constexpr int64_t kWidestTile = 256;

bool parablock::isProjected(Value value) {
  Operation *op = getProducer(value);
  while (op && isPassThrough(op) && *getReach(op) <= StepReach::Pair)
    op = getProducer(op->getOperand(0));
  return isa_and_nonnull<LinearOp>(op);
}

bool parablock::isHeadNorm(NormalizeOp norm) {
  if (norm.getGroups() > 1)
    return true;
  int64_t width = getDim(norm.getInput(), -1);
  if (width > kWidestTile)
    return false;
  Operation *consumer = findConsumer(norm.getResult());
  if (!isAttentionCore(consumer))
    return false;
  auto attention = cast<AttentionOpInterface>(consumer);
  return getDim(attention.getQuery(), -1) == width * attention.getHeads() &&
         isProjected(norm.getInput());
}

bool parablock::isHeadNorm(Operation *op) {
  if (auto norm = dyn_cast<NormalizeOp>(op))
    return isHeadNorm(norm);
  auto stats = dyn_cast<NormStatsOp>(op);
  return stats && isHeadNorm(stats);
}

bool parablock::isHeadNorm(NormStatsOp stats) {
  if (stats.getGroups() > 1)
    return true;
  return llvm::any_of(stats->getUsers(), [&](Operation *user) {
    auto norm = dyn_cast<NormalizeOp>(user);
    return norm && norm.getInput() == stats.getInput() && isHeadNorm(norm);
  });
}
