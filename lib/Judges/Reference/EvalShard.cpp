//===- EvalShard.cpp - evaluates shard ops of a rank ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Registry.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "parablock/Dialect/Block/BlockRankOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensor> evalRank(shard::ProcessLinearIndexOp /*op*/,
                                  Evaluation &at) {
  return at.wrap({static_cast<double>(at.frame.options.rank)}, {},
                 ElementType::I64);
}

static FailureOr<Tensor> evalAllSlice(shard::AllSliceOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  auto axis = static_cast<unsigned>(op.getSliceAxis().getZExtValue());
  auto grid =
      SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, op.getGridAttr());
  int64_t ranks = llvm::product_of(grid.getShape());
  if (failed(at.checkDivides("ranks", ranks, "the sliced dimension",
                             input.shape[axis])))
    return failure();
  int64_t size = input.shape[axis] / ranks;
  return takePart(at, input, axis, at.frame.options.rank * size, size);
}

/// Refuses a collective outside a run of all ranks.
template <typename OpT>
static FailureOr<Tensor> refuseAlone(OpT, Evaluation &at) {
  return at.error("meets no other rank: the function has to be run by all "
                  "ranks of its grid");
}

void reference::addShardEvaluators(Registry &registry) {
  registry.add<shard::ProcessLinearIndexOp>(evalRank);
  registry.add<shard::AllSliceOp>(evalAllSlice);
  registry.add<shard::AllReduceOp>(refuseAlone);
  registry.add<shard::AllGatherOp>(refuseAlone);
  registry.add<shard::ReduceScatterOp>(refuseAlone);
  registry.add<block::RowsToExpertsOp>(refuseAlone);
  registry.add<block::RowsFromExpertsOp>(refuseAlone);
}
