//===- BlockAddDropout.cpp - elements dropped at random in training -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKADDDROPOUT
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kAddDropout = "block-add-dropout";

struct BlockAddDropoutPass
    : public block::impl::BlockAddDropoutBase<BlockAddDropoutPass> {
  using BlockAddDropoutBase::BlockAddDropoutBase;

  void runOnOperation() final {
    func::FuncOp main = findMainFuncOp(getOperation(), functionName);
    if (!main)
      return signalPassFailure();
    if (failed(checkRates(main)) || failed(checkOps(main)))
      return signalPassFailure();
    numSites = 0;
    seed = Value();
    SmallVector<Operation *> ops;
    main.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      addTo(op, main);
    if (!seed)
      return recordNoMatch(main, kAddDropout, "op with a rate above 0");
    main.setFunctionType(
        FunctionType::get(main.getContext(), main.front().getArgumentTypes(),
                          main.getFunctionType().getResults()));
    recordPassed(main, kAddDropout,
                 "drops elements at random, by its input 'dropout_seed'",
                 {{"sites", static_cast<double>(numSites)}});
  }

private:
  LogicalResult checkRates(func::FuncOp main);
  LogicalResult checkOps(func::FuncOp main);
  void addTo(Operation *op, func::FuncOp main);
  Value getSeed(func::FuncOp main);
  /// Returns the form of the next site, at that rate.
  DropoutAttr getForm(double rate) {
    Builder builder(&getContext());
    return DropoutAttr::get(&getContext(), builder.getF64FloatAttr(rate),
                            numSites++);
  }
  void dropOperand(OpOperand &operand, double rate, func::FuncOp main);

  Value seed;
  int64_t numSites = 0;
};
} // namespace

LogicalResult BlockAddDropoutPass::checkRates(func::FuncOp main) {
  for (auto [name, rate] : {std::pair{"attention", double(attention)},
                            std::pair{"branches", double(branches)},
                            std::pair{"embeddings", double(embeddings)}})
    if (!(rate >= 0 && rate < 1))
      return main.emitError()
             << kAddDropout << ": expected the rate of '" << name
             << "' to be at least 0 and below 1, got " << rate;
  return success();
}

LogicalResult BlockAddDropoutPass::checkOps(func::FuncOp main) {
  for (unsigned index : llvm::seq(main.getNumArguments()))
    if (auto name = main.getArgAttrOfType<StringAttr>(index, kInputAttr);
        name && name.getValue() == kSeedInput)
      return main.emitError()
             << kAddDropout << ": expected a function that drops "
             << "nothing, got the input '" << kSeedInput << "'";
  FunctionOpInterface step =
      isTrainingFunction(main) ? FunctionOpInterface(main) : findStep(main);
  if (step)
    return main.emitError()
           << kAddDropout << ": expected a function without gradients, got '"
           << step.getName() << "': add dropout before block-differentiate";
  WalkResult result = main.walk([&](Operation *op) {
    if (!isa<KernelOp>(op) && !dropsElements(op))
      return WalkResult::advance();
    op->emitError() << kAddDropout << ": expected "
                    << (isa<KernelOp>(op) ? "ops before kernels are formed"
                                          : "a function that drops nothing")
                    << ", got '" << op->getName() << "'";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

Value BlockAddDropoutPass::getSeed(func::FuncOp main) {
  if (seed)
    return seed;
  Builder builder(&getContext());
  unsigned position = main.getNumArguments();
  auto name =
      builder.getNamedAttr(kInputAttr, builder.getStringAttr(kSeedInput));
  (void)main.insertArgument(position,
                            RankedTensorType::get(1, builder.getI64Type()),
                            builder.getDictionaryAttr(name), main.getLoc());
  return seed = main.getArgument(position);
}

void BlockAddDropoutPass::dropOperand(OpOperand &operand, double rate,
                                      func::FuncOp main) {
  Value whole = operand.get();
  OpBuilder builder(operand.getOwner());
  operand.set(DropoutOp::create(builder, whole.getLoc(), whole.getType(), whole,
                                getSeed(main), getForm(rate)));
}

void BlockAddDropoutPass::addTo(Operation *op, func::FuncOp main) {
  if (auto residual = dyn_cast<ResidualOp>(op); residual && branches > 0)
    for (OpOperand &branch : residual.getBranchesMutable())
      dropOperand(branch, branches, main);
  if (auto attending = dyn_cast<AttentionOpInterface>(op);
      attending && attention > 0) {
    attending.getSeedMutable().assign(getSeed(main));
    attending.setDropoutAttr(getForm(attention));
  }
  auto embedding = dyn_cast<EmbeddingOp>(op);
  if (!embedding || !(embeddings > 0))
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value tokens = embedding.getResult();
  auto dropout = DropoutOp::create(builder, op->getLoc(), tokens.getType(),
                                   tokens, getSeed(main), getForm(embeddings));
  tokens.replaceAllUsesExcept(dropout, dropout);
}
