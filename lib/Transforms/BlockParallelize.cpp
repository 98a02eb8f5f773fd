//===- BlockParallelize.cpp - serial blocks become parallel ones ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/IR/BlockOps.h"
#include "parablock/Transforms/LayerSelection.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/Support/Format.h"
#include <cmath>

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKPARALLELIZE
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kPass = "block-parallelize";

/// The norm that feeds the first branch, or null where it reads the stream.
NormOp findFirstNorm(const SerialForm &form) {
  for (Operation *user : ResidualOp(form.first).getInput().getUsers())
    if (auto norm = dyn_cast<NormOp>(user);
        norm && norm->getBlock() == form.first->getBlock())
      return norm;
  return {};
}

struct BlockParallelizePass
    : public block::impl::BlockParallelizeBase<BlockParallelizePass> {
  using BlockParallelizeBase::BlockParallelizeBase;

  void runOnOperation() final {
    Operation *function = getOperation();
    FailureOr<LayerSelection> selection =
        LayerSelection::parse(function, blocks);
    if (failed(selection) || failed(checkOptions()))
      return signalPassFailure();
    bool found = false;
    walkOutsideKernels<LayerOp>(function, [&](LayerOp layer) {
      if (!selection->contains(layer.getIndex()))
        return;
      found = true;
      std::variant<SerialForm, Reason> form = matchSerialForm(layer);
      if (auto *serial = std::get_if<SerialForm>(&form))
        return convert(layer, *serial);
      Reason reason = std::get<Reason>(form);
      // A layer that is parallel already needs nothing, and keeps no note of
      // it.
      auto record =
          reason == Reason::AlreadyParallel ? remarkMissed : recordMissed;
      record(layer, kPass, reason, getReasonMeaning(reason), {});
    });
    if (!found)
      recordNoMatch(function, kPass, "layer to convert");
  }

  LogicalResult checkOptions() {
    if (norm != "separate" && norm != "shared" && norm != "shared-lossy")
      return getOperation()->emitError()
             << "expected norm to be separate, shared or shared-lossy, got '"
             << norm << "'";
    for (auto [name, value] : {std::pair("scale", double(scale)),
                               std::pair("attn-scale", double(attnScale)),
                               std::pair("mlp-scale", double(mlpScale))})
      if (!std::isfinite(value))
        return getOperation()->emitError()
               << "expected " << name << " to be finite, got " << value;
    return success();
  }

  void convert(LayerOp layer, SerialForm &form) {
    Value stream = form.first.getInput();
    // Norms first: shared ones need to see both before anything moves.
    NormOp firstNorm = findFirstNorm(form);
    for (OpOperand *read : form.reads)
      redirect(*read, stream, firstNorm);

    OpBuilder builder(form.second);
    double outer = form.second.getInputScale().convertToDouble();
    Value branches[] = {form.first.getBranches().front(),
                        form.second.getBranches().front()};
    bool attentionFirst = isAttentionBranch(branches[0]);
    double factors[] = {scale * (attentionFirst ? attnScale : mlpScale),
                        scale * (attentionFirst ? mlpScale : attnScale)};
    double scales[] = {outer * form.first.getBranchScale(0) * factors[0],
                       form.second.getBranchScale(0) * factors[1]};
    bool plain = scales[0] == 1.0 && scales[1] == 1.0;
    auto merged = ResidualOp::create(
        builder,
        FusedLoc::get(layer.getContext(),
                      {form.first.getLoc(), form.second.getLoc()}),
        form.second.getResult().getType(), stream, ValueRange(branches),
        builder.getF64FloatAttr(outer *
                                form.first.getInputScale().convertToDouble()),
        builder.getF64ArrayAttr(plain ? ArrayRef<double>()
                                      : ArrayRef<double>(scales)));
    form.second.replaceAllUsesWith(merged.getResult());
    form.second.erase();
    form.first.erase();
    stamp(layer);
    recordPassed(
        layer, kPass, "both branches read the layer's input",
        {{"scale", scale}, {"attn_scale", attnScale}, {"mlp_scale", mlpScale}});
  }

  /// Makes an op of the second branch read the layer's input.
  void redirect(OpOperand &read, Value stream, NormOp firstNorm) {
    auto secondNorm = dyn_cast<NormOp>(read.getOwner());
    if (norm == "separate" || !secondNorm || !firstNorm) {
      read.set(stream);
      return;
    }
    if (norm == "shared-lossy") {
      secondNorm.replaceAllUsesWith(firstNorm.getResult());
      secondNorm.erase();
      return;
    }
    read.set(stream);
    NormAttr first = firstNorm.getForm(), own = secondNorm.getForm();
    secondNorm.setFormAttr(NormAttr::get(
        layerContext(), first.getKind(), first.getEps(), first.getEpsForm(),
        own.getGammaForm(), own.getRounding()));
  }

  MLIRContext *layerContext() { return &getContext(); }

  /// The branch that begins with an attention, not with an MLP.
  static bool isAttentionBranch(Value branch) {
    for (Operation *op = branch.getDefiningOp(); op && op->getNumOperands();
         op = op->getOperand(0).getDefiningOp())
      if (isa<AttentionOp>(op))
        return true;
      else if (isa<MlpOp, LayerOp>(op))
        return false;
    return false;
  }

  void stamp(LayerOp layer) {
    std::string parameters;
    llvm::raw_string_ostream(parameters)
        << "norm=" << norm
        << llvm::format(" scale=%g attn-scale=%g mlp-scale=%g",
                        scale.getValue(), attnScale.getValue(),
                        mlpScale.getValue());
    layer.setApproxAttr(
        ApproxAttr::get(layerContext(), kPass, parameters,
                        StringAttr::get(layerContext(), "unmeasured"),
                        layer.getApprox().value_or(ApproxAttr())));
  }
};
} // namespace
