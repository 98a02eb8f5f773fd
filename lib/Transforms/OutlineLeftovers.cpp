//===- OutlineLeftovers.cpp - moves leftovers into functions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes that normalise leftovers must not touch the surrounding ops, so they
// work on separate functions.
//
//===----------------------------------------------------------------------===//

#include "OutlineLeftovers.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/SinkCodes.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"
#include "parablock/Transforms/Shard/Ranks.h"

using namespace mlir;
using namespace parablock;

/// Returns true for ops without a form for kernels, which are kept.
static bool hasNoKernel(Operation *op) {
  return isa<tosa::CustomOp, tosa::IfOp, tosa::ScatterOp, tosa::VariableOp,
             tosa::VariableReadOp, tosa::VariableWriteOp, tosa::WhileOp,
             tensor::GatherOp, tensor::ScatterOp>(op);
}

/// Returns true for a rank's step on a part of a tensor: launch plans support
/// it, and operands that are recomputed.
static bool isRankStep(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
}

/// Returns whether the launcher of ranks supports the result of `maker` as an
/// operand of `user`: operands of rank steps, and constants, which are among
/// their data.
static bool isKnownToRanks(Operation *maker, Operation *user) {
  return maker->hasTrait<OpTrait::ConstantLike>() ||
         (isRemade(maker) && isRankStep(user));
}

/// Returns true for ops that create another view of a tensor, which every
/// reader may repeat.
static bool isView(Operation *op) {
  return isa<linalg::BroadcastOp, linalg::TransposeOp, tensor::CastOp,
             tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, tosa::ReshapeOp, tosa::SliceOp,
             tosa::TransposeOp>(op);
}

LeftoverOutlines::LeftoverOutlines(func::FuncOp main)
    : main(main),
      hasRanks(countRanks(main->getParentOfType<ModuleOp>()).has_value()) {
  blocks.push_back(&main.front());
  main.walk<WalkOrder::PreOrder>([&](block::LayerOp layer) {
    blocks.push_back(&layer.getBody().front());
  });
  for (Block *block : blocks)
    for (Operation &op : *block) {
      bool isRankStep =
          hasRanks && isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
      if (isLeftover(&op) && !isRemade(&op) && !hasNoKernel(&op) &&
          !isRankStep && !block::isReadAsCodes(&op))
        taken.insert(&op);
    }
}

bool LeftoverOutlines::isPulled(Operation *op, Block *block) const {
  if (!op || isRemade(op))
    return op;
  return isTaken(op) && (op->getBlock() == block || isView(op));
}

/// Returns whether `value` has a reader outside all functions.
bool LeftoverOutlines::isReadOutside(Value value) const {
  return isReadBy(value, [&](Operation *maker, Operation *user) {
    if (isTaken(user))
      return !isPulled(maker, user->getBlock());
    return !hasRanks || !isKnownToRanks(maker, user);
  });
}

/// Returns the value in the function, copying the ops that define it.
Value LeftoverOutlines::clone(LeftoverOutline &made, OpBuilder &builder,
                              IRMapping &mapping, Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!isPulled(op, made.block)) {
    made.inputs.push_back(value);
    Value argument = builder.getInsertionBlock()->addArgument(value.getType(),
                                                              value.getLoc());
    mapping.map(value, argument);
    return argument;
  }
  for (Value read : findReads(op))
    clone(made, builder, mapping, read);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

void LeftoverOutlines::findPlaces(LeftoverOutline &made) {
  DenseMap<Operation *, unsigned> placeOf;
  for (auto [place, op] : llvm::enumerate(*made.block))
    placeOf[&op] = place;
  for (Value input : made.inputs) {
    Operation *maker = input.getDefiningOp();
    bool isHere = maker && maker->getBlock() == made.block;
    made.places.arguments.push_back(isHere ? placeOf.lookup(maker) + 1 : 0);
  }
  unsigned last = placeOf.lookup(made.block->getTerminator());
  // Also finds readers through ops that are recomputed.
  auto findFirst = [&](auto &self, Value value) -> unsigned {
    unsigned first = last;
    for (Operation *user : value.getUsers()) {
      Operation *here = made.block->findAncestorOpInBlock(*user);
      if (isTaken(here))
        continue;
      if (isRemade(here))
        for (Value remade : here->getResults())
          first = std::min(first, self(self, remade));
      else
        first = std::min(first, placeOf.lookup(here));
    }
    return first;
  };
  for (Value output : made.outputs)
    made.places.results.push_back(findFirst(findFirst, output));
}

std::vector<LeftoverOutline> LeftoverOutlines::outline(ModuleOp module) {
  std::vector<LeftoverOutline> outlines;
  for (Block *block : blocks) {
    LeftoverOutline made;
    made.block = block;
    for (Operation &op : *block)
      if (isTaken(&op) || isRemade(&op))
        for (Value result : op.getResults())
          if (isa<RankedTensorType>(result.getType()) && isReadOutside(result))
            made.outputs.push_back(result);
    if (made.outputs.empty())
      continue;
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    Location loc = block->getParentOp()->getLoc();
    made.function = func::FuncOp::create(
        builder, loc, "leftovers_" + std::to_string(outlines.size()),
        builder.getFunctionType({}, {}));
    builder.setInsertionPointToEnd(made.function.addEntryBlock());
    IRMapping mapping;
    SmallVector<Value> results;
    for (Value output : made.outputs)
      results.push_back(clone(made, builder, mapping, output));
    func::ReturnOp::create(builder, loc, results);
    made.function.setType(builder.getFunctionType(
        ValueRange(made.inputs).getTypes(), ValueRange(results).getTypes()));
    findPlaces(made);
    outlines.push_back(std::move(made));
  }
  return outlines;
}

void LeftoverOutlines::erase() {
  auto eraseUnused = [](Operation *op) {
    if (op->use_empty())
      op->erase();
  };
  for (Block *block : llvm::reverse(blocks))
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
      if (isTaken(&op) || isRemade(&op))
        eraseUnused(&op);
}
