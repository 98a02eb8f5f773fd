//===- BlockComputeMemory.cpp - keys and values before the first token ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MemoryAttentions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKCOMPUTEMEMORY
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kComputeMemory = "block-compute-memory";

struct BlockComputeMemoryPass
    : public block::impl::BlockComputeMemoryBase<BlockComputeMemoryPass> {
  using BlockComputeMemoryBase::BlockComputeMemoryBase;

  void runOnOperation() final {
    func::FuncOp main = findMainFuncOp(getOperation(), functionName);
    if (!main)
      return signalPassFailure();
    SmallVector<AttentionOpInterface> attentions =
        expandAttentions(main, [](AttentionOp op) { return op.isCross(); });
    if (attentions.empty()) {
      main.emitError() << kComputeMemory
                       << ": expected cross-attention, got a function without "
                          "any";
      return signalPassFailure();
    }
    returnMemory(main, attentions);
    recordPassed(main, kComputeMemory,
                 "became a function of keys and values alone",
                 {{"attentions", static_cast<double>(attentions.size())}});
  }

private:
  /// Makes keys and values the results, in the order of attentions.
  static void returnMemory(func::FuncOp main,
                           MutableArrayRef<AttentionOpInterface> attentions) {
    Builder builder(main.getContext());
    SmallVector<Attribute> names;
    Operation *end = main.front().getTerminator();
    end->setOperands(ValueRange());
    auto add = [&](Value value, const Twine &name) {
      // Read at once: layers that grow further hand on what is read.
      end->insertOperands(end->getNumOperands(), takeOutOfLayers(value));
      names.push_back(builder.getDictionaryAttr(
          builder.getNamedAttr(kOutputAttr, builder.getStringAttr(name))));
    };
    for (auto [number, op] : llvm::enumerate(attentions)) {
      add(op.getKey(), kMemoryKey + Twine(number));
      add(op.getValue(), kMemoryValue + Twine(number));
    }
    // Attributes go with their results.
    main->removeAttr(main.getResAttrsAttrName());
    eraseUnread(main);
    main.setFunctionType(FunctionType::get(main.getContext(),
                                           main.front().getArgumentTypes(),
                                           end->getOperandTypes()));
    main.setResAttrsAttr(builder.getArrayAttr(names));
  }
};
} // namespace
