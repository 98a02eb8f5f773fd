//===- BlockSerialize.cpp - pass block-serialize --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Transforms/PairSelection.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKSERIALIZE
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kSerialize = "block-serialize";

/// Returns the ops of the layer that compute `branch`.
SetVector<Operation *> sliceBranch(Value branch, LayerOp layer) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == &layer.getBody().front();
  };
  (void)getBackwardSlice(branch, &slice, options);
  return slice;
}

/// Returns the residual of a layer `y = residual(x, a, m)` of two independent
/// branches, or the reason why it does not match.
std::variant<ResidualOp, Reason> matchParallelForm(LayerOp layer) {
  std::variant<SerialForm, Reason> serial =
      matchSerialForm(layer, PostNorms::Accept);
  auto *reason = std::get_if<Reason>(&serial);
  if (!reason)
    return Reason::AlreadySerial;
  if (*reason != Reason::AlreadyParallel)
    return *reason;
  Operation *last =
      layer.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
  if (isa_and_nonnull<NormOp>(last))
    return Reason::PostLayerNorm;
  auto residual = dyn_cast_or_null<ResidualOp>(last);
  if (!residual || residual.getBranches().size() != 2)
    return Reason::UnknownForm;
  Value first = residual.getBranches()[0], second = residual.getBranches()[1];
  BranchKind kinds[] = {getBranchKind(first), getBranchKind(second)};
  if (kinds[0] == kinds[1] || llvm::is_contained(kinds, BranchKind::Other) ||
      sliceBranch(second, layer).contains(first.getDefiningOp()))
    return Reason::UnknownForm;
  return residual;
}

struct BlockSerializePass
    : public block::impl::BlockSerializeBase<BlockSerializePass> {
  using BlockSerializeBase::BlockSerializeBase;

  void runOnOperation() final {
    FailureOr<SmallVector<LayerPair>> pairs =
        selectPairs(getOperation(), blocks, Pairing::Block);
    if (failed(pairs))
      return signalPassFailure();
    if (pairs->empty())
      return recordNoMatch(getOperation(), kSerialize, "layer to convert");
    walkOutsideKernels<LayerOp>(getOperation(), [&](LayerOp layer) {
      if (!llvm::is_contained(*pairs, getLayerPair(layer)))
        return;
      std::variant<ResidualOp, Reason> form = matchParallelForm(layer);
      if (auto *residual = std::get_if<ResidualOp>(&form))
        return convert(layer, *residual);
      // A layer that is serial already needs nothing, and keeps no note of it.
      Reason reason = std::get<Reason>(form);
      auto record =
          reason == Reason::AlreadySerial ? remarkMissed : recordMissed;
      std::string message = getReasonMeaning(reason).str();
      if (reason == Reason::PostLayerNorm)
        message += ": the model before block-parallelize is its serial form";
      record(layer, kSerialize, reason, message, {});
    });
  }

private:
  void convert(LayerOp layer, ResidualOp residual) {
    Value stream = residual.getInput();
    Value branches[] = {residual.getBranches()[0], residual.getBranches()[1]};
    OpBuilder builder(residual);
    auto addBranch = [&](Value to, Value branch, double inputScale,
                         double scale) -> Value {
      return ResidualOp::create(
          builder, residual.getLoc(), residual.getType(), to,
          ValueRange(branch), builder.getF64FloatAttr(inputScale),
          builder.getF64ArrayAttr(scale == 1.0 ? ArrayRef<double>()
                                               : ArrayRef<double>(scale)));
    };
    Value middle = addBranch(stream, branches[0],
                             residual.getInputScale().convertToDouble(),
                             residual.getBranchScale(0));
    // Copies the ops by which the second branch depends on the stream,
    // including a norm shared with the first branch.
    IRMapping copies;
    copies.map(stream, middle);
    SetVector<Operation *> slice = sliceBranch(branches[1], layer);
    SmallVector<Operation *> ordered;
    for (Operation &op : *residual->getBlock())
      if (slice.contains(&op))
        ordered.push_back(&op);
    for (Operation *op : ordered)
      if (llvm::any_of(op->getOperands(),
                       [&](Value operand) { return copies.contains(operand); }))
        builder.clone(*op, copies);
    Value result = addBranch(middle, copies.lookupOrDefault(branches[1]), 1.0,
                             residual.getBranchScale(1));
    residual.replaceAllUsesWith(result);
    residual.erase();
    eraseDeadOps(layer->getRegions());

    MLIRContext *context = &getContext();
    layer.setApproxAttr(
        ApproxAttr::get(context, kSerialize, "", // it has no parameters
                        StringAttr::get(context, "unmeasured"),
                        layer.getApprox().value_or(ApproxAttr())));
    recordPassed(layer, kSerialize,
                 "the second branch reads the first one's update");
  }
};
} // namespace
