//===- ShardRewriter.cpp - a function becomes that of one rank ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShardRewriter.h"

#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::block;

ShardRewriter::ShardRewriter(FunctionOpInterface function,
                             const ShardPlan &plan, StringRef grid,
                             ShardChoice choice)
    : function(function), plan(plan), grid(grid.str()), choice(choice),
      builder(function.getContext()),
      values(function, grid, plan.getRanks(), builder) {}

void ShardRewriter::run() {
  rewriteBlock(function.getFunctionBody().front());
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  // Weights of which ranks take slices are not made as a whole any more.
  eraseDeadOps(function->getRegions());
}

void ShardRewriter::rewriteBlock(mlir::Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    // Ops that make weights stay, for ranks to slice.
    if (op.getNumResults() == 0 || !llvm::all_of(op.getResults(), isWeightOnly))
      rewrite(&op);
}

void ShardRewriter::rewrite(Operation *op) {
  builder.setInsertionPoint(op);
  TypeSwitch<Operation *>(op)
      .Case([&](LayerOp op) { rewriteLayer(op); })
      .Case([&](LinearOp op) { rewriteLinear(op); })
      .Case([&](LinearSumOp op) { rewriteLinearSum(op); })
      .Case([&](ExpertsOp op) { rewriteExperts(op); })
      .Case([&](RouteOp op) { rewriteRoute(op); })
      .Case([&](EmbeddingOp op) { rewriteEmbedding(op); })
      .Case([&](HeadOp op) { rewriteHead(op); })
      .Case([&](ResidualOp op) { rewriteResidual(op); })
      .Case([&](SplitOp op) { rewriteSplit(op); })
      .Case([&](CacheAppendOp op) { rewriteCacheAppend(op); })
      .Case([&](SdpaOp op) { rewriteSdpa(op); })
      .Case([&](NormStatsOp op) { rewriteStats(op); })
      .Default([&](Operation *op) {
        if (getColumnOperands(op).empty())
          keepWhole(op);
        else
          rewriteColumnStep(op);
      });
}

void ShardRewriter::rewriteLayer(LayerOp op) {
  mlir::Block &body = op.getBody().front();
  for (Operation &inner : llvm::make_early_inc_range(body.without_terminator()))
    if (!llvm::all_of(inner.getResults(), isWeightOnly))
      rewrite(&inner);
  Operation *yield = body.getTerminator();
  builder.setInsertionPoint(yield);
  for (auto [operand, result] :
       llvm::zip_equal(yield->getOpOperands(), op.getResults())) {
    Value value = operand.get();
    Local local = values.get(value);
    // A rank keeps the caches of its own heads.
    bool isOwn =
        local.kind == Kind::Rows ||
        (local.kind == Kind::Columns && value.getDefiningOp<CacheAppendOp>());
    Value yielded = isOwn ? local.value : values.getWhole(value);
    operand.set(yielded);
    if (!isOwn)
      continue;
    // The type that the value has as a whole is needed once more.
    result.setType(yielded.getType());
    local.value = result;
    values.set(result, local);
  }
}

void ShardRewriter::keepWhole(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(values.getWhole(operand.get()));
}

void ShardRewriter::replace(Operation *op, Local local) {
  values.set(op->getResult(0), std::move(local));
  replaced.push_back(op);
}
