//===- MemoryAttentions.cpp - keys of other rows than the tokens ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MemoryAttentions.h"

#include "ExpandSteps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

SmallVector<AttentionOpInterface>
block::expandAttentions(func::FuncOp function,
                        llvm::function_ref<bool(AttentionOp)> isWanted) {
  SmallVector<AttentionOp> attentions;
  function.walk([&](AttentionOp op) {
    if (isWanted(op))
      attentions.push_back(op);
  });
  SmallVector<AttentionOpInterface> cores;
  for (AttentionOp op : attentions) {
    OpBuilder builder(op);
    Operation *last = expandAttention(builder, op);
    cores.push_back(cast<AttentionOpInterface>(
        op.getOWeight() ? last->getOperand(0).getDefiningOp() : last));
    last->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    last->getResult(0).setType(op.getType());
    op.replaceAllUsesWith(last->getResult(0));
    op.erase();
  }
  return cores;
}

Value block::takeOutOfLayers(Value value) {
  IRRewriter rewriter(value.getContext());
  while (auto layer = value.getParentRegion()->getParentOfType<LayerOp>()) {
    rewriter.setInsertionPoint(layer);
    value = growLayer(rewriter, layer, value)->getResults().back();
  }
  return value;
}

void block::eraseUnread(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front()))) {
    if (auto layer = dyn_cast<LayerOp>(op))
      dropUnreadResults(rewriter, layer);
    else if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  }
  llvm::BitVector unread(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unread.set(argument.getArgNumber());
  (void)function.eraseArguments(unread);
}
