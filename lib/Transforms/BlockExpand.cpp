//===- BlockExpand.cpp - level 1 to level 2 -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "ExpandSteps.h"
#include "LayerStory.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKEXPAND
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kExpand = "block-expand";

template <typename OpT, Operation *(*Build)(OpBuilder &, OpT)>
struct Expand final : public ExactPattern<OpT> {
  using ExactPattern<OpT>::ExactPattern;

  LogicalResult rewrite(OpT op, PatternRewriter &rewriter) const final {
    // The steps stand where the op stood, so what is between these two is new.
    Operation *before = op->getPrevNode();
    Operation *last = Build(rewriter, op);
    last->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    // A result may have sizes that nothing says of what it is made of.
    for (auto [own, other] :
         llvm::zip_equal(last->getResults(), op->getResults()))
      own.setType(other.getType());

    double steps = 0, projections = 0;
    Operation *step = before ? before->getNextNode() : &op->getBlock()->front();
    for (; step != op; step = step->getNextNode()) {
      ++steps;
      projections += isa<LinearOp>(step);
    }
    remarkPassed(op, kExpand, "became the steps that define it",
                 {{"steps", steps}, {"projections", projections}});
    rewriter.replaceOp(op, last);
    return success();
  }
};

struct BlockExpandPass : public block::impl::BlockExpandBase<BlockExpandPass> {
  void runOnOperation() final {
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        recordOrigin(function);
    });
    RewritePatternSet patterns(&getContext());
    populateExpandPatterns(patterns);
    applyOnce(getOperation(), std::move(patterns), kExpand,
              "attention, MLP or norm of level 1", numDone, numRefused);
  }

  /// Logs what each layer was before any rewrite, for later comparisons.
  static void recordOrigin(FunctionOpInterface function) {
    // A function without counts (an argument of dynamic shape) needs no log.
    ScopedDiagnosticHandler silence(function.getContext(),
                                    [](Diagnostic &) { return success(); });
    FailureOr<ModelCounts> counts = countModel(function);
    if (failed(counts))
      return;
    for (LayerCounts &layer : counts->layers) {
      double attentions = 0, mlps = 0, experts = 0, norms = 0;
      bool hasComposite = false;
      for (Operation &op : layer.layer.getBody().front()) {
        auto step = dyn_cast<StepOpInterface>(op);
        if (!step)
          continue;
        bool isComposite = step.getStepKind() == StepKind::Composite;
        hasComposite |= isComposite;
        attentions += isAttention(&op);
        experts += isExperts(&op);
        mlps +=
            isComposite && step.getPart() == ModelPart::Mlp && !isExperts(&op);
        norms += isComposite && step.getPart() == ModelPart::Norm;
      }
      if (!hasComposite)
        continue;
      SmallVector<Metric> metrics = {
          {"attention", attentions},
          {"mlp", mlps},
          {"norm", norms},
          {"launches", static_cast<double>(layer.steps.launches)},
          {"bytes", layer.steps.bytes}};
      if (experts)
        metrics.push_back({"experts", experts});
      recordPassed(layer.layer, kExpand, "expanded into steps", metrics);
    }
  }
};
} // namespace

void block::populateExpandPatterns(RewritePatternSet &patterns) {
  patterns.add<Expand<AttentionOp, expandAttention>, Expand<MlpOp, expandMlp>,
               Expand<MoeOp, expandMoe>, Expand<NormOp, expandNorm>>(
      patterns.getContext());
}
