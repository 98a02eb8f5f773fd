//===- BlockExpand.cpp - level 1 to level 2 -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandSteps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKEXPAND
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kPass = "block-expand";

struct BlockExpandPass : public block::impl::BlockExpandBase<BlockExpandPass> {
  void runOnOperation() final {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isComposite(op))
        found.push_back(op);
    });
    if (found.empty())
      recordNoMatch(getOperation(), kPass, "attention, MLP or norm of level 1");
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        recordOrigin(function);
    });
    for (Operation *op : found)
      expand(op);
  }

  /// Logs what each layer was before any rewrite, for later comparisons.
  static void recordOrigin(FunctionOpInterface function) {
    // What cannot be counted (an argument without a static shape) needs no log.
    ScopedDiagnosticHandler silence(function.getContext(),
                                    [](Diagnostic &) { return success(); });
    FailureOr<ModelCounts> counts = countModel(function);
    if (failed(counts))
      return;
    for (LayerCounts &layer : counts->layers) {
      double attentions = 0, mlps = 0, norms = 0;
      for (Operation &op : layer.layer.getBody().front()) {
        auto step = dyn_cast<StepOpInterface>(op);
        if (!step || step.getStepKind() != StepKind::Composite)
          continue;
        attentions += step.getPart() == ModelPart::Attention;
        mlps += step.getPart() == ModelPart::Mlp;
        norms += step.getPart() == ModelPart::Norm;
      }
      if (attentions + mlps + norms == 0)
        continue;
      recordPassed(layer.layer, kPass, "expanded into steps",
                   {{"attention", attentions},
                    {"mlp", mlps},
                    {"norm", norms},
                    {"launches", static_cast<double>(layer.steps.launches)},
                    {"bytes", layer.steps.bytes}});
    }
  }

  static void expand(Operation *op) {
    // The steps stand where the op stood, so what is between these two is new.
    Operation *before = op->getPrevNode();
    OpBuilder builder(op);
    Operation *last =
        TypeSwitch<Operation *, Operation *>(op)
            .Case([&](AttentionOp op) { return expandAttention(builder, op); })
            .Case([&](MlpOp op) { return expandMlp(builder, op); })
            .Case([&](NormOp op) { return expandNorm(builder, op); });
    last->setDiscardableAttrs(op->getDiscardableAttrDictionary());

    double steps = 0, projections = 0;
    Operation *first =
        before ? before->getNextNode() : &op->getBlock()->front();
    for (Operation *step = first; step != op; step = step->getNextNode()) {
      ++steps;
      projections += isa<LinearOp>(step);
    }
    remarkPassed(op, kPass, "became the steps that define it",
                 {{"steps", steps}, {"projections", projections}});
    op->replaceAllUsesWith(last);
    op->erase();
  }
};
} // namespace
