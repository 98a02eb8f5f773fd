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
                             bool sequenceParallel)
    : function(function), plan(plan), grid(grid.str()),
      sequenceParallel(sequenceParallel),
      slicer(function, grid, plan.getRanks()), builder(function.getContext()) {}

void ShardRewriter::run() {
  rewriteBlock(function.getFunctionBody().front());
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  // Weights of which ranks take slices are not made as a whole any more.
  eraseDeadOps(function->getRegions());
}

void ShardRewriter::rewriteBlock(mlir::Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    // What makes weights stays, for ranks to slice.
    if (op.getNumResults() == 0 || !llvm::all_of(op.getResults(), isWeightOnly))
      rewrite(&op);
}

void ShardRewriter::rewrite(Operation *op) {
  builder.setInsertionPoint(op);
  TypeSwitch<Operation *>(op)
      .Case([&](LayerOp op) { rewriteLayer(op); })
      .Case([&](LinearOp op) { rewriteLinear(op); })
      .Case([&](LinearSumOp op) { rewriteLinearSum(op); })
      .Case([&](EmbeddingOp op) { rewriteEmbedding(op); })
      .Case([&](HeadOp op) { rewriteHead(op); })
      .Case([&](ResidualOp op) { rewriteResidual(op); })
      .Case([&](SplitOp op) { rewriteSplit(op); })
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
    bool isRows = getLocal(value).kind == Kind::Rows;
    Value yielded = isRows ? getRows(value) : getWhole(value);
    operand.set(yielded);
    if (!isRows)
      continue;
    // The type that the value has as a whole is needed once more.
    result.setType(yielded.getType());
    locals[result] = {Kind::Rows, result};
  }
}

void ShardRewriter::keepWhole(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(getWhole(operand.get()));
}

void ShardRewriter::setLocal(Value result, Local local) {
  locals[result] = std::move(local);
}

void ShardRewriter::replace(Operation *op, Local local) {
  setLocal(op->getResult(0), std::move(local));
  replaced.push_back(op);
}
