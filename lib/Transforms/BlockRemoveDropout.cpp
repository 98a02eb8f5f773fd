//===- BlockRemoveDropout.cpp - a trained model as it is served -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKREMOVEDROPOUT
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static bool removeFrom(Operation *op) {
  if (auto dropout = dyn_cast<DropoutOp>(op)) {
    dropout.replaceAllUsesWith(dropout.getInput());
    dropout.erase();
    return true;
  }
  auto attention = dyn_cast<AttentionOpInterface>(op);
  if (!attention || !attention.getSeed())
    return false;
  attention.getSeedMutable().clear();
  attention.setDropoutAttr(nullptr);
  return true;
}

namespace {
struct BlockRemoveDropoutPass
    : public block::impl::BlockRemoveDropoutBase<BlockRemoveDropoutPass> {
  void runOnOperation() final {
    auto function = getOperation();
    unsigned count = 0;
    function.walk([&](Operation *op) { count += removeFrom(op); });
    if (!count)
      return recordNoMatch(function, "block-remove-dropout",
                           "op that drops elements");
    // Seeds that no op reads any more.
    llvm::BitVector unread(function.getNumArguments());
    for (BlockArgument argument : function.getArguments()) {
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        kInputAttr);
      if (argument.use_empty() && name && name.getValue() == kSeedInput)
        unread.set(argument.getArgNumber());
    }
    (void)function.eraseArguments(unread);
    recordPassed(function, "block-remove-dropout", "drops nothing",
                 {{"sites", static_cast<double>(count)}});
  }
};
} // namespace
