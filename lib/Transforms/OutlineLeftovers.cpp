//===- OutlineLeftovers.cpp - leftovers as functions ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes that bring leftovers to few kinds of ops must not touch what is around
// them, so they work on functions of their own.
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
#include "parablock/Dialect/Block/Ranks.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"

using namespace mlir;
using namespace parablock;

/// Gives what has no form that kernels take, and so stays.
static bool hasNoKernel(Operation *op) {
  return isa<tosa::CustomOp, tosa::IfOp, tosa::ScatterOp, tosa::VariableOp,
             tosa::VariableReadOp, tosa::VariableWriteOp, tosa::WhileOp,
             tensor::GatherOp, tensor::ScatterOp>(op);
}

/// Gives what a rank does with a part of what it has: launch plans know it, and
/// what is remade as its operand.
static bool isRankStep(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
}

/// Tells whether what launches ranks knows what `maker` makes for `user`:
/// operands of their steps, and constants, which are among their data.
static bool isKnownToRanks(Operation *maker, Operation *user) {
  return maker->hasTrait<OpTrait::ConstantLike>() ||
         (isRemade(maker) && isRankStep(user));
}

/// Gives what makes another view of a tensor: whoever reads it may make it.
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
      if (isLeftover(&op) && !isRemade(&op) && !hasNoKernel(&op) && !isRankStep)
        taken.insert(&op);
    }
}

bool LeftoverOutlines::isPulled(Operation *op, Block *block) const {
  if (!op || isRemade(op))
    return op;
  return isTaken(op) && (op->getBlock() == block || isView(op));
}

/// Tells whether something reads `value` that no function takes.
bool LeftoverOutlines::isReadOutside(Value value) const {
  return isReadBy(value, [&](Operation *maker, Operation *user) {
    if (isTaken(user))
      return !isPulled(maker, user->getBlock());
    return !hasRanks || !isKnownToRanks(maker, user);
  });
}

/// The value in the function, for which it copies what makes it.
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
  // Also of those that read it through ops that are remade.
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
