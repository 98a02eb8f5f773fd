//===- LayerForm.cpp - the wiring of a layer ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ModelCounts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// The op of a layer that makes `value`; null for what the layer is given.
static Operation *getProducerInLayer(Value value) {
  Operation *op = getProducer(value);
  return op && op->getParentOfType<LayerOp>() ? op : nullptr;
}

/// The new rows of the cache that `op` makes, or of which it gives a rank its
/// heads; null for another op.
static Value getAddedRows(Operation *op) {
  if (auto heads = dyn_cast<tensor::ExtractSliceOp>(op))
    op = getProducer(heads.getSource());
  auto append = dyn_cast_or_null<CacheAppendOp>(op);
  return append ? append.getAdded() : Value();
}

static bool isNorm(Operation *op) {
  auto step = dyn_cast_or_null<StepOpInterface>(op);
  return step && step.getPart() == ModelPart::Norm;
}

/// Tells whether `value` is a projection, or columns of one.
static bool isProjected(Value value) {
  Operation *op = getProducerInLayer(value);
  while (op && !isProduct(op) && (isPassThrough(op) || isa<DeferredNormOp>(op)))
    op = getProducerInLayer(op->getOperand(0));
  return op && isProduct(op);
}

/// Tells whether `op` is a sum of projections, as keys are that are made of a
/// latent and of a part that all heads share.
static bool isSumOfProjections(Operation *op) {
  return isa<ResidualOp>(op) && llvm::all_of(op->getOperands(), isProjected);
}

/// Goes back from `value` through what a projection and its epilogue consist
/// of. With `hasNorm`, says whether a norm of the row was among it (norms of
/// queries and keys come after the projection and do not count).
static Value getProjectedValue(Value value, bool *hasNorm = nullptr) {
  bool deferred = false, projected = false;
  while (Operation *op = getProducerInLayer(value)) {
    if (Value added = getAddedRows(op)) {
      value = added;
      continue;
    }
    if (isProduct(op)) {
      projected = true;
    } else if (isNorm(op)) {
      if (projected)
        deferred = true;
    } else if (isa<DeferredNormOp>(op)) {
      deferred = true;
    } else if (!isPassThrough(op) && !isSumOfProjections(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  if (hasNorm)
    *hasNorm = deferred;
  return leaveKernel(value);
}

namespace {
/// The findings of a walk over the steps of a layer.
struct Wiring {
  bool hasAttention = false, hasCross = false, hasMlp = false;
  /// An MLP step reads nothing that an attention of the layer has made.
  bool hasFreeMlp = false;
  /// Experts that read no attention of the layer are chosen by what one made.
  bool hasLateRouter = false;
  /// Experts are in the layer, and an attention reads what they made.
  bool hasExperts = false, hasAttentionOfExperts = false;
  /// An attention of the layer reads what an MLP of it has made.
  bool hasLateAttention = false;
  bool hasPreNorm = false, hasBranchNorm = false, hasPostNorm = false;
};

class WiringFinder {
public:
  Wiring find(LayerOp layer) {
    layer.getBody().walk([&](Operation *op) { visit(op); });
    auto yield = cast<YieldOp>(layer.getBody().front().getTerminator());
    for (Value value : yield.getValues()) {
      Operation *producer = getProducer(value);
      wiring.hasPostNorm |=
          isNorm(producer) &&
          isa_and_nonnull<ResidualOp>(getProducer(producer->getOperand(0)));
    }
    return wiring;
  }

private:
  /// Ops are visited in order, so operands are known before their readers.
  void visit(Operation *op) {
    bool reads = readsFrom(op, afterAttention);
    bool readsMlp = readsFrom(op, afterMlp);
    ModelPart part = getPart(op);
    if (reads || part == ModelPart::Attention)
      afterAttention.insert(op);
    if (readsMlp || part == ModelPart::Mlp)
      afterMlp.insert(op);
    wiring.hasLateAttention |= readsMlp && part == ModelPart::Attention;
    bool readsExperts = readsFrom(op, afterExperts);
    if (readsExperts || isa<MoeOp, ExpertsOp>(op)) {
      wiring.hasExperts = true;
      afterExperts.insert(op);
    }
    wiring.hasAttentionOfExperts |=
        readsExperts && part == ModelPart::Attention;
    if (part == ModelPart::Mlp) {
      wiring.hasMlp = true;
      wiring.hasFreeMlp |= !reads;
      if (auto experts = dyn_cast<ExpertsOp>(op))
        visitExperts(experts);
    } else if (auto attention = dyn_cast<AttentionOp>(op)) {
      visitAttention(attention.isCross(),
                     isNorm(getProducerInLayer(attention.getInput())));
    } else if (isAttentionCore(op)) {
      auto core = cast<AttentionOpInterface>(op);
      bool hasNorm = false;
      Value query = getProjectedValue(core.getQuery(), &hasNorm);
      visitAttention(query != getProjectedValue(core.getKey()), hasNorm);
    } else if (auto residual = dyn_cast<ResidualOp>(op)) {
      for (Value branch : residual.getBranches())
        wiring.hasBranchNorm |= isNorm(skipScales(branch));
    }
  }

  void visitExperts(ExpertsOp op) {
    Operation *input = getProducer(op.getInput());
    if (input && afterAttention.contains(input))
      return;
    wiring.hasFreeMlp = true;
    Operation *choice = getProducer(op.getIndices());
    wiring.hasLateRouter |= choice && afterAttention.contains(choice);
  }

  static bool readsFrom(Operation *op, const DenseSet<Operation *> &ops) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *producer = getProducer(operand);
      return producer && ops.contains(producer);
    });
  }

  void visitAttention(bool isCross, bool hasNorm) {
    wiring.hasAttention = true;
    wiring.hasCross |= isCross;
    wiring.hasPreNorm |= hasNorm;
  }

  static Operation *skipScales(Value value) {
    Operation *producer = getProducer(value);
    while (producer && isa<ScaleOp, DropoutOp>(producer))
      producer = getProducer(producer->getOperand(0));
    return producer;
  }

  Wiring wiring;
  DenseSet<Operation *> afterAttention, afterMlp, afterExperts;
};
} // namespace

StringRef parablock::describeForm(LayerOp layer) {
  Wiring wiring = WiringFinder().find(layer);
  if (wiring.hasCross)
    return wiring.hasPostNorm ? "three-sublayer-post-norm" : "three-sublayer";
  if (!wiring.hasAttention)
    return wiring.hasMlp ? "mlp-only" : "other";
  if (!wiring.hasMlp)
    return "attention-only";
  if (wiring.hasLateAttention && wiring.hasExperts &&
      !wiring.hasAttentionOfExperts)
    return "parallel-shortcut";
  if (wiring.hasLateAttention)
    return "serial-shifted";
  if (wiring.hasFreeMlp && wiring.hasPostNorm)
    return "parallel-post-norm";
  if (wiring.hasFreeMlp)
    return wiring.hasLateRouter ? "parallel-serial-router" : "parallel";
  if (wiring.hasPostNorm)
    return "post-norm";
  if (wiring.hasBranchNorm)
    return wiring.hasPreNorm ? "peri-norm" : "post-norm-in-branch";
  return "serial";
}
