//===- SeparateRouters.cpp - copies what leads to routers' choices --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/SeparateRouters.h"

#include "ExpandSteps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// Copies of the ops of one block that make values from a stream.
class StreamCopies {
public:
  StreamCopies(Value stream, Value fresh) : stream(stream) {
    copies.map(stream, fresh);
  }

  /// Returns whether `value` is made from the stream by ops of `block`.
  bool depends(Value value, Block *block) {
    if (value == stream)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != block)
      return false;
    auto [known, isNew] = dependent.try_emplace(op, false);
    if (!isNew)
      return known->second;
    bool found = llvm::any_of(getReads(op),
                              [&](Value read) { return depends(read, block); });
    dependent[op] = found;
    return found;
  }

  /// Returns `value` as made from the fresh stream. A copy follows its
  /// original.
  Value copy(Value value, Block *block) {
    if (!depends(value, block))
      return value;
    if (Value known = copies.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    for (Value read : getReads(op))
      copy(read, block);
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    builder.clone(*op, copies);
    return copies.lookup(value);
  }

private:
  static SetVector<Value> getReads(Operation *op) {
    SetVector<Value> reads(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), reads);
    return reads;
  }

  Value stream;
  IRMapping copies;
  DenseMap<Operation *, bool> dependent;
};
} // namespace

bool block::haveRouters(ArrayRef<Operation *> ops, Value stream) {
  StreamCopies copies(stream, stream);
  return llvm::any_of(ops, [&](Operation *op) {
    SmallVector<Value, 2> read;
    if (auto moe = dyn_cast<MoeOp>(op))
      read = {moe.getInput()};
    else if (auto experts = dyn_cast<ExpertsOp>(op))
      read = {experts.getIndices(), experts.getWeights()};
    return llvm::any_of(read, [&](Value value) {
      return copies.depends(value, op->getBlock());
    });
  });
}

/// Replaces a mixture by its steps, of which it returns the last one.
static Operation *expand(MoeOp op) {
  OpBuilder builder(op);
  Operation *last = expandMoe(builder, op);
  op.replaceAllUsesWith(last->getResult(0));
  op.erase();
  return last;
}

Value block::separateRouters(ArrayRef<Operation *> ops, Value result,
                             Value stream, Value fresh) {
  SmallVector<ExpertsOp> mixtures;
  for (Operation *op : ops) {
    if (auto moe = dyn_cast<MoeOp>(op)) {
      bool makesResult = result.getDefiningOp() == op;
      op = expand(moe);
      if (makesResult)
        result = op->getResult(0);
      // The sum with shared experts has those of the router first.
      if (isa<ResidualOp>(op))
        op = op->getOperand(0).getDefiningOp();
    }
    if (auto experts = dyn_cast<ExpertsOp>(op))
      mixtures.push_back(experts);
  }
  StreamCopies copies(stream, fresh);
  for (ExpertsOp experts : mixtures)
    for (OpOperand *choice :
         {&experts.getIndicesMutable(), &experts.getWeightsMutable()})
      choice->set(copies.copy(choice->get(), experts->getBlock()));
  return result;
}
